/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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

/** How people's feedback moves the ranking. */
export type FeedbackMode =
  /** The whole boost or penalty, by the sign of the aggregate score. */
  | 'FIXED'
  /** None. */
  | 'OFF'
  /** A part of it, because one vote is weak evidence: scaled by |sum of the scores| / (their number + 5). */
  | 'SMOOTHED';

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

/** What of a record a passage is from. */
export type PassagePart =
  /** A step: its name and what came of it. */
  | 'ACTION'
  /** What a record of another kind says. */
  | 'CONTENT'
  /** An entry of the log. */
  | 'EVENT'
  /** Why it worked or failed. */
  | 'INSIGHT'
  /** The situation of an episode. */
  | 'OBSERVATION'
  /** What came of an episode. */
  | 'RESULT'
  /** Something the agent thought. */
  | 'THOUGHT'
  /** An episode's title. */
  | 'TITLE';

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
}>;


export type RecallQuery = { recall: { approximate: boolean, note: string | null, lessons: string, hits: Array<{ rank: number, reasons: Array<string>, times: number, succeeded: number, failed: number, contrast: string | null, siblings: Array<{ id: string, title: string, outcome: Outcome }>, moments: Array<{ part: PassagePart, position: number, step: string | null, snippet: string }>, score: { semantic: number, temporal: number, canvas: number, feedback: number, credit: number, total: number }, episode: { id: string, title: string, observation: string, taskType: string | null, outcome: Outcome, startedAt: string, insight: string, agent: { id: string, name: string }, canvasContext: Array<{ id: string, canvasType: string, componentType: string | null, reward: number, actions: Array<{ action: CanvasActionKind, at: string }> }>, feedbackContext: Array<{ id: string, type: FeedbackType, rating: number | null, score: number, corrections: string | null, comment: string | null, createdBy: string | null }> } }>, cautions: Array<{ rank: number, reasons: Array<string>, times: number, succeeded: number, failed: number, contrast: string | null, siblings: Array<{ id: string, title: string, outcome: Outcome }>, moments: Array<{ part: PassagePart, position: number, step: string | null, snippet: string }>, score: { semantic: number, temporal: number, canvas: number, feedback: number, credit: number, total: number }, episode: { id: string, title: string, observation: string, taskType: string | null, outcome: Outcome, startedAt: string, insight: string, agent: { id: string, name: string }, canvasContext: Array<{ id: string, canvasType: string, componentType: string | null, reward: number, actions: Array<{ action: CanvasActionKind, at: string }> }>, feedbackContext: Array<{ id: string, type: FeedbackType, rating: number | null, score: number, corrections: string | null, comment: string | null, createdBy: string | null }> } }>, canvasInsights: { engages: Array<string>, submits: Array<string>, closesQuickly: Array<string> } } };

export type ExperienceFragment = { rank: number, reasons: Array<string>, times: number, succeeded: number, failed: number, contrast: string | null, siblings: Array<{ id: string, title: string, outcome: Outcome }>, moments: Array<{ part: PassagePart, position: number, step: string | null, snippet: string }>, score: { semantic: number, temporal: number, canvas: number, feedback: number, credit: number, total: number }, episode: { id: string, title: string, observation: string, taskType: string | null, outcome: Outcome, startedAt: string, insight: string, agent: { id: string, name: string }, canvasContext: Array<{ id: string, canvasType: string, componentType: string | null, reward: number, actions: Array<{ action: CanvasActionKind, at: string }> }>, feedbackContext: Array<{ id: string, type: FeedbackType, rating: number | null, score: number, corrections: string | null, comment: string | null, createdBy: string | null }> } };

export type RecallRanksQueryVariables = Exact<{
  input: RecallInput;
}>;


export type RecallRanksQuery = { recall: { hits: Array<{ rank: number, score: { total: number }, episode: { id: string, title: string } }> } };

