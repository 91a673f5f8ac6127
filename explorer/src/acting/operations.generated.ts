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

/** Which key is to be made. It is of the tenant of whoever asks. */
export type CreateKeyInput = {
  /** When it ends, after now; never where it is left out. */
  expiresAt?: string | null | undefined;
  /** What it is for, for people, in up to 200 bytes without control characters. */
  name?: string | null | undefined;
  /** What its holder may do. */
  role: KeyRole;
  /** For whom alone it is, 1 to 512 bytes without control characters: what it records is for that user, and of others it sees and changes nothing. */
  userId?: string | number | null | undefined;
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

/** What the holder of a key may do with the memory of a tenant. Each may what the one before it may, and more. */
export type KeyRole =
  /** Also deletes for good, prunes and consolidates for real, and makes and revokes keys of the tenant. */
  | 'ADMIN'
  /** Asks: recalls, searches, lists, guidance. */
  | 'READER'
  /** Also records what agents did, what they know and how people reacted. */
  | 'WRITER';

/** Whether a key is good. */
export type KeyState =
  /** Its end has come. */
  | 'EXPIRED'
  /** It opens the memory. */
  | 'GOOD'
  /** It was revoked. */
  | 'REVOKED';

/** Whether a person would have approved. */
export type LabelVerdictInput = {
  /** Whether the person would have approved. */
  approve: boolean;
  /** Who says so. */
  labelledBy?: string | null | undefined;
  /** The verdict's id or key. */
  verdictId: string | number;
};

/** A typed link from one concept to another. */
export type LinkConceptsInput = {
  /** The concept it leads from, by id or key. */
  sourceId: string | number;
  /** The concept it leads to, by id or key; not the source itself. */
  targetId: string | number;
  /** How the source relates to the target. */
  type: RelationType;
};

/** How an episode ended. */
export type Outcome =
  /** It did not. */
  | 'FAILURE'
  /** The agent did what it was to do. */
  | 'SUCCESS'
  /** Nobody knows, or not yet: `concludeEpisode` may say so once. */
  | 'UNKNOWN';

/** A change of what a concept says. What is left out stays. */
export type RefineConceptInput = {
  /** What is known about it now. */
  content?: string | null | undefined;
  /** The concept, by id or key. */
  id: string | number;
  /** All the labels it has now. */
  labels?: Array<string> | null | undefined;
  /** Whether all that it said before is dropped for good, with its revisions: then nothing of it is left but hashes and the receipt's counts. */
  purge?: boolean | null | undefined;
};

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

export type SubmitFeedbackMutationVariables = Exact<{
  input: SubmitFeedbackInput;
}>;


export type SubmitFeedbackMutation = { submitFeedback: { feedback: { id: string } } };

export type LabelVerdictMutationVariables = Exact<{
  input: LabelVerdictInput;
}>;


export type LabelVerdictMutation = { labelVerdict: { verdict: { id: string } } };

export type RefineConceptMutationVariables = Exact<{
  input: RefineConceptInput;
}>;


export type RefineConceptMutation = { refineConcept: { concept: { id: string } } };

export type ConceptsLikeQueryVariables = Exact<{
  query: string;
}>;


export type ConceptsLikeQuery = { searchConcepts: { nodes: Array<{ concept: { id: string, name: string, memoir: { name: string } } }> } };

export type LinkConceptsMutationVariables = Exact<{
  input: LinkConceptsInput;
}>;


export type LinkConceptsMutation = { linkConcepts: { relation: { id: string } } };

export type UnlinkConceptsMutationVariables = Exact<{
  input: LinkConceptsInput;
}>;


export type UnlinkConceptsMutation = { unlinkConcepts: { removed: boolean } };

export type DeleteConceptMutationVariables = Exact<{
  id: string;
}>;


export type DeleteConceptMutation = { deleteConcept: { deletedId: string } };

export type DeleteEpisodeMutationVariables = Exact<{
  id: string;
}>;


export type DeleteEpisodeMutation = { deleteEpisode: { deletedId: string } };

export type DeleteEpisodesMutationVariables = Exact<{
  filter: EpisodeFilter;
  dryRun: boolean;
}>;


export type DeleteEpisodesMutation = { deleteEpisodes: { candidates: number, deleted: number } };

export type KeysQueryVariables = Exact<{ [key: string]: never; }>;


export type KeysQuery = { keys: Array<{ prefix: string, role: KeyRole, name: string | null, userId: string | null, createdAt: string, expiresAt: string | null, state: KeyState }> };

export type CreateKeyMutationVariables = Exact<{
  input: CreateKeyInput;
}>;


export type CreateKeyMutation = { createKey: { secret: string, warning: string | null } };

export type RevokeKeyMutationVariables = Exact<{
  prefix: string;
}>;


export type RevokeKeyMutation = { revokeKey: { key: { prefix: string } } };

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

export const SubmitFeedbackDocument = new TypedDocumentString(`
    mutation SubmitFeedback($input: SubmitFeedbackInput!) {
  submitFeedback(input: $input) {
    feedback {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<SubmitFeedbackMutation, SubmitFeedbackMutationVariables>;
export const LabelVerdictDocument = new TypedDocumentString(`
    mutation LabelVerdict($input: LabelVerdictInput!) {
  labelVerdict(input: $input) {
    verdict {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<LabelVerdictMutation, LabelVerdictMutationVariables>;
export const RefineConceptDocument = new TypedDocumentString(`
    mutation RefineConcept($input: RefineConceptInput!) {
  refineConcept(input: $input) {
    concept {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<RefineConceptMutation, RefineConceptMutationVariables>;
export const ConceptsLikeDocument = new TypedDocumentString(`
    query ConceptsLike($query: String!) {
  searchConcepts(query: $query, first: 8) {
    nodes {
      concept {
        id
        name
        memoir {
          name
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ConceptsLikeQuery, ConceptsLikeQueryVariables>;
export const LinkConceptsDocument = new TypedDocumentString(`
    mutation LinkConcepts($input: LinkConceptsInput!) {
  linkConcepts(input: $input) {
    relation {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<LinkConceptsMutation, LinkConceptsMutationVariables>;
export const UnlinkConceptsDocument = new TypedDocumentString(`
    mutation UnlinkConcepts($input: LinkConceptsInput!) {
  unlinkConcepts(input: $input) {
    removed
  }
}
    `) as unknown as TypedDocumentString<UnlinkConceptsMutation, UnlinkConceptsMutationVariables>;
export const DeleteConceptDocument = new TypedDocumentString(`
    mutation DeleteConcept($id: ID!) {
  deleteConcept(input: {id: $id}) {
    deletedId
  }
}
    `) as unknown as TypedDocumentString<DeleteConceptMutation, DeleteConceptMutationVariables>;
export const DeleteEpisodeDocument = new TypedDocumentString(`
    mutation DeleteEpisode($id: ID!) {
  deleteEpisode(input: {id: $id}) {
    deletedId
  }
}
    `) as unknown as TypedDocumentString<DeleteEpisodeMutation, DeleteEpisodeMutationVariables>;
export const DeleteEpisodesDocument = new TypedDocumentString(`
    mutation DeleteEpisodes($filter: EpisodeFilter!, $dryRun: Boolean!) {
  deleteEpisodes(input: {filter: $filter, dryRun: $dryRun}) {
    candidates
    deleted
  }
}
    `) as unknown as TypedDocumentString<DeleteEpisodesMutation, DeleteEpisodesMutationVariables>;
export const KeysDocument = new TypedDocumentString(`
    query Keys {
  keys(first: 500) {
    prefix
    role
    name
    userId
    createdAt
    expiresAt
    state
  }
}
    `) as unknown as TypedDocumentString<KeysQuery, KeysQueryVariables>;
export const CreateKeyDocument = new TypedDocumentString(`
    mutation CreateKey($input: CreateKeyInput!) {
  createKey(input: $input) {
    secret
    warning
  }
}
    `) as unknown as TypedDocumentString<CreateKeyMutation, CreateKeyMutationVariables>;
export const RevokeKeyDocument = new TypedDocumentString(`
    mutation RevokeKey($prefix: ID!) {
  revokeKey(input: {prefix: $prefix}) {
    key {
      prefix
    }
  }
}
    `) as unknown as TypedDocumentString<RevokeKeyMutation, RevokeKeyMutationVariables>;