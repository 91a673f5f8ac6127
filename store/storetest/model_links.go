package storetest

import (
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
)

// record adds an episode and links what has been waiting for it.
func (w *model) record(d episodeDraft) {
	key := d.Episode.Key
	w.episodes[key] = d
	for _, c := range w.canvases {
		switch {
		case c.EpisodeKey != nil:
		case c.named != nil && *c.named == key, c.named == nil && w.picksWaiting(d, c.SessionKey, c.CreatedAt()):
			c.EpisodeKey = &key
		}
	}
	for _, f := range w.feedback {
		switch {
		case f.EpisodeKey != nil:
		case f.namesEpisode(d), f.namesSessionOnly() && w.picksWaiting(d, f.SessionKey, f.CreatedAt):
			f.EpisodeKey = &key
		}
	}
	w.followCanvases()
}

// picksWaiting says whether a new episode gets a record of its session that has been waiting.
func (w *model) picksWaiting(d episodeDraft, session *string, when time.Time) bool {
	picked := w.pick(session, when)
	return picked != nil && *picked == d.Episode.Key && !when.Before(d.Episode.StartedAt)
}

// pick is Backfill's rule: the episode of a session to which a time belongs.
func (w *model) pick(session *string, when time.Time) *string {
	var holding, started, first *memory.Episode
	for _, e := range w.inSession(session) {
		if first == nil {
			first = e
		}
		if e.StartedAt.After(when) {
			continue
		}
		if later(e, started) {
			started = e
		}
		if e.EndedAt != nil && !e.EndedAt.Before(when) && later(e, holding) {
			holding = e
		}
	}
	for _, choice := range []*memory.Episode{holding, started, first} {
		if choice != nil {
			return &choice.Key
		}
	}
	return nil
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
	return w.list(store.EpisodeFilter{Session: session}, store.OldestFirst, nil)
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
			if f.EpisodeKey == nil && canvas.EpisodeKey != nil {
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
	if c == nil {
		c = &modelCanvas{Canvas: memory.Canvas{Key: d.Canvas, CanvasType: d.CanvasType}}
		w.canvases[d.Canvas] = c
	}
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
	case c.named == nil && c.EpisodeKey == nil:
		c.EpisodeKey = w.pick(c.SessionKey, c.CreatedAt())
	}
	w.followCanvases()
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
	f := &modelFeedback{Feedback: d.Feedback, named: d.Feedback.EpisodeKey, canvas: d.Feedback.CanvasKey}
	f.EpisodeKey, f.CanvasKey = nil, nil
	w.feedback[f.Key] = f
	for key, e := range w.episodes {
		if f.namesEpisode(e) {
			f.EpisodeKey = &key
		}
	}
	if f.namesSessionOnly() {
		f.EpisodeKey = w.pick(f.SessionKey, f.CreatedAt)
	}
	w.followCanvases()
}

// backfill links what waits in a session, or in all of them.
func (w *model) backfill(session *string) (done store.Backfilled) {
	got := map[string]bool{}
	for _, c := range w.canvases {
		if c.EpisodeKey == nil && c.named == nil && inScope(session, c.SessionKey) {
			if c.EpisodeKey = w.pick(c.SessionKey, c.CreatedAt()); c.EpisodeKey != nil {
				done.Canvases++
				got[*c.EpisodeKey] = true
			}
		}
	}
	done.Feedback = w.followCanvases()
	for _, f := range w.feedback {
		if f.EpisodeKey == nil && f.namesSessionOnly() && inScope(session, f.SessionKey) {
			if f.EpisodeKey = w.pick(f.SessionKey, f.CreatedAt); f.EpisodeKey != nil {
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
