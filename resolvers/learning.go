package resolvers

import (
	"context"
	"time"

	"mneme/graph"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/memory/alerts"
	"mneme/memory/selection"
	"mneme/memory/trends"
	"mneme/service/boundary"
	"mneme/service/learning"
	"mneme/service/upkeep"
)

func (r *executionResolver) Agent(ctx context.Context, obj *memory.Execution) (*memory.Agent, error) {
	return loaders(ctx).Agents.Load(ctx, obj.AgentKey)
}

func (r *executionResolver) Episode(ctx context.Context, obj *memory.Execution) (*memory.Episode, error) {
	return r.episodeOf(ctx, obj.EpisodeKey())
}

func (r *learningProfileResolver) Agent(ctx context.Context, obj *memory.LearningProfile) (*memory.Agent, error) {
	return loaders(ctx).Agents.Load(ctx, obj.AgentKey)
}

func (r *learningProfileResolver) Expertise(ctx context.Context, obj *memory.LearningProfile) (float64, error) {
	return tenant(ctx).Learning.Standing(obj).Expertise, nil
}

func (r *learningProfileResolver) Score(ctx context.Context, obj *memory.LearningProfile) (float64, error) {
	return tenant(ctx).Learning.Standing(obj).Score, nil
}

func (r *learningProfileResolver) Trend(ctx context.Context, obj *memory.LearningProfile) (selection.Trend, error) {
	return tenant(ctx).Learning.Standing(obj).Trend, nil
}

func (r *learningProfileResolver) Executions(ctx context.Context, obj *memory.LearningProfile, first *int, after *string, archived *bool) (*relay.Connection[*memory.Execution], error) {
	return relay.Of(tenant(ctx).Learning.ProfileExecutions(ctx, obj, archived != nil && *archived, page(first, after)))
}

func (r *mutationResolver) RecordExecution(ctx context.Context, input boundary.RecordExecutionInput) (*learning.ExecutionReceipt, error) {
	return tenant(ctx).Learning.RecordExecution(ctx, input)
}

func (r *mutationResolver) RecordExecutions(ctx context.Context, input boundary.RecordExecutionsInput) (*graph.RecordExecutionsPayload, error) {
	result, err := tenant(ctx).Learning.RecordExecutions(ctx, input)
	return &graph.RecordExecutionsPayload{Result: result}, err
}

func (r *mutationResolver) DeleteExecution(ctx context.Context, input boundary.DeleteInput) (*upkeep.DeletedRecord, error) {
	return tenant(ctx).Upkeep.Delete(ctx, memory.KindExecution, input)
}

func (r *queryResolver) LearningProfile(ctx context.Context, agentID string, taskType string) (*memory.LearningProfile, error) {
	return tenant(ctx).Learning.Profile(ctx, agentID, taskType)
}

func (r *queryResolver) LearningProfiles(ctx context.Context, taskType *string, trend *selection.Trend, cold *bool, first *int, after *string) (*relay.Connection[*memory.LearningProfile], error) {
	filter := boundary.ProfileFilter{TaskType: taskType, Trend: trend, Cold: cold}
	return relay.Of(tenant(ctx).Learning.Profiles(ctx, filter, page(first, after)))
}

func (r *queryResolver) TaskTypes(ctx context.Context) ([]string, error) {
	return tenant(ctx).Learning.TaskTypes(ctx)
}

func (r *agentRankingResolver) Agent(ctx context.Context, obj *selection.AgentRanking) (*memory.Agent, error) {
	return loaders(ctx).Agents.Load(ctx, obj.AgentKey)
}

func (r *queryResolver) SelectAgent(ctx context.Context, taskType string, situation *string, explore *bool, asOf *time.Time) (*selection.AgentRanking, error) {
	input := boundary.SelectionInput{TaskType: taskType, Situation: situation, AsOf: asOf}
	return tenant(ctx).Learning.SelectAgent(ctx, input, explore != nil && *explore)
}

func (r *queryResolver) RankAgents(ctx context.Context, taskType string, situation *string, first *int, asOf *time.Time) ([]*selection.AgentRanking, error) {
	input := boundary.SelectionInput{TaskType: taskType, Situation: situation, AsOf: asOf}
	return pointers(tenant(ctx).Learning.RankAgents(ctx, input, first))
}

func (r *queryResolver) TaskTypeAlerts(ctx context.Context, threshold *float64) ([]*selection.TaskTypeAlert, error) {
	return pointers(tenant(ctx).Learning.TaskTypeAlerts(ctx, memory.ValueOr(threshold, learning.DefaultAlertThreshold)))
}

func (r *queryResolver) Alerts(ctx context.Context, kind *alerts.Kind, severity *alerts.Severity) ([]*alerts.Alert, error) {
	return pointers(tenant(ctx).Learning.Alerts(ctx, boundary.AlertsInput{Kind: kind, Severity: severity}))
}

func (r *queryResolver) Trends(ctx context.Context, agentID *string, taskType *string, judgeID *string, sectionType *string, context memory.JSON, since *time.Time, bucket *trends.Bucket) ([]*trends.Point, error) {
	return pointers(tenant(ctx).Learning.Trends(ctx, boundary.TrendsInput{
		AgentID: agentID, TaskType: taskType, JudgeID: judgeID, SectionType: sectionType, Context: context, Since: since, Bucket: memory.ValueOr(bucket, trends.Day),
	}))
}
