/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
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

export type RecallQueryVariables = Exact<{
  agentId: string;
  situation: string;
}>;


export type RecallQuery = { recall: { lessons: string, hits: Array<{ rank: number, reasons: Array<string>, episode: { id: string, outcome: Outcome, startedAt: string } }> } };

export type RecordEpisodeMutationVariables = Exact<{
  id: string;
  agentId: string;
  taskType: string;
  observation: string;
  thoughts: Array<string> | string;
  actions: Array<ActionInput> | ActionInput;
}>;


export type RecordEpisodeMutation = { recordEpisode: { episode: { id: string } } };

export type RecordCanvasActionsMutationVariables = Exact<{
  actions: Array<CanvasActionInput> | CanvasActionInput;
}>;


export type RecordCanvasActionsMutation = { recordCanvasActions: { result: { succeeded: number, errors: Array<{ index: number, code: string, message: string }> } } };

export type SubmitFeedbackMutationVariables = Exact<{
  id: string;
  episodeId: string;
  reaction: FeedbackType;
}>;


export type SubmitFeedbackMutation = { submitFeedback: { aggregateFeedbackScore: number | null } };

export type ConcludeEpisodeMutationVariables = Exact<{
  id: string;
  outcome: Outcome;
  result: string;
}>;


export type ConcludeEpisodeMutation = { concludeEpisode: { episode: { outcome: Outcome, insight: string } } };

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

export const RecallDocument = new TypedDocumentString(`
    query Recall($agentId: ID!, $situation: String!) {
  recall(input: {agentId: $agentId, situation: $situation, topK: 3}) {
    hits {
      rank
      reasons
      episode {
        id
        outcome
        startedAt
      }
    }
    lessons(maxTokens: 300)
  }
}
    `) as unknown as TypedDocumentString<RecallQuery, RecallQueryVariables>;
export const RecordEpisodeDocument = new TypedDocumentString(`
    mutation RecordEpisode($id: ID!, $agentId: ID!, $taskType: String!, $observation: String!, $thoughts: [String!]!, $actions: [ActionInput!]!) {
  recordEpisode(
    input: {id: $id, agentId: $agentId, taskType: $taskType, observation: $observation, thoughts: $thoughts, actions: $actions}
  ) {
    episode {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<RecordEpisodeMutation, RecordEpisodeMutationVariables>;
export const RecordCanvasActionsDocument = new TypedDocumentString(`
    mutation RecordCanvasActions($actions: [CanvasActionInput!]!) {
  recordCanvasActions(input: {actions: $actions}) {
    result {
      succeeded
      errors {
        index
        code
        message
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RecordCanvasActionsMutation, RecordCanvasActionsMutationVariables>;
export const SubmitFeedbackDocument = new TypedDocumentString(`
    mutation SubmitFeedback($id: ID!, $episodeId: ID!, $reaction: FeedbackType!) {
  submitFeedback(input: {id: $id, episodeId: $episodeId, type: $reaction}) {
    aggregateFeedbackScore
  }
}
    `) as unknown as TypedDocumentString<SubmitFeedbackMutation, SubmitFeedbackMutationVariables>;
export const ConcludeEpisodeDocument = new TypedDocumentString(`
    mutation ConcludeEpisode($id: ID!, $outcome: Outcome!, $result: String!) {
  concludeEpisode(input: {id: $id, outcome: $outcome, result: $result}) {
    episode {
      outcome
      insight
    }
  }
}
    `) as unknown as TypedDocumentString<ConcludeEpisodeMutation, ConcludeEpisodeMutationVariables>;