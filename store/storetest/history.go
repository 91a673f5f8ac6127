package storetest

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/store"
)

// The keys that random histories play with: few, so that records meet.
var (
	historyEpisodes = []string{"e0", "e1", "e2", "e3", "e4"}
	historyCanvases = []string{"c0", "c1", "c2", "c3"}
	historySessions = []string{"s", "t"}
)

func (s suite) histories(t *testing.T) {
	s.check(t, "after any history of writes the store holds what the contract says", 30, historyAgreesWithModel)
}

// historyAgreesWithModel writes episodes, canvases and feedback in any order, deletes and backfills
// between, and compares all that can be read with the model after every step.
func historyAgreesWithModel(m *tenant, random *rapid.T) {
	w := newWorld(m, random)
	steps := []func(step int){
		w.recordAny, w.actAny, w.actAny, w.reactAny, w.reactAny, w.removeAny, w.backfillAny,
	}
	for step := range rapid.IntRange(4, 16).Draw(random, "steps") {
		steps[rapid.IntRange(0, len(steps)-1).Draw(random, "step")](step)
		w.requireModel()
	}
}

// recordAny records an episode that is not there, perhaps with causes that are not there either.
func (w *world) recordAny(int) {
	key := oneOf(w, "episode", historyEpisodes...)
	if _, known := w.model.episodes[key]; known {
		return
	}
	d := w.draftEpisode(key).running("run of " + key)
	for _, cause := range historyEpisodes {
		if cause != key && w.chance("caused by "+cause) {
			d.CausedBy = append(d.CausedBy, cause)
		}
	}
	w.addEpisodes(d)
}

// actAny acts on a canvas, which may name an episode or a session once.
func (w *world) actAny(int) {
	key := oneOf(w, "canvas", historyCanvases...)
	d := action(key, oneOf(w, "action", memory.CanvasPresent, memory.CanvasClose), w.moment())
	c := w.model.canvases[key]
	if c == nil || c.named == nil {
		d.Episode = maybe(w, "names episode", historyEpisodes...)
	}
	if c == nil || c.SessionKey == nil {
		d.Session = maybe(w, "names session", historySessions...)
	}
	w.addActions(d)
}

// reactAny records feedback that names an episode in one of the four ways, and perhaps a canvas too.
func (w *world) reactAny(step int) {
	d := w.draftFeedback(fmt.Sprintf("f%02d", step))
	switch rapid.IntRange(0, 3).Draw(w.random, "way") {
	case 0:
		d = d.on(oneOf(w, "by key", historyEpisodes...))
	case 1:
		d = d.running("run of " + oneOf(w, "by execution", historyEpisodes...))
	case 2:
		d = d.onCanvas(oneOf(w, "by canvas", historyCanvases...))
	case 3:
		d = d.in(oneOf(w, "by session", historySessions...))
	}
	if d.Feedback.CanvasKey == nil && w.chance("is on a canvas too") {
		d = d.onCanvas(oneOf(w, "canvas", historyCanvases...))
	}
	w.addFeedback(d)
}

func (w *world) removeAny(int) {
	key := oneOf(w, "removed", historyEpisodes...)
	if _, known := w.model.episodes[key]; known {
		w.remove(key)
		w.model.remove(key)
		return
	}
	w.ErrorIs(w.DeleteEpisode(w.ctx(), key), store.ErrNotFound)
}

func (w *world) backfillAny(int) {
	session := maybe(w, "backfilled", historySessions...)
	w.Equal(w.model.backfill(session), w.backfilled(session))
}

// requireModel compares all that can be read by key with the model.
func (w *world) requireModel() {
	w.t.Helper()
	parts := store.WithAgent | store.WithCanvases | store.WithFeedback
	episodes, err := w.Episodes(w.ctx(), store.EpisodesByKey{Keys: historyEpisodes, Parts: parts})
	w.NoError(err)
	causes := w.linkedAll(store.LinkedQuery{Episodes: historyEpisodes, Link: store.LinkCausedBy})
	for i, key := range historyEpisodes {
		w.Equal(w.model.episode(key, nil), episodes[i], "episode %s", key)
		w.Equal(w.model.causes(key), episodeKeys(causes[key]), "causes of %s", key)
	}
	canvases, err := w.Canvases(w.ctx(), historyCanvases)
	w.NoError(err)
	for i, key := range historyCanvases {
		if c := w.model.canvases[key]; c == nil {
			w.Nil(canvases[i], "canvas %s", key)
		} else {
			w.Equal(&c.Canvas, canvases[i], "canvas %s", key)
		}
	}
	w.requireFeedback()
	sessions, err := w.Sessions(w.ctx(), historySessions)
	w.NoError(err)
	for i, session := range historySessions {
		w.Equal(w.model.hasSession(session), sessions[i] != nil, "session %s", session)
	}
}

func (w *world) requireFeedback() {
	w.t.Helper()
	keys := slices.Sorted(maps.Keys(w.model.feedback))
	feedback, err := w.Feedback(w.ctx(), keys)
	w.NoError(err)
	for i, key := range keys {
		w.Equal(&w.model.feedback[key].Feedback, feedback[i], "feedback %s", key)
	}
}
