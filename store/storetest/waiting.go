package storetest

import (
	"testing"
	"time"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/store"
)

// requireHolds checks that exactly these canvases and feedback, newest first, belong to an episode,
// in every way in which that can be read, and that the aggregates are theirs.
func (m *tenant) requireHolds(episode string, canvases, feedback []string) {
	m.t.Helper()
	e := m.episode(episode, store.WithCanvases, store.WithFeedback)
	m.Equal(canvases, canvasKeys(e.Context.Canvases), "canvases of %s", episode)
	m.Equal(feedback, feedbackKeys(e.Context.Feedback), "feedback of %s", episode)
	m.Equal(canvases, m.canvasesOf(store.CanvasesOf{Episode: &episode}))
	m.Equal(feedback, m.feedbackOf(store.FeedbackOf{Episode: &episode}))
	actions, sum := 0, 0.0
	for _, c := range e.Context.Canvases {
		m.Equal(&episode, c.EpisodeKey)
		m.Equal(c, m.canvas(c.Key))
		actions += len(c.Actions)
	}
	for _, f := range e.Context.Feedback {
		m.Equal(&episode, f.EpisodeKey)
		m.Equal(f, m.feedback(f.Key))
		sum += f.Score
	}
	m.Equal(actions, e.CanvasActionCount, "canvas actions of %s", episode)
	m.Equal(len(feedback), e.FeedbackCount, "feedback count of %s", episode)
	m.Equal(sum, e.FeedbackSum, "feedback sum of %s", episode)
}

var none = []string{}

func (s suite) waiting(t *testing.T) {
	s.run(t, "feedback by key waits for its episode", func(m *tenant) {
		m.react(rating("f1", 2, at(1)).on("e1"), thumbsUp("f2", at(2)).on("e2"))
		m.Nil(m.feedback("f1").EpisodeKey)
		m.record(episode("e1", at(5)))
		m.requireHolds("e1", none, []string{"f1"})
		m.Nil(m.feedback("f2").EpisodeKey)
	})
	s.run(t, "feedback by execution waits for the episode that lists it", func(m *tenant) {
		m.react(thumbsUp("f1", at(1)).running("run-2"), thumbsDown("f2", at(2)).running("run-9"))
		m.record(episode("e0", at(5)).running("run"), episode("e1", at(5)).running("run-1", "run-2"))
		m.requireHolds("e1", none, []string{"f1"})
		m.requireHolds("e0", none, none)
		m.Nil(m.feedback("f2").EpisodeKey)
	})
	s.run(t, "a canvas waits for its episode", func(m *tenant) {
		m.act(present("c1", at(1)).of("e1"), action("c1", memory.CanvasClose, at(2)), present("c2", at(3)).of("e2"))
		m.Nil(m.canvas("c1").EpisodeKey)
		m.record(episode("e1", at(5)))
		m.requireHolds("e1", []string{"c1"}, none)
		m.Nil(m.canvas("c2").EpisodeKey)
	})
	s.run(t, "feedback waits for its canvas", feedbackBeforeCanvas)
	s.run(t, "feedback on a waiting canvas comes with it", func(m *tenant) {
		m.act(present("c1", at(1)).of("e1"))
		m.react(thumbsUp("f1", at(2)).onCanvas("c1"))
		m.Equal(new("c1"), m.feedback("f1").CanvasKey)
		m.Nil(m.feedback("f1").EpisodeKey)
		m.record(episode("e1", at(5)))
		m.requireHolds("e1", []string{"c1"}, []string{"f1"})
	})
	s.run(t, "feedback that has an episode keeps it when its canvas gets another", func(m *tenant) {
		m.record(episode("e0", at(0)))
		m.act(present("c1", at(1)).of("e1"))
		m.react(thumbsUp("f1", at(2)).onCanvas("c1").on("e0"))
		m.record(episode("e1", at(5)))
		m.requireHolds("e0", none, []string{"f1"})
		m.requireHolds("e1", []string{"c1"}, none)
	})
	s.run(t, "an effect waits for its cause", effectBeforeCause)
	s.run(t, "an episode waits for what informed it", informedBefore)
	s.run(t, "what became of what an episode informed is known, now and then", informedRuns)
	s.run(t, "a canvas without a home gets one by a later action", canvasFindsHome)
	s.run(t, "what names an episode does not go to another of its session", namedStaysWaiting)
	s.run(t, "everything that waits comes with one record", waitingTogether)
	s.run(t, "what was shown and said in a session comes with its episode", waitingInSession)
	s.run(t, "what is more than a day older waits", waitingADay)
	s.run(t, "what was shown since an episode is of the next that is recorded at its end", shownSince)
	s.run(t, "what was shown since an episode that was concluded later stays with it", concludedLater)
	s.run(t, "a conclusion that tells the end decides anew what the episode has", endMoves)
	s.run(t, "so does a log that lets it begin at another time", startMoves)
	s.check(t, "whatever the order of arrival, the links are the same", 12, arrivingInAnyOrder)
	s.run(t, "a canvas whose first action comes late goes where that belongs", dateBack)
	s.run(t, "what waits is listed, and what does not", waitingLists)
	s.run(t, "a batch links as single records would", func(m *tenant) {
		m.react(thumbsUp("f1", at(5)).in("s"))
		m.record(episode("e1", at(1)).in("s"), episode("e2", at(4)).in("s"))
		m.requireHolds("e1", none, none)
		m.requireHolds("e2", none, []string{"f1"})
	})
}

