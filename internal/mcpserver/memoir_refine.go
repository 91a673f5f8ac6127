package mcpserver

import (
	"context"

	"mneme/service"
)

var memoirRefineTool = tool[memoirRefineInput, conceptOutput]{
	name: "memoir_refine", title: "Refine a concept", hints: settles,
	about: "Changes what a concept says; what it said before is kept as a revision.",
	run: func(ctx context.Context, tenant *service.Tenant, in memoirRefineInput) (conceptOutput, error) {
		refinement := service.RefineConceptInput{ID: in.ID, Content: in.Content}
		if in.Labels != nil {
			refinement.Labels = &in.Labels
		}
		return conceptKept(tenant.Knowledge.RefineConcept(ctx, refinement))
	},
}

type memoirRefineInput struct {
	ID      string   `json:"id" jsonschema:"The concept, by id or key; memoir_search finds it."`
	Content *string  `json:"content,omitempty" jsonschema:"What is known about it now, whole; what it says stays where it is left out."`
	Labels  []string `json:"labels,omitempty" jsonschema:"All its labels from now on; they stay where it is left out, and an empty list takes them away."`
}
