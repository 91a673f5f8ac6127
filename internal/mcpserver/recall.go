package mcpserver

import (
	"context"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/memory/engagement"
	"mneme/memory/ranking"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/recalling"
	"mneme/service/summaries"
)

var recallTool = tool[recallInput, recallOutput]{
	name: "recall", title: "Recall similar work", hints: reads, rule: access.Reads.ForUsers(), core: true,
	about: "Call this before a task, and when stuck: have I seen this error? Answers similar past episodes, best first, with matching moments, how they ended, how people took what was shown, what went wrong, lessons for a prompt, and corrections.",
	run:   recall,
}

type recallInput struct {
	boundary.RecallInput
	MaxTokens *int `json:"maxTokens,omitempty" jsonschema:"How long the lessons may be, in tokens of four bytes; 1,000 by default."`
	Full      bool `json:"full,omitempty" jsonschema:"True adds each hit's whole episode, concepts and parts of the score."`
}

type recallOutput struct {
	Hits           []recallHit          `json:"hits" jsonschema:"The episodes, best first."`
	Patterns       []string             `json:"patterns,omitempty" jsonschema:"What recurs in such episodes."`
	Cautions       []caution            `json:"cautions,omitempty" jsonschema:"What went wrong in such situations, by the match alone."`
	CanvasInsights *engagement.Insights `json:"canvasInsights,omitempty" jsonschema:"How people took what was shown, by type or type/component."`
	Approximate    bool                 `json:"approximate,omitempty" jsonschema:"True where one that ranks higher may be missing."`
	Note           string               `json:"note,omitempty" jsonschema:"What to do with it."`
	Lessons        string               `json:"lessons" jsonschema:"What they teach, as text for a prompt."`
	Corrections    []correctionHit      `json:"corrections,omitempty" jsonschema:"What people put right; feedback_search finds more."`
}

type recallHit struct {
	ID          string                    `json:"id"`
	Title       string                    `json:"title"`
	Outcome     memory.Outcome            `json:"outcome"`
	Score       float64                   `json:"score" jsonschema:"What the ranking goes by."`
	Reasons     []string                  `json:"reasons" jsonschema:"Why it is here, in words."`
	Moments     []moment                  `json:"moments,omitempty" jsonschema:"Where it matches."`
	Siblings    []string                  `json:"siblings,omitempty" jsonschema:"Near-identical episodes, by id."`
	Insight     string                    `json:"insight,omitempty" jsonschema:"Why it worked or failed."`
	Canvases    []takenCanvas             `json:"canvases,omitempty" jsonschema:"What was shown, the newest 10."`
	CanvasIDs   []string                  `json:"canvasIds,omitempty" jsonschema:"Where those are not."`
	Feedback    []givenFeedback           `json:"feedback,omitempty" jsonschema:"How people reacted, the newest 10."`
	FeedbackIDs []string                  `json:"feedbackIds,omitempty" jsonschema:"Where that is not."`
	Parts       *ranking.Score            `json:"parts,omitempty" jsonschema:"Of the score: match and recency before weighting, the others as added."`
	LeftOut     *string                   `json:"leftOut,omitempty" jsonschema:"What is too long to be here."`
	Episode     *summaries.EpisodeSummary `json:"episode,omitempty"`
	Concepts    []mentionedConcept        `json:"concepts,omitempty"`
}

// caution is what went wrong, in short.
type caution struct {
	ID      string         `json:"id"`
	Title   string         `json:"title"`
	Outcome memory.Outcome `json:"outcome"`
	Reasons []string       `json:"reasons" jsonschema:"With the step that failed, and what to do instead."`
}

func cautionOf(hit recalling.RecallHit) caution {
	return caution{ID: hit.Episode.ID(), Title: hit.Episode.Title, Outcome: hit.Episode.Outcome, Reasons: hit.Reasons}
}

