import { timeRanges } from './choices';
import { instant, oneOf } from './search';

/** The time range that all pages share, as the address keeps it: a preset, or dates of one's own. */
export type RangeSearch = ReturnType<typeof rangeSearch>;

export function rangeSearch(raw: Record<string, unknown>) {
  const [from, to] = [instant(raw, 'from'), instant(raw, 'to')];
  return { range: from || to ? undefined : oneOf(raw, 'range', timeRanges), from, to };
}

const hoursOf = { LAST_1D: 24, LAST_7D: 7 * 24, LAST_30D: 30 * 24, LAST_90D: 90 * 24 };
const hour = 3_600_000;

/** The same as the API takes it. A preset ends now, and begins at a whole hour, so that a page asks the same for an hour. */
export function boundsOf({ range, from, to }: RangeSearch, now = Date.now()): { since?: string; until?: string } {
  if (range) return { since: new Date(Math.floor(now / hour) * hour - hoursOf[range] * hour).toISOString() };
  return { since: from, until: to };
}

/** The part of an address that leads to another page with the same range. */
export function rangeQuery(search: Partial<RangeSearch>): string {
  const parts = Object.entries({ range: search.range, from: search.from, to: search.to }).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return parts.length > 0 ? `?${new URLSearchParams(parts)}` : '';
}
