/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** From which score on a judge's verdicts would approve. */
export type ApplyJudgeThresholdInput = {
  /** The judge. */
  judgeId: string | number;
  /** Only on sections of this type; on all types that have none of their own where it is left out. */
  sectionType?: string | null | undefined;
  /** The score, within ±1e9; null takes the threshold away. */
  threshold?: number | null | undefined;
};

/** How a judge's approval rate reads. */
export type Leniency =
  /** Neither. */
  | 'BALANCED'
  /** It approves 30 % or less. */
  | 'TOO_CRITICAL'
  /** It approves 90 % or more. */
  | 'TOO_LENIENT'
  /** There are fewer than 20 verdicts. */
  | 'UNKNOWN';

/** Whether a pattern is to be followed or avoided. */
export type PatternKind =
  /** An approach: its rate is how often sections that used it were approved. */
  | 'DO'
  /** An issue: its rate is how often sections had it. */
  | 'DONT';

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

export type JudgesQueryVariables = Exact<{ [key: string]: never; }>;


export type JudgesQuery = { judges: Array<string> };

export type JudgeQueryVariables = Exact<{
  judgeId: string;
}>;


export type JudgeQuery = { judgeTendencies: { verdicts: number, averageScore: number | null, scoreStdDev: number | null, approvalRate: number, commonCritiqueAreas: Array<string>, scoreBySectionType: Array<{ sectionType: string, averageScore: number, count: number }>, calibration: { leniency: Leniency, reason: string, proposedThreshold: number | null }, humanAgreement: { labelled: number, agreement: number, kappa: number | null, kappaLow: number | null, kappaHigh: number | null, precision: number | null, recall: number | null, drift: number | null } | null, thresholdProposal: { threshold: number | null, labelled: number, agreement: number | null, judgeAgreement: number | null, wouldApprove: number, wouldReject: number, reason: string }, thresholds: Array<{ sectionType: string | null, threshold: number | null, at: string }>, thresholdTrial: { verdicts: number, wouldApprove: number, wouldReject: number, labelled: number, agreement: number | null, judgeAgreement: number | null } | null } };

export type JudgeTrendsQueryVariables = Exact<{
  judgeId: string;
  since?: string | null | undefined;
}>;


export type JudgeTrendsQuery = { trends: Array<{ at: string, approvalRate: number | null, judgeScore: number | null }> };

export type ApplyThresholdMutationVariables = Exact<{
  input: ApplyJudgeThresholdInput;
}>;


export type ApplyThresholdMutation = { applyJudgeThreshold: { threshold: { threshold: number | null } } };

export type VerdictsQueryVariables = Exact<{
  judgeId?: string | null | undefined;
  sectionType?: string | null | undefined;
  disagreed?: boolean | null | undefined;
  after?: string | null | undefined;
}>;


export type VerdictsQuery = { verdicts: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, sectionType: string, status: VerdictStatus, score: number | null, label: boolean | null, labelledBy: string | null, iteration: number, feedback: string | null, at: string, section: { id: string, name: string }, run: { id: string }, issues: Array<{ code: string, message: string | null }> }> } };

export type VerdictToldSubscriptionVariables = Exact<{
  judgeId?: string | null | undefined;
  sectionType?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type VerdictToldSubscription = { verdictRecorded: { cursor: string, verdict: { id: string } } };

export type PatternsQueryVariables = Exact<{
  kind?: PatternKind | null | undefined;
  sectionType?: string | null | undefined;
  after?: string | null | undefined;
}>;


export type PatternsQuery = { patterns: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, kind: PatternKind, description: string, issueCode: string | null, sectionType: string, context: unknown, mined: boolean, rate: number, total: number, avgScore: number | null, avgRecoveryIterations: number | null, lastSeen: string }> } };

export type PatternTypesQueryVariables = Exact<{ [key: string]: never; }>;


export type PatternTypesQuery = { patterns: { nodes: Array<{ sectionType: string }> } };

export type RunsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type RunsQuery = { runs: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ id: string, startedAt: string, completedAt: string | null, sections: Array<{ id: string, name: string, sectionType: string, finalScore: number | null, iterations: number, approved: boolean, verdicts: Array<{ iteration: number, status: VerdictStatus, score: number | null, issues: Array<{ code: string, message: string | null }> }> }> }> } };

export type RunQueryVariables = Exact<{
  id: string;
}>;


export type RunQuery = { node:
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
    | { __typename: 'Run', id: string, startedAt: string, completedAt: string | null, sections: Array<{ id: string, name: string, sectionType: string, context: unknown, iterations: number, approved: boolean, verdicts: Array<{ id: string, iteration: number, status: VerdictStatus, score: number | null, label: boolean | null, feedback: string | null, patterns: Array<string>, issues: Array<{ code: string, message: string | null, fix: string | null }> }> }> }
    | { __typename: 'Section' }
    | { __typename: 'Session' }
    | { __typename: 'Verdict' }
   | null };

export type RunWarningsQueryVariables = Exact<{
  runId: string;
  sectionId: string;
  sectionType: string;
  context?: unknown;
}>;


export type RunWarningsQuery = { guidance: { warnings: Array<string> } };

