package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/memory/selection"
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

func (r *Resolver) Execution() graph.ExecutionResolver { return &executionResolver{r} }

func (r *Resolver) LearningProfile() graph.LearningProfileResolver {
	return &learningProfileResolver{r}
}

type (
	executionResolver       struct{ *Resolver }
	learningProfileResolver struct{ *Resolver }
)
