/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from './document.js';
/** One step an agent took and what came of it. */
export type ActionInput = {
  /** What came of the step. */
  result?: unknown;
  /** The caller's own name for the step. */
  stepId?: string | number | null | undefined;
  /** What was done, such as a tool's name. */
  stepName: string;
};

/**
 * One thing that happened to a canvas. The canvas comes into being with its first action. An `episodeId` that is the id of a record of
 * another kind is INVALID_INPUT.
 */
export type CanvasActionInput = {
  /** What happened. */
  action: CanvasActionKind;
  /** When it happened; now where it is left out. */
  at?: string | null | undefined;
  /** The canvas, by id or key: 1 to 512 bytes without control characters. */
  canvasId: string | number;
  /** What kind of canvas it is; the same for all actions of one canvas. */
  canvasType: string;
  /** Which component it is; the same for all actions of one canvas that say so. */
  componentType?: string | null | undefined;
  /** The episode that presented it, by id or key. One that is not known yet is linked when it comes. */
  episodeId?: string | number | null | undefined;
  /** The caller's own name for the action, so that it may be sent again: the same content is then the same action. */
  id?: string | number | null | undefined;
  /** What the frontend says about it; an `error` in it says that an error was shown, and what else says something can be configured. */
  metadata?: unknown;
  /** The session it was shown in, by id or key; links the canvas to an episode of that session where `episodeId` is left out. */
  sessionId?: string | number | null | undefined;
  /** For whom it is, 1 to 512 bytes without control characters; the same for all actions of one canvas that say so, and by default that of its episode. */
  userId?: string | number | null | undefined;
};

/** What happened to a canvas. */
export type CanvasActionKind =
  /** The person closed it. */
  | 'CLOSE'
  /** The person ran what it offers. */
  | 'EXECUTE'
  /** The agent showed it. */
  | 'PRESENT'
  /** The person submitted what they filled in. */
  | 'SUBMIT'
  /** Its contents changed. */
  | 'UPDATE';

/** A finished run, or a part of its log, which becomes the episode whose key is `runId`. */
export type CaptureRunInput = {
  /** Who did the work, by id or key; an agent nobody knew comes into being. */
  agentId: string | number;
  /**
   * True where the events are a part of a log of up to 100,000, each with its number. Parts come in any order; what is
   * there already is ignored, and something else under its number is a CONFLICT. All parts say the same of the run beside
   * its events. Until the log has its end (`workflow_completed` or `workflow_failed` as the last event, and all before it) the
   * episode's outcome is UNKNOWN, and of its log it tells only how the first part began, or with `workflow_interrupted` as the last
   * event all so far; `concludeEpisode` ends a log that has no such end.
   */
  append?: boolean | null | undefined;
  /** The episodes that caused it, by id or key, as in `recordEpisode`. */
  causedBy?: Array<string | number> | null | undefined;
  /** The concepts it mentions, by id or key, as in `recordEpisode`. */
  conceptIds?: Array<string | number> | null | undefined;
  /** What the work cost, as in `recordEpisode`. */
  cost?: number | null | undefined;
  /** A vector for recall by meaning, as in `recordEpisode`. */
  embedding?: Array<number> | null | undefined;
  /** The log in order, or with `append` a part of it in any order, 1 to 1,000 entries. */
  events: Array<EventInput>;
  /** The caller's own names for the executions it covers, at most 1,000; feedback may name one of them. */
  executionIds?: Array<string | number> | null | undefined;
  /** The hits and cautions of `recall` that its agent went by, by id or key, as in `recordEpisode`. */
  informedBy?: Array<string | number> | null | undefined;
  /** Why it worked or failed; written from the log by rule where it is left out. */
  insight?: string | null | undefined;
  /** Whatever else is to be kept with it. */
  metadata?: unknown;
  /** How good the work was, 0 to 1, as in `recordEpisode`. */
  quality?: number | null | undefined;
  /** The run's id, and the key of its episode: 1 to 512 bytes without control characters. */
  runId: string | number;
  /** The session the run belongs to, by id or key. */
  sessionId?: string | number | null | undefined;
  /** For whom it was, 1 to 512 bytes without control characters. A key that is bound to a user records for that one. */
  userId?: string | number | null | undefined;
  /** The workflow's name, which becomes the task type; null where it has none. */
  workflowName?: string | null | undefined;
};