// takenCanvas is a canvas in short: how it was taken.
type takenCanvas struct {
	ID               string               `json:"id"`
	Canvas           string               `json:"canvas"`
	States           []memory.CanvasState `json:"states"`
	StateCount       int                  `json:"stateCount,omitempty"`
	CustomStates     []string             `json:"customStates,omitempty"`
	CustomStateCount int                  `json:"customStateCount,omitempty"`
	DwellSeconds     *float64             `json:"dwellSeconds,omitempty"`
	Taken            string               `json:"taken" jsonschema:"In words, with a form's fields and an error's text."`
}

// givenFeedback is a feedback in short: what was said of what.
type givenFeedback struct {
	ID          string  `json:"id"`
	CanvasID    string  `json:"canvasId,omitempty"`
	Score       float64 `json:"score"`
	Comment     string  `json:"comment,omitempty"`
	Corrections string  `json:"corrections,omitempty"`
}

type mentionedConcept struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Content string `json:"content"`
}

// promptTokens is how long text for a prompt is where the caller does not say.
const promptTokens = 1000

func recall(ctx context.Context, tenant *service.Tenant, in recallInput) (recallOutput, error) {
	answer, err := tenant.Retrieval.Recall(ctx, in.RecallInput, boundary.Include{
		Canvases: true, Feedback: true, CanvasIDs: true, FeedbackIDs: true, Lists: in.Full, Cautions: true, Corrections: true, Patterns: true,
	})
	if err != nil {
		return recallOutput{}, err
	}
	hits, err := in.hits(ctx, tenant, answer.Hits)
	if err != nil {
		return recallOutput{}, err
	}
	lessons, err := answer.Lessons(memory.ValueOr(in.MaxTokens, promptTokens))
	note := memory.OrZero(answer.Note)
	if len(hits) > 0 && answer.Hits[0].Score.Semantic > 0 {
		note = "When you record this work, name the ids of the hits that you went by as informedBy: what helps ranks higher then."
	}
	return recallOutput{
		Hits: hits, Cautions: memory.Mapped(answer.Cautions, cautionOf), CanvasInsights: insightsOf(answer), Approximate: answer.Approximate, Lessons: lessons, Note: note,
		Patterns:    memory.Mapped(answer.Patterns, func(hit recalling.SearchHit) string { return hit.Observation().Content }),
		Corrections: memory.Mapped(answer.Corrections, func(hit recalling.SearchHit) correctionHit { return correctionHitOf(hit, false) }),
	}, err
}

// hits are told in short; in full the rest is added.
func (in recallInput) hits(ctx context.Context, tenant *service.Tenant, found []recalling.RecallHit) ([]recallHit, error) {
	hits := memory.Mapped(found, func(hit recalling.RecallHit) recallHit { return hitOf(tenant, hit) })
	if !in.Full {
		return hits, nil
	}
	episodes := memory.Mapped(found, func(hit recalling.RecallHit) *memory.Episode { return hit.Episode })
	told, err := tenant.Learning.EpisodeSummaries(ctx, episodes)
	if err != nil {
		return nil, err
	}
	concepts, err := tenant.Knowledge.Mentioned(ctx, memory.Mapped(episodes, func(e *memory.Episode) string { return e.Key }))
	for i, hit := range found {
		hits[i].Episode, hits[i].Parts = &told[i], &found[i].Score
		hits[i].Concepts = memory.Mapped(memory.KnownConcepts(concepts[hit.Episode.Key], in.AsOf), func(c *memory.Concept) mentionedConcept {
			return mentionedConcept{ID: c.ID(), Name: c.Name, Content: c.Content}
		})
	}
	return hits, err
}

// shownInRecall is how many canvases and how much feedback of a hit are told in short, and how many states of a canvas.
const shownInRecall = 10

// latest are the last of what a canvas shows of itself, and how many there were where that is more.
func latest[T any](all []T) (shown []T, count int) {
	if len(all) <= shownInRecall {
		return all, 0
	}
	return all[len(all)-shownInRecall:], len(all)
}