// requireWait checks the lists of what waits and of what does not.
func (m *tenant) requireWait(canvases, linkedCanvases, feedback, linkedFeedback []string) {
	m.t.Helper()
	m.Equal(canvases, m.canvasesOf(store.CanvasesOf{Waiting: new(true)}))
	m.Equal(linkedCanvases, m.canvasesOf(store.CanvasesOf{Waiting: new(false)}))
	m.Equal(feedback, m.feedbackOf(store.FeedbackOf{Waiting: new(true)}))
	m.Equal(linkedFeedback, m.feedbackOf(store.FeedbackOf{Waiting: new(false)}))
}

// requireAwaited checks which episodes records wait for by name.
func (m *tenant) requireAwaited(kind memory.Kind, want map[string]string, keys ...string) {
	m.t.Helper()
	got, err := m.AwaitedEpisodes(m.ctx(), kind, keys)
	m.NoError(err)
	m.Equal(want, got)
}

func waitingLists(m *tenant) {
	m.requireWait(none, none, none, none)
	m.act(present("c1", at(1)).of("e1"), present("c2", at(2)).in("s"), present("c3", at(3)), action("c1", memory.CanvasClose, at(4)))
	m.react(
		thumbsUp("f1", at(1)).on("e1"), thumbsUp("f2", at(2)).running("x1"), thumbsUp("f3", at(3)).onCanvas("c1"), thumbsUp("f4", at(4)).onCanvas("c9"),
		thumbsUp("f5", at(5)).in("s"), thumbsUp("f6", at(6)).on("e2").onCanvas("c9"),
	)
	m.requireWait([]string{"c3", "c2", "c1"}, none, []string{"f6", "f5", "f4", "f3", "f2", "f1"}, none)
	m.requireAwaited(memory.KindCanvas, map[string]string{"c1": "e1"}, "c1", "c2", "c3", "none")
	m.requireAwaited(memory.KindFeedback, map[string]string{"f1": "e1", "f6": "e2"}, "f1", "f2", "f3", "f4", "f5", "f6")
	m.record(episode("e1", at(7)).in("s"))
	m.requireAwaited(memory.KindCanvas, map[string]string{}, "c1", "c2", "c3")
	m.requireAwaited(memory.KindFeedback, map[string]string{"f6": "e2"}, "f1", "f6")
	m.requireAwaited(memory.KindFeedback, map[string]string{})
	m.requireWait([]string{"c3"}, []string{"c2", "c1"}, []string{"f6", "f4", "f2"}, []string{"f5", "f3", "f1"})
	m.Equal([]string{"c3", "c2", "c1"}, m.canvasesOf(store.CanvasesOf{}))
	m.Equal([]string{"f6", "f5", "f4", "f3", "f2", "f1"}, m.feedbackOf(store.FeedbackOf{}))
	m.Empty(m.feedbackOf(store.FeedbackOf{Canvases: []string{}}))

	for _, waiting := range []*bool{nil, new(true), new(false)} { // page by page, in ties by key
		m.act(present("tie2", at(2)), present("tie1", at(2)))
		var canvases, feedback []string
		for after, more := (*store.Position)(nil), true; more; {
			var page []*memory.Canvas
			var err error
			page, more, err = store.List(m.ctx(), m, store.CanvasesOf{Waiting: waiting}, store.Page{Limit: 2, After: after})
			m.NoError(err)
			for _, c := range page {
				canvases, after = append(canvases, c.Key), &store.Position{At: c.CreatedAt(), Key: c.Key}
			}
		}
		for after, more := (*store.Position)(nil), true; more; {
			var page []*memory.Feedback
			var err error
			page, more, err = store.List(m.ctx(), m, store.FeedbackOf{Waiting: waiting}, store.Page{Limit: 2, After: after})
			m.NoError(err)
			for _, f := range page {
				feedback, after = append(feedback, f.Key), &store.Position{At: f.CreatedAt, Key: f.Key}
			}
		}
		m.Equal(m.canvasesOf(store.CanvasesOf{Waiting: waiting}), canvases)
		m.Equal(m.feedbackOf(store.FeedbackOf{Waiting: waiting}), feedback)
	}

	m.record(episode("e2", at(8)).running("x1"))
	m.act(present("c9", at(9)))
	m.requireWait([]string{"c9", "c3", "tie1", "tie2"}, []string{"c2", "c1"}, []string{"f4"}, []string{"f6", "f5", "f3", "f2", "f1"})
	m.act(action("c2", memory.CanvasUpdate, at(0).Add(-48*time.Hour))) // before all episodes of its session
	m.requireWait([]string{"c9", "c3", "tie1", "tie2", "c2"}, []string{"c1"}, []string{"f4"}, []string{"f6", "f5", "f3", "f2", "f1"})
	m.NoError(Delete(m.ctx(), m.Store, memory.KindCanvas, "c9"))
	m.requireWait([]string{"c3", "tie1", "tie2", "c2"}, []string{"c1"}, []string{"f4"}, []string{"f6", "f5", "f3", "f2", "f1"})
	m.NoError(Delete(m.ctx(), m.Store, memory.KindEpisode, "e1")) // with its own
	m.requireWait([]string{"c3", "tie1", "tie2", "c2"}, none, []string{"f4"}, []string{"f6", "f2"})
	m.NoError(Delete(m.ctx(), m.Store, memory.KindEpisode, "e2"))
	m.requireWait([]string{"c3", "tie1", "tie2", "c2"}, none, []string{"f4"}, none)
}

