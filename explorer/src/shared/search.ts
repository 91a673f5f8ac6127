// What stands in the address is anyone's: what is not understood is left out.

/** What a value of the address is that may be JSON: a list, or a text in quotes. All else is what somebody wrote, as 1e3 or {"a": 1}. */
export function json(value: string): unknown {
  const read: unknown = JSON.parse(value);
  return typeof read === 'string' || Array.isArray(read) ? read : value;
}

type Raw = Record<string, unknown>;

export function text(raw: Raw, name: string): string | undefined {
  const value = raw[name];
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return JSON.stringify(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function number(raw: Raw, name: string, least: number, most: number): number | undefined {
  const value = Number(raw[name] ?? NaN);
  return Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : undefined;
}

/** A number that is counted with. */
export function whole(raw: Raw, name: string, least: number, most: number): number | undefined {
  const value = number(raw, name, least, most);
  return value === undefined ? undefined : Math.round(value);
}

export function oneOf<Choice extends string>(raw: Raw, name: string, choices: readonly Choice[]): Choice | undefined {
  return choices.find((choice) => choice === raw[name]);
}

/** An instant in any form that the browser reads, as the API writes it. */
export function instant(raw: Raw, name: string): string | undefined {
  const time = Date.parse(text(raw, name) ?? '');
  return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
