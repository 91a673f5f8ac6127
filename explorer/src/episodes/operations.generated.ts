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

/** An order of episodes. Among equals the newer comes first, then the lower id. */
export type EpisodeOrder =
  /** The highest aggregate feedback score first, those without feedback last. */
  | 'FEEDBACK_DESC'
  /** The earliest start first. */
  | 'STARTED_AT_ASC'
  /** The latest start first. */
  | 'STARTED_AT_DESC';

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

export type EpisodesQueryVariables = Exact<{
  filter?: EpisodeFilter | null | undefined;
  orderBy?: EpisodeOrder | null | undefined;
  after?: string | null | undefined;
}>;


export type EpisodesQuery = { episodes: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ aggregateFeedbackScore: number | null, canvasActionCount: number, id: string, title: string, outcome: Outcome, taskType: string | null, startedAt: string, agent: { name: string } }> } };

export type FeedbackToldSubscriptionVariables = Exact<{
  episodeId?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type FeedbackToldSubscription = { feedbackSubmitted: { cursor: string, feedback: { id: string, createdBy: string | null } } };

export type EpisodeChoicesQueryVariables = Exact<{ [key: string]: never; }>;


export type EpisodeChoicesQuery = { taskTypes: Array<string>, agents: { nodes: Array<{ id: string, name: string }> } };

export type EpisodeQueryVariables = Exact<{
  id: string;
}>;


export type EpisodeQuery = { episode: { observation: string, thoughts: Array<string>, result: string | null, insight: string, sessionId: string | null, endedAt: string | null, durationSeconds: number | null, reward: number, aggregateFeedbackScore: number | null, metadata: unknown, id: string, title: string, outcome: Outcome, taskType: string | null, startedAt: string, actions: Array<{ stepName: string, result: unknown }>, quality: { value: number | null, completion: number | null, canvasSuccess: number | null, feedbackQuality: number | null, consistency: number | null }, agent: { id: string, name: string }, segments: Array<{ kind: string, text: string, startedAt: string, endedAt: string | null }>, canvasContext: Array<{ id: string, canvasType: string, componentType: string | null, reward: number, actions: Array<{ action: CanvasActionKind, metadata: unknown, at: string }> }>, feedbackContext: Array<{ id: string, type: FeedbackType, rating: number | null, score: number, corrections: string | null, comment: string | null, createdBy: string | null, createdAt: string }>, canvases: { totalCount: number }, feedback: { totalCount: number }, concepts: Array<{ id: string, name: string, supersededBy: { id: string } | null }>, receipt: { tokensBefore: number, tokensAfter: number, redactions: Array<{ kind: string, count: number }> }, causedBy: { totalCount: number, nodes: Array<{ id: string, title: string, outcome: Outcome, taskType: string | null, startedAt: string, agent: { name: string } }> }, causes: { totalCount: number, nodes: Array<{ id: string, title: string, outcome: Outcome, taskType: string | null, startedAt: string, agent: { name: string } }> }, informedBy: { totalCount: number, nodes: Array<{ id: string, title: string, outcome: Outcome, taskType: string | null, startedAt: string, agent: { name: string } }> }, informed: { totalCount: number, nodes: Array<{ id: string, title: string, outcome: Outcome, taskType: string | null, startedAt: string, agent: { name: string } }> }, previous: { id: string, title: string } | null, next: { id: string, title: string } | null } | null };

export type ReplayQueryVariables = Exact<{
  id: string;
  after?: string | null | undefined;
}>;


export type ReplayQuery = { replay: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ sequence: number, type: string, data: unknown, at: string }> } };

export type NextStepsQueryVariables = Exact<{
  input: NextStepsInput;
}>;


export type NextStepsQuery = { nextSteps: Array<{ name: string, episodes: number, succeeded: number, failed: number, liked: number, example: { position: number, episode: { id: string } } }> };

export type LineFragment = { id: string, title: string, outcome: Outcome, taskType: string | null, startedAt: string, agent: { name: string } };

export type SessionOfQueryVariables = Exact<{
  id: string;
}>;