func feedbackBeforeCanvas(m *tenant) {
	m.record(episode("e1", at(0)))
	m.react(thumbsUp("f1", at(2)).onCanvas("c1"), thumbsDown("f2", at(3)).onCanvas("c1").on("e1"))
	m.Nil(m.feedback("f1").CanvasKey)
	m.Nil(m.feedback("f1").EpisodeKey)
	m.Nil(m.feedback("f2").CanvasKey)
	m.Empty(m.feedbackOf(store.FeedbackOf{Canvases: []string{"c1"}}))
	m.requireHolds("e1", none, []string{"f2"})

	m.act(present("c1", at(4)).of("e1"))
	m.requireHolds("e1", []string{"c1"}, []string{"f2", "f1"})
	m.Equal(new("c1"), m.feedback("f1").CanvasKey)
	m.Equal(new("c1"), m.feedback("f2").CanvasKey)
	m.Equal([]string{"f2", "f1"}, m.feedbackOf(store.FeedbackOf{Canvases: []string{"c1"}}))
}

func effectBeforeCause(m *tenant) {
	m.record(episode("x", at(1)).causedBy("a", "b"), episode("y", at(2)).causedBy("a"))
	m.Empty(m.linked("x", memory.LinkCausedBy))
	m.record(episode("a", at(5)))
	m.Equal([]string{"a"}, m.linked("x", memory.LinkCausedBy))
	m.Equal([]string{"x", "y"}, m.linked("a", memory.LinkCauses))
	m.record(episode("b", at(3)).causedBy("x"))
	m.Equal([]string{"a", "b"}, m.linked("x", memory.LinkCausedBy))
	m.Equal([]string{"x"}, m.linked("b", memory.LinkCauses))
	m.Equal([]string{"b"}, m.linked("x", memory.LinkCauses))
}

