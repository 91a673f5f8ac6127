package storetest

import (
	"cmp"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

// record adds an episode, links what has been waiting for it, and decides anew on what is around it in its session.
func (w *model) record(d episodeDraft) {
	key := d.Episode.Key
	w.episodes[key] = d
	for _, c := range w.canvases {
		if c.EpisodeKey == nil && c.named != nil && *c.named == key {
			c.EpisodeKey = &key
		}
	}
	for _, f := range w.feedback {
		if f.EpisodeKey == nil && f.namesEpisode(d) {
			f.EpisodeKey = &key
		}
	}
	w.decideAnew(d.Episode.SessionKey, w.decidedBy(&d.Episode))
}

// decideAnew gives what names a session only and came in an interval of its time to the episode that the rule says.
func (w *model) decideAnew(session *string, s linking.Interval) {
	decided := func(of *string, when time.Time) bool {
		return session != nil && inScope(session, of) && !when.Before(s.From) && when.Before(s.Until)
	}
	for _, c := range w.canvases {
		if c.named == nil && decided(c.SessionKey, c.CreatedAt()) {
			c.EpisodeKey = cmp.Or(w.pick(memory.KindCanvas, c.SessionKey, c.CreatedAt()), c.EpisodeKey)
		}
	}
	for _, f := range w.feedback {
		if f.namesSessionOnly() && decided(f.SessionKey, f.CreatedAt) {
			f.EpisodeKey = cmp.Or(w.pick(memory.KindFeedback, f.SessionKey, f.CreatedAt), f.EpisodeKey)
		}
	}
	w.followCanvases()
}

// decidedBy is in what interval of its session's time an episode that arrives is decided anew.
func (w *model) decidedBy(arrived *memory.Episode) linking.Interval {
	var around linking.Neighbours
	for _, e := range w.inSession(arrived.SessionKey) { // oldest first
		switch c := e.StartedAt.Compare(arrived.StartedAt); {
		case c < 0:
			around.Before = &e.StartedAt
		case c > 0 && around.Next == nil:
			around.Next = &e.StartedAt
		}
	}
	return linking.Affected(new(linking.SpanOf(arrived)), around)
}

// pick is the rule of sessions: the episode to which a session's record of a kind and time belongs, nil if it waits.
func (w *model) pick(kind memory.Kind, session *string, when time.Time) *string {
	holding, started, next := w.around(session, when)
	near := next != nil && next.StartedAt.Sub(when) <= 24*time.Hour
	over := started != nil && started.StartedAt.Before(when) && (started.EndedAt != nil || recordedAtItsEnd(started))
	if near && over && recordedAtItsEnd(next) && (kind == memory.KindCanvas || w.shownOf(next, started, when)) {
		started = next
	}
	if !near {
		next = nil
	}
	return firstOf(holding, started, next)
}

// shownOf says whether a canvas that may be of the next episode was shown between the end of the one before and a time.
func (w *model) shownOf(next, before *memory.Episode, when time.Time) bool {
	for _, c := range w.canvases {
		at := c.CreatedAt()
		if inScope(next.SessionKey, c.SessionKey) && (c.named == nil || *c.named == next.Key) && next.StartedAt.Sub(at) <= 24*time.Hour &&
			at.After(*cmp.Or(before.EndedAt, &before.StartedAt)) && !at.After(when) {
			return true
		}
	}
	return false
}

// pickLate is the rule of a backfill.
func (w *model) pickLate(kind memory.Kind, session *string, when time.Time) *string {
	_, _, next := w.around(session, when)
	return cmp.Or(w.pick(kind, session, when), firstOf(next))
}

func recordedAtItsEnd(e *memory.Episode) bool {
	return e.Concluded && !e.ConcludedLater && e.EndedAt == nil && e.StartedAt.Equal(e.CreatedAt)
}

func firstOf(choices ...*memory.Episode) *string {
	for _, choice := range choices {
		if choice != nil {
			return &choice.Key
		}
	}
	return nil
}

func (w *model) around(session *string, when time.Time) (holding, started, next *memory.Episode) {
	for _, e := range w.inSession(session) {
		if e.StartedAt.After(when) {
			return holding, started, e
		}
		if later(e, started) {
			started = e
		}
		if e.EndedAt != nil && !e.EndedAt.Before(when) && later(e, holding) {
			holding = e
		}
	}
	return holding, started, nil
}

// later says whether an episode started after another; of those that started together the first stays.
func later(e, other *memory.Episode) bool {
	return other == nil || e.StartedAt.After(other.StartedAt)
}

// inSession gives the episodes of a session, oldest first.
func (w *model) inSession(session *string) []*memory.Episode {
	if session == nil {
		return nil
	}
	return w.list(store.EpisodeFilter{Session: session}, memory.OldestFirst, nil)
}

func (f *modelFeedback) namesEpisode(d episodeDraft) bool {
	if f.named != nil {
		return *f.named == d.Episode.Key
	}
	return f.AgentExecutionID != nil && slices.Contains(d.Episode.ExecutionIDs, *f.AgentExecutionID)
}

func (f *modelFeedback) namesSessionOnly() bool {
	return f.named == nil && f.AgentExecutionID == nil && f.canvas == nil && f.SessionKey != nil
}

// followCanvases gives feedback that names a canvas first its canvas and its canvas's episode, and
// says how many got an episode.
func (w *model) followCanvases() (linked int) {
	for _, f := range w.feedback {
		if f.canvas == nil || w.canvases[*f.canvas] == nil {
			continue
		}
		f.CanvasKey = f.canvas
		if f.named == nil && f.AgentExecutionID == nil {
			canvas := w.canvases[*f.canvas]
			if f.EpisodeKey == nil && canvas.EpisodeKey != nil && f.ReplacedAt == nil {
				linked++
			}
			f.EpisodeKey = canvas.EpisodeKey
		}
	}
	return linked
}

// act adds an action to a canvas and links the canvas.
func (w *model) act(d actionDraft) {
	c := w.canvases[d.Canvas]
	was, before := d.Action.At, modelCanvas{}
	if c != nil {
		was, before = c.CreatedAt(), *c
	} else {
		c = &modelCanvas{Canvas: memory.Canvas{Key: d.Canvas, CanvasType: d.CanvasType}}
		w.canvases[d.Canvas] = c
	}
	earlier := len(c.Actions) > 0 && d.Action.At.Before(c.CreatedAt())
	c.Actions = append(c.Actions, d.Action)
	slices.SortStableFunc(c.Actions, func(a, b memory.CanvasAction) int { return a.At.Compare(b.At) })
	if c.SessionKey == nil {
		c.SessionKey = d.Session
	}
	if c.ComponentType == nil {
		c.ComponentType = d.ComponentType
	}
	switch {
	case c.named == nil && d.Episode != nil:
		c.named = d.Episode
		c.EpisodeKey = w.known(d.Episode)
	case c.named == nil && (c.EpisodeKey == nil || earlier):
		c.EpisodeKey = w.pick(memory.KindCanvas, c.SessionKey, c.CreatedAt())
	}
	w.followCanvases()
	if c.SessionKey != nil && (before.SessionKey == nil || before.named != c.named || !was.Equal(c.CreatedAt())) {
		_, _, next := w.around(c.SessionKey, was)
		until := was
		if next != nil {
			until = next.StartedAt
		}
		w.decideAnew(c.SessionKey, linking.Interval{From: c.CreatedAt(), Until: until})
	}
}

// known is the key of an episode that exists, else nil.
func (w *model) known(episode *string) *string {
	if _, known := w.episodes[*episode]; known {
		return episode
	}
	return nil
}

// react adds a feedback and links it.
func (w *model) react(d feedbackDraft) {
	if d.Replaces != nil {
		earlier := w.feedback[*d.Replaces]
		item := &store.FeedbackItem{FeedbackRecord: store.FeedbackRecord{Feedback: earlier.Feedback}, Linked: earlier.EpisodeKey}
		item.EpisodeKey, item.CanvasKey = earlier.named, earlier.canvas
		if err := linking.Replace(&d.FeedbackRecord, item); err != nil {
			panic(err)
		}
		earlier.ReplacedAt = &d.Feedback.CreatedAt
	}
	f := &modelFeedback{Feedback: d.Feedback, named: d.Feedback.EpisodeKey, canvas: d.Feedback.CanvasKey}
	f.EpisodeKey, f.CanvasKey = nil, nil
	w.feedback[f.Key] = f
	for key, e := range w.episodes {
		if f.namesEpisode(e) {
			f.EpisodeKey = &key
		}
	}
	if f.namesSessionOnly() {
		f.EpisodeKey = w.pick(memory.KindFeedback, f.SessionKey, f.CreatedAt)
	}
	w.followCanvases()
}

// backfill links what waits in a session, or in all of them.
func (w *model) backfill(session *string) (done store.Backfilled) {
	got := map[string]bool{}
	for _, c := range w.canvases {
		if c.EpisodeKey == nil && c.named == nil && inScope(session, c.SessionKey) {
			if c.EpisodeKey = w.pickLate(memory.KindCanvas, c.SessionKey, c.CreatedAt()); c.EpisodeKey != nil {
				done.Canvases++
				got[*c.EpisodeKey] = true
			}
		}
	}
	done.Feedback = w.followCanvases()
	for _, f := range w.feedback {
		if f.EpisodeKey == nil && f.namesSessionOnly() && inScope(session, f.SessionKey) {
			if f.EpisodeKey = w.pickLate(memory.KindFeedback, f.SessionKey, f.CreatedAt); f.EpisodeKey != nil && f.ReplacedAt == nil {
				done.Feedback++
				got[*f.EpisodeKey] = true
			}
		}
	}
	done.Episodes = len(got)
	return done
}

func inScope(session, key *string) bool {
	return key != nil && (session == nil || *session == *key)
}

// remove deletes an episode with its canvases, its feedback and its links.
func (w *model) remove(key string) {
	delete(w.episodes, key)
	for id, c := range w.canvases {
		if c.EpisodeKey != nil && *c.EpisodeKey == key {
			delete(w.canvases, id)
		}
	}
	for id, f := range w.feedback {
		if f.EpisodeKey != nil && *f.EpisodeKey == key {
			delete(w.feedback, id)
		} else if f.canvas != nil && w.canvases[*f.canvas] == nil {
			f.CanvasKey = nil
		}
	}
	for id, d := range w.episodes {
		d.CausedBy = slices.DeleteFunc(slices.Clone(d.CausedBy), func(cause string) bool { return cause == key })
		w.episodes[id] = d
	}
}
