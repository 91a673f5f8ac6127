/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** What an alert is about. */
export type AlertKind =
  /** An agent has done a task type fewer than the 20 times that full confidence needs. */
  | 'AGENT_COLD'
  /** The same of one agent at a task type: the trend of its profile is DOWN. */
  | 'AGENT_DECLINES'
  /** An issue that 60 % or more of the sections of a type had, seen in the last 30 days. */
  | 'ISSUE_RECURS'
  /** A judge agrees with people by 0.15 or more less than before, over 10 or more labelled verdicts of the last 30 days. */
  | 'JUDGE_DRIFTS'
  /** A judge approved much more or much less of its verdicts in the newer half of the last 30 days, and people labelled fewer than 10. */
  | 'JUDGE_SHIFTS'
  /** A judge approved 30 % or less of 20 or more verdicts in the last 30 days. */
  | 'JUDGE_TOO_CRITICAL'
  /** A judge approved 90 % or more of 20 or more verdicts in the last 30 days. */
  | 'JUDGE_TOO_LENIENT'
  /** No agent has a score of 0.5 or more for a task type (see `taskTypeAlerts`). */
  | 'NO_GOOD_AGENT'
  /** The mean quality of a task type in the last 7 days is lower than before, over all of several agents. */
  | 'TASK_TYPE_DECLINES';

/** How soon somebody should look at an alert. */
export type AlertSeverity =
  /** Now: a mean quality fell by 0.25 or more, or 90 % or more of the sections had an issue. */
  | 'CRITICAL'
  /** When there is time. */
  | 'INFO'
  /** Soon. */
  | 'WARNING';

/** Where a person reacted. */
export type FeedbackSource =
  /** On a canvas. */
  | 'CANVAS'
  /** In a chat. */
  | 'CHAT'
  /** In a workflow. */
  | 'WORKFLOW';

/** How far an agent is trusted to work by itself. */
export type GraduationLevel =
  /** 50 episodes, people intervened in none of them, and 45 quality-weighted episodes. */
  | 'AUTONOMOUS'
  /** 10 episodes, people intervened in at most half of them, and 7 quality-weighted episodes. */
  | 'INTERN'
  /** Where every agent begins. */
  | 'STUDENT'
  /** 25 episodes, people intervened in at most a fifth of them, and 18 quality-weighted episodes. */
  | 'SUPERVISED';

/** Which way the quality of an agent's work goes. */
export type Trend =
  /** The last 7 days are worse, by more than 0.05. */
  | 'DOWN'
  /** Neither, or there are fewer than 3 executions on one side. */
  | 'FLAT'
  /** The last 7 days are better than the time before, by more than 0.05. */
  | 'UP';

export type AgentsQueryVariables = Exact<{ [key: string]: never; }>;


export type AgentsQuery = { taskTypes: Array<string>, agents: { nodes: Array<{ id: string, name: string }> } };

export type AgentInListQueryVariables = Exact<{
  id: string;
}>;


export type AgentInListQuery = { agent: { id: string, taskTypes: Array<string>, graduation: { level: GraduationLevel, episodes: number, quality: number } } | null };

export type AlertsQueryVariables = Exact<{ [key: string]: never; }>;


export type AlertsQuery = { alerts: Array<{ kind: AlertKind, severity: AlertSeverity, subject: string, subjectId: string | null, happened: string, do: string, since: string | null }> };

export type RanksQueryVariables = Exact<{
  taskType: string;
  situation?: string | null | undefined;
  asOf?: string | null | undefined;
}>;


export type RanksQuery = { rankAgents: Array<{ rank: number, score: number, expertise: number, confidence: number, reasons: Array<string>, agent: { id: string, name: string }, profile: { trend: Trend, executionsTotal: number } | null }> };

export type RankingToldSubscriptionVariables = Exact<{
  taskType: string;
  after?: string | null | undefined;
}>;


export type RankingToldSubscription = { agentRankingChanged: { cursor: string, taskType: string } };

export type ExploredQueryVariables = Exact<{
  taskType: string;
  situation?: string | null | undefined;
}>;


export type ExploredQuery = { selectAgent: { reasons: Array<string>, agent: { id: string, name: string } } };

export type RanksThenQueryVariables = Exact<{
  taskType: string;
  asOf?: string | null | undefined;
}>;


export type RanksThenQuery = { rankAgents: Array<{ expertise: number, confidence: number, agent: { id: string } }> };

export type AgentQueryVariables = Exact<{
  id: string;
}>;


export type AgentQuery = { agent: { id: string, name: string, episodes: { totalCount: number }, graduation: { level: GraduationLevel, nextLevel: GraduationLevel | null, quality: number, episodes: number, interventions: number, interventionRate: number, completion: number | null, canvasSuccess: number | null, feedbackQuality: number | null, consistency: number | null, interventionsBySource: Array<{ source: FeedbackSource, episodes: number, rate: number }>, criteria: Array<{ name: string, value: number, required: number, met: boolean, gap: number }> }, learningProfiles: Array<{ id: string, taskType: string, executionsTotal: number, executionsSuccessful: number, avgQuality: number, expertise: number, confidence: number, score: number, trend: Trend }>, canvasInsights: { closesQuickly: Array<string>, engages: Array<string>, submits: Array<string>, byType: Array<{ canvasType: string, componentType: string | null, presentations: number, meanDwellSeconds: number | null, submits: number, meanReward: number, meanFeedback: number | null }> } } | null };