func informedBefore(m *tenant) {
	m.record(episode("x", at(1)).informedBy("a", "b").causedBy("b"), episode("y", at(2)).informedBy("a"))
	m.Empty(m.linked("x", memory.LinkInformedBy))
	m.record(episode("a", at(5)), episode("b", at(0))) // what came later may have informed it, too
	m.Equal([]string{"a", "b"}, m.linked("x", memory.LinkInformedBy))
	m.Equal([]string{"x", "y"}, m.linked("a", memory.LinkInformed))
	m.Equal([]string{"b"}, m.linked("x", memory.LinkCausedBy))
	m.remove("a")
	m.Equal([]string{"b"}, m.linked("x", memory.LinkInformedBy))
	m.Empty(m.linked("y", memory.LinkInformedBy))
}

func informedRuns(m *tenant) {
	m.record(
		episode("memory", at(0)).seeing("walrus"), episode("other", at(0)).seeing("walrus"),
		episode("won", at(1)).informedBy("memory", "other").ending(memory.OutcomeSuccess),
		episode("lost", at(2)).informedBy("memory").ending(memory.OutcomeFailure).until(at(6)),
		episode("open", at(3)).informedBy("memory").unconcluded(),
	)
	m.react(thumbsDown("f1", at(4)).on("won"), thumbsUp("f2", at(8)).on("open"))
	informed := func(asOf *time.Time) map[string]ranking.Evidence {
		informed := map[string]ranking.Evidence{}
		for key, found := range m.hits(situation{text: "walrus", asOf: asOf}) {
			if found.Informed != (ranking.Evidence{}) {
				informed[key] = found.Informed
			}
		}
		for key, found := range m.hits(situation{asOf: asOf}) {
			m.Equal(informed[key], found.Informed)
		}
		return informed
	}
	other := ranking.Evidence{Runs: 1, Sum: 0}
	m.Equal(map[string]ranking.Evidence{"memory": {Runs: 3, Helped: 1, Sum: 0 - 1 + 1}, "other": other}, informed(nil))
	m.Equal(map[string]ranking.Evidence{"memory": {Runs: 1, Sum: 0}, "other": other}, informed(new(at(5))))
	m.Equal(map[string]ranking.Evidence{"memory": {Runs: 1, Helped: 1, Sum: 1}, "other": {Runs: 1, Helped: 1, Sum: 1}}, informed(new(at(3))))
	m.Empty(informed(new(at(0))))
	m.remove("won")
	m.Equal(map[string]ranking.Evidence{"memory": {Runs: 2, Helped: 1, Sum: 0}}, informed(nil))
}

func canvasFindsHome(m *tenant) {
	m.record(episode("e1", at(0)), episode("e2", at(0)).in("s"))
	m.act(present("c1", at(1)), present("c2", at(2)))
	m.react(thumbsUp("f1", at(3)).onCanvas("c1"), thumbsDown("f2", at(4)).onCanvas("c2"))
	m.Nil(m.canvas("c1").EpisodeKey)
	m.requireHolds("e1", none, none)
	m.act(action("c1", memory.CanvasClose, at(5)).of("e1"), action("c2", memory.CanvasClose, at(6)).in("s"))
	m.requireHolds("e1", []string{"c1"}, []string{"f1"})
	m.requireHolds("e2", []string{"c2"}, []string{"f2"})
	m.Equal(new("s"), m.canvas("c2").SessionKey)
}

