package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/memory"
	"mneme/memory/selection"
	"mneme/service/boundary"
	"mneme/service/learning"
	"time"
)

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
	return pointers(tenant(ctx).Learning.TaskTypeAlerts(ctx, boundary.ValueOr(threshold, learning.DefaultAlertThreshold)))
}

func (r *Resolver) AgentRanking() graph.AgentRankingResolver { return &agentRankingResolver{r} }

type agentRankingResolver struct{ *Resolver }
