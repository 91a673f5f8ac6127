import { rangeSearch } from '../shared/range';
import { text } from '../shared/search';

/** Which ranking of agents is shown. */
export type AgentsSearch = ReturnType<typeof agentsSearch>;

export function agentsSearch(raw: Record<string, unknown>) {
  return { ...rangeSearch(raw), task: text(raw, 'task'), situation: text(raw, 'situation') };
}

/** Which of an agent's curves is shown. */
export function agentSearch(raw: Record<string, unknown>) {
  return { ...rangeSearch(raw), task: text(raw, 'task') };
}
