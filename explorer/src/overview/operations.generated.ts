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

/** The form in which a person reacted. */
export type FeedbackType =
  /** Gave 1 to 5 stars: scores −1, −0.5, 0, 0.5 and 1. */
  | 'RATING'
  /** Did not like it: score −1. */
  | 'THUMBS_DOWN'
  /** Liked it: score 1. */
  | 'THUMBS_UP';

/** How an episode ended. */
export type Outcome =
  /** It did not. */
  | 'FAILURE'
  /** The agent did what it was to do. */
  | 'SUCCESS'
  /** Nobody knows, or not yet: `concludeEpisode` may say so once. */
  | 'UNKNOWN';

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

/** Which way the quality of an agent's work goes. */
export type Trend =
  /** The last 7 days are worse, by more than 0.05. */
  | 'DOWN'
  /** Neither, or there are fewer than 3 executions on one side. */
  | 'FLAT'
  /** The last 7 days are better than the time before, by more than 0.05. */
  | 'UP';

/** The length of time that one point of a chart covers, in UTC. */
export type TrendBucket =
  /** A day. */
  | 'DAY'
  /** An hour. */
  | 'HOUR'
  /** A week from Monday. */
  | 'WEEK';

export type BeginningQueryVariables = Exact<{ [key: string]: never; }>;


export type BeginningQuery = { taskTypes: Array<string>, episodes: { nodes: Array<{ id: string }> }, agents: { nodes: Array<{ id: string, name: string }> } };

export type OverQueryVariables = Exact<{
  agentId?: string | null | undefined;
  taskType?: string | null | undefined;
  since?: string | null | undefined;
  bucket?: TrendBucket | null | undefined;
}>;


export type OverQuery = { trends: Array<{ at: string, episodes: number, succeeded: number, failed: number, successRate: number | null, feedbackScore: number | null }> };

export type FailingQueryVariables = Exact<{
  failed?: EpisodeFilter | null | undefined;
  closed?: EpisodeFilter | null | undefined;
}>;


export type FailingQuery = { failed: { nodes: Array<{ id: string, actions: Array<{ stepName: string }>, informedBy: { nodes: Array<{ id: string, title: string }> } }> }, closed: { nodes: Array<{ id: string, canvasContext: Array<{ canvasType: string, componentType: string | null, actions: Array<{ action: CanvasActionKind, at: string }> }> }> }, patterns: { nodes: Array<{ id: string, description: string, issueCode: string | null, sectionType: string, rate: number, total: number }> } };

export type ChangingQueryVariables = Exact<{
  taskType?: string | null | undefined;
  agentId: string;
  ofOne: boolean;
}>;


export type ChangingQuery = { worse?: { nodes: Array<{ id: string, taskType: string, avgQuality: number, executionsTotal: number, trend: Trend, agent: { id: string, name: string } }>, pageInfo: { hasNextPage: boolean } }, better?: { nodes: Array<{ id: string, taskType: string, avgQuality: number, executionsTotal: number, trend: Trend, agent: { id: string, name: string } }>, pageInfo: { hasNextPage: boolean } }, agent?: { learningProfiles: Array<{ id: string, taskType: string, avgQuality: number, executionsTotal: number, trend: Trend, agent: { id: string, name: string } }> } | null };

export type ChangedFragment = { id: string, taskType: string, avgQuality: number, executionsTotal: number, trend: Trend, agent: { id: string, name: string } };

export type LatestFeedbackQueryVariables = Exact<{
  filter?: EpisodeFilter | null | undefined;
}>;


export type LatestFeedbackQuery = { episodes: { nodes: Array<{ id: string, title: string, feedback: { nodes: Array<{ id: string, type: FeedbackType, rating: number | null, score: number, corrections: string | null, comment: string | null, createdBy: string | null, createdAt: string }> } }> } };

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
export const ChangedFragmentDoc = new TypedDocumentString(`
    fragment Changed on LearningProfile {
  id
  taskType
  avgQuality
  executionsTotal
  trend
  agent {
    id
    name
  }
}
    `, {"fragmentName":"Changed"}) as unknown as TypedDocumentString<ChangedFragment, unknown>;
export const BeginningDocument = new TypedDocumentString(`
    query Beginning {
  episodes(first: 1) {
    nodes {
      id
    }
  }
  agents(first: 100) {
    nodes {
      id
      name
    }
  }
  taskTypes
}
    `) as unknown as TypedDocumentString<BeginningQuery, BeginningQueryVariables>;
export const OverDocument = new TypedDocumentString(`
    query Over($agentId: ID, $taskType: String, $since: DateTime, $bucket: TrendBucket) {
  trends(agentId: $agentId, taskType: $taskType, since: $since, bucket: $bucket) {
    at
    episodes
    succeeded
    failed
    successRate
    feedbackScore
  }
}
    `) as unknown as TypedDocumentString<OverQuery, OverQueryVariables>;
export const FailingDocument = new TypedDocumentString(`
    query Failing($failed: EpisodeFilter, $closed: EpisodeFilter) {
  failed: episodes(filter: $failed, first: 100) {
    nodes {
      id
      actions {
        stepName
      }
      informedBy(first: 5) {
        nodes {
          id
          title
        }
      }
    }
  }
  closed: episodes(filter: $closed, first: 100) {
    nodes {
      id
      canvasContext {
        canvasType
        componentType
        actions {
          action
          at
        }
      }
    }
  }
  patterns(kind: DONT, first: 40) {
    nodes {
      id
      description
      issueCode
      sectionType
      rate
      total
    }
  }
}
    `) as unknown as TypedDocumentString<FailingQuery, FailingQueryVariables>;
export const ChangingDocument = new TypedDocumentString(`
    query Changing($taskType: String, $agentId: ID!, $ofOne: Boolean!) {
  worse: learningProfiles(taskType: $taskType, trend: DOWN, first: 50) @skip(if: $ofOne) {
    nodes {
      ...Changed
    }
    pageInfo {
      hasNextPage
    }
  }
  better: learningProfiles(taskType: $taskType, trend: UP, first: 50) @skip(if: $ofOne) {
    nodes {
      ...Changed
    }
    pageInfo {
      hasNextPage
    }
  }
  agent(id: $agentId) @include(if: $ofOne) {
    learningProfiles {
      ...Changed
    }
  }
}
    fragment Changed on LearningProfile {
  id
  taskType
  avgQuality
  executionsTotal
  trend
  agent {
    id
    name
  }
}`) as unknown as TypedDocumentString<ChangingQuery, ChangingQueryVariables>;
export const LatestFeedbackDocument = new TypedDocumentString(`
    query LatestFeedback($filter: EpisodeFilter) {
  episodes(filter: $filter, first: 8) {
    nodes {
      id
      title
      feedback(first: 8) {
        nodes {
          id
          type
          rating
          score
          corrections
          comment
          createdBy
          createdAt
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LatestFeedbackQuery, LatestFeedbackQueryVariables>;