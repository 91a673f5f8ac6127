import { canvasActions, outcomes } from '../shared/choices';
import { rangeSearch } from '../shared/range';
import { instant, number, oneOf, text, whole } from '../shared/search';
import type { RecallInput } from './operations.generated';

/** What a recall looks like in the address: a situation, which experiences may matter, and how they are weighed. */
export type RecallSearch = ReturnType<typeof recallSearch>;

export const feedbackModes = ['FIXED', 'SMOOTHED', 'OFF'] as const;

/** The constants that the API ranks by where nothing is said. */
export const usual = { semanticWeight: 0.7, temporalWeight: 0.3, halfLifeDays: 30 };

export const usualHits = 5;

export function recallSearch(raw: Record<string, unknown>) {
  return {
    q: text(raw, 'q'),
    agent: text(raw, 'agent'),
    task: text(raw, 'task'),
    outcome: oneOf(raw, 'outcome', outcomes),
    canvas: text(raw, 'canvas'),
    action: oneOf(raw, 'action', canvasActions),
    liked: number(raw, 'liked', -1, 1),
    ...rangeSearch(raw),
    asOf: instant(raw, 'asOf'),
    top: whole(raw, 'top', 1, 100),
    feedback: oneOf(raw, 'feedback', feedbackModes),
    match: number(raw, 'match', 0, 1),
    recency: number(raw, 'recency', 0, 1),
    halfLife: number(raw, 'halfLife', 1, 365),
    why: text(raw, 'why'),
    tab: oneOf(raw, 'tab', ['next', 'lessons', 'beside', 'graphql'] as const),
  };
}

/** The same as the API takes it; what is usual is left out. */
export function recallInput(search: RecallSearch): RecallInput {
  const ranking = {
    semanticWeight: search.match,
    temporalWeight: search.recency,
    halfLifeDays: search.halfLife,
    feedback: search.feedback === 'FIXED' ? undefined : search.feedback,
  };
  return {
    ...usualInput(search),
    ranking: Object.values(ranking).some((value) => value !== undefined) ? ranking : undefined,
  };
}

/** The same with the ranking as it is usually: what a changed one is compared with. */
export function usualInput(search: RecallSearch): RecallInput {
  return {
    situation: search.q ?? '',
    agentId: search.agent,
    taskType: search.task,
    outcome: search.outcome,
    canvasType: search.canvas,
    canvasAction: search.action,
    minFeedbackScore: search.liked,
    timeRange: search.range,
    since: search.from,
    until: search.to,
    asOf: search.asOf,
    topK: search.top ?? usualHits,
  };
}
