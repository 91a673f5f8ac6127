package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/store"
)

// RecordCanvasActions records what happened to canvases, in order, and reports each item; the ids are
// the canvases'.
func (g *Reactions) RecordCanvasActions(ctx context.Context, input RecordCanvasActionsInput) (*BatchResult, error) {
	return recordBatch(ctx, g.tenant, memory.KindCanvas, "actions", input.Actions, g.canvasActionRecord,
		func(ctx context.Context, records []store.CanvasActionRecord) ([]store.Recorded, error) {
			recorded, err := keep(ctx, g.tenant, records)
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

func (g *Reactions) canvasActionRecord(ctx context.Context, input CanvasActionInput) (store.CanvasActionRecord, error) {
	b := g.boundary(ctx)
	clean := CanvasActionInput{
		ID:            b.optionalLabel("id", input.ID),
		CanvasID:      b.key(memory.KindCanvas, "canvasId", input.CanvasID),
		EpisodeID:     b.optionalOther(memory.KindEpisode, "episodeId", input.EpisodeID),
		SessionID:     b.optionalKey(memory.KindSession, "sessionId", input.SessionID),
		CanvasType:    b.label("canvasType", input.CanvasType),
		ComponentType: b.optionalLabel("componentType", input.ComponentType),
		UserID:        b.userID(input.UserID),
		Action:        input.Action,
		Metadata:      b.json("metadata", input.Metadata),
		At:            b.optionalTime("at", input.At),
	}
	if !input.Action.Valid() {
		b.fail(memory.Invalid("action", "must be PRESENT, CLOSE, SUBMIT, UPDATE or EXECUTE"))
	}
	record := store.CanvasActionRecord{
		InputHash: g.inputHash(ctx, b, clean), Canvas: clean.CanvasID, Episode: clean.EpisodeID, Session: clean.SessionID,
		CanvasType: clean.CanvasType, ComponentType: clean.ComponentType, User: clean.UserID,
		Action: memory.CanvasAction{
			ID: valueOr(clean.ID, ""), Action: clean.Action, Metadata: clean.Metadata, At: valueOr(clean.At, g.clock()),
		},
	}
	return record, b.err
}

// CanvasRules are those by which this deployment reads canvases.
func (g *Reactions) CanvasRules() *memory.CanvasRules { return g.canvasRules }

// CanvasesByKey reads canvases in the order of the keys, nil where there is none.
func (g *Reactions) CanvasesByKey(ctx context.Context, keys []string) ([]*memory.Canvas, error) {
	canvases, err := store.Get[memory.Canvas](ctx, g.store, keys)
	return canvases, fault("the canvas", err)
}

// EpisodeCanvases pages through all canvases of an episode, newest first; as of the episode's instant
// where it has one.
func (g *Reactions) EpisodeCanvases(ctx context.Context, episode *memory.Episode, input PageInput) (*Page[*memory.Canvas], error) {
	asOf := asOfOf(episode)
	request, err := pageRequest(input, fingerprint("canvases", episode.Key, asOf), untilInstant(asOf))
	if err != nil {
		return nil, err
	}
	return g.canvases(store.CanvasesOf{Episode: &episode.Key}, asOf).requested(ctx, request)
}

// ListCanvases pages through all canvases, newest first, or through those that wait for their episode, or that do not.
func (g *Reactions) ListCanvases(ctx context.Context, waiting *bool, users UserFilter, input PageInput) (*Page[*memory.Canvas], error) {
	b := g.question(ctx)
	query := store.CanvasesOf{Waiting: waiting, UserFilter: b.users(users)}
	if b.err != nil {
		return nil, b.err
	}
	return g.canvases(query, nil).page(ctx, input, fingerprint("all canvases", waiting, users))
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
func (g *Reactions) Waiting(ctx context.Context, kind memory.Kind, input PageInput) (*Page[WaitingRecord], error) {
	page, err := g.listWaiting(ctx, kind, input)
	if err != nil || len(page.Items) == 0 {
		return page, err
	}
	keys := make([]string, len(page.Items))
	for i, record := range page.Items {
		keys[i] = memory.KeyOf(kind, record.ID)
	}
	awaited, err := g.store.AwaitedEpisodes(ctx, kind, keys)
	if err != nil {
		return nil, fault("the "+string(kind), err)
	}
	for i, key := range keys {
		if episode, ok := awaited[key]; ok {
			page.Items[i].EpisodeID = memory.NodeID(memory.KindEpisode, episode)
		}
	}
	return page, nil
}

// listWaiting is Waiting without the episodes.
func (g *Reactions) listWaiting(ctx context.Context, kind memory.Kind, input PageInput) (*Page[WaitingRecord], error) {
	switch kind {
	case memory.KindCanvas:
		page, err := g.ListCanvases(ctx, new(true), UserFilter{}, input)
		return waitingOf(page, err, func(c *memory.Canvas) WaitingRecord {
			return WaitingRecord{ID: c.ID(), SessionID: valueOr(c.SessionID(), ""), At: c.CreatedAt()}
		})
	case memory.KindFeedback:
		page, err := g.ListFeedback(ctx, new(true), UserFilter{}, input)
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

func waitingOf[T any](page *Page[T], err error, waiting func(T) WaitingRecord) (*Page[WaitingRecord], error) {
	if err != nil {
		return nil, err
	}
	items := make([]WaitingRecord, len(page.Items))
	for i, item := range page.Items {
		items[i] = waiting(item)
	}
	return &Page[WaitingRecord]{Items: items, Cursors: page.Cursors, HasNext: page.HasNext, HasPrev: page.HasPrev, Total: page.Total}, nil
}

// canvases is the list of canvases that a query keeps, the newest first; as of an instant where one is given. The actions
// that were not known then are cut off. The canvases that were first shown later are before untilInstant.
func (t *tenant) canvases(query store.CanvasesOf, asOf *time.Time) list[*memory.Canvas] {
	canvases := listOf(t.store, "the canvas", query)
	if asOf == nil {
		return canvases
	}
	now := canvases
	canvases.read = func(ctx context.Context, page store.Page) ([]*memory.Canvas, bool, error) {
		found, more, err := now.read(ctx, page)
		known := make([]*memory.Canvas, len(found))
		for i, canvas := range found {
			cut := *canvas
			cut.Actions = canvas.ActionsAsOf(*asOf)
			known[i] = &cut
		}
		return known, more, err
	}
	canvases.count = func(ctx context.Context) (int, error) {
		known, err := now.all(ctx, untilInstant(asOf))
		return len(known), err
	}
	return canvases
}

// AgentCanvasInsights says how people took the canvases of an agent's episodes.
func (g *Reactions) AgentCanvasInsights(ctx context.Context, agentKey string, timeRange *memory.TimeRange) (engagement.Insights, error) {
	now := g.clock()
	query := store.CanvasesOf{Agent: &agentKey}
	if timeRange != nil {
		since := timeRange.Since(now)
		query.Since = &since
	}
	insights, sum := engagement.NewSums(g.canvasRules, now), store.BudgetOf(ctx).Sum()
	ctx = store.Unmetered(ctx)
	err := g.canvases(query, nil).each(ctx, nil, func(canvases []*memory.Canvas) error {
		if insights.AddCanvases(canvases); len(canvases) == 0 {
			return nil
		}
		if err := sum.Add(canvasWeight * len(canvases)); err != nil {
			return err
		}
		return g.feedback(store.FeedbackOf{Canvases: canvasKeys(canvases)}).each(ctx, nil, func(feedback []*memory.Feedback) error {
			insights.AddFeedback(feedback)
			return sum.Add(canvasWeight * len(feedback))
		})
	})
	if err != nil {
		return engagement.Insights{}, fault("the agent", err)
	}
	return insights.Insights(), nil
}

func canvasKeys(canvases []*memory.Canvas) []string {
	keys := make([]string, len(canvases))
	for i, canvas := range canvases {
		keys[i] = canvas.Key
	}
	return keys
}

// canvasWeight is how much more a canvas or a feedback costs to read for a sum than the numbers of an episode.
const canvasWeight = 5

// CanvasSummary is a canvas as people and agents are told of it.
type CanvasSummary struct {
	ID            string                `json:"id"`
	EpisodeID     *string               `json:"episodeId,omitempty"`
	SessionID     *string               `json:"sessionId,omitempty"`
	UserID        *string               `json:"userId,omitempty"`
	CanvasType    string                `json:"canvasType"`
	ComponentType *string               `json:"componentType,omitempty"`
	States        []memory.CanvasState  `json:"states" jsonschema:"What the actions say about the person who saw it, in order."`
	CustomStates  []string              `json:"customStates,omitempty"`
	DwellSeconds  *float64              `json:"dwellSeconds,omitempty" jsonschema:"How long until it was closed or submitted."`
	Reward        float64               `json:"reward"`
	Metadata      memory.JSON           `json:"metadata,omitempty"`
	Actions       []memory.CanvasAction `json:"actions"`
}

// SummaryOfCanvas sums up a canvas by the rules of the deployment.
func SummaryOfCanvas(c *memory.Canvas, rules *memory.CanvasRules) CanvasSummary {
	return CanvasSummary{
		ID: c.ID(), EpisodeID: idOf(memory.KindEpisode, c.EpisodeKey), SessionID: c.SessionID(), UserID: c.UserID, CanvasType: c.CanvasType,
		ComponentType: c.ComponentType, States: append([]memory.CanvasState{}, c.States(rules)...), CustomStates: c.CustomStates(rules),
		DwellSeconds: c.DwellSeconds(), Reward: c.Reward(rules), Metadata: c.Metadata(), Actions: append([]memory.CanvasAction{}, c.Actions...),
	}
}

// FeedbackSummary is a feedback as people and agents are told of it.
type FeedbackSummary struct {
	ID        string  `json:"id"`
	EpisodeID *string `json:"episodeId,omitempty"`
	CanvasID  *string `json:"canvasId,omitempty"`
	SessionID *string `json:"sessionId,omitempty"`
	UserID    *string `json:"userId,omitempty"`
	memory.Reaction
}

// SummaryOfFeedback sums up a feedback.
func SummaryOfFeedback(f *memory.Feedback) FeedbackSummary {
	return FeedbackSummary{
		ID: f.ID(), EpisodeID: idOf(memory.KindEpisode, f.EpisodeKey), CanvasID: idOf(memory.KindCanvas, f.CanvasKey),
		SessionID: idOf(memory.KindSession, f.SessionKey), UserID: f.UserID, Reaction: f.Reaction,
	}
}

func idOf(kind memory.Kind, key *string) *string {
	return mapped(key, func(key string) string { return memory.NodeID(kind, key) })
}
