import { canvasActions, outcomes } from '../shared/choices';
import { rangeSearch } from '../shared/range';
import { oneOf, text, whole } from '../shared/search';
import type { EpisodeFilter } from './operations.generated';

const orders = ['STARTED_AT_DESC', 'STARTED_AT_ASC', 'FEEDBACK_DESC'] as const;

export const orderOptions = [
  { value: 'STARTED_AT_ASC', label: 'oldest first' },
  { value: 'FEEDBACK_DESC', label: 'most liked first' },
];

/** What a list of episodes looks like in the address. */
export type EpisodesSearch = ReturnType<typeof episodesSearch>;

export function episodesSearch(raw: Record<string, unknown>) {
  return {
    q: text(raw, 'q'),
    agent: text(raw, 'agent'),
    session: text(raw, 'session'),
    task: text(raw, 'task'),
    outcome: oneOf(raw, 'outcome', outcomes),
    canvas: text(raw, 'canvas'),
    action: oneOf(raw, 'action', canvasActions),
    reaction: oneOf(raw, 'reaction', ['liked', 'disliked'] as const),
    ...rangeSearch(raw),
    order: oneOf(raw, 'order', orders),
  };
}

/** Which two episodes stand side by side. */
export function compareSearch(raw: Record<string, unknown>) {
  return { a: text(raw, 'a'), b: text(raw, 'b') };
}

/** What an episode looks like in the address: at which step of its log the replay stands, and which thought or action is marked, each from 0. */
export function episodeSearch(raw: Record<string, unknown>) {
  return { step: whole(raw, 'step', 0, 99_999), thought: whole(raw, 'thought', 0, 99_999), action: whole(raw, 'action', 0, 99_999) };
}

export function episodeFilter(search: EpisodesSearch): EpisodeFilter {
  return {
    agentId: search.agent,
    sessionId: search.session,
    taskType: search.task,
    outcome: search.outcome,
    canvasType: search.canvas,
    canvasAction: search.action,
    minFeedbackScore: search.reaction === 'liked' ? 0.01 : undefined,
    maxFeedbackScore: search.reaction === 'disliked' ? -0.01 : undefined,
    timeRange: search.range,
    since: search.from,
    until: search.to,
  };
}