export type AgentTrendsQueryVariables = Exact<{
  id?: string | null | undefined;
  since?: string | null | undefined;
}>;


export type AgentTrendsQuery = { trends: Array<{ at: string, episodes: number, successRate: number | null, feedbackScore: number | null }> };

export type CurveQueryVariables = Exact<{
  agentId: string;
  taskType: string;
}>;


export type CurveQuery = { learningProfile: { executionsTotal: number, executions: { nodes: Array<{ id: string, at: string, quality: number, success: boolean, episode: { id: string, title: string } | null }> } } | null };

export type InsightsOfQueryVariables = Exact<{
  id: string;
}>;


export type InsightsOfQuery = { agent: { id: string, name: string, canvasInsights: { byType: Array<{ canvasType: string, componentType: string | null, presentations: number, meanDwellSeconds: number | null, submits: number, meanReward: number, meanFeedback: number | null }> } } | null };

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

export const AgentsDocument = new TypedDocumentString(`
    query Agents {
  agents(first: 100) {
    nodes {
      id
      name
    }
  }
  taskTypes
}
    `) as unknown as TypedDocumentString<AgentsQuery, AgentsQueryVariables>;
export const AgentInListDocument = new TypedDocumentString(`
    query AgentInList($id: ID!) {
  agent(id: $id) {
    id
    taskTypes
    graduation {
      level
      episodes
      quality
    }
  }
}
    `) as unknown as TypedDocumentString<AgentInListQuery, AgentInListQueryVariables>;
export const AlertsDocument = new TypedDocumentString(`
    query Alerts {
  alerts {
    kind
    severity
    subject
    subjectId
    happened
    do
    since
  }
}
    `) as unknown as TypedDocumentString<AlertsQuery, AlertsQueryVariables>;
export const RanksDocument = new TypedDocumentString(`
    query Ranks($taskType: String!, $situation: String, $asOf: DateTime) {
  rankAgents(taskType: $taskType, situation: $situation, asOf: $asOf) {
    rank
    score
    expertise
    confidence
    reasons
    agent {
      id
      name
    }
    profile {
      trend
      executionsTotal
    }
  }
}
    `) as unknown as TypedDocumentString<RanksQuery, RanksQueryVariables>;
export const RankingToldDocument = new TypedDocumentString(`
    subscription RankingTold($taskType: String!, $after: String) {
  agentRankingChanged(taskType: $taskType, after: $after) {
    cursor
    taskType
  }
}
    `) as unknown as TypedDocumentString<RankingToldSubscription, RankingToldSubscriptionVariables>;
export const ExploredDocument = new TypedDocumentString(`
    query Explored($taskType: String!, $situation: String) {
  selectAgent(taskType: $taskType, situation: $situation, explore: true) {
    agent {
      id
      name
    }
    reasons
  }
}
    `) as unknown as TypedDocumentString<ExploredQuery, ExploredQueryVariables>;
export const RanksThenDocument = new TypedDocumentString(`
    query RanksThen($taskType: String!, $asOf: DateTime) {
  rankAgents(taskType: $taskType, asOf: $asOf) {
    expertise
    confidence
    agent {
      id
    }
  }
}
    `) as unknown as TypedDocumentString<RanksThenQuery, RanksThenQueryVariables>;
export const AgentDocument = new TypedDocumentString(`
    query Agent($id: ID!) {
  agent(id: $id) {
    id
    name
    episodes(first: 1) {
      totalCount
    }
    graduation {
      level
      nextLevel
      quality
      episodes
      interventions
      interventionRate
      interventionsBySource {
        source
        episodes
        rate
      }
      completion
      canvasSuccess
      feedbackQuality
      consistency
      criteria {
        name
        value
        required
        met
        gap
      }
    }
    learningProfiles {
      id
      taskType
      executionsTotal
      executionsSuccessful
      avgQuality
      expertise
      confidence
      score
      trend
    }
    canvasInsights {
      byType {
        canvasType
        componentType
        presentations
        meanDwellSeconds
        submits
        meanReward
        meanFeedback
      }
      closesQuickly
      engages
      submits
    }
  }
}
    `) as unknown as TypedDocumentString<AgentQuery, AgentQueryVariables>;
export const AgentTrendsDocument = new TypedDocumentString(`
    query AgentTrends($id: ID, $since: DateTime) {
  trends(agentId: $id, bucket: WEEK, since: $since) {
    at
    episodes
    successRate
    feedbackScore
  }
}
    `) as unknown as TypedDocumentString<AgentTrendsQuery, AgentTrendsQueryVariables>;
export const CurveDocument = new TypedDocumentString(`
    query Curve($agentId: ID!, $taskType: String!) {
  learningProfile(agentId: $agentId, taskType: $taskType) {
    executionsTotal
    executions(first: 100) {
      nodes {
        id
        at
        quality
        success
        episode {
          id
          title
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<CurveQuery, CurveQueryVariables>;
export const InsightsOfDocument = new TypedDocumentString(`
    query InsightsOf($id: ID!) {
  agent(id: $id) {
    id
    name
    canvasInsights {
      byType {
        canvasType
        componentType
        presentations
        meanDwellSeconds
        submits
        meanReward
        meanFeedback
      }
    }
  }
}
    `) as unknown as TypedDocumentString<InsightsOfQuery, InsightsOfQueryVariables>;