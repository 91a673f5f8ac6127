package storetest

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/store"
)

func (s suite) asOf(t *testing.T) {
	s.run(t, "an episode is known from its end, or from its start where the end is open", asOfKnown)
	s.run(t, "aggregates and contexts hold what was known then", asOfContext)
	s.run(t, "links are between what was known then", asOfLinks)
	s.run(t, "neighbours are those of the session known then", asOfNeighbours)
	s.run(t, "a recall never returns what was not known", asOfRecall)
	s.run(t, "filters apply to what was known then", asOfFilters)
	s.check(t, "at any instant episodes are as the model says", 25, asOfAgreesWithModel)
}

func asOfKnown(m *tenant) {
	m.record(episode("open", at(5)), episode("ended", at(5)).until(at(8)), episode("instant", at(5)).until(at(5)))
	for _, test := range []struct {
		when time.Time
		want []string
	}{
		{at(5).Add(-time.Millisecond), none},
		{at(5), []string{"instant", "open"}},
		{at(8).Add(-time.Millisecond), []string{"instant", "open"}},
		{at(8), []string{"ended", "instant", "open"}},
	} {
		known := []string{}
		for _, key := range []string{"ended", "instant", "open"} {
			if m.find(key, 0, &test.when) != nil {
				known = append(known, key)
			}
		}
		m.Equal(test.want, known, test.when)
		m.Equal(test.want, append(none, keysOfHits(m.hits(situation{asOf: &test.when}))...), test.when)
	}
}

func asOfContext(m *tenant) {
	m.record(episode("e1", at(0)))
	m.act(
		present("c1", at(1)).of("e1"), action("c1", memory.CanvasUpdate, at(3)), action("c1", memory.CanvasClose, at(5)),
		present("c2", at(4)).of("e1"),
	)
	m.react(thumbsUp("f1", at(2)).on("e1"), thumbsDown("f2", at(4)).on("e1"), rating("f3", 2, at(6)).onCanvas("c1"))
	parts := store.WithCanvases | store.WithFeedback
	for _, test := range []struct {
		minute, actions, feedback int
		sum                       float64
		canvases                  []string
	}{
		{0, 0, 0, 0, none}, {1, 1, 0, 0, []string{"c1"}}, {2, 1, 1, 1, []string{"c1"}}, {3, 2, 1, 1, []string{"c1"}},
		{4, 3, 2, 0, []string{"c2", "c1"}}, {5, 4, 2, 0, []string{"c2", "c1"}}, {6, 4, 3, -0.5, []string{"c2", "c1"}},
	} {
		e := m.find("e1", parts, new(at(test.minute)))
		m.NotNil(e)
		m.Equal(test.actions, e.CanvasActionCount, "minute %d", test.minute)
		m.Equal(test.feedback, e.FeedbackCount, "minute %d", test.minute)
		m.Equal(test.sum, e.FeedbackSum, "minute %d", test.minute)
		m.Equal(test.canvases, canvasKeys(e.Context.Canvases), "minute %d", test.minute)
		m.Len(e.Context.Feedback, test.feedback)
		hit := m.hits(situation{asOf: new(at(test.minute))})["e1"]
		m.Equal(test.actions, hit.CanvasActionCount)
		m.Equal(test.feedback, hit.FeedbackCount)
		m.Equal(test.sum, hit.FeedbackSum)
	}
	m.Len(m.find("e1", parts, new(at(3))).Context.Canvases[0].Actions, 2)
	m.Equal(m.episode("e1", parts), m.find("e1", parts, new(at(99))))
}

