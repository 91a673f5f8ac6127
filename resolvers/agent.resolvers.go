package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/memory/graduation"
	"mneme/service/boundary"
	"mneme/service/upkeep"
)

func (r *agentResolver) TaskTypes(ctx context.Context, obj *memory.Agent) ([]string, error) {
	types, err := loaders(ctx).TaskTypes.Load(ctx, obj.Key)
	return orEmpty(types), err
}

func (r *agentResolver) Episodes(ctx context.Context, obj *memory.Agent, filter *boundary.EpisodeFilter, first *int, after *string) (*relay.Connection[*memory.Episode], error) {
	own := boundary.ValueOr(filter, boundary.EpisodeFilter{})
	if own.AgentID != nil && !boundary.SameName(memory.KeyOf(memory.KindAgent, *own.AgentID), obj.Key) {
		return relay.Empty[*memory.Episode](), nil
	}
	own.AgentID = new(obj.ID())
	return relay.Of(tenant(ctx).Episodes.List(ctx, own, boundary.StartedAtDesc, page(first, after), includedInPage(ctx)))
}

func (r *agentResolver) Cost(ctx context.Context, obj *memory.Agent) (float64, error) {
	return tenant(ctx).Learning.AgentCost(ctx, obj.Key)
}

func (r *agentResolver) LearningProfiles(ctx context.Context, obj *memory.Agent) ([]*memory.LearningProfile, error) {
	profiles, err := loaders(ctx).Profiles.Load(ctx, obj.Key)
	return orEmpty(profiles), err
}

func (r *agentResolver) Graduation(ctx context.Context, obj *memory.Agent, weights *boundary.GraduationWeights) (*graduation.Graduation, error) {
	return tenant(ctx).Learning.AgentGraduation(ctx, obj.Key, weights)
}

func (r *agentResolver) CanvasInsights(ctx context.Context, obj *memory.Agent, timeRange *memory.TimeRange) (*engagement.Insights, error) {
	insights, err := tenant(ctx).Reactions.AgentCanvasInsights(ctx, obj.Key, timeRange)
	return &insights, err
}

func (r *mutationResolver) DeleteAgent(ctx context.Context, input boundary.DeleteInput) (*upkeep.DeletedAgent, error) {
	return tenant(ctx).Upkeep.DeleteAgent(ctx, input)
}

func (r *queryResolver) Agent(ctx context.Context, id string) (*memory.Agent, error) {
	return tenant(ctx).Agents.Get(ctx, id)
}

func (r *queryResolver) Agents(ctx context.Context, first *int, after *string) (*relay.Connection[*memory.Agent], error) {
	return relay.Of(tenant(ctx).Agents.List(ctx, page(first, after)))
}

func (r *Resolver) Agent() graph.AgentResolver { return &agentResolver{r} }

type agentResolver struct{ *Resolver }
