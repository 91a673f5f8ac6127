package mcpserver

import (
	"context"

	"mneme/memory"
	"mneme/service"
)

var memoirSearchTool = tool[memoirSearchInput, memoirSearchOutput]{
	name: "memoir_search", title: "Search concepts", hints: reads,
	about: "Finds concepts by name, content and labels, best first, as short hits; memoir_inspect gives one whole, with what it is related to.",
	run:   memoirSearch,
}

type memoirSearchInput struct {
	Query    string   `json:"query" jsonschema:"What is looked for, in plain words: never query syntax."`
	MemoirID *string  `json:"memoirId,omitempty" jsonschema:"Only in this memoir, by id or key."`
	Labels   []string `json:"labels,omitempty" jsonschema:"Only concepts that have all of these labels."`
	pageInput
}

type memoirSearchOutput struct {
	Hits []conceptHit `json:"hits"`
	foundOutput
}

type conceptHit struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	MemoirID string  `json:"memoirId"`
	Snippet  string  `json:"snippet" jsonschema:"The part that matches best, at most 200 characters, matching words between ** and **."`
	Score    float64 `json:"score" jsonschema:"How well it matches, 0 to 1."`
	Note     string  `json:"note,omitempty" jsonschema:"Says so where the concept no longer holds."`
}

func memoirSearch(ctx context.Context, tenant *service.Tenant, in memoirSearchInput) (memoirSearchOutput, error) {
	search := service.ConceptSearch{Query: in.Query, MemoirID: in.MemoirID, Labels: in.Labels}
	page, err := tenant.Retrieval.SearchConcepts(ctx, search, in.page())
	if err != nil {
		return memoirSearchOutput{}, err
	}
	notes, err := notesOf(ctx, tenant, mapped(page.Items, service.SearchHit.Concept))
	if err != nil {
		return memoirSearchOutput{}, err
	}
	found, err := foundOf(ctx, page)
	hits := mapped(page.Items, func(hit service.SearchHit) conceptHit {
		c := hit.Concept()
		return conceptHit{
			ID: c.ID(), Name: c.Name, MemoirID: memory.NodeID(memory.KindMemoir, c.MemoirKey),
			Snippet: hit.Snippet, Score: hit.Score, Note: notes[c.Key],
		}
	})
	return memoirSearchOutput{Hits: hits, foundOutput: found}, err
}
