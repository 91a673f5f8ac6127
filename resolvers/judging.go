package resolvers

import (
	"context"
	"time"

	"mneme/graph"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/memory/judging"
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
	return memory.OrEmpty(sections), err
}

func (r *sectionResolver) Run(ctx context.Context, obj *memory.Section) (*memory.Run, error) {
	return r.runOf(ctx, obj.RunKey)
}

func (r *sectionResolver) Verdicts(ctx context.Context, obj *memory.Section) ([]*memory.Verdict, error) {
	keys := memory.Mapped(obj.Judgements, func(j memory.Judgement) string { return j.Key })
	return present(loaders(ctx).Verdicts.LoadAll(ctx, keys))
}

func (r *mutationResolver) ApplyJudgeThreshold(ctx context.Context, input boundary.ApplyJudgeThresholdInput) (*graph.ApplyJudgeThresholdPayload, error) {
	threshold, err := tenant(ctx).Judging.ApplyJudgeThreshold(ctx, input)
	return &graph.ApplyJudgeThresholdPayload{Threshold: threshold}, err
}

func (r *queryResolver) JudgeTendencies(ctx context.Context, judgeID string, since *time.Time) (*judging.JudgeTendencies, error) {
	return tenant(ctx).Judging.JudgeTendencies(ctx, judgeID, since)
}

func (r *queryResolver) Judges(ctx context.Context) ([]string, error) {
	return tenant(ctx).Judging.Judges(ctx)
}

func (r *queryResolver) Guidance(ctx context.Context, runID *string, sectionID *string, sectionType string, context memory.JSON) (*judging.Guidance, error) {
	return tenant(ctx).Judging.Guidance(ctx, boundary.GuidanceInput{RunID: runID, SectionID: sectionID, SectionType: sectionType, Context: context})
}

func (r *queryResolver) Patterns(ctx context.Context, kind *memory.PatternKind, sectionType *string, context memory.JSON, first *int, after *string) (*relay.Connection[*memory.Pattern], error) {
	filter := boundary.PatternFilter{Kind: kind, SectionType: sectionType, Context: context}
	return relay.Of(tenant(ctx).Judging.Patterns(ctx, filter, page(first, after)))
}
