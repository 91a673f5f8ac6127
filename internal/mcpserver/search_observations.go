package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/service"
)

var searchObservationsTool = tool[searchObservationsInput, searchObservationsOutput]{
	name: "search_observations", title: "Search observations", hints: reads,
	about: "Finds observations by their words, best first, as short hits; get_observations gives them whole.",
	run:   searchObservations,
}

type searchObservationsInput struct {
	Query     string   `json:"query" jsonschema:"What is looked for, in plain words: never query syntax."`
	MinWeight *float64 `json:"minWeight,omitempty" jsonschema:"Only those that weigh at least this, 0 to 1."`
	SessionID *string  `json:"sessionId,omitempty" jsonschema:"Only those of this conversation, by id or key."`
	pageInput
}

type searchObservationsOutput struct {
	Hits []observationHit `json:"hits"`
	foundOutput
}

type observationHit struct {
	ID         string            `json:"id"`
	Snippet    string            `json:"snippet" jsonschema:"The part that matches best, at most 200 characters, matching words between ** and **."`
	Score      float64           `json:"score" jsonschema:"How well it matches, with a part of how well its neighbours in the conversation do."`
	Importance memory.Importance `json:"importance"`
	Weight     float64           `json:"weight"`
	CreatedAt  time.Time         `json:"createdAt"`
}

func searchObservations(ctx context.Context, tenant *service.Tenant, in searchObservationsInput) (searchObservationsOutput, error) {
	search := service.ObservationSearch{Query: in.Query, MinWeight: in.MinWeight, SessionID: in.SessionID}
	page, err := tenant.Retrieval.SearchObservations(ctx, search, in.page())
	if err != nil {
		return searchObservationsOutput{}, err
	}
	found, err := foundOf(ctx, page)
	hits := mapped(page.Items, func(hit service.SearchHit) observationHit {
		o := hit.Observation()
		return observationHit{
			ID: o.ID(), Snippet: hit.Snippet, Score: hit.Score, Importance: o.Importance, Weight: tenant.Knowledge.Weight(o), CreatedAt: o.CreatedAt,
		}
	})
	return searchObservationsOutput{Hits: hits, foundOutput: found}, err
}
