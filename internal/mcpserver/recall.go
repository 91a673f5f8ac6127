package mcpserver

import (
	"context"
	"strings"

	"mneme/memory"
	"mneme/service"
)

var recallTool = tool[recallInput, recallOutput]{
	name: "recall", title: "Recall similar work", hints: reads,
	about: "Call this before a task. Answers past episodes that are like the situation, best first, with how they ended and why they are here, lessons as text ready for a prompt, and what people corrected before.",
	run:   recall,
}

type recallInput struct {
	service.RecallInput
	MaxTokens *int `json:"maxTokens,omitempty" jsonschema:"How long the lessons may be, in tokens of four bytes; 1,000 where it is left out."`
	Full      bool `json:"full,omitempty" jsonschema:"True gives each hit's whole episode and the parts of its score, which is long."`
}

type recallOutput struct {
	Hits        []recallHit     `json:"hits" jsonschema:"The episodes, best first. Where none matches, the most recent come."`
	Approximate bool            `json:"approximate,omitempty" jsonschema:"True where so much matched that one that ranks higher may be missing; filters narrow it."`
	Lessons     string          `json:"lessons" jsonschema:"What they teach, as text for a prompt, with what was shown and how people took it, what they said, and their corrections as warnings. Where none matches, the first line says so."`
	Corrections []correctionHit `json:"corrections,omitempty" jsonschema:"What people put right that may matter here; feedback_search finds more."`
}

type recallHit struct {
	ID      string         `json:"id"`
	Title   string         `json:"title"`
	Outcome memory.Outcome `json:"outcome"`
	Score   float64        `json:"score" jsonschema:"What the ranking goes by; unbounded."`
	Reasons []string       `json:"reasons" jsonschema:"Why it is here, in words."`
	Parts   *scoreParts    `json:"parts,omitempty"`
	Episode *episodeBody   `json:"episode,omitempty"`
}

type scoreParts struct {
	Semantic float64 `json:"semantic" jsonschema:"How well it matches, 0 to 1, before weighting."`
	Temporal float64 `json:"temporal" jsonschema:"How recent it is, 0 to 1, before weighting."`
	Canvas   float64 `json:"canvas" jsonschema:"What canvas interactions added."`
	Feedback float64 `json:"feedback" jsonschema:"What feedback added, or took."`
}

// correctionsInRecall is how many corrections come with a recall.
const correctionsInRecall = 3

// promptTokens is how long text for a prompt is where the caller does not say.
const promptTokens = 1000

func recall(ctx context.Context, tenant *service.Tenant, in recallInput) (recallOutput, error) {
	maxTokens := promptTokens
	if in.MaxTokens != nil {
		maxTokens = *in.MaxTokens
	}
	answer, err := tenant.Retrieval.Recall(ctx, in.RecallInput, service.Include{Canvases: true, Feedback: true})
	if err != nil {
		return recallOutput{}, err
	}
	corrections, err := in.corrections(ctx, tenant)
	if err != nil {
		return recallOutput{}, err
	}
	hits := mapped(answer.Hits, func(hit service.RecallHit) recallHit { return hitOf(hit, in.Full) })
	lessons, err := answer.Lessons(maxTokens)
	return recallOutput{Hits: hits, Approximate: answer.Approximate, Lessons: lessons, Corrections: corrections}, err
}

// corrections finds what people put right in general that has to do with the situation, so that an agent
// that asks once is told.
func (in recallInput) corrections(ctx context.Context, tenant *service.Tenant) ([]correctionHit, error) {
	if strings.TrimSpace(in.Situation) == "" || in.IncludeFeedback != nil && !*in.IncludeFeedback {
		return nil, nil
	}
	page, err := tenant.Retrieval.SearchCorrections(ctx, in.Situation, nil, service.PageInput{First: new(correctionsInRecall)})
	if err != nil {
		return nil, err
	}
	var hits []correctionHit
	for _, hit := range page.Items {
		if in.AsOf == nil || !hit.Correction().CreatedAt.After(*in.AsOf) {
			hits = append(hits, correctionHitOf(hit, false))
		}
	}
	return hits, nil
}

func hitOf(hit service.RecallHit, full bool) recallHit {
	shown := recallHit{
		ID: hit.Episode.ID(), Title: hit.Episode.Title, Outcome: hit.Episode.Outcome, Score: hit.Score.Total, Reasons: orNone(hit.Reasons),
	}
	if full {
		body := bodyOfEpisode(hit.Episode)
		shown.Episode = &body
		shown.Parts = &scoreParts{
			Semantic: hit.Score.Semantic, Temporal: hit.Score.Temporal, Canvas: hit.Score.Canvas, Feedback: hit.Score.Feedback,
		}
	}
	return shown
}