func namedStaysWaiting(m *tenant) {
	m.record(episode("e1", at(0)).in("s"))
	m.act(present("c1", at(1)).in("s").of("later"))
	m.react(
		thumbsUp("f1", at(1)).in("s").on("later"), thumbsUp("f2", at(1)).in("s").running("run"),
		thumbsUp("f3", at(1)).in("s").on("later").running("other").onCanvas("c1"),
	)
	m.record(episode("e2", at(1)).in("s").running("other"))
	done, err := m.Backfill(m.ctx(), new("s"))
	m.NoError(err)
	m.Zero(done)
	m.requireHolds("e1", none, none)
	m.requireHolds("e2", none, none)

	m.record(episode("later", at(9)).running("run"))
	m.requireHolds("later", []string{"c1"}, []string{"f1", "f2", "f3"})
}

func waitingTogether(m *tenant) {
	m.act(present("c1", at(1)).of("e1"), present("c2", at(2)).in("s"))
	m.react(
		thumbsUp("f1", at(1)).on("e1"), rating("f2", 4, at(2)).running("run"), thumbsDown("f3", at(3)).onCanvas("c1"),
		thumbsUp("f4", at(4)).in("s"), thumbsDown("f5", at(5)).onCanvas("c2"),
	)
	m.record(episode("x", at(3)).causedBy("e1"))
	m.record(episode("e1", at(0)).in("s").running("run"))
	m.requireHolds("e1", []string{"c2", "c1"}, []string{"f5", "f4", "f3", "f2", "f1"})
	m.Equal(0.5, m.episode("e1").FeedbackSum)
	m.Equal([]string{"x"}, m.linked("e1", memory.LinkCauses))
}

func waitingInSession(m *tenant) {
	start := at(10)
	m.act(
		present("c1", start.Add(-time.Millisecond)).in("s"), present("c2", start).in("s"), present("c3", at(11)).in("t"),
		action("c4", memory.CanvasClose, at(12)).in("s"), present("c4", at(9)), // its time is its first action's
	)
	m.react(
		thumbsUp("f1", start.Add(-time.Millisecond)).in("s"), thumbsUp("f2", start).in("s"), thumbsUp("f3", at(99)).in("s"),
	)
	m.record(episode("e0", start))
	m.record(episode("e1", start).in("s").until(at(20)))
	m.requireHolds("e0", none, none)
	m.requireHolds("e1", []string{"c2", "c1", "c4"}, []string{"f3", "f2", "f1"})

	m.record(episode("e2", at(8)).in("s"))
	m.requireHolds("e1", []string{"c2"}, []string{"f3", "f2"})
	m.requireHolds("e2", []string{"c1", "c4"}, []string{"f1"})
	m.Nil(m.canvas("c3").EpisodeKey)
}

// waitingADay records what is just in reach of an episode, and what is not.
func waitingADay(m *tenant) {
	start := at(0).Add(48 * time.Hour)
	before := start.Add(-24 * time.Hour)
	m.act(present("c1", before.Add(-time.Millisecond)).in("s"), present("c2", before).in("s"))
	m.react(thumbsUp("f1", before.Add(-time.Millisecond)).in("s"), thumbsUp("f2", before).in("s"))
	m.record(episode("e1", start).in("s"))
	m.requireHolds("e1", []string{"c2"}, []string{"f2"})

	m.act(present("c3", before.Add(-time.Millisecond)).in("s"))
	m.react(thumbsUp("f3", before.Add(-time.Millisecond)).in("s"))
	m.requireHolds("e1", []string{"c2"}, []string{"f2"})
	m.Nil(m.canvas("c3").EpisodeKey, "also where the episode is there already")
	m.Nil(m.feedback("f3").EpisodeKey)

	m.Equal(store.Backfilled{Canvases: 2, Feedback: 2, Episodes: 1}, m.backfilled(new("s")))
	m.requireHolds("e1", []string{"c2", "c1", "c3"}, []string{"f2", "f1", "f3"})
	m.record(episode("e2", at(60*24*2-10)).in("s"))
	m.requireHolds("e1", none, none)
	m.requireHolds("e2", []string{"c2", "c1", "c3"}, []string{"f2", "f1", "f3"})
}