export type RecallChoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type RecallChoicesQuery = { taskTypes: Array<string>, agents: { nodes: Array<{ id: string, name: string }> }, episodes: { nodes: Array<{ id: string, taskType: string | null, observation: string }> } };

export type WhyNotQueryVariables = Exact<{
  id: string;
}>;


export type WhyNotQuery = { episode: { id: string, title: string, taskType: string | null, outcome: Outcome, startedAt: string, endedAt: string | null, aggregateFeedbackScore: number | null, agent: { id: string } } | null };

export type NextOfQueryVariables = Exact<{
  input: NextStepsInput;
}>;


export type NextOfQuery = { nextSteps: Array<{ name: string, share: number, episodes: number, succeeded: number, failed: number, liked: number, example: { position: number, episode: { id: string } } }> };

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
export const ExperienceFragmentDoc = new TypedDocumentString(`
    fragment Experience on RecallHit {
  rank
  reasons
  times
  succeeded
  failed
  contrast
  siblings {
    id
    title
    outcome
  }
  moments {
    part
    position
    step
    snippet
  }
  score {
    semantic
    temporal
    canvas
    feedback
    credit
    total
  }
  episode {
    id
    title
    observation
    taskType
    outcome
    startedAt
    insight
    agent {
      id
      name
    }
    canvasContext {
      id
      canvasType
      componentType
      reward
      actions {
        action
        at
      }
    }
    feedbackContext {
      id
      type
      rating
      score
      corrections
      comment
      createdBy
    }
  }
}
    `, {"fragmentName":"Experience"}) as unknown as TypedDocumentString<ExperienceFragment, unknown>;
export const RecallDocument = new TypedDocumentString(`
    query Recall($input: RecallInput!) {
  recall(input: $input) {
    approximate
    note
    hits {
      ...Experience
    }
    cautions {
      ...Experience
    }
    canvasInsights {
      engages
      submits
      closesQuickly
    }
    lessons
  }
}
    fragment Experience on RecallHit {
  rank
  reasons
  times
  succeeded
  failed
  contrast
  siblings {
    id
    title
    outcome
  }
  moments {
    part
    position
    step
    snippet
  }
  score {
    semantic
    temporal
    canvas
    feedback
    credit
    total
  }
  episode {
    id
    title
    observation
    taskType
    outcome
    startedAt
    insight
    agent {
      id
      name
    }
    canvasContext {
      id
      canvasType
      componentType
      reward
      actions {
        action
        at
      }
    }
    feedbackContext {
      id
      type
      rating
      score
      corrections
      comment
      createdBy
    }
  }
}`) as unknown as TypedDocumentString<RecallQuery, RecallQueryVariables>;
export const RecallRanksDocument = new TypedDocumentString(`
    query RecallRanks($input: RecallInput!) {
  recall(input: $input) {
    hits {
      rank
      score {
        total
      }
      episode {
        id
        title
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RecallRanksQuery, RecallRanksQueryVariables>;
export const RecallChoicesDocument = new TypedDocumentString(`
    query RecallChoices {
  agents(first: 100) {
    nodes {
      id
      name
    }
  }
  taskTypes
  episodes(first: 40) {
    nodes {
      id
      taskType
      observation
    }
  }
}
    `) as unknown as TypedDocumentString<RecallChoicesQuery, RecallChoicesQueryVariables>;
export const WhyNotDocument = new TypedDocumentString(`
    query WhyNot($id: ID!) {
  episode(id: $id) {
    id
    title
    taskType
    outcome
    startedAt
    endedAt
    aggregateFeedbackScore
    agent {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<WhyNotQuery, WhyNotQueryVariables>;
export const NextOfDocument = new TypedDocumentString(`
    query NextOf($input: NextStepsInput!) {
  nextSteps(input: $input) {
    name
    share
    episodes
    succeeded
    failed
    liked
    example {
      episode {
        id
      }
      position
    }
  }
}
    `) as unknown as TypedDocumentString<NextOfQuery, NextOfQueryVariables>;