func asOfLinks(m *tenant) {
	m.record(
		episode("cause", at(0)), episode("long cause", at(1)).until(at(9)),
		episode("effect", at(2)).causedBy("cause", "long cause"), episode("late effect", at(5)).causedBy("cause", "long cause"),
	)
	m.act(present("c1", at(3)).of("cause"), action("c1", memory.CanvasClose, at(6)))
	m.react(thumbsUp("f1", at(3)).on("cause"), thumbsDown("f2", at(6)).on("cause"))
	episodes := []string{"cause", "long cause", "effect", "late effect"}
	causes := m.linkedAll(store.LinkedQuery{Episodes: episodes, Link: memory.LinkCausedBy, AsOf: new(at(4))})
	m.Equal([]*memory.Episode{m.find("cause", 0, new(at(4)))}, causes["effect"], "with the aggregates of then")
	m.Equal(1, causes["effect"][0].CanvasActionCount)
	m.Equal(1.0, causes["effect"][0].FeedbackSum)
	m.Empty(causes["late effect"], "which was not known itself")
	effects := m.linkedAll(store.LinkedQuery{Episodes: episodes, Link: memory.LinkCauses, AsOf: new(at(4))})
	m.Equal([]string{"effect"}, episodeKeys(effects["cause"]))
	m.Empty(effects["long cause"])
	effects = m.linkedAll(store.LinkedQuery{Episodes: episodes, Link: memory.LinkCauses, AsOf: new(at(9))})
	m.Equal([]string{"effect", "late effect"}, episodeKeys(effects["long cause"]))
	first, err := m.Linked(m.ctx(), store.LinkedQuery{
		Episodes: episodes, Link: memory.LinkCauses, AsOf: new(at(4)), Page: store.Page{Limit: 1},
	})
	m.NoError(err)
	m.Equal([]string{"effect"}, episodeKeys(first["cause"].Episodes))
	m.False(first["cause"].More, "what was not known then does not follow")
}

func asOfNeighbours(m *tenant) {
	m.record(
		episode("s1", at(0)).in("s").until(at(20)), episode("s2", at(30)).in("s").until(at(180)),
		episode("s3", at(50)).in("s").until(at(55)), episode("s4", at(70)).in("s"),
	)
	m.react(thumbsUp("f1", at(25)).on("s1"), thumbsUp("f2", at(65)).on("s1"))
	all := []string{"s1", "s2", "s3", "s4"}
	for _, test := range []struct {
		minute int
		known  []string
	}{
		{19, none}, {20, []string{"s1"}}, {60, []string{"s1", "s3"}}, {70, []string{"s1", "s3", "s4"}}, {180, all},
	} {
		asOf := new(at(test.minute))
		next := m.linkedAll(store.LinkedQuery{Episodes: all, Link: memory.LinkNext, AsOf: asOf})
		previous := m.linkedAll(store.LinkedQuery{Episodes: all, Link: memory.LinkPrevious, AsOf: asOf})
		links := max(0, len(test.known)-1)
		m.Len(next, links, "minute %d", test.minute)
		m.Len(previous, links, "minute %d", test.minute)
		for i := range links {
			from, to := test.known[i], test.known[i+1]
			m.Equal([]*memory.Episode{m.find(to, 0, asOf)}, next[from], "minute %d", test.minute)
			m.Equal([]*memory.Episode{m.find(from, 0, asOf)}, previous[to], "minute %d", test.minute)
		}
	}
}

func asOfRecall(m *tenant) {
	m.record(
		episode("early", at(1)).seeing("walrus").embedded(1, 0), episode("late", at(5)).seeing("walrus").embedded(1, 0),
		episode("long", at(1)).until(at(9)).seeing("walrus").embedded(1, 0),
	)
	for _, by := range []situation{{}, {text: "walrus"}, {embedding: []float32{1, 0}}} {
		by.asOf = new(at(4))
		m.Equal([]string{"early"}, keysOfHits(m.hits(by)), "%+v", by)
		by.asOf = new(at(0))
		m.Empty(m.hits(by))
	}
}