/** The end of an episode that was recorded before its outcome was known. */
export type ConcludeEpisodeInput = {
  /** What the work cost, as in `recordEpisode`; leaves what was recorded where it is left out. */
  cost?: number | null | undefined;
  /** When it ended, not before it began; leaves what was recorded where it is left out. */
  endedAt?: string | null | undefined;
  /** The episode's id or key. */
  id: string | number;
  /** Why it worked or failed; leaves what was recorded where it is left out, rewritten if a rule wrote it. */
  insight?: string | null | undefined;
  /** How it ended: SUCCESS or FAILURE. */
  outcome: Outcome;
  /** How good the work was, 0 to 1; leaves what was recorded where it is left out. See `recordEpisode`. */
  quality?: number | null | undefined;
  /** What came of it; leaves what was recorded where it is left out. */
  result?: string | null | undefined;
};

/** Keeps the episodes that meet every condition set. */
export type EpisodeFilter = {
  /** Done by this agent, by id or key. */
  agentId?: string | number | null | undefined;
  /** Presented a canvas on which this happened. */
  canvasAction?: CanvasActionKind | null | undefined;
  /** Presented a canvas of exactly this type. With `canvasAction`, one and the same canvas meets both. */
  canvasType?: string | null | undefined;
  /** With `userId`: also what is for nobody in particular. */
  includeShared?: boolean | null | undefined;
  /** Has an aggregate feedback score of at most this, −1 to 1. An episode without feedback does not. */
  maxFeedbackScore?: number | null | undefined;
  /** Has an aggregate feedback score of at least this, −1 to 1. An episode without feedback does not. */
  minFeedbackScore?: number | null | undefined;
  /** Ended so. */
  outcome?: Outcome | null | undefined;
  /** In this session, by id or key. */
  sessionId?: string | number | null | undefined;
  /** Began then or later. */
  since?: string | null | undefined;
  /** Of exactly this task type. */
  taskType?: string | null | undefined;
  /** Began in this range back from now; not together with `since`. */
  timeRange?: TimeRange | null | undefined;
  /** Began before then. */
  until?: string | null | undefined;
  /** Only what is for this user. A key that is bound to a user asks for that one, and may name no other. */
  userId?: string | number | null | undefined;
};

/** One entry of a finished run's log. */
export type EventInput = {
  /** When it happened. */
  at: string;
  /** What the log says about it. */
  data?: unknown;
  /** Its place in the log, from 0 to 99,999. Needed with `append`; otherwise it is the order of the list, and may be left out. */
  sequence?: number | null | undefined;
  /**
   * What happened. These are understood: `workflow_started` {args}, `agent_message` {role, content},
   * `agent_thought` {thought}, `step_completed` {step_id, step_name, result}, `task_completed`, `workflow_completed` {result},
   * `workflow_failed` {error}, `workflow_interrupted`. Any other is kept for replay.
   */
  type: string;
};

/** How people's feedback moves the ranking. */
export type FeedbackMode =
  /** The whole boost or penalty, by the sign of the aggregate score. */
  | 'FIXED'
  /** None. */
  | 'OFF'
  /** A part of it, because one vote is weak evidence: scaled by |sum of the scores| / (their number + 5). */
  | 'SMOOTHED';

/** Where a person reacted. */
export type FeedbackSource =
  /** On a canvas. */
  | 'CANVAS'
  /** In a chat. */
  | 'CHAT'
  /** In a workflow. */
  | 'WORKFLOW';

