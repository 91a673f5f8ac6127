package storetest

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

// model is the contract in plain Go: what a tenant must hold after the same writes. It knows valid
// writes only; how faults are answered has tests of its own.
type model struct {
	episodes map[string]episodeDraft
	canvases map[string]*modelCanvas
	feedback map[string]*modelFeedback
}

// modelCanvas is a canvas and how it is tied to episodes.
type modelCanvas struct {
	memory.Canvas
	named *string // the episode that its actions name
}

// modelFeedback is a feedback and what it named; its EpisodeKey and CanvasKey are what it got.
type modelFeedback struct {
	memory.Feedback
	named, canvas *string
}

func newModel() *model {
	return &model{
		episodes: map[string]episodeDraft{}, canvases: map[string]*modelCanvas{}, feedback: map[string]*modelFeedback{},
	}
}

// episode is what a read with all parts gives, as of an instant where one is given; nil where nothing is known of it.
func (w *model) episode(key string, asOf *time.Time) *memory.Episode {
	d, known := w.episodes[key]
	if !known || !before(d.Episode.KnownAt(), asOf) {
		return nil
	}
	e := readBack(d)
	e.Context = &memory.EpisodeContext{
		Agent:    &memory.Agent{Key: e.AgentKey, Name: e.AgentKey},
		Canvases: w.canvasesOf(key, asOf),
		Feedback: w.feedbackOf(key, asOf),
	}
	for _, c := range e.Context.Canvases {
		e.CanvasActionCount += len(c.Actions)
	}
	for _, f := range e.Context.Feedback {
		e.FeedbackSum += f.Score
		e.FeedbackCount++
	}
	return e
}

// before says whether something was known at an instant, which is always so where none is given.
func before(known time.Time, asOf *time.Time) bool {
	return asOf == nil || !known.After(*asOf)
}

func (w *model) canvasesOf(episode string, asOf *time.Time) []*memory.Canvas {
	canvases := []*memory.Canvas{}
	for _, c := range w.canvases {
		if c.EpisodeKey != nil && *c.EpisodeKey == episode {
			if known := c.asOf(asOf); len(known.Actions) > 0 {
				canvases = append(canvases, known)
			}
		}
	}
	slices.SortFunc(canvases, func(a, b *memory.Canvas) int {
		return cmp.Or(b.CreatedAt().Compare(a.CreatedAt()), cmp.Compare(a.Key, b.Key))
	})
	return canvases
}

// asOf is the canvas with the actions known at an instant.
func (c *modelCanvas) asOf(asOf *time.Time) *memory.Canvas {
	known := c.Canvas
	known.Actions = []memory.CanvasAction{}
	for _, action := range c.Actions {
		if before(action.At, asOf) {
			known.Actions = append(known.Actions, action)
		}
	}
	return &known
}

func (w *model) feedbackOf(episode string, asOf *time.Time) []*memory.Feedback {
	feedback := []*memory.Feedback{}
	for _, f := range w.feedback {
		given := asOf == nil || !f.CreatedAt.After(*asOf)
		counts := f.ReplacedAt == nil || asOf != nil && f.ReplacedAt.After(*asOf)
		if f.EpisodeKey != nil && *f.EpisodeKey == episode && given && counts {
			feedback = append(feedback, &f.Feedback)
		}
	}
	slices.SortFunc(feedback, func(a, b *memory.Feedback) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.Key, b.Key))
	})
	return feedback
}

// causes gives the keys of the known episodes that caused one, of its user or of nobody, oldest first.
func (w *model) causes(key string) []string {
	causes := []*memory.Episode{}
	user := memory.OrZero(w.episodes[key].Episode.UserID)
	for _, cause := range w.episodes[key].CausedBy {
		if d, known := w.episodes[cause]; known && linking.Fits(user, memory.OrZero(d.Episode.UserID)) {
			causes = append(causes, readBack(d))
		}
	}
	keys := episodeKeys(causes)
	slices.Sort(keys)
	return slices.Compact(keys)
}