export type SessionOfQuery = { node:
    | { __typename: 'Agent' }
    | { __typename: 'Canvas' }
    | { __typename: 'Concept' }
    | { __typename: 'Correction' }
    | { __typename: 'Episode' }
    | { __typename: 'Execution' }
    | { __typename: 'Feedback' }
    | { __typename: 'LearningProfile' }
    | { __typename: 'Memoir' }
    | { __typename: 'Observation' }
    | { __typename: 'Pattern' }
    | { __typename: 'Run' }
    | { __typename: 'Section' }
    | { __typename: 'Session', id: string, episodes: { nodes: Array<{ title: string }> } }
    | { __typename: 'Verdict' }
   | null };

export type MomentsOfEpisodesQueryVariables = Exact<{
  query: string;
  filter?: EpisodeFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type MomentsOfEpisodesQuery = { searchMoments: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ part: PassagePart, position: number, step: string | null, snippet: string, record:
        | { __typename: 'Agent' }
        | { __typename: 'Canvas' }
        | { __typename: 'Concept' }
        | { __typename: 'Correction' }
        | { __typename: 'Episode', aggregateFeedbackScore: number | null, canvasActionCount: number, id: string, title: string, outcome: Outcome, taskType: string | null, startedAt: string, agent: { name: string } }
        | { __typename: 'Execution' }
        | { __typename: 'Feedback' }
        | { __typename: 'LearningProfile' }
        | { __typename: 'Memoir' }
        | { __typename: 'Observation' }
        | { __typename: 'Pattern' }
        | { __typename: 'Run' }
        | { __typename: 'Section' }
        | { __typename: 'Session' }
        | { __typename: 'Verdict' }
       }> } };

export type ComparedQueryVariables = Exact<{
  a: string;
  b: string;
}>;


export type ComparedQuery = { a: { observation: string, result: string | null, insight: string, durationSeconds: number | null, aggregateFeedbackScore: number | null, id: string, title: string, outcome: Outcome, taskType: string | null, startedAt: string, actions: Array<{ stepName: string, result: unknown }>, agent: { name: string } } | null, b: { observation: string, result: string | null, insight: string, durationSeconds: number | null, aggregateFeedbackScore: number | null, id: string, title: string, outcome: Outcome, taskType: string | null, startedAt: string, actions: Array<{ stepName: string, result: unknown }>, agent: { name: string } } | null };

export type LikeQueryVariables = Exact<{
  filter?: EpisodeFilter | null | undefined;
}>;


export type LikeQuery = { episodes: { nodes: Array<{ id: string, title: string, outcome: Outcome, taskType: string | null, startedAt: string, agent: { name: string } }> } };

export type SideFragment = { observation: string, result: string | null, insight: string, durationSeconds: number | null, aggregateFeedbackScore: number | null, id: string, title: string, outcome: Outcome, taskType: string | null, startedAt: string, actions: Array<{ stepName: string, result: unknown }>, agent: { name: string } };

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
export const LineFragmentDoc = new TypedDocumentString(`
    fragment Line on Episode {
  id
  title
  outcome
  taskType
  startedAt
  agent {
    name
  }
}
    `, {"fragmentName":"Line"}) as unknown as TypedDocumentString<LineFragment, unknown>;
export const SideFragmentDoc = new TypedDocumentString(`
    fragment Side on Episode {
  ...Line
  observation
  actions {
    stepName
    result
  }
  result
  insight
  durationSeconds
  aggregateFeedbackScore
}
    fragment Line on Episode {
  id
  title
  outcome
  taskType
  startedAt
  agent {
    name
  }
}`, {"fragmentName":"Side"}) as unknown as TypedDocumentString<SideFragment, unknown>;
export const EpisodesDocument = new TypedDocumentString(`
    query Episodes($filter: EpisodeFilter, $orderBy: EpisodeOrder, $after: String) {
  episodes(filter: $filter, orderBy: $orderBy, first: 20, after: $after) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      ...Line
      aggregateFeedbackScore
      canvasActionCount
    }
  }
}
    fragment Line on Episode {
  id
  title
  outcome
  taskType
  startedAt
  agent {
    name
  }
}`) as unknown as TypedDocumentString<EpisodesQuery, EpisodesQueryVariables>;
export const FeedbackToldDocument = new TypedDocumentString(`
    subscription FeedbackTold($episodeId: ID, $after: String) {
  feedbackSubmitted(episodeId: $episodeId, after: $after) {
    cursor
    feedback {
      id
      createdBy
    }
  }
}
    `) as unknown as TypedDocumentString<FeedbackToldSubscription, FeedbackToldSubscriptionVariables>;
