/** A score with two decimals; with its sign where it was added to something. */
export function score(value: number, signed = false): string {
  const text = Math.abs(value).toFixed(2);
  if (value < 0 && text !== '0.00') return `−${text}`;
  return signed ? `+${text}` : text;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** So many of something, by its name for one. */
export function many(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

/** A stretch of time in the largest units that tell it. */
export function duration(seconds: number): string {
  if (seconds < 59.5) return `${Number(seconds.toFixed(seconds < 10 ? 1 : 0))} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.round(whole / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
