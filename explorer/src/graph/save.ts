import { nameOf } from '../shared/names';
import type { Model } from './model';

/** Hands a file to the browser. */
function save(name: string, content: Blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The links as CSV (RFC 4180), with the names of both ends. */
export function saveLinks(model: Model) {
  const name = (id: string) => nameOf(model.records.get(id)!);
  const rows = [...model.edges.values()].map(({ source, type, target }) => [source, name(source), type, target, name(target)]);
  const lines = [['source', 'source name', 'type', 'target', 'target name'], ...rows].map((row) => row.map(cell).join(','));
  save('mneme-graph.csv', new Blob([`${lines.join('\r\n')}\r\n`], { type: 'text/csv' }));
}

/** A value in quotes. One that a spreadsheet would take for a formula is made a text. */
function cell(value: string): string {
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
