package recording

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/tenancy"
	"mneme/store"
)

// Reactions is what was shown to people and how they took it: canvases and feedback.
type Reactions struct{ t *tenancy.Tenant }

// NewReactions are those of a tenant.
func NewReactions(t *tenancy.Tenant) *Reactions { return &Reactions{t} }

// RecordCanvasActions records what happened to canvases, in order, and reports each item; the ids are the canvases'.
func (g *Reactions) RecordCanvasActions(ctx context.Context, input boundary.RecordCanvasActionsInput) (*tenancy.BatchResult, error) {
	return tenancy.RecordBatch(ctx, g.t, memory.KindCanvas, "actions", input.Actions, (*boundary.Boundary).CanvasAction,
		func(ctx context.Context, t *tenancy.Tenant, records []store.CanvasActionRecord) ([]store.Recorded, error) {
			recorded, err := tenancy.Keep(ctx, t, records)
			return explainCanvasConflicts(recorded), err
		})
}

// explainCanvasConflicts says what in an action is at odds with its canvas.
func explainCanvasConflicts(recorded []store.Recorded) []store.Recorded {
	for i, one := range recorded {
		differs, ok := errors.AsType[*store.Differs](one.Err)
		if !ok {
			continue
		}
		why := fmt.Sprintf("is another than the canvas has: %q", differs.Has)
		switch differs.Field {
		case "id":
			why = "is that of another action of the canvas"
		case "canvasId":
			why = "is that of a canvas that is not this user's: choose another"
		}
		recorded[i].Err = &memory.Error{Code: memory.CodeConflict, Field: differs.Field, Cause: one.Err, Message: why}
	}
	return recorded
}

// CanvasRules are those by which this deployment reads canvases.
func (g *Reactions) CanvasRules() *memory.CanvasRules { return g.t.CanvasRules }

// EpisodeCanvases pages through all canvases of an episode, newest first; as of the episode's instant where it has one.
func (g *Reactions) EpisodeCanvases(ctx context.Context, episode *memory.Episode, input reading.PageInput) (*reading.Page[*memory.Canvas], error) {
	asOf := reading.AsOf(episode)
	request, err := reading.PageRequest(input, reading.Fingerprint("canvases", episode.Key, asOf), reading.UntilInstant(asOf))
	if err != nil {
		return nil, err
	}
	return g.t.Canvases(store.CanvasesOf{Episode: &episode.Key}, asOf).Requested(ctx, request)
}

// ListCanvases pages through all canvases, newest first, or through those that wait for their episode, or that do not.
func (g *Reactions) ListCanvases(ctx context.Context, waiting *bool, users boundary.UserFilter, input reading.PageInput) (*reading.Page[*memory.Canvas], error) {
	b := g.t.Question(ctx)
	query := store.CanvasesOf{Waiting: waiting, UserFilter: b.Users(users)}
	if b.Err() != nil {
		return nil, b.Err()
	}
	return g.t.Canvases(query, nil).Page(ctx, input, reading.Fingerprint("all canvases", waiting, users))
}

// WaitingRecord is a canvas or a feedback that waits for its episode.
type WaitingRecord struct {
	ID        string    `json:"id"`
	SessionID string    `json:"sessionId,omitempty"` // "" where it names none
	EpisodeID string    `json:"episodeId,omitempty"` // that it names and waits for; "" where it names none
	At        time.Time `json:"at"`                  // when it was first shown, or said
}

// Waiting pages through the canvases or the feedback that wait for their episode, newest first. The kind is "canvas" or
// "feedback", else INVALID_INPUT at "waiting".
func (g *Reactions) Waiting(ctx context.Context, kind memory.Kind, input reading.PageInput) (*reading.Page[WaitingRecord], error) {
	page, err := g.listWaiting(ctx, kind, input)
	if err != nil || len(page.Items) == 0 {
		return page, err
	}
	keys := memory.Mapped(page.Items, func(record WaitingRecord) string { return memory.KeyOf(kind, record.ID) })
	awaited, err := g.t.Store.AwaitedEpisodes(ctx, kind, keys)
	if err != nil {
		return nil, faults.Of("the "+string(kind), err)
	}
	for i, key := range keys {
		if episode, ok := awaited[key]; ok {
			page.Items[i].EpisodeID = memory.NodeID(memory.KindEpisode, episode)
		}
	}
	return page, nil
}

// listWaiting is Waiting without the episodes.
func (g *Reactions) listWaiting(ctx context.Context, kind memory.Kind, input reading.PageInput) (*reading.Page[WaitingRecord], error) {
	switch kind {
	case memory.KindCanvas:
		page, err := g.ListCanvases(ctx, new(true), boundary.UserFilter{}, input)
		return waitingOf(page, err, func(c *memory.Canvas) WaitingRecord {
			return WaitingRecord{ID: c.ID(), SessionID: memory.OrZero(c.SessionID()), At: c.CreatedAt()}
		})
	case memory.KindFeedback:
		page, err := g.ListFeedback(ctx, new(true), boundary.UserFilter{}, input)
		return waitingOf(page, err, func(f *memory.Feedback) WaitingRecord {
			waiting := WaitingRecord{ID: f.ID(), At: f.CreatedAt}
			if f.SessionKey != nil {
				waiting.SessionID = memory.NodeID(memory.KindSession, *f.SessionKey)
			}
			return waiting
		})
	default:
		return nil, memory.Invalid("waiting", "must be canvas or feedback")
	}
}

func waitingOf[T any](page *reading.Page[T], err error, waiting func(T) WaitingRecord) (*reading.Page[WaitingRecord], error) {
	if err != nil {
		return nil, err
	}
	return &reading.Page[WaitingRecord]{Items: memory.Mapped(page.Items, waiting), Cursors: page.Cursors, HasNext: page.HasNext, HasPrev: page.HasPrev, Total: page.Total}, nil
}

// AgentCanvasInsights says how people took the canvases of an agent's episodes.
func (g *Reactions) AgentCanvasInsights(ctx context.Context, agentKey string, timeRange *memory.TimeRange) (engagement.Insights, error) {
	now := g.t.Clock()
	query := store.CanvasesOf{Agent: &agentKey}
	if timeRange != nil {
		query.Since = new(timeRange.Since(now))
	}
	insights, sum := engagement.NewSums(g.t.CanvasRules, now), store.BudgetOf(ctx).Sum()
	ctx = store.Unmetered(ctx)
	err := g.t.Canvases(query, nil).Each(ctx, nil, func(canvases []*memory.Canvas) error {
		if insights.AddCanvases(canvases); len(canvases) == 0 {
			return nil
		}
		if err := sum.Add(tenancy.CanvasWeight * len(canvases)); err != nil {
			return err
		}
		keys := memory.Mapped(canvases, func(c *memory.Canvas) string { return c.Key })
		return g.t.Feedback(store.FeedbackOf{Canvases: keys}).Each(ctx, nil, func(feedback []*memory.Feedback) error {
			insights.AddFeedback(feedback)
			return sum.Add(tenancy.CanvasWeight * len(feedback))
		})
	})
	if err != nil {
		return engagement.Insights{}, faults.Of("the agent", err)
	}
	return insights.Insights(), nil
}