/** The form in which a person reacted. */
export type FeedbackType =
  /** Gave 1 to 5 stars: scores −1, −0.5, 0, 0.5 and 1. */
  | 'RATING'
  /** Did not like it: score −1. */
  | 'THUMBS_DOWN'
  /** Liked it: score 1. */
  | 'THUMBS_UP';

/** Where an agent stands in the middle of a run, and which past episodes may tell what comes next. */
export type NextStepsInput = {
  /** Only what these episodes did. */
  filter?: EpisodeFilter | null | undefined;
  /** The last step: its name, and what came of it. */
  lastStep?: string | null | undefined;
  /** The situation in plain words: what the task is, or what was said last. */
  situation: string;
  /** The names of the steps until now, in order, the last one included; without them, `lastStep` tells the last. */
  stepsSoFar?: Array<string> | null | undefined;
  /** How many steps are wanted, 1 to 100. */
  topK?: number | null | undefined;
};

/** How an episode ended. */
export type Outcome =
  /** It did not. */
  | 'FAILURE'
  /** The agent did what it was to do. */
  | 'SUCCESS'
  /** Nobody knows, or not yet: `concludeEpisode` may say so once. */
  | 'UNKNOWN';

/**
 * The constants of the ranking. A hit's total is semanticWeight × semantic + temporalWeight × temporal, plus
 * canvasBoost where the episode has canvas interactions, plus positiveBoost or minus negativePenalty by the
 * sign of its feedback, plus creditWeight × usefulness. All but the first and the penalty count by the square of the match
 * divided by the best match. All are finite and not negative.
 */
export type RankingInput = {
  /** What an episode with canvas interactions gets. */
  canvasBoost?: number | null | undefined;
  /**
   * The weight of how the episodes turned out that it informed: each counts as the mean of its outcome (1 or −1) and its aggregate
   * feedback score, where known; the usefulness is their sum / (their number + 5).
   */
  creditWeight?: number | null | undefined;
  /** How feedback counts. */
  feedback?: FeedbackMode | null | undefined;
  /** The age in days at which an episode counts half as recent; above 0. */
  halfLifeDays?: number | null | undefined;
  /** What an episode with an aggregate feedback score below 0 loses. */
  negativePenalty?: number | null | undefined;
  /** What an episode with an aggregate feedback score above 0 gets. */
  positiveBoost?: number | null | undefined;
  /** The weight of how well the texts (or the vectors) match. */
  semanticWeight?: number | null | undefined;
  /** The weight of how recent the episode is. */
  temporalWeight?: number | null | undefined;
};

/** What a recall answers where nothing is like the situation. */
export type RecallFallback =
  /** No hits; `note` says so. */
  | 'NONE'
  /** The most recent experiences. */
  | 'RECENT';

