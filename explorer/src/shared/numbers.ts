/** A score with two decimals; with its sign where it was added to something. */
export function score(value: number, signed = false): string {
  const text = Math.abs(value).toFixed(2);
  if (value < 0 && text !== '0.00') return `−${text}`;
  return signed ? `+${text}` : text;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** A stretch of time in the largest units that tell it. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toFixed(seconds < 10 ? 1 : 0))} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min`;
}
