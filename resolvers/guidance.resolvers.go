package resolvers

import (
	"context"
	"mneme/graph/relay"
	"mneme/memory"
	"mneme/memory/judging"
	"mneme/service/boundary"
)

func (r *queryResolver) Guidance(ctx context.Context, runID *string, sectionID *string, sectionType string, context memory.JSON) (*judging.Guidance, error) {
	return tenant(ctx).Judging.Guidance(ctx, boundary.GuidanceInput{RunID: runID, SectionID: sectionID, SectionType: sectionType, Context: context})
}

func (r *queryResolver) Patterns(ctx context.Context, kind *memory.PatternKind, sectionType *string, context memory.JSON, first *int, after *string) (*relay.Connection[*memory.Pattern], error) {
	filter := boundary.PatternFilter{Kind: kind, SectionType: sectionType, Context: context}
	return relay.Of(tenant(ctx).Judging.Patterns(ctx, filter, page(first, after)))
}