func canvasTaken(c *memory.Canvas, feedback []*memory.Feedback, rules *memory.CanvasRules) takenCanvas {
	sort := engagement.TypeInsight{CanvasType: c.CanvasType, ComponentType: c.ComponentType}
	taken := takenCanvas{ID: c.ID(), Canvas: sort.Name(), DwellSeconds: c.DwellSeconds(), Taken: engagement.Taken(c, feedback, rules)}
	taken.States, taken.StateCount = latest(memory.OrEmpty(c.States(rules)))
	taken.CustomStates, taken.CustomStateCount = latest(c.CustomStates(rules))
	return taken
}

func hitOf(tenant *service.Tenant, hit recalling.RecallHit) recallHit {
	e := hit.Episode
	with := memory.OrZero(e.Context)
	rules := tenant.Reactions.CanvasRules()
	return recallHit{
		ID: e.ID(), Title: e.Title, Outcome: e.Outcome, Score: hit.Score.Total, Reasons: memory.OrEmpty(hit.Reasons), Insight: e.Insight,
		Canvases: memory.Mapped(with.Canvases[:min(len(with.Canvases), shownInRecall)], func(c *memory.Canvas) takenCanvas {
			return canvasTaken(c, with.Feedback, rules)
		}),
		Feedback: memory.Mapped(with.Feedback[:min(len(with.Feedback), shownInRecall)], func(f *memory.Feedback) givenFeedback {
			return givenFeedback{
				ID: f.ID(), CanvasID: memory.OrZero(memory.OptionalID(memory.KindCanvas, f.CanvasKey)), Score: f.Score, Comment: memory.OrZero(f.Comment), Corrections: memory.OrZero(f.Corrections),
			}
		}),
		CanvasIDs: with.CanvasIDs, FeedbackIDs: with.FeedbackIDs, Moments: momentsOf(hit.Moments), Siblings: hit.SiblingIDs(), LeftOut: hit.LeftOut,
	}
}

// insightsOf sums up how people took what the hits showed; nil where that says nothing.
func insightsOf(answer *recalling.Recall) *engagement.Insights {
	found := answer.CanvasInsights()
	if len(found.ClosesQuickly)+len(found.Engages)+len(found.Submits) == 0 {
		return nil
	}
	return &found
}

var nextStepsTool = tool[nextStepsInput, nextStepsOutput]{
	name: "next_steps", title: "What worked next", hints: reads, rule: access.Reads.ForUsers(), core: true,
	about: "Call this in the middle of a task. What past episodes did next at a moment like this one, the most likely first, and how they turned out.",
	run: func(ctx context.Context, tenant *service.Tenant, in nextStepsInput) (nextStepsOutput, error) {
		found, err := tenant.Retrieval.NextSteps(ctx, boundary.NextStepsInput{
			Situation: in.Situation, LastStep: in.LastStep, StepsSoFar: in.StepsSoFar, TopK: in.TopK,
			Filter: &boundary.EpisodeFilter{WorkFilter: boundary.WorkFilter{UserFilter: in.UserFilter, AgentID: in.AgentID, TaskType: in.TaskType, Outcome: in.Outcome}},
		})
		return nextStepsOutput{Steps: found}, err
	},
}

type nextStepsInput struct {
	Situation  string   `json:"situation" jsonschema:"What the task is, or what was said last."`
	LastStep   *string  `json:"lastStep,omitempty" jsonschema:"The last step: its name, and what came of it."`
	StepsSoFar []string `json:"stepsSoFar,omitempty" jsonschema:"The names of all steps, in order."`
	AgentID    *string  `json:"agentId,omitempty" jsonschema:"Only what this agent did."`
	TaskType   *string  `json:"taskType,omitempty" jsonschema:"Only of this task type."`
	boundary.UserFilter
	Outcome *memory.Outcome `json:"outcome,omitempty" jsonschema:"Only what ended so."`
	TopK    *int            `json:"topK,omitempty" jsonschema:"How many, 1 to 100; 5 by default."`
}

type nextStepsOutput struct {
	Steps []*recalling.NextStep `json:"steps" jsonschema:"None where nothing is like it."`
}
