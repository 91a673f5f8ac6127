package mcpserver

import (
	"context"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/service"
)

var recallTool = tool[recallInput, recallOutput]{
	name: "recall", title: "Recall similar work", hints: reads,
	about: "Call this before a task. Answers past episodes that are like the situation, best first, with how they ended and why they are here, lessons as text ready for a prompt, and what people corrected before.",
	run:   recall,
}

type recallInput struct {
	Situation        string                   `json:"situation" jsonschema:"The task or situation at hand, in plain words."`
	AgentID          *string                  `json:"agentId,omitempty" jsonschema:"Only what this agent did, by id or key."`
	TaskType         *string                  `json:"taskType,omitempty" jsonschema:"Only of exactly this task type."`
	Outcome          *memory.Outcome          `json:"outcome,omitempty" jsonschema:"Only what ended so."`
	CanvasType       *string                  `json:"canvasType,omitempty" jsonschema:"Only what showed a canvas of exactly this type."`
	CanvasAction     *memory.CanvasActionKind `json:"canvasAction,omitempty" jsonschema:"Only what showed a canvas on which this happened."`
	MinFeedbackScore *float64                 `json:"minFeedbackScore,omitempty" jsonschema:"Only with a mean feedback score of at least this, -1 to 1."`
	TimeRange        *memory.TimeRange        `json:"timeRange,omitempty" jsonschema:"Only what began in this range back from now; not together with since."`
	Since            *time.Time               `json:"since,omitempty" jsonschema:"Only what began then or later."`
	Until            *time.Time               `json:"until,omitempty" jsonschema:"Only what began before then."`
	TopK             *int                     `json:"topK,omitempty" jsonschema:"How many episodes are wanted, 1 to 100; 5 where it is left out."`
	IncludeCanvas    *bool                    `json:"includeCanvas,omitempty" jsonschema:"False leaves canvases out of full episodes."`
	IncludeFeedback  *bool                    `json:"includeFeedback,omitempty" jsonschema:"False leaves out what people said, in full episodes, lessons and corrections."`
	Embedding        []float64                `json:"embedding,omitempty" jsonschema:"A vector of the situation, where the caller makes vectors itself; as long as the recorded ones."`
	Ranking          *service.RankingInput    `json:"ranking,omitempty" jsonschema:"Changes the constants of the ranking."`
	AsOf             *time.Time               `json:"asOf,omitempty" jsonschema:"Answers as of this instant: only what was known then."`
	recallShape
}

// recallShape is what the caller wants of the answer.
type recallShape struct {
	MaxTokens *int  `json:"maxTokens,omitempty" jsonschema:"How long the lessons may be, in tokens of four bytes; 1,000 where it is left out."`
	Full      *bool `json:"full,omitempty" jsonschema:"True gives each hit's whole episode and the parts of its score, which is long."`
}

// rankingInput describes service.RankingInput.
type rankingInput struct {
	SemanticWeight  *float64              `json:"semanticWeight,omitempty" jsonschema:"The weight of how well it matches; 0.7."`
	TemporalWeight  *float64              `json:"temporalWeight,omitempty" jsonschema:"The weight of how recent it is; 0.3."`
	HalfLifeDays    *float64              `json:"halfLifeDays,omitempty" jsonschema:"The age in days that counts half as recent, above 0; 30."`
	CanvasBoost     *float64              `json:"canvasBoost,omitempty" jsonschema:"What canvas interactions add; 0.1."`
	PositiveBoost   *float64              `json:"positiveBoost,omitempty" jsonschema:"What liked work gets; 0.2."`
	NegativePenalty *float64              `json:"negativePenalty,omitempty" jsonschema:"What disliked work loses; 0.3."`
	Feedback        *ranking.FeedbackMode `json:"feedback,omitempty" jsonschema:"How feedback counts: wholly, less where it is little, or not."`
}

type recallOutput struct {
	Hits        []recallHit     `json:"hits" jsonschema:"The episodes, best first. Where none matches, the most recent come."`
	Approximate bool            `json:"approximate,omitempty" jsonschema:"True where so much matched that one that ranks higher may be missing; filters narrow it."`
	Lessons     string          `json:"lessons" jsonschema:"What they teach, as text for a prompt, with what people liked and disliked, and their corrections as warnings."`
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
	full := in.Full != nil && *in.Full
	maxTokens := promptTokens
	if in.MaxTokens != nil {
		maxTokens = *in.MaxTokens
	}
	answer, err := tenant.Retrieval.Recall(ctx, in.recall(), service.Include{Canvases: full, Feedback: true})
	if err != nil {
		return recallOutput{}, err
	}
	corrections, err := in.corrections(ctx, tenant)
	if err != nil {
		return recallOutput{}, err
	}
	hits := mapped(answer.Hits, func(hit service.RecallHit) recallHit { return hitOf(hit, full) })
	lessons, err := answer.Lessons(maxTokens)
	return recallOutput{Hits: hits, Approximate: answer.Approximate, Lessons: lessons, Corrections: corrections}, err
}

func (in recallInput) recall() service.RecallInput {
	return service.RecallInput{
		Situation: in.Situation, AgentID: in.AgentID, TaskType: in.TaskType, Outcome: in.Outcome, CanvasType: in.CanvasType,
		CanvasAction: in.CanvasAction, MinFeedbackScore: in.MinFeedbackScore, TimeRange: in.TimeRange, Since: in.Since,
		Until: in.Until, TopK: in.TopK, IncludeCanvas: in.IncludeCanvas, IncludeFeedback: in.IncludeFeedback,
		Embedding: in.Embedding, Ranking: in.Ranking, AsOf: in.AsOf,
	}
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