// hasSession says whether anything is in a session.
func (w *model) hasSession(session string) bool {
	in := func(key *string) bool { return key != nil && *key == session }
	for _, d := range w.episodes {
		if in(d.Episode.SessionKey) {
			return true
		}
	}
	for _, c := range w.canvases {
		if in(c.SessionKey) {
			return true
		}
	}
	for _, f := range w.feedback {
		if in(f.SessionKey) {
			return true
		}
	}
	return false
}

// list gives the episodes that a filter keeps, in an order, with their contexts.
func (w *model) list(filter store.EpisodeFilter, order memory.EpisodeOrder, asOf *time.Time) []*memory.Episode {
	listed := []*memory.Episode{}
	for key := range maps.Keys(w.episodes) {
		if e := w.episode(key, asOf); e != nil && keeps(filter, e) {
			listed = append(listed, e)
		}
	}
	slices.SortFunc(listed, map[memory.EpisodeOrder]func(a, b *memory.Episode) int{
		memory.NewestFirst: newestFirst, memory.OldestFirst: oldestFirst, memory.BestFeedbackFirst: bestFeedbackFirst,
	}[order])
	return listed
}

func newestFirst(a, b *memory.Episode) int {
	return cmp.Or(b.StartedAt.Compare(a.StartedAt), cmp.Compare(a.Key, b.Key))
}

func oldestFirst(a, b *memory.Episode) int {
	return cmp.Or(a.StartedAt.Compare(b.StartedAt), cmp.Compare(a.Key, b.Key))
}

func bestFeedbackFirst(a, b *memory.Episode) int {
	const worst = -2
	left, right := valueOr(a.AggregateFeedbackScore(), worst), valueOr(b.AggregateFeedbackScore(), worst)
	return cmp.Or(cmp.Compare(right, left), newestFirst(a, b))
}

func valueOr[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}

// keeps says whether an episode with its context meets every condition of a filter.
func keeps(filter store.EpisodeFilter, e *memory.Episode) bool {
	score := e.AggregateFeedbackScore()
	return (filter.Agent == nil || e.AgentKey == *filter.Agent) &&
		(filter.Session == nil || e.SessionKey != nil && *e.SessionKey == *filter.Session) &&
		(filter.TaskType == nil || e.TaskType != nil && *e.TaskType == *filter.TaskType) &&
		keepsUser(filter.UserFilter, e.UserID) &&
		(filter.Outcome == nil || e.Outcome == *filter.Outcome) &&
		(!filter.OutcomeKnown || e.Outcome != memory.OutcomeUnknown) &&
		(filter.MinFeedback == nil || score != nil && *score >= *filter.MinFeedback) &&
		(filter.MaxFeedback == nil || score != nil && *score <= *filter.MaxFeedback) &&
		(filter.Since == nil || !e.StartedAt.Before(*filter.Since)) &&
		(filter.Until == nil || e.StartedAt.Before(*filter.Until)) &&
		keepsCanvas(filter, e.Context.Canvases)
}

// keepsUser says whether a filter keeps what is of a user, or of nobody.
func keepsUser(filter store.UserFilter, user *string) bool {
	return filter.User == nil || user == nil && filter.Shared || user != nil && *user == *filter.User
}

// keepsCanvas says whether one canvas meets both of a filter's conditions on canvases.
func keepsCanvas(filter store.EpisodeFilter, canvases []*memory.Canvas) bool {
	if filter.CanvasType == nil && filter.CanvasAction == nil {
		return true
	}
	return slices.ContainsFunc(canvases, func(c *memory.Canvas) bool {
		return (filter.CanvasType == nil || c.CanvasType == *filter.CanvasType) &&
			(filter.CanvasAction == nil || slices.ContainsFunc(c.Actions, func(a memory.CanvasAction) bool {
				return a.Action == *filter.CanvasAction
			}))
	})
}