func asOfFilters(m *tenant) {
	m.record(episode("e1", at(0)), episode("e2", at(0)))
	m.act(present("c1", at(1)).of("e1"), action("c1", memory.CanvasSubmit, at(3)))
	m.react(thumbsUp("f1", at(2)).on("e1"), thumbsDown("f2", at(4)).on("e1"))
	for _, test := range []struct {
		filter store.EpisodeFilter
		minute int
		want   bool
	}{
		{store.EpisodeFilter{CanvasType: new("charts")}, 0, false},
		{store.EpisodeFilter{CanvasType: new("charts")}, 1, true},
		{store.EpisodeFilter{CanvasAction: new(memory.CanvasSubmit)}, 2, false},
		{store.EpisodeFilter{CanvasAction: new(memory.CanvasSubmit)}, 3, true},
		{store.EpisodeFilter{CanvasType: new("charts"), CanvasAction: new(memory.CanvasSubmit)}, 2, false},
		{store.EpisodeFilter{MinFeedback: new(0.5)}, 1, false},
		{store.EpisodeFilter{MinFeedback: new(0.5)}, 2, true},
		{store.EpisodeFilter{MinFeedback: new(0.5)}, 4, false},
		{store.EpisodeFilter{MaxFeedback: new(0.5)}, 3, false},
		{store.EpisodeFilter{MaxFeedback: new(0.5)}, 4, true},
	} {
		hits := m.hits(situation{filter: test.filter, asOf: new(at(test.minute))})
		m.Equal(test.want, len(hits) == 1, "%+v at minute %d", test.filter, test.minute)
	}
}

func asOfAgreesWithModel(m *tenant, random *rapid.T) {
	w := newWorld(m, random)
	w.fill(8)
	keys := slices.Sorted(maps.Keys(w.model.episodes))
	for range 4 {
		asOf := w.moment()
		parts := store.WithAgent | store.WithCanvases | store.WithFeedback
		found, err := m.Episodes(m.ctx(), store.EpisodesByKey{Keys: keys, Parts: parts, AsOf: &asOf})
		m.NoError(err)
		for i, key := range keys {
			m.Equal(w.model.episode(key, &asOf), found[i], "%s as of %s", key, asOf)
		}
	}
}

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
	if d.Episode.UserID != nil { // what users share is another test's
		d.Episode.UserID = new("ann")
	}
	for _, cause := range historyEpisodes {
		if known, there := w.model.episodes[cause]; there && known.Episode.StartedAt.After(d.Episode.StartedAt) {
			continue // which is refused
		}
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
	for _, key := range slices.Sorted(maps.Keys(w.model.feedback)) {
		if w.model.feedback[key].ReplacedAt == nil && w.chance("replaces "+key) {
			w.addFeedback(d.replacing(key))
			return
		}
	}
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
	w.ErrorIs(Delete(w.ctx(), w, memory.KindEpisode, key), store.ErrNotFound)
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
	causes := w.linkedAll(store.LinkedQuery{Episodes: historyEpisodes, Link: memory.LinkCausedBy})
	for i, key := range historyEpisodes {
		w.Equal(w.model.episode(key, nil), episodes[i], "episode %s", key)
		w.Equal(w.model.causes(key), episodeKeys(causes[key]), "causes of %s", key)
	}
	canvases, err := store.Get[memory.Canvas](w.ctx(), w, historyCanvases)
	w.NoError(err)
	for i, key := range historyCanvases {
		if c := w.model.canvases[key]; c == nil {
			w.Nil(canvases[i], "canvas %s", key)
		} else {
			w.Equal(&c.Canvas, canvases[i], "canvas %s", key)
		}
	}
	w.requireFeedback()
	sessions, err := store.Get[memory.Session](w.ctx(), w, historySessions)
	w.NoError(err)
	for i, session := range historySessions {
		w.Equal(w.model.hasSession(session), sessions[i] != nil, "session %s", session)
	}
}

func (w *world) requireFeedback() {
	w.t.Helper()
	keys := slices.Sorted(maps.Keys(w.model.feedback))
	feedback, err := store.Get[memory.Feedback](w.ctx(), w, keys)
	w.NoError(err)
	for i, key := range keys {
		w.Equal(&w.model.feedback[key].Feedback, feedback[i], "feedback %s", key)
	}
}