func shownSince(m *tenant) {
	m.act(present("c1", at(1)).in("s"))
	m.record(episode("e1", at(5)).in("s").told())
	m.act(present("c2", at(6)).in("s"))
	m.react(thumbsUp("f1", at(7)).in("s"), thumbsDown("f2", at(8)).onCanvas("c2"))
	m.requireHolds("e1", []string{"c2", "c1"}, []string{"f2", "f1"})
	m.record(episode("e2", at(9)).in("s").told())
	m.requireHolds("e1", []string{"c1"}, none)
	m.requireHolds("e2", []string{"c2"}, []string{"f2", "f1"})
	m.act(present("c5", at(14)).in("s"))
	m.react(thumbsUp("f3", at(12)).in("s"), thumbsDown("f4", at(16)).in("s"))
	m.requireHolds("e2", []string{"c5", "c2"}, []string{"f4", "f3", "f2", "f1"})
	m.record(episode("e3", at(18)).in("s").told())
	m.requireHolds("e2", []string{"c2"}, []string{"f3", "f2", "f1"}) // nothing of e3 was shown before f3
	m.requireHolds("e3", []string{"c5"}, []string{"f4"})
	m.act(present("c6", at(11)).in("s").of("e9")) // another's
	m.requireHolds("e2", []string{"c2"}, []string{"f3", "f2", "f1"})
	m.act(present("c7", at(11)).in("s").of("e3")) // it comes late
	m.requireHolds("e2", []string{"c2"}, []string{"f2", "f1"})
	m.requireHolds("e3", []string{"c5", "c7"}, []string{"f4", "f3"})
	m.record(episode("e4", at(20)).in("s").unconcluded())
	m.act(present("c3", at(21)).in("s"))
	m.record(episode("e5", at(30)).in("s").told())
	m.requireHolds("e4", []string{"c3"}, none) // it may still be under way
	m.requireHolds("e5", none, none)
}

// concludedLater is what was under way when it was recorded: what was shown since is its own, however it was concluded.
func concludedLater(m *tenant) {
	restored := episode("restored", at(90)).in("w").told()
	restored.Episode.ConcludedLater = true
	for _, way := range []struct {
		key, session string
		start        int
		record       func(d episodeDraft)
	}{
		{"concluded", "u", 10, func(d episodeDraft) {
			m.record(d.unconcluded())
			m.NoError(m.ConcludeEpisode(m.ctx(), conclusion("concluded", memory.OutcomeSuccess)))
		}},
		{"amended", "v", 50, func(d episodeDraft) {
			open := d.unconcluded()
			m.record(open)
			a := amendment("amended")
			a.Episode.StartedAt, a.Episode.EndedAt, a.WasHash = d.Episode.StartedAt, nil, hash(open)
			m.NoError(m.AmendEpisode(m.ctx(), a))
			a.WasHash, a.WasConcluded = a.InputHash, true // once more, as it is
			m.NoError(m.AmendEpisode(m.ctx(), a))
		}},
		{"restored", "w", 90, func(episodeDraft) { m.record(restored) }},
	} {
		way.record(episode(way.key, at(way.start)).in(way.session).told())
		m.True(m.episode(way.key).ConcludedLater, way.key)
		m.act(present("c-"+way.key, at(way.start+5)).in(way.session))
		m.record(episode("next-"+way.key, at(way.start+20)).in(way.session).told())
		m.requireHolds(way.key, []string{"c-" + way.key}, none)
	}
}

// endMoves concludes an episode with its end: what it holds comes to it, what was shown since goes to the next.
func endMoves(m *tenant) {
	m.record(episode("e1", at(0)).in("s").unconcluded(), episode("e2", at(10)).in("s").unconcluded(), episode("e3", at(30)).in("s").told())
	m.act(present("c1", at(5)).in("s"), present("c2", at(12)).in("s"), present("c3", at(20)).in("s"))
	m.react(thumbsUp("f1", at(13)).in("s"), thumbsDown("f2", at(21)).onCanvas("c3"), thumbsUp("f3", at(22)).in("s"))
	m.requireHolds("e1", []string{"c1"}, none)
	m.requireHolds("e2", []string{"c3", "c2"}, []string{"f3", "f2", "f1"})
	c := conclusion("e2", memory.OutcomeSuccess)
	c.EndedAt = new(at(15))
	m.NoError(m.ConcludeEpisode(m.ctx(), c))
	m.requireHolds("e2", []string{"c2"}, []string{"f1"})
	m.requireHolds("e3", []string{"c3"}, []string{"f3", "f2"})
	c = conclusion("e1", memory.OutcomeSuccess)
	c.EndedAt = new(at(25)) // holds all, but for what a later one holds
	m.NoError(m.ConcludeEpisode(m.ctx(), c))
	m.requireHolds("e1", []string{"c3", "c1"}, []string{"f3", "f2"})
	m.requireHolds("e2", []string{"c2"}, []string{"f1"})
	m.requireHolds("e3", none, none)
}

