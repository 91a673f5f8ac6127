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

/** What the actions of a canvas say about the person who saw it. The seconds and the rewards can be configured; these are the usual ones. */
export type CanvasState =
  /** It was closed less than 5 seconds after it was shown, and not submitted before: reward −0.2. */
  | 'CLOSED_QUICKLY'
  /** It was closed 5 seconds or more after it was shown: reward +0.1. */
  | 'CLOSED_SLOWLY'
  /** An action whose metadata has an `error`: reward 0. */
  | 'ERROR_SHOWN'
  /** A form was submitted: reward +0.5. */
  | 'FORM_SUBMITTED'
  /** It was shown: reward 0. */
  | 'PRESENTED';

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

/** How much an observation or a correction matters. */
export type Importance =
  /** Weight 1. It neither fades nor is pruned. */
  | 'CRITICAL'
  /** Weight 0.8. It neither fades nor is pruned. */
  | 'HIGH'
  /** Weight 0.2 at first. */
  | 'LOW'
  /** Weight 0.5 at first. */
  | 'MEDIUM';

/** How an episode ended. */
export type Outcome =
  /** It did not. */
  | 'FAILURE'
  /** The agent did what it was to do. */
  | 'SUCCESS'
  /** Nobody knows, or not yet: `concludeEpisode` may say so once. */
  | 'UNKNOWN';

/** Whether a pattern is to be followed or avoided. */
export type PatternKind =
  /** An approach: its rate is how often sections that used it were approved. */
  | 'DO'
  /** An issue: its rate is how often sections had it. */
  | 'DONT';

/** How one concept relates to another, read from source to target. */
export type RelationType =
  /** The source can stand in for the target. */
  | 'ALTERNATIVE_TO'
  /** The source comes of the target. */
  | 'CAUSED_BY'
  /** The source says otherwise than the target, which is then `contradictedBy` it. */
  | 'CONTRADICTS'
  /** The source needs the target. */
  | 'DEPENDS_ON'
  /** The source is an example of the target. */
  | 'INSTANCE_OF'
  /** The source is a part of the target. */
  | 'PART_OF'
  /** The source says more exactly what the target says. */
  | 'REFINES'
  /** The two have to do with each other. */
  | 'RELATED_TO'
  /** The target took the place of the source, which is then `supersededBy` it. */
  | 'SUPERSEDED_BY';

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

/** How a judge, or a check by rule, decided. */
export type VerdictStatus =
  /** Good enough. */
  | 'APPROVE'
  /** Wrong. */
  | 'HARD_FAIL'
  /** Not good enough, and worth another iteration. */
  | 'SOFT_FAIL'
  /** A check by rule failed; no judge was asked. */
  | 'VALIDATION_FAIL';

export type AroundQueryVariables = Exact<{
  id: string;
  depth?: number | null | undefined;
  first: number;
  after?: string | null | undefined;
}>;


