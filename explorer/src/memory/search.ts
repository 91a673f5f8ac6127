import { rangeSearch } from '../shared/range';
import { oneOf, text } from '../shared/search';

const views = ['concepts', 'observations', 'corrections', 'waiting', 'health', 'keys'] as const;

/** What is looked at of what agents know. */
export type MemorySearch = ReturnType<typeof memorySearch>;

export function memorySearch(raw: Record<string, unknown>) {
  return {
    ...rangeSearch(raw),
    view: oneOf(raw, 'view', views),
    memoir: text(raw, 'memoir'),
    concept: text(raw, 'concept'),
    topic: text(raw, 'topic'),
    order: oneOf(raw, 'order', ['WEIGHT_ASC', 'CREATED_AT_DESC'] as const),
    observation: text(raw, 'observation'),
    correction: text(raw, 'correction'),
  };
}