/** A situation, and which of the past experiences may matter for it. */
export type RecallInput = {
  /** Only what this agent did, by id or key. */
  agentId?: string | number | null | undefined;
  /**
   * Answers as of this instant: only what was known then, with the scores, boosts, filters and contexts of
   * then, and ages measured from it. An episode is known from its end, or its start while the end is unknown.
   */
  asOf?: string | null | undefined;
  /** Only what presented a canvas on which this happened. */
  canvasAction?: CanvasActionKind | null | undefined;
  /** Only what presented a canvas of exactly this type. With `canvasAction`, one and the same canvas meets both. */
  canvasType?: string | null | undefined;
  /** A vector of the situation, as long as the recorded ones; where it is left out, a configured embedder makes it, else the built-in vectors are compared. */
  embedding?: Array<number> | null | undefined;
  /** What comes where nothing is like the situation. */
  fallback?: RecallFallback | null | undefined;
  /** Whether each hit's episode brings its canvases along; if false, its `canvasContext` is empty; `canvasIds` stay. */
  includeCanvas?: boolean | null | undefined;
  /** Whether each hit's episode brings its feedback along; if false, its `feedbackContext` is empty; `feedbackIds` stay. */
  includeFeedback?: boolean | null | undefined;
  /** With `userId`: also what is for nobody in particular. */
  includeShared?: boolean | null | undefined;
  /** Only with an aggregate feedback score of at least this, −1 to 1; what has no feedback is left out. */
  minFeedbackScore?: number | null | undefined;
  /** Only what ended so. */
  outcome?: Outcome | null | undefined;
  /** Changes the constants of the ranking. */
  ranking?: RankingInput | null | undefined;
  /** Only what began then or later. */
  since?: string | null | undefined;
  /** The situation in plain words, at most 1 MiB. It is text to compare, never query syntax; it may be empty. */
  situation: string;
  /** Only of exactly this task type. */
  taskType?: string | null | undefined;
  /** Only what began in this range, back from now or from `asOf`; not together with `since`. */
  timeRange?: TimeRange | null | undefined;
  /** How many experiences are wanted, 1 to 100. */
  topK?: number | null | undefined;
  /** Only what began before then. */
  until?: string | null | undefined;
  /** Only what is for this user. A key that is bound to a user asks for that one, and may name no other. */
  userId?: string | number | null | undefined;
  /** Whether near-identical experiences are one hit; `topK` counts hits. */
  variants?: RecallVariants | null | undefined;
};

/** How near-identical experiences stand in a recall: of one task type, with four fifths of the words of their observations in common. */
export type RecallVariants =
  /** They are one hit: the best that did not go wrong, if it matches about as well as the best, with the others as its siblings. */
  | 'GROUPED'
  /** Each is a hit of its own. */
  | 'SEPARATE';

/** Several canvas actions, recorded in order. */
export type RecordCanvasActionsInput = {
  /** The actions, 1 to 1,000. */
  actions: Array<CanvasActionInput>;
};

/** An episode as its agent tells it. */
export type RecordEpisodeInput = {
  /** What the agent did, in order, at most 1,000. */
  actions?: Array<ActionInput> | null | undefined;
  /** Who did the work, by id or key; an agent nobody knew comes into being. */
  agentId: string | number;
  /** The agent's name for people; renames an agent that is known. */
  agentName?: string | null | undefined;
  /**
   * The episodes that caused it, by id or key, at most 1,000. One that is not known yet is linked when it comes; one
   * that began after this one, and the id of a record of another kind, is INVALID_INPUT.
   */
  causedBy?: Array<string | number> | null | undefined;
  /**
   * The concepts it mentions, by id or key, at most 1,000. One that is not known yet is linked when it comes; the id of a
   * record of another kind is INVALID_INPUT.
   */
  conceptIds?: Array<string | number> | null | undefined;
  /** What the work cost, 0 to 1,000,000,000, in your currency, the same in all of the tenant. */
  cost?: number | null | undefined;
  /** A vector for recall by meaning: finite numbers, not all 0, as many as in the embeddings recorded before. */
  embedding?: Array<number> | null | undefined;
  /** When it ended, not before it began; unknown where it is left out. */
  endedAt?: string | null | undefined;
  /** The caller's own names for the executions it covers, at most 1,000; feedback may name one of them. */
  executionIds?: Array<string | number> | null | undefined;
  /**
   * The key to record it under, 1 to 512 bytes without control characters; one is made where it is left out.
   * The same content under the same key again is the same episode, other content is a CONFLICT.
   */
  id?: string | number | null | undefined;
  /**
   * The hits and cautions of `recall` that its agent went by, by id or key, at most 1,000. Later recalls credit each with how
   * this episode turns out. One that is not known yet is linked when it comes; the id of a record of another kind is INVALID_INPUT.
   */
  informedBy?: Array<string | number> | null | undefined;
  /** Why it worked or failed; written from the episode by rule where it is left out. */
  insight?: string | null | undefined;
  /** Whatever else is to be kept with it. */
  metadata?: unknown;
  /** The situation the agent met, at most 1 MiB. */
  observation: string;
  /** How it ended. */
  outcome?: Outcome | null | undefined;
  /**
   * How good the work was, 0 to 1; 1 for SUCCESS and 0 for FAILURE where it is left out. An episode with a
   * `taskType` that ended in one of them is an execution too, and counts in its agent's learning profile so. It is
   * `Episode.givenQuality`; `Episode.quality` follows from outcome, canvases and feedback, not from this.
   */
  quality?: number | null | undefined;
  /** What came of it, at most 1 MiB; leave it out while nothing did. */
  result?: string | null | undefined;
  /** The session it belongs to, by id or key. */
  sessionId?: string | number | null | undefined;
  /** When it began; now where it is left out. */
  startedAt?: string | null | undefined;
  /** What kind of task it was. */
  taskType?: string | null | undefined;
  /** What the agent thought, in order, at most 1,000. */
  thoughts?: Array<string> | null | undefined;
  /** A short name for people; written from the observation where it is left out. */
  title?: string | null | undefined;
  /** For whom it was, 1 to 512 bytes without control characters. A key that is bound to a user records for that one. */
  userId?: string | number | null | undefined;
};

