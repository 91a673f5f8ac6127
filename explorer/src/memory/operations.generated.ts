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

/** An order of observations. Among equals the newer comes first, then the lower id. */
export type ObservationOrder =
  /** The latest first. */
  | 'CREATED_AT_DESC'
  /** The lightest first. */
  | 'WEIGHT_ASC'
  /** The heaviest first. */
  | 'WEIGHT_DESC';

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

export type MemoirsQueryVariables = Exact<{ [key: string]: never; }>;


export type MemoirsQuery = { memoirs: { nodes: Array<{ id: string, name: string, description: string | null, concepts: { totalCount: number } }> } };

export type ConceptsQueryVariables = Exact<{
  memoirId: string;
  after?: string | null | undefined;
}>;


export type ConceptsQuery = { memoir: { concepts: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, name: string, labels: Array<string>, supersededBy: { id: string, name: string } | null, contradictedBy: Array<{ id: string, name: string }> }> } } | null };

export type ConceptQueryVariables = Exact<{
  id: string;
}>;


export type ConceptQuery = { concept: { id: string, name: string, content: string, labels: Array<string>, createdAt: string, updatedAt: string, memoir: { id: string, name: string }, revisions: Array<{ content: string, labels: Array<string>, at: string }>, supersededBy: { id: string, name: string } | null, contradictedBy: Array<{ id: string, name: string }>, relations: Array<{ id: string, type: RelationType, source: { id: string, name: string }, target: { id: string, name: string } }> } | null };

export type ObservationsQueryVariables = Exact<{
  maxWeight?: number | null | undefined;
  orderBy?: ObservationOrder | null | undefined;
  after?: string | null | undefined;
}>;


export type ObservationsQuery = { observations: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, content: string, importance: Importance, weight: number, accessCount: number, lastAccessedAt: string | null, createdAt: string, about: Array<
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
      > }> } };

export type PruneMutationVariables = Exact<{
  minWeight: number;
  dryRun: boolean;
}>;


export type PruneMutation = { prune: { candidates: number, deleted: number, complete: boolean } };

export type TopicsQueryVariables = Exact<{ [key: string]: never; }>;


export type TopicsQuery = { correctionStats: { total: number, byTopic: Array<{ topic: string, count: number }> } };

export type CorrectionsQueryVariables = Exact<{
  topic?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type CorrectionsQuery = { corrections: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, topic: string, prediction: string, correction: string, context: string | null, importance: Importance, createdBy: string | null, createdAt: string, about: Array<
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
      > }> } };

export type WaitingCanvasesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type WaitingCanvasesQuery = { canvases: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, canvasType: string, componentType: string | null, reward: number, createdAt: string, actions: Array<{ action: CanvasActionKind, at: string }> }> } };

export type WaitingFeedbackQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type WaitingFeedbackQuery = { feedback: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, type: FeedbackType, rating: number | null, score: number, corrections: string | null, comment: string | null, createdBy: string | null, createdAt: string }> } };

export type HealthQueryVariables = Exact<{ [key: string]: never; }>;


export type HealthQuery = { health: { faults: number, findings: Array<{ part: string, found: string, fault: string | null }> } };

export type OneOfMemoryQueryVariables = Exact<{
  id: string;
}>;


export type OneOfMemoryQuery = { node:
    | { __typename: 'Agent' }
    | { __typename: 'Canvas' }
    | { __typename: 'Concept' }
    | { __typename: 'Correction', id: string, topic: string, prediction: string, correction: string, context: string | null, importance: Importance, createdBy: string | null, createdAt: string, about: Array<
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
      > }
    | { __typename: 'Episode' }
    | { __typename: 'Execution' }
    | { __typename: 'Feedback' }
    | { __typename: 'LearningProfile' }
    | { __typename: 'Memoir' }
    | { __typename: 'Observation', id: string, content: string, importance: Importance, weight: number, accessCount: number, lastAccessedAt: string | null, createdAt: string, about: Array<
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
      > }
    | { __typename: 'Pattern' }
    | { __typename: 'Run' }
    | { __typename: 'Section' }
    | { __typename: 'Session' }
    | { __typename: 'Verdict' }
   | null };

export type ObservationInListFragment = { id: string, content: string, importance: Importance, weight: number, accessCount: number, lastAccessedAt: string | null, createdAt: string, about: Array<
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
  > };

