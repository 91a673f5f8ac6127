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

func (r *mutationResolver) RecordVerdict(ctx context.Context, input boundary.RecordVerdictInput) (*verdicts.VerdictReceipt, error) {
	return tenant(ctx).Judging.RecordVerdict(ctx, input)
}

func (r *mutationResolver) RecordVerdicts(ctx context.Context, input boundary.RecordVerdictsInput) (*graph.RecordVerdictsPayload, error) {
	result, err := tenant(ctx).Judging.RecordVerdicts(ctx, input)
	return &graph.RecordVerdictsPayload{Result: result}, err
}

func (r *mutationResolver) LabelVerdict(ctx context.Context, input boundary.LabelVerdictInput) (*graph.LabelVerdictPayload, error) {
	verdict, err := tenant(ctx).Judging.LabelVerdict(ctx, input)
	return &graph.LabelVerdictPayload{Verdict: verdict}, err
}

func (r *mutationResolver) DeleteVerdict(ctx context.Context, input boundary.DeleteInput) (*upkeep.DeletedRecord, error) {
	return tenant(ctx).Upkeep.Delete(ctx, memory.KindVerdict, input)
}

func (r *queryResolver) Verdicts(ctx context.Context, judgeID *string, runID *string, sectionType *string, context memory.JSON, disagreed *bool, first *int, after *string) (*relay.Connection[*memory.Verdict], error) {
	filter := boundary.VerdictFilter{JudgeID: judgeID, RunID: runID, SectionType: sectionType, Context: context, Disagreed: disagreed != nil && *disagreed}
	return relay.Of(tenant(ctx).Judging.Verdicts(ctx, filter, page(first, after)))
}

func (r *verdictResolver) Run(ctx context.Context, obj *memory.Verdict) (*memory.Run, error) {
	return r.runOf(ctx, obj.RunKey)
}

func (r *verdictResolver) Section(ctx context.Context, obj *memory.Verdict) (*memory.Section, error) {
	return loaders(ctx).Sections.Load(ctx, obj.SectionKey)
}

func (r *Resolver) Verdict() graph.VerdictResolver { return &verdictResolver{r} }

type verdictResolver struct{ *Resolver }
