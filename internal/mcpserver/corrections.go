package mcpserver

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/recalling"
)

var feedbackRecordTool = tool[boundary.RecordCorrectionInput, correctionOutput]{
	name: "feedback_record", title: "Record a correction", hints: adds, rule: access.Records, core: true,
	about: "Call this when a person puts you right about something that holds beyond this task: what you thought, and what is so.",
	run: func(ctx context.Context, tenant *service.Tenant, in boundary.RecordCorrectionInput) (correctionOutput, error) {
		c, err := result(tenant.Knowledge.RecordCorrection(ctx, in))
		return correctionOutput{ID: c.ID(), Topic: c.Topic, Importance: c.Importance, Redactions: c.Receipt.Redactions}, err
	},
}

type correctionOutput struct {
	ID         string             `json:"id"`
	Topic      string             `json:"topic"`
	Importance memory.Importance  `json:"importance"`
	Redactions []memory.Redaction `json:"redactions,omitempty" jsonschema:"What was private, and taken out."`
}

var feedbackSearchTool = tool[feedbackSearchInput, hitsOutput[correctionHit]]{
	name: "feedback_search", title: "Search corrections", hints: reads, rule: access.Reads,
	about: "Finds what people put right before, best match first. Look here before you claim what you are not sure of.",
	run: func(ctx context.Context, tenant *service.Tenant, in feedbackSearchInput) (hitsOutput[correctionHit], error) {
		page, err := tenant.Retrieval.SearchCorrections(ctx, in.Query, in.Topic, in.PageInput)
		return hitsOf(ctx, tenant, page, err, func(hit recalling.SearchHit, _ string) correctionHit { return correctionHitOf(hit, in.Full) })
	},
}

type feedbackSearchInput struct {
	Query string  `json:"query" jsonschema:"What to look for, in plain words."`
	Topic *string `json:"topic,omitempty" jsonschema:"Only those on exactly this topic; feedback_stats tells the topics."`
	Full  bool    `json:"full,omitempty" jsonschema:"True gives each hit's whole correction."`
	reading.PageInput
}

type correctionHit struct {
	ID         string            `json:"id"`
	Topic      string            `json:"topic"`
	Snippet    string            `json:"snippet" jsonschema:"What matches best, as topic: what was thought → what is so."`
	Score      float64           `json:"score"`
	Reasons    []string          `json:"reasons,omitempty"`
	Importance memory.Importance `json:"importance"`
	CreatedAt  time.Time         `json:"createdAt"`
	Correction *correctionBody   `json:"correction,omitempty"`
}

func correctionHitOf(hit recalling.SearchHit, full bool) correctionHit {
	c := hit.Correction()
	shown := correctionHit{ID: c.ID(), Topic: c.Topic, Snippet: hit.Snippet, Score: hit.Score, Reasons: hit.Reasons, Importance: c.Importance, CreatedAt: c.CreatedAt}
	if full {
		body := bodyOfCorrection(c)
		shown.Correction = &body
	}
	return shown
}

var feedbackStatsTool = tool[feedbackStatsInput, *memory.CorrectionStats]{
	name: "feedback_stats", title: "Count corrections", hints: reads, rule: access.Reads,
	about: "Counts the corrections by topic and by importance: where agents go wrong most.",
	run: func(ctx context.Context, tenant *service.Tenant, in feedbackStatsInput) (*memory.CorrectionStats, error) {
		return tenant.Knowledge.CorrectionStats(ctx, in.Since)
	},
}

type feedbackStatsInput struct {
	Since *time.Time `json:"since,omitempty" jsonschema:"Only those recorded then or later."`
}

type correctionBody struct {
	ID         string            `json:"id"`
	Topic      string            `json:"topic"`
	Prediction string            `json:"prediction" jsonschema:"What was thought."`
	Correction string            `json:"correction" jsonschema:"What is so."`
	Context    string            `json:"context,omitempty"`
	Importance memory.Importance `json:"importance"`
	CreatedBy  string            `json:"createdBy,omitempty"`
	About      []string          `json:"about,omitempty"`
	CreatedAt  time.Time         `json:"createdAt"`
}

func bodyOfCorrection(c *memory.Correction) correctionBody {
	return correctionBody{
		ID: c.ID(), Topic: c.Topic, Prediction: c.Prediction, Correction: c.Correction, Context: memory.OrZero(c.Context),
		Importance: c.Importance, CreatedBy: memory.OrZero(c.CreatedBy), About: c.About, CreatedAt: c.CreatedAt,
	}
}
