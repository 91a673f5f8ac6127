import { rangeQuery, rangeSearch, type RangeSearch } from '../shared/range';
import { oneOf, text } from '../shared/search';

/** What the overview is of. */
export type OverviewSearch = ReturnType<typeof overviewSearch>;

export function overviewSearch(raw: Record<string, unknown>) {
  return { ...rangeSearch(raw), agent: text(raw, 'agent'), task: text(raw, 'task'), by: oneOf(raw, 'by', ['agent', 'task'] as const), connect: oneOf(raw, 'connect', ['yes'] as const) };
}

/** Where the failures of a time range are listed, of an agent and a type of task where they are named. */
export function failuresHref(range: RangeSearch, agent?: string, task?: string): string {
  return `#/episodes?${new URLSearchParams({ outcome: 'FAILURE', ...(agent && { agent }), ...(task && { task }) })}${rangeQuery(range).replace('?', '&')}`;
}
