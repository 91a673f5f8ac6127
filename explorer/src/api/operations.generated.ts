/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** How an episode ended. */
export type Outcome =
  /** It did not. */
  | 'FAILURE'
  /** The agent did what it was to do. */
  | 'SUCCESS'
  /** Nobody knows, or not yet: `concludeEpisode` may say so once. */
  | 'UNKNOWN';

/** What a key may do; each role may also do what those before it may. */
export type Role =
  /** Also delete for good, prune and consolidate for real, apply thresholds of judges, and have the memory examined. */
  | 'ADMIN'
  /** Ask: recall, search, read, list. */
  | 'READER'
  /** Also record. */
  | 'WRITER';

export type EpisodeToldSubscriptionVariables = Exact<{
  agentId?: string | null | undefined;
  taskType?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type EpisodeToldSubscription = { episodeRecorded: { cursor: string, episode: { id: string, outcome: Outcome, sessionId: string | null } } };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { tenant: string, role: Role, name: string } };

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

export const EpisodeToldDocument = new TypedDocumentString(`
    subscription EpisodeTold($agentId: ID, $taskType: String, $after: String) {
  episodeRecorded(agentId: $agentId, taskType: $taskType, after: $after) {
    cursor
    episode {
      id
      outcome
      sessionId
    }
  }
}
    `) as unknown as TypedDocumentString<EpisodeToldSubscription, EpisodeToldSubscriptionVariables>;
export const ViewerDocument = new TypedDocumentString(`
    query Viewer {
  viewer {
    tenant
    role
    name
  }
}
    `) as unknown as TypedDocumentString<ViewerQuery, ViewerQueryVariables>;