export type AroundQuery = { neighbourhood: { truncated: boolean, nodes: Array<{ depth: number, node:
        | { __typename: 'Agent', name: string, id: string }
        | { __typename: 'Canvas', canvasType: string, componentType: string | null, states: Array<CanvasState>, id: string }
        | { __typename: 'Concept', name: string, content: string, id: string, supersededBy: { id: string } | null, contradictedBy: Array<{ id: string }> }
        | { __typename: 'Correction', topic: string, prediction: string, correction: string, id: string }
        | { __typename: 'Episode', title: string, insight: string, outcome: Outcome, taskType: string | null, startedAt: string, id: string }
        | { __typename: 'Execution', quality: number, success: boolean, at: string, id: string }
        | { __typename: 'Feedback', type: FeedbackType, score: number, comment: string | null, corrections: string | null, createdBy: string | null, id: string }
        | { __typename: 'LearningProfile', expertise: number, confidence: number, id: string, task: string }
        | { __typename: 'Memoir', name: string, description: string | null, id: string }
        | { __typename: 'Observation', content: string, importance: Importance, weight: number, id: string }
        | { __typename: 'Pattern', rate: number, id: string, patternKind: PatternKind, lesson: string }
        | { __typename: 'Run', startedAt: string, id: string }
        | { __typename: 'Section', name: string, sectionType: string, approved: boolean, id: string }
        | { __typename: 'Session', id: string, episodes: { nodes: Array<{ title: string }> } }
        | { __typename: 'Verdict', status: VerdictStatus, judgeId: string | null, id: string }
       }>, edges: Array<{ source: string, target: string, type: string }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type PathQueryVariables = Exact<{
  from: string;
  to: string;
}>;


export type PathQuery = { path: { truncated: boolean, nodes: Array<{ depth: number, node:
        | { __typename: 'Agent', name: string, id: string }
        | { __typename: 'Canvas', canvasType: string, componentType: string | null, states: Array<CanvasState>, id: string }
        | { __typename: 'Concept', name: string, content: string, id: string, supersededBy: { id: string } | null, contradictedBy: Array<{ id: string }> }
        | { __typename: 'Correction', topic: string, prediction: string, correction: string, id: string }
        | { __typename: 'Episode', title: string, insight: string, outcome: Outcome, taskType: string | null, startedAt: string, id: string }
        | { __typename: 'Execution', quality: number, success: boolean, at: string, id: string }
        | { __typename: 'Feedback', type: FeedbackType, score: number, comment: string | null, corrections: string | null, createdBy: string | null, id: string }
        | { __typename: 'LearningProfile', expertise: number, confidence: number, id: string, task: string }
        | { __typename: 'Memoir', name: string, description: string | null, id: string }
        | { __typename: 'Observation', content: string, importance: Importance, weight: number, id: string }
        | { __typename: 'Pattern', rate: number, id: string, patternKind: PatternKind, lesson: string }
        | { __typename: 'Run', startedAt: string, id: string }
        | { __typename: 'Section', name: string, sectionType: string, approved: boolean, id: string }
        | { __typename: 'Session', id: string, episodes: { nodes: Array<{ title: string }> } }
        | { __typename: 'Verdict', status: VerdictStatus, judgeId: string | null, id: string }
       }>, edges: Array<{ source: string, target: string, type: string }> } | null };

export type LatestQueryVariables = Exact<{
  filter?: EpisodeFilter | null | undefined;
  after?: string | null | undefined;
}>;


export type LatestQuery = { episodes: { nodes: Array<{ __typename: 'Episode', title: string, insight: string, outcome: Outcome, taskType: string | null, startedAt: string, id: string, agent: { __typename: 'Agent', name: string, id: string }, concepts: Array<{ id: string }>, causedBy: { nodes: Array<{ id: string }> }, informedBy: { nodes: Array<{ id: string }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type KnownQueryVariables = Exact<{ [key: string]: never; }>;


export type KnownQuery = { memoirs: { nodes: Array<{ concepts: { nodes: Array<{ id: string }> } }> } };

export type LinkedQueryVariables = Exact<{
  ids: Array<string> | string;
}>;


export type LinkedQuery = { nodes: Array<
    | { __typename: 'Agent', name: string, id: string }
    | { __typename: 'Canvas', canvasType: string, componentType: string | null, states: Array<CanvasState>, id: string }
    | { __typename: 'Concept', name: string, content: string, id: string, relations: Array<{ type: RelationType, target: { id: string } }>, supersededBy: { id: string } | null, contradictedBy: Array<{ id: string }> }
    | { __typename: 'Correction', topic: string, prediction: string, correction: string, id: string }
    | { __typename: 'Episode', title: string, insight: string, outcome: Outcome, taskType: string | null, startedAt: string, id: string }
    | { __typename: 'Execution', quality: number, success: boolean, at: string, id: string }
    | { __typename: 'Feedback', type: FeedbackType, score: number, comment: string | null, corrections: string | null, createdBy: string | null, id: string }
    | { __typename: 'LearningProfile', expertise: number, confidence: number, id: string, task: string }
    | { __typename: 'Memoir', name: string, description: string | null, id: string }
    | { __typename: 'Observation', content: string, importance: Importance, weight: number, id: string }
    | { __typename: 'Pattern', rate: number, id: string, patternKind: PatternKind, lesson: string }
    | { __typename: 'Run', startedAt: string, id: string }
    | { __typename: 'Section', name: string, sectionType: string, approved: boolean, id: string }
    | { __typename: 'Session', id: string, episodes: { nodes: Array<{ title: string }> } }
    | { __typename: 'Verdict', status: VerdictStatus, judgeId: string | null, id: string }
   | null> };

export type BesideQueryVariables = Exact<{
  id: string;
}>;


export type BesideQuery = { episode: { taskType: string | null, startedAt: string, durationSeconds: number | null, aggregateFeedbackScore: number | null, observation: string, result: string | null, agent: { id: string, name: string }, actions: Array<{ stepName: string }> } | null };

type Named_Agent_Fragment = { __typename: 'Agent', name: string, id: string };

type Named_Canvas_Fragment = { __typename: 'Canvas', canvasType: string, componentType: string | null, states: Array<CanvasState>, id: string };

type Named_Concept_Fragment = { __typename: 'Concept', name: string, content: string, id: string, supersededBy: { id: string } | null, contradictedBy: Array<{ id: string }> };

type Named_Correction_Fragment = { __typename: 'Correction', topic: string, prediction: string, correction: string, id: string };

type Named_Episode_Fragment = { __typename: 'Episode', title: string, insight: string, outcome: Outcome, taskType: string | null, startedAt: string, id: string };

type Named_Execution_Fragment = { __typename: 'Execution', quality: number, success: boolean, at: string, id: string };

type Named_Feedback_Fragment = { __typename: 'Feedback', type: FeedbackType, score: number, comment: string | null, corrections: string | null, createdBy: string | null, id: string };

type Named_LearningProfile_Fragment = { __typename: 'LearningProfile', expertise: number, confidence: number, id: string, task: string };

type Named_Memoir_Fragment = { __typename: 'Memoir', name: string, description: string | null, id: string };

type Named_Observation_Fragment = { __typename: 'Observation', content: string, importance: Importance, weight: number, id: string };

type Named_Pattern_Fragment = { __typename: 'Pattern', rate: number, id: string, patternKind: PatternKind, lesson: string };

type Named_Run_Fragment = { __typename: 'Run', startedAt: string, id: string };

type Named_Section_Fragment = { __typename: 'Section', name: string, sectionType: string, approved: boolean, id: string };

type Named_Session_Fragment = { __typename: 'Session', id: string, episodes: { nodes: Array<{ title: string }> } };

type Named_Verdict_Fragment = { __typename: 'Verdict', status: VerdictStatus, judgeId: string | null, id: string };

export type NamedFragment =
  | Named_Agent_Fragment
  | Named_Canvas_Fragment
  | Named_Concept_Fragment
  | Named_Correction_Fragment
  | Named_Episode_Fragment
  | Named_Execution_Fragment
  | Named_Feedback_Fragment
  | Named_LearningProfile_Fragment
  | Named_Memoir_Fragment
  | Named_Observation_Fragment
  | Named_Pattern_Fragment
  | Named_Run_Fragment
  | Named_Section_Fragment
  | Named_Session_Fragment
  | Named_Verdict_Fragment
;

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
export const NamedFragmentDoc = new TypedDocumentString(`
    fragment Named on Node {
  __typename
  id
  ... on Agent {
    name
  }
  ... on Canvas {
    canvasType
    componentType
    states
  }
  ... on Concept {
    name
    content
    supersededBy {
      id
    }
    contradictedBy {
      id
    }
  }
  ... on Correction {
    topic
    prediction
    correction
  }
  ... on Episode {
    title
    insight
    outcome
    taskType
    startedAt
  }
  ... on Execution {
    quality
    success
    at
  }
  ... on Feedback {
    type
    score
    comment
    corrections
    createdBy
  }
  ... on LearningProfile {
    task: taskType
    expertise
    confidence
  }
  ... on Memoir {
    name
    description
  }
  ... on Observation {
    content
    importance
    weight
  }
  ... on Pattern {
    patternKind: kind
    lesson: description
    rate
  }
  ... on Run {
    startedAt
  }
  ... on Section {
    name
    sectionType
    approved
  }
  ... on Session {
    episodes(first: 1) {
      nodes {
        title
      }
    }
  }
  ... on Verdict {
    status
    judgeId
  }
}
    `, {"fragmentName":"Named"}) as unknown as TypedDocumentString<NamedFragment, unknown>;
export const AroundDocument = new TypedDocumentString(`
    query Around($id: ID!, $depth: Int, $first: Int!, $after: String) {
  neighbourhood(id: $id, depth: $depth, first: $first, after: $after) {
    nodes {
      depth
      node {
        ...Named
      }
    }
    edges {
      source
      target
      type
    }
    truncated
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment Named on Node {
  __typename
  id
  ... on Agent {
    name
  }
  ... on Canvas {
    canvasType
    componentType
    states
  }
  ... on Concept {
    name
    content
    supersededBy {
      id
    }
    contradictedBy {
      id
    }
  }
  ... on Correction {
    topic
    prediction
    correction
  }
  ... on Episode {
    title
    insight
    outcome
    taskType
    startedAt
  }
  ... on Execution {
    quality
    success
    at
  }
  ... on Feedback {
    type
    score
    comment
    corrections
    createdBy
  }
  ... on LearningProfile {
    task: taskType
    expertise
    confidence
  }
  ... on Memoir {
    name
    description
  }
  ... on Observation {
    content
    importance
    weight
  }
  ... on Pattern {
    patternKind: kind
    lesson: description
    rate
  }
  ... on Run {
    startedAt
  }
  ... on Section {
    name
    sectionType
    approved
  }
  ... on Session {
    episodes(first: 1) {
      nodes {
        title
      }
    }
  }
  ... on Verdict {
    status
    judgeId
  }
}`) as unknown as TypedDocumentString<AroundQuery, AroundQueryVariables>;
export const PathDocument = new TypedDocumentString(`
    query Path($from: ID!, $to: ID!) {
  path(from: $from, to: $to) {
    nodes {
      depth
      node {
        ...Named
      }
    }
    edges {
      source
      target
      type
    }
    truncated
  }
}
    fragment Named on Node {
  __typename
  id
  ... on Agent {
    name
  }
  ... on Canvas {
    canvasType
    componentType
    states
  }
  ... on Concept {
    name
    content
    supersededBy {
      id
    }
    contradictedBy {
      id
    }
  }
  ... on Correction {
    topic
    prediction
    correction
  }
  ... on Episode {
    title
    insight
    outcome
    taskType
    startedAt
  }
  ... on Execution {
    quality
    success
    at
  }
  ... on Feedback {
    type
    score
    comment
    corrections
    createdBy
  }
  ... on LearningProfile {
    task: taskType
    expertise
    confidence
  }
  ... on Memoir {
    name
    description
  }
  ... on Observation {
    content
    importance
    weight
  }
  ... on Pattern {
    patternKind: kind
    lesson: description
    rate
  }
  ... on Run {
    startedAt
  }
  ... on Section {
    name
    sectionType
    approved
  }
  ... on Session {
    episodes(first: 1) {
      nodes {
        title
      }
    }
  }
  ... on Verdict {
    status
    judgeId
  }
}`) as unknown as TypedDocumentString<PathQuery, PathQueryVariables>;
export const LatestDocument = new TypedDocumentString(`
    query Latest($filter: EpisodeFilter, $after: String) {
  episodes(filter: $filter, first: 100, after: $after) {
    nodes {
      ...Named
      agent {
        ...Named
      }
      concepts {
        id
      }
      causedBy(first: 5) {
        nodes {
          id
        }
      }
      informedBy(first: 5) {
        nodes {
          id
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    fragment Named on Node {
  __typename
  id
  ... on Agent {
    name
  }
  ... on Canvas {
    canvasType
    componentType
    states
  }
  ... on Concept {
    name
    content
    supersededBy {
      id
    }
    contradictedBy {
      id
    }
  }
  ... on Correction {
    topic
    prediction
    correction
  }
  ... on Episode {
    title
    insight
    outcome
    taskType
    startedAt
  }
  ... on Execution {
    quality
    success
    at
  }
  ... on Feedback {
    type
    score
    comment
    corrections
    createdBy
  }
  ... on LearningProfile {
    task: taskType
    expertise
    confidence
  }
  ... on Memoir {
    name
    description
  }
  ... on Observation {
    content
    importance
    weight
  }
  ... on Pattern {
    patternKind: kind
    lesson: description
    rate
  }
  ... on Run {
    startedAt
  }
  ... on Section {
    name
    sectionType
    approved
  }
  ... on Session {
    episodes(first: 1) {
      nodes {
        title
      }
    }
  }
  ... on Verdict {
    status
    judgeId
  }
}`) as unknown as TypedDocumentString<LatestQuery, LatestQueryVariables>;
export const KnownDocument = new TypedDocumentString(`
    query Known {
  memoirs(first: 20) {
    nodes {
      concepts(first: 20) {
        nodes {
          id
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<KnownQuery, KnownQueryVariables>;
export const LinkedDocument = new TypedDocumentString(`
    query Linked($ids: [ID!]!) {
  nodes(ids: $ids) {
    ...Named
    ... on Concept {
      relations(direction: OUT) {
        type
        target {
          id
        }
      }
    }
  }
}
    fragment Named on Node {
  __typename
  id
  ... on Agent {
    name
  }
  ... on Canvas {
    canvasType
    componentType
    states
  }
  ... on Concept {
    name
    content
    supersededBy {
      id
    }
    contradictedBy {
      id
    }
  }
  ... on Correction {
    topic
    prediction
    correction
  }
  ... on Episode {
    title
    insight
    outcome
    taskType
    startedAt
  }
  ... on Execution {
    quality
    success
    at
  }
  ... on Feedback {
    type
    score
    comment
    corrections
    createdBy
  }
  ... on LearningProfile {
    task: taskType
    expertise
    confidence
  }
  ... on Memoir {
    name
    description
  }
  ... on Observation {
    content
    importance
    weight
  }
  ... on Pattern {
    patternKind: kind
    lesson: description
    rate
  }
  ... on Run {
    startedAt
  }
  ... on Section {
    name
    sectionType
    approved
  }
  ... on Session {
    episodes(first: 1) {
      nodes {
        title
      }
    }
  }
  ... on Verdict {
    status
    judgeId
  }
}`) as unknown as TypedDocumentString<LinkedQuery, LinkedQueryVariables>;
export const BesideDocument = new TypedDocumentString(`
    query Beside($id: ID!) {
  episode(id: $id) {
    agent {
      id
      name
    }
    taskType
    startedAt
    durationSeconds
    aggregateFeedbackScore
    observation
    result
    actions {
      stepName
    }
  }
}
    `) as unknown as TypedDocumentString<BesideQuery, BesideQueryVariables>;