/**
 * A person's reaction. At least one of the ids, or `replaces`, says to what; it is linked to its episode by `episodeId`, else
 * by `agentExecutionId`, else by `canvasId`, else by `sessionId`. What is not known yet is linked when it comes. An `episodeId` or
 * `canvasId` that is the id of a record of another kind is INVALID_INPUT.
 */
export type SubmitFeedbackInput = {
  /** One of an episode's `executionIds`. */
  agentExecutionId?: string | number | null | undefined;
  /** When; now where it is left out. */
  at?: string | null | undefined;
  /** The canvas, by id or key. */
  canvasId?: string | number | null | undefined;
  /** What the person liked or disliked, in their words, at most 1 MiB; what they would have had instead are `corrections`. A blank text is none. */
  comment?: string | null | undefined;
  /** What the person would have had instead, in their words, at most 1 MiB. A blank text is none. */
  corrections?: string | null | undefined;
  /** Who reacted. */
  createdBy?: string | null | undefined;
  /** The episode, by id or key. */
  episodeId?: string | number | null | undefined;
  /**
   * The key to record it under, 1 to 512 bytes without control characters; one is made where it is left out.
   * The same content under the same key again is the same feedback, other content is a CONFLICT.
   */
  id?: string | number | null | undefined;
  /**
   * The stars, 1 to 5: needed for RATING, and kept beside a thumb that they do not contradict (3 to 5 with THUMBS_UP, 1 to 3 with
   * THUMBS_DOWN), which decides the score.
   */
  rating?: number | null | undefined;
  /**
   * An earlier feedback, by id or key, whose place it takes: that one counts no more. What it is on may be left out, and is an
   * INVALID_INPUT where it is another. The earlier must have the same `createdBy`, else it is FORBIDDEN to all but admins, and a
   * CONFLICT where it was replaced already.
   */
  replaces?: string | number | null | undefined;
  /** The session, by id or key. Feedback is then on the work of which a canvas was shown before it, also where that is recorded later. */
  sessionId?: string | number | null | undefined;
  /** Where the person reacted; where it is left out, CANVAS with a `canvasId`, else CHAT. */
  source?: FeedbackSource | null | undefined;
  /** The form in which the person reacted. */
  type: FeedbackType;
  /** For whom it is, 1 to 512 bytes without control characters; by default that of its episode. */
  userId?: string | number | null | undefined;
};

/** A stretch of time that ends now (in a recall with `asOf`: then). A day is 24 hours. */
export type TimeRange =
  /** The last day. */
  | 'LAST_1D'
  /** The last 7 days. */
  | 'LAST_7D'
  /** The last 30 days. */
  | 'LAST_30D'
  /** The last 90 days. */
  | 'LAST_90D';