export type RunInListFragment = { id: string, startedAt: string, completedAt: string | null, sections: Array<{ id: string, name: string, sectionType: string, finalScore: number | null, iterations: number, approved: boolean, verdicts: Array<{ iteration: number, status: VerdictStatus, score: number | null, issues: Array<{ code: string, message: string | null }> }> }> };

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
export const RunInListFragmentDoc = new TypedDocumentString(`
    fragment RunInList on Run {
  id
  startedAt
  completedAt
  sections {
    id
    name
    sectionType
    finalScore
    iterations
    approved
    verdicts {
      iteration
      status
      score
      issues {
        code
        message
      }
    }
  }
}
    `, {"fragmentName":"RunInList"}) as unknown as TypedDocumentString<RunInListFragment, unknown>;
export const JudgesDocument = new TypedDocumentString(`
    query Judges {
  judges
}
    `) as unknown as TypedDocumentString<JudgesQuery, JudgesQueryVariables>;
export const JudgeDocument = new TypedDocumentString(`
    query Judge($judgeId: ID!) {
  judgeTendencies(judgeId: $judgeId) {
    verdicts
    averageScore
    scoreStdDev
    approvalRate
    commonCritiqueAreas
    scoreBySectionType {
      sectionType
      averageScore
      count
    }
    calibration {
      leniency
      reason
      proposedThreshold
    }
    humanAgreement {
      labelled
      agreement
      kappa
      kappaLow
      kappaHigh
      precision
      recall
      drift
    }
    thresholdProposal {
      threshold
      labelled
      agreement
      judgeAgreement
      wouldApprove
      wouldReject
      reason
    }
    thresholds {
      sectionType
      threshold
      at
    }
    thresholdTrial {
      verdicts
      wouldApprove
      wouldReject
      labelled
      agreement
      judgeAgreement
    }
  }
}
    `) as unknown as TypedDocumentString<JudgeQuery, JudgeQueryVariables>;
export const JudgeTrendsDocument = new TypedDocumentString(`
    query JudgeTrends($judgeId: ID!, $since: DateTime) {
  trends(judgeId: $judgeId, bucket: WEEK, since: $since) {
    at
    approvalRate
    judgeScore
  }
}
    `) as unknown as TypedDocumentString<JudgeTrendsQuery, JudgeTrendsQueryVariables>;
export const ApplyThresholdDocument = new TypedDocumentString(`
    mutation ApplyThreshold($input: ApplyJudgeThresholdInput!) {
  applyJudgeThreshold(input: $input) {
    threshold {
      threshold
    }
  }
}
    `) as unknown as TypedDocumentString<ApplyThresholdMutation, ApplyThresholdMutationVariables>;
export const VerdictsDocument = new TypedDocumentString(`
    query Verdicts($judgeId: ID, $sectionType: String, $disagreed: Boolean, $after: String) {
  verdicts(
    judgeId: $judgeId
    sectionType: $sectionType
    disagreed: $disagreed
    first: 20
    after: $after
  ) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      id
      section {
        id
        name
      }
      run {
        id
      }
      sectionType
      status
      score
      label
      labelledBy
      iteration
      feedback
      issues {
        code
        message
      }
      at
    }
  }
}
    `) as unknown as TypedDocumentString<VerdictsQuery, VerdictsQueryVariables>;
export const VerdictToldDocument = new TypedDocumentString(`
    subscription VerdictTold($judgeId: ID, $sectionType: String, $after: String) {
  verdictRecorded(judgeId: $judgeId, sectionType: $sectionType, after: $after) {
    cursor
    verdict {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<VerdictToldSubscription, VerdictToldSubscriptionVariables>;
export const PatternsDocument = new TypedDocumentString(`
    query Patterns($kind: PatternKind, $sectionType: String, $after: String) {
  patterns(kind: $kind, sectionType: $sectionType, first: 20, after: $after) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      id
      kind
      description
      issueCode
      sectionType
      context
      mined
      rate
      total
      avgScore
      avgRecoveryIterations
      lastSeen
    }
  }
}
    `) as unknown as TypedDocumentString<PatternsQuery, PatternsQueryVariables>;
export const PatternTypesDocument = new TypedDocumentString(`
    query PatternTypes {
  patterns(first: 100) {
    nodes {
      sectionType
    }
  }
}
    `) as unknown as TypedDocumentString<PatternTypesQuery, PatternTypesQueryVariables>;
export const RunsDocument = new TypedDocumentString(`
    query Runs($after: String) {
  runs(first: 10, after: $after) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      ...RunInList
    }
  }
}
    fragment RunInList on Run {
  id
  startedAt
  completedAt
  sections {
    id
    name
    sectionType
    finalScore
    iterations
    approved
    verdicts {
      iteration
      status
      score
      issues {
        code
        message
      }
    }
  }
}`) as unknown as TypedDocumentString<RunsQuery, RunsQueryVariables>;
export const RunDocument = new TypedDocumentString(`
    query Run($id: ID!) {
  node(id: $id) {
    __typename
    ... on Run {
      id
      startedAt
      completedAt
      sections {
        id
        name
        sectionType
        context
        iterations
        approved
        verdicts {
          id
          iteration
          status
          score
          label
          feedback
          patterns
          issues {
            code
            message
            fix
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RunQuery, RunQueryVariables>;
export const RunWarningsDocument = new TypedDocumentString(`
    query RunWarnings($runId: ID!, $sectionId: ID!, $sectionType: String!, $context: JSON) {
  guidance(
    runId: $runId
    sectionId: $sectionId
    sectionType: $sectionType
    context: $context
  ) {
    warnings
  }
}
    `) as unknown as TypedDocumentString<RunWarningsQuery, RunWarningsQueryVariables>;