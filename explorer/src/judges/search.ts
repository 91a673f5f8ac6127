import { rangeSearch } from '../shared/range';
import { oneOf, text } from '../shared/search';

export const views = ['judges', 'patterns', 'runs'] as const;

/** What is looked at of judged work. */
export type JudgesSearch = ReturnType<typeof judgesSearch>;

export function judgesSearch(raw: Record<string, unknown>) {
  return {
    ...rangeSearch(raw),
    view: oneOf(raw, 'view', views),
    judge: text(raw, 'judge'),
    kind: oneOf(raw, 'kind', ['DO', 'DONT'] as const),
    section: text(raw, 'section'),
    run: text(raw, 'run'),
    people: oneOf(raw, 'people', ['disagree'] as const),
  };
}
