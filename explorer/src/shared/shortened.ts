/** The beginning of a text, by whole characters, also of those that are two units of it. */
export function beginning(text: string, most: number): string {
  return [...text.slice(0, 2 * most)].slice(0, most).join('');
}

const longestHeading = 160;

/** A title or a name, which may be as long as its writer liked, as it stands in a line or over a page: its beginning, without line breaks. */
export function heading(text: string): string {
  return shortened(text.trim().replace(/\s+/g, ' '), longestHeading);
}

/** A text of at most so many characters; of a longer one the beginning, by whole words where that is wanted, and a sign that it was cut. */
export function shortened(text: string, most: number, words = false): string {
  const begun = beginning(text, most);
  if (begun.length === text.length) return text;
  const whole = words && !/\s/.test(text[begun.length]!) ? begun.replace(/\s+\S*$/, '') : begun;
  return `${whole.trimEnd()}…`;
}

const longestReason = 200;

/** A reason of a hit, which may hold what people said, as it stands in a list: its beginning. */
export function briefReason(reason: string): string {
  return shortened(reason, longestReason, true);
}
