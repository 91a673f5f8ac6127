package resolvers

import (
	"context"
	"mneme/graph"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/upkeep"
	"mneme/service/verdicts"
)

func (r *mutationResolver) CompleteRun(ctx context.Context, input boundary.CompleteRunInput) (*verdicts.RunCompletion, error) {
	return tenant(ctx).Judging.CompleteRun(ctx, input)
}

func (r *mutationResolver) DeleteSection(ctx context.Context, input boundary.DeleteInput) (*upkeep.DeletedRecord, error) {
	return tenant(ctx).Upkeep.Delete(ctx, memory.KindSection, input)
}

func (r *mutationResolver) DeleteRun(ctx context.Context, input boundary.DeleteInput) (*upkeep.DeletedRecord, error) {
	return tenant(ctx).Upkeep.Delete(ctx, memory.KindRun, input)
}

func (r *queryResolver) Runs(ctx context.Context, first *int, after *string) (*relay.Connection[*memory.Run], error) {
	return relay.Of(tenant(ctx).Judging.Runs(ctx, page(first, after)))
}

func (r *runResolver) Sections(ctx context.Context, obj *memory.Run) ([]*memory.Section, error) {
	sections, err := loaders(ctx).RunSections.Load(ctx, obj.Key)
	return orEmpty(sections), err
}

func (r *sectionResolver) Run(ctx context.Context, obj *memory.Section) (*memory.Run, error) {
	return r.runOf(ctx, obj.RunKey)
}

func (r *sectionResolver) Verdicts(ctx context.Context, obj *memory.Section) ([]*memory.Verdict, error) {
	keys := memory.Mapped(obj.Judgements, func(j memory.Judgement) string { return j.Key })
	return present(loaders(ctx).Verdicts.LoadAll(ctx, keys))
}

func (r *Resolver) Run() graph.RunResolver { return &runResolver{r} }

func (r *Resolver) Section() graph.SectionResolver { return &sectionResolver{r} }

type (
	runResolver     struct{ *Resolver }
	sectionResolver struct{ *Resolver }
)
