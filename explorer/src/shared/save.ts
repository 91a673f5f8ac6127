/** Hands a file to the browser. */
export function save(name: string, content: Blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Saves rows as CSV (RFC 4180), the first of which names the columns. */
export function saveCsv(name: string, rows: string[][]) {
  save(name, new Blob([`${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`], { type: 'text/csv' }));
}

/** A value in quotes. One that a spreadsheet would take for a formula is made a text. */
function cell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