export const EpisodeChoicesDocument = new TypedDocumentString(`
    query EpisodeChoices {
  agents(first: 100) {
    nodes {
      id
      name
    }
  }
  taskTypes
}
    `) as unknown as TypedDocumentString<EpisodeChoicesQuery, EpisodeChoicesQueryVariables>;
export const EpisodeDocument = new TypedDocumentString(`
    query Episode($id: ID!) {
  episode(id: $id) {
    ...Line
    observation
    thoughts
    actions {
      stepName
      result
    }
    result
    insight
    sessionId
    endedAt
    durationSeconds
    reward
    quality {
      value
      completion
      canvasSuccess
      feedbackQuality
      consistency
    }
    aggregateFeedbackScore
    agent {
      id
    }
    segments {
      kind
      text
      startedAt
      endedAt
    }
    canvasContext {
      id
      canvasType
      componentType
      reward
      actions {
        action
        metadata
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
      createdAt
    }
    canvases(first: 0) {
      totalCount
    }
    feedback(first: 0) {
      totalCount
    }
    concepts {
      id
      name
      supersededBy {
        id
      }
    }
    receipt {
      tokensBefore
      tokensAfter
      redactions {
        kind
        count
      }
    }
    causedBy(first: 20) {
      totalCount
      nodes {
        ...Line
      }
    }
    causes(first: 20) {
      totalCount
      nodes {
        ...Line
      }
    }
    informedBy(first: 20) {
      totalCount
      nodes {
        ...Line
      }
    }
    informed(first: 20) {
      totalCount
      nodes {
        ...Line
      }
    }
    previous {
      id
      title
    }
    next {
      id
      title
    }
    metadata
  }
}
    fragment Line on Episode {
  id
  title
  outcome
  taskType
  startedAt
  agent {
    name
  }
}`) as unknown as TypedDocumentString<EpisodeQuery, EpisodeQueryVariables>;
export const ReplayDocument = new TypedDocumentString(`
    query Replay($id: ID!, $after: String) {
  replay(episodeId: $id, first: 100, after: $after) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      sequence
      type
      data
      at
    }
  }
}
    `) as unknown as TypedDocumentString<ReplayQuery, ReplayQueryVariables>;
export const NextStepsDocument = new TypedDocumentString(`
    query NextSteps($input: NextStepsInput!) {
  nextSteps(input: $input) {
    name
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
    `) as unknown as TypedDocumentString<NextStepsQuery, NextStepsQueryVariables>;
export const SessionOfDocument = new TypedDocumentString(`
    query SessionOf($id: ID!) {
  node(id: $id) {
    __typename
    ... on Session {
      id
      episodes(first: 1) {
        nodes {
          title
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SessionOfQuery, SessionOfQueryVariables>;
export const MomentsOfEpisodesDocument = new TypedDocumentString(`
    query MomentsOfEpisodes($query: String!, $filter: EpisodeFilter, $after: String) {
  searchMoments(
    query: $query
    kinds: ["episode"]
    filter: $filter
    first: 20
    after: $after
  ) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      part
      position
      step
      snippet
      record {
        __typename
        ... on Episode {
          ...Line
          aggregateFeedbackScore
          canvasActionCount
        }
      }
    }
  }
}
    fragment Line on Episode {
  id
  title
  outcome
  taskType
  startedAt
  agent {
    name
  }
}`) as unknown as TypedDocumentString<MomentsOfEpisodesQuery, MomentsOfEpisodesQueryVariables>;
export const ComparedDocument = new TypedDocumentString(`
    query Compared($a: ID!, $b: ID!) {
  a: episode(id: $a) {
    ...Side
  }
  b: episode(id: $b) {
    ...Side
  }
}
    fragment Line on Episode {
  id
  title
  outcome
  taskType
  startedAt
  agent {
    name
  }
}
fragment Side on Episode {
  ...Line
  observation
  actions {
    stepName
    result
  }
  result
  insight
  durationSeconds
  aggregateFeedbackScore
}`) as unknown as TypedDocumentString<ComparedQuery, ComparedQueryVariables>;
export const LikeDocument = new TypedDocumentString(`
    query Like($filter: EpisodeFilter) {
  episodes(filter: $filter, first: 50) {
    nodes {
      ...Line
    }
  }
}
    fragment Line on Episode {
  id
  title
  outcome
  taskType
  startedAt
  agent {
    name
  }
}`) as unknown as TypedDocumentString<LikeQuery, LikeQueryVariables>;