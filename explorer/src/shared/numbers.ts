/** A score with two decimals; with its sign where it was added to something. */
export function score(value: number, signed = false): string {
  const text = Math.abs(value).toFixed(2);
  if (value < 0 && text !== '0.00') return `−${text}`;
  return signed ? `+${text}` : text;
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

/** So many of something, by its name for one, and for several where that has more than an s. */
export function many(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/**
 * A stretch of time in the largest units that tell it. It is cut rather than rounded, as in lessons, so that what was closed
 * before 5 s never reads as 5 s.
 */
export function duration(seconds: number): string {
  const micros = Math.round(seconds * 1e6); // the last bits of a mean are not cut
  if (micros < 10e6) return `${Math.trunc(micros / 1e5) / 10} s`;
  const whole = Math.floor(micros / 1e6);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  const minutes = Math.floor(whole / 60);
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