export type RecallQueryVariables = Exact<{
  input: RecallInput;
  maxTokens: number;
}>;


export type RecallQuery = { recall: { lessons: string, note: string | null, hits: Array<{ reasons: Array<string>, episode: { id: string, title: string, taskType: string | null, outcome: Outcome, insight: string, result: string | null, startedAt: string, agent: { id: string } }, score: { total: number } }>, cautions: Array<{ reasons: Array<string>, episode: { id: string, title: string, taskType: string | null, outcome: Outcome, insight: string, result: string | null, startedAt: string, agent: { id: string } }, score: { total: number } }> } };

export type HitFragment = { reasons: Array<string>, episode: { id: string, title: string, taskType: string | null, outcome: Outcome, insight: string, result: string | null, startedAt: string, agent: { id: string } }, score: { total: number } };

export type NextStepsQueryVariables = Exact<{
  input: NextStepsInput;
}>;


export type NextStepsQuery = { nextSteps: Array<{ name: string, share: number, episodes: number, succeeded: number, failed: number, liked: number }> };

export type EpisodeQueryVariables = Exact<{
  id: string;
}>;


export type EpisodeQuery = { episode: { id: string, title: string, sessionId: string | null, taskType: string | null, observation: string, thoughts: Array<string>, result: string | null, outcome: Outcome, insight: string, startedAt: string, endedAt: string | null, aggregateFeedbackScore: number | null, agent: { id: string }, actions: Array<{ stepId: string | null, stepName: string, result: unknown }>, informedBy: { nodes: Array<{ id: string }> } } | null };

export type CaptureRunMutationVariables = Exact<{
  input: CaptureRunInput;
}>;


export type CaptureRunMutation = { captureRun: { unread: Array<string>, episode: { id: string } } };

export type ConcludeEpisodeMutationVariables = Exact<{
  input: ConcludeEpisodeInput;
}>;


export type ConcludeEpisodeMutation = { concludeEpisode: { episode: { id: string, outcome: Outcome, insight: string } } };

export type RecordEpisodeMutationVariables = Exact<{
  input: RecordEpisodeInput;
}>;


export type RecordEpisodeMutation = { recordEpisode: { episode: { id: string, insight: string } } };

export type RecordCanvasActionsMutationVariables = Exact<{
  input: RecordCanvasActionsInput;
}>;


export type RecordCanvasActionsMutation = { recordCanvasActions: { result: { succeeded: number, errors: Array<{ index: number, code: string, message: string, field: string | null }> } } };

export type SubmitFeedbackMutationVariables = Exact<{
  input: SubmitFeedbackInput;
}>;


export type SubmitFeedbackMutation = { submitFeedback: { aggregateFeedbackScore: number | null, feedback: { id: string, score: number } } };

