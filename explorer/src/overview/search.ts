import { rangeSearch } from '../shared/range';
import { oneOf, text } from '../shared/search';

/** What the overview is of. */
export type OverviewSearch = ReturnType<typeof overviewSearch>;

export function overviewSearch(raw: Record<string, unknown>) {
  return { ...rangeSearch(raw), agent: text(raw, 'agent'), task: text(raw, 'task'), by: oneOf(raw, 'by', ['agent', 'task'] as const) };
}