// startMoves lets an episode begin before what came to others, and to none, by its log.
func startMoves(m *tenant) {
	m.act(present("c0", at(-60*30)).in("s")) // waits
	m.record(episode("e0", at(0)).in("s").until(at(1)))
	open := episode("e1", at(10)).in("s").unconcluded().causedBy("e0")
	m.record(open)
	m.act(present("c1", at(5)).in("s"), present("c2", at(11)).in("s"))
	m.react(thumbsUp("f1", at(6)).in("s"))
	m.requireHolds("e0", []string{"c1"}, []string{"f1"})
	m.requireHolds("e1", []string{"c2"}, none)
	_, err := m.AppendEvents(m.ctx(), partOf(open, entry(0, "a", `1`)))
	m.NoError(err)
	a := amendment("e1")
	a.Episode.StartedAt, a.Episode.EndedAt, a.WasHash, a.Logged, a.Events = at(4), new(at(12)), hash(open), 1, nil
	m.NoError(m.AmendEpisode(m.ctx(), a))
	m.requireHolds("e0", none, none)
	m.requireHolds("e1", []string{"c2", "c1"}, []string{"f1"})

	early := episode("early", at(-60*2)).in("s").unconcluded()
	m.record(early)
	m.requireHolds("early", none, none)
	_, err = m.AppendEvents(m.ctx(), partOf(early, entry(0, "a", `1`)))
	m.NoError(err)
	a = amendment("early")
	a.Episode.StartedAt, a.Episode.EndedAt, a.WasHash, a.Logged, a.Events = at(-60*20), nil, hash(early), 1, nil
	m.NoError(m.AmendEpisode(m.ctx(), a))
	m.requireHolds("early", []string{"c0"}, none)
}

func dateBack(m *tenant) {
	m.record(episode("e1", at(0)).in("s"), episode("e2", at(10)).in("s"))
	m.act(action("c1", memory.CanvasClose, at(11)).in("s"))
	m.react(thumbsUp("f1", at(12)).onCanvas("c1"))
	m.requireHolds("e2", []string{"c1"}, []string{"f1"})
	m.act(present("c1", at(3)))
	m.requireHolds("e1", []string{"c1"}, []string{"f1"})
	m.requireHolds("e2", none, none)
	m.act(action("c1", memory.CanvasUpdate, at(0).Add(-25*time.Hour)))
	m.requireHolds("e1", none, none)
	m.Nil(m.canvas("c1").EpisodeKey)
	m.Nil(m.feedback("f1").EpisodeKey)
}

// sessionOfFour records a session in which the rule has to choose.
func sessionOfFour(m *tenant) {
	m.t.Helper()
	m.record(
		episode("outer", at(0)).in("s").until(at(10)), episode("inner", at(5)).in("s").until(at(8)),
		episode("open", at(20)).in("s"), episode("twin", at(5)).in("s").until(at(7)),
		episode("stranger", at(1)).in("t").until(at(100)),
	)
}

// sessionChoices says to which episode of sessionOfFour a time belongs.
var sessionChoices = []struct {
	name string
	when time.Time
	want string
}{
	{"held by one", at(3), "outer"},
	{"held from its first instant", at(0), "outer"},
	{"held to its last instant", at(10), "outer"},
	{"held by several, the latest started", at(8), "inner"},
	{"held by two that started together, the first by key", at(6), "inner"},
	{"after its end by a millisecond", at(10).Add(time.Millisecond), "inner"},
	{"held by none, the latest started", at(15), "inner"},
	{"an open end holds nothing but counts as started", at(25), "open"},
	{"before all, the first", at(0).Add(-time.Millisecond), "outer"},
	{"long before all, the first", at(-1000), "outer"},
}