export type EpisodeRecordedSubscriptionVariables = Exact<{
  agentId?: string | null | undefined;
  taskType?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type EpisodeRecordedSubscription = { episodeRecorded: { cursor: string, episode: { id: string, title: string, taskType: string | null, outcome: Outcome, agent: { id: string } } } };

export type FeedbackSubmittedSubscriptionVariables = Exact<{
  agentId?: string | null | undefined;
  episodeId?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type FeedbackSubmittedSubscription = { feedbackSubmitted: { cursor: string, feedback: { id: string, type: FeedbackType, score: number, corrections: string | null, comment: string | null, episode: { id: string } | null } } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const HitFragmentDoc = new TypedDocumentString(`
    fragment Hit on RecallHit {
  episode {
    id
    title
    agent {
      id
    }
    taskType
    outcome
    insight
    result
    startedAt
  }
  reasons
  score {
    total
  }
}
    `, {"fragmentName":"Hit"}) as unknown as TypedDocumentString<HitFragment, unknown>;
export const RecallDocument = new TypedDocumentString(`
    query Recall($input: RecallInput!, $maxTokens: Int!) {
  recall(input: $input) {
    hits {
      ...Hit
    }
    cautions {
      ...Hit
    }
    lessons(maxTokens: $maxTokens)
    note
  }
}
    fragment Hit on RecallHit {
  episode {
    id
    title
    agent {
      id
    }
    taskType
    outcome
    insight
    result
    startedAt
  }
  reasons
  score {
    total
  }
}`) as unknown as TypedDocumentString<RecallQuery, RecallQueryVariables>;
export const NextStepsDocument = new TypedDocumentString(`
    query NextSteps($input: NextStepsInput!) {
  nextSteps(input: $input) {
    name
    share
    episodes
    succeeded
    failed
    liked
  }
}
    `) as unknown as TypedDocumentString<NextStepsQuery, NextStepsQueryVariables>;
export const EpisodeDocument = new TypedDocumentString(`
    query Episode($id: ID!) {
  episode(id: $id) {
    id
    title
    agent {
      id
    }
    sessionId
    taskType
    observation
    thoughts
    actions {
      stepId
      stepName
      result
    }
    result
    outcome
    insight
    startedAt
    endedAt
    aggregateFeedbackScore
    informedBy(first: 100) {
      nodes {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EpisodeQuery, EpisodeQueryVariables>;
export const CaptureRunDocument = new TypedDocumentString(`
    mutation CaptureRun($input: CaptureRunInput!) {
  captureRun(input: $input) {
    episode {
      id
    }
    unread
  }
}
    `) as unknown as TypedDocumentString<CaptureRunMutation, CaptureRunMutationVariables>;
export const ConcludeEpisodeDocument = new TypedDocumentString(`
    mutation ConcludeEpisode($input: ConcludeEpisodeInput!) {
  concludeEpisode(input: $input) {
    episode {
      id
      outcome
      insight
    }
  }
}
    `) as unknown as TypedDocumentString<ConcludeEpisodeMutation, ConcludeEpisodeMutationVariables>;
export const RecordEpisodeDocument = new TypedDocumentString(`
    mutation RecordEpisode($input: RecordEpisodeInput!) {
  recordEpisode(input: $input) {
    episode {
      id
      insight
    }
  }
}
    `) as unknown as TypedDocumentString<RecordEpisodeMutation, RecordEpisodeMutationVariables>;
export const RecordCanvasActionsDocument = new TypedDocumentString(`
    mutation RecordCanvasActions($input: RecordCanvasActionsInput!) {
  recordCanvasActions(input: $input) {
    result {
      succeeded
      errors {
        index
        code
        message
        field
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RecordCanvasActionsMutation, RecordCanvasActionsMutationVariables>;
export const SubmitFeedbackDocument = new TypedDocumentString(`
    mutation SubmitFeedback($input: SubmitFeedbackInput!) {
  submitFeedback(input: $input) {
    feedback {
      id
      score
    }
    aggregateFeedbackScore
  }
}
    `) as unknown as TypedDocumentString<SubmitFeedbackMutation, SubmitFeedbackMutationVariables>;
export const EpisodeRecordedDocument = new TypedDocumentString(`
    subscription EpisodeRecorded($agentId: ID, $taskType: String, $after: String) {
  episodeRecorded(agentId: $agentId, taskType: $taskType, after: $after) {
    cursor
    episode {
      id
      title
      agent {
        id
      }
      taskType
      outcome
    }
  }
}
    `) as unknown as TypedDocumentString<EpisodeRecordedSubscription, EpisodeRecordedSubscriptionVariables>;
export const FeedbackSubmittedDocument = new TypedDocumentString(`
    subscription FeedbackSubmitted($agentId: ID, $episodeId: ID, $after: String) {
  feedbackSubmitted(agentId: $agentId, episodeId: $episodeId, after: $after) {
    cursor
    feedback {
      id
      type
      score
      corrections
      comment
      episode {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<FeedbackSubmittedSubscription, FeedbackSubmittedSubscriptionVariables>;