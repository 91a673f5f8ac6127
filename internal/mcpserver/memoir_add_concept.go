package mcpserver

import (
	"context"

	"mneme/memory"
	"mneme/service"
)

var memoirAddConceptTool = tool[memoirAddConceptInput, conceptOutput]{
	name: "memoir_add_concept", title: "Add a concept", hints: settles,
	about: "Adds one thing that is known to a memoir. Search first: what is there already is changed with memoir_refine, or related to the new with memoir_link.",
	run: func(ctx context.Context, tenant *service.Tenant, in memoirAddConceptInput) (conceptOutput, error) {
		return conceptKept(tenant.Knowledge.AddConcept(ctx, service.AddConceptInput(in)))
	},
}

// memoirAddConceptInput describes service.AddConceptInput.
type memoirAddConceptInput struct {
	ID       *string  `json:"id,omitempty" jsonschema:"The key to add it under; one is made where it is left out."`
	MemoirID string   `json:"memoirId" jsonschema:"The memoir, by id or key; memoir_list tells them, memoir_create makes one."`
	Name     string   `json:"name" jsonschema:"What it is called, 1 to 512 bytes; no other concept of the memoir may be called so."`
	Content  string   `json:"content" jsonschema:"What is known about it."`
	Labels   []string `json:"labels,omitempty" jsonschema:"Words to file it under."`
}

// conceptOutput is a receipt for a concept.
type conceptOutput struct {
	ID         string             `json:"id"`
	MemoirID   string             `json:"memoirId"`
	Name       string             `json:"name"`
	Revisions  int                `json:"revisions" jsonschema:"How often it was refined."`
	Redactions []memory.Redaction `json:"redactions,omitempty" jsonschema:"Which private parts and secrets were taken out before it was kept."`
}

func conceptKept(c *memory.Concept, err error) (conceptOutput, error) {
	if err != nil {
		return conceptOutput{}, err
	}
	return conceptOutput{
		ID: c.ID(), MemoirID: memory.NodeID(memory.KindMemoir, c.MemoirKey), Name: c.Name,
		Revisions: len(c.Revisions), Redactions: c.Receipt.Redactions,
	}, nil
}
