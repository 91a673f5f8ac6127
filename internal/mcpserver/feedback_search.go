package mcpserver

import (
	"context"

	"mneme/memory"
	"mneme/service"
)

var feedbackSearchTool = tool[feedbackSearchInput, feedbackSearchOutput]{
	name: "feedback_search", title: "Search corrections", hints: reads,
	about: "Finds what people put right before, best match first. Look here before you claim what you are not sure of.",
	run:   feedbackSearch,
}

type feedbackSearchInput struct {
	Query string  `json:"query" jsonschema:"What is looked for, in plain words: never query syntax."`
	Topic *string `json:"topic,omitempty" jsonschema:"Only those on exactly this topic; feedback_stats tells the topics."`
	Full  *bool   `json:"full,omitempty" jsonschema:"True gives each hit's whole correction."`
	pageInput
}

type feedbackSearchOutput struct {
	Hits []correctionHit `json:"hits"`
	foundOutput
}

type correctionHit struct {
	ID         string            `json:"id"`
	Topic      string            `json:"topic"`
	Snippet    string            `json:"snippet" jsonschema:"The part that matches best, as topic: what was thought → what is so; matching words between ** and **."`
	Score      float64           `json:"score" jsonschema:"How well it matches, 0 to 1."`
	Importance memory.Importance `json:"importance"`
	Correction *correctionBody   `json:"correction,omitempty"`
}

func feedbackSearch(ctx context.Context, tenant *service.Tenant, in feedbackSearchInput) (feedbackSearchOutput, error) {
	page, err := tenant.Retrieval.SearchCorrections(ctx, in.Query, in.Topic, in.page())
	if err != nil {
		return feedbackSearchOutput{}, err
	}
	full := in.Full != nil && *in.Full
	found, err := foundOf(ctx, page)
	hits := mapped(page.Items, func(hit service.SearchHit) correctionHit { return correctionHitOf(hit, full) })
	return feedbackSearchOutput{Hits: hits, foundOutput: found}, err
}

func correctionHitOf(hit service.SearchHit, full bool) correctionHit {
	c := hit.Correction()
	shown := correctionHit{ID: c.ID(), Topic: c.Topic, Snippet: hit.Snippet, Score: hit.Score, Importance: c.Importance}
	if full {
		body := bodyOfCorrection(c)
		shown.Correction = &body
	}
	return shown
}