export type CorrectionInListFragment = { id: string, topic: string, prediction: string, correction: string, context: string | null, importance: Importance, createdBy: string | null, createdAt: string, about: Array<
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
  > };

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
export const ObservationInListFragmentDoc = new TypedDocumentString(`
    fragment ObservationInList on Observation {
  id
  content
  importance
  weight
  accessCount
  lastAccessedAt
  createdAt
  about {
    ...Named
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
}`, {"fragmentName":"ObservationInList"}) as unknown as TypedDocumentString<ObservationInListFragment, unknown>;
export const CorrectionInListFragmentDoc = new TypedDocumentString(`
    fragment CorrectionInList on Correction {
  id
  topic
  prediction
  correction
  context
  importance
  createdBy
  createdAt
  about {
    ...Named
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
}`, {"fragmentName":"CorrectionInList"}) as unknown as TypedDocumentString<CorrectionInListFragment, unknown>;
export const MemoirsDocument = new TypedDocumentString(`
    query Memoirs {
  memoirs(first: 100) {
    nodes {
      id
      name
      description
      concepts(first: 1) {
        totalCount
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MemoirsQuery, MemoirsQueryVariables>;
export const ConceptsDocument = new TypedDocumentString(`
    query Concepts($memoirId: ID!, $after: String) {
  memoir(id: $memoirId) {
    concepts(first: 50, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        id
        name
        labels
        supersededBy {
          id
          name
        }
        contradictedBy {
          id
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ConceptsQuery, ConceptsQueryVariables>;
export const ConceptDocument = new TypedDocumentString(`
    query Concept($id: ID!) {
  concept(id: $id) {
    id
    name
    content
    labels
    createdAt
    updatedAt
    memoir {
      id
      name
    }
    revisions {
      content
      labels
      at
    }
    supersededBy {
      id
      name
    }
    contradictedBy {
      id
      name
    }
    relations {
      id
      type
      source {
        id
        name
      }
      target {
        id
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ConceptQuery, ConceptQueryVariables>;
export const ObservationsDocument = new TypedDocumentString(`
    query Observations($maxWeight: Float, $orderBy: ObservationOrder, $after: String) {
  observations(maxWeight: $maxWeight, orderBy: $orderBy, first: 20, after: $after) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      ...ObservationInList
    }
  }
}
    fragment ObservationInList on Observation {
  id
  content
  importance
  weight
  accessCount
  lastAccessedAt
  createdAt
  about {
    ...Named
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
}`) as unknown as TypedDocumentString<ObservationsQuery, ObservationsQueryVariables>;
export const PruneDocument = new TypedDocumentString(`
    mutation Prune($minWeight: Float!, $dryRun: Boolean!) {
  prune(input: {minWeight: $minWeight, dryRun: $dryRun}) {
    candidates
    deleted
    complete
  }
}
    `) as unknown as TypedDocumentString<PruneMutation, PruneMutationVariables>;
export const TopicsDocument = new TypedDocumentString(`
    query Topics {
  correctionStats {
    total
    byTopic {
      topic
      count
    }
  }
}
    `) as unknown as TypedDocumentString<TopicsQuery, TopicsQueryVariables>;
export const CorrectionsDocument = new TypedDocumentString(`
    query Corrections($topic: String, $after: String) {
  corrections(topic: $topic, first: 20, after: $after) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      ...CorrectionInList
    }
  }
}
    fragment CorrectionInList on Correction {
  id
  topic
  prediction
  correction
  context
  importance
  createdBy
  createdAt
  about {
    ...Named
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
}`) as unknown as TypedDocumentString<CorrectionsQuery, CorrectionsQueryVariables>;
export const WaitingCanvasesDocument = new TypedDocumentString(`
    query WaitingCanvases($after: String) {
  canvases(waiting: true, first: 20, after: $after) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      id
      canvasType
      componentType
      reward
      createdAt
      actions {
        action
        at
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WaitingCanvasesQuery, WaitingCanvasesQueryVariables>;
export const WaitingFeedbackDocument = new TypedDocumentString(`
    query WaitingFeedback($after: String) {
  feedback(waiting: true, first: 20, after: $after) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
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
    `) as unknown as TypedDocumentString<WaitingFeedbackQuery, WaitingFeedbackQueryVariables>;
export const HealthDocument = new TypedDocumentString(`
    query Health {
  health {
    faults
    findings {
      part
      found
      fault
    }
  }
}
    `) as unknown as TypedDocumentString<HealthQuery, HealthQueryVariables>;
export const OneOfMemoryDocument = new TypedDocumentString(`
    query OneOfMemory($id: ID!) {
  node(id: $id) {
    __typename
    ...ObservationInList
    ...CorrectionInList
  }
}
    fragment ObservationInList on Observation {
  id
  content
  importance
  weight
  accessCount
  lastAccessedAt
  createdAt
  about {
    ...Named
  }
}
fragment CorrectionInList on Correction {
  id
  topic
  prediction
  correction
  context
  importance
  createdBy
  createdAt
  about {
    ...Named
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
}`) as unknown as TypedDocumentString<OneOfMemoryQuery, OneOfMemoryQueryVariables>;