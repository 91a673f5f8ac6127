package storetest

import (
	"testing"
	"time"

	"mneme/memory"
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
	s.run(t, "a canvas without a home gets one by a later action", canvasFindsHome)
	s.run(t, "what names an episode does not go to another of its session", namedStaysWaiting)
	s.run(t, "everything that waits comes with one record", waitingTogether)
	s.run(t, "records of a session that are no older than its first episode come with it", waitingInSession)
	s.run(t, "a batch links as single records would", func(m *tenant) {
		m.react(thumbsUp("f1", at(5)).in("s"))
		m.record(episode("e1", at(1)).in("s"), episode("e2", at(4)).in("s"))
		m.requireHolds("e1", none, []string{"f1"})
		m.requireHolds("e2", none, none)
	})
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
	m.Empty(m.linked("x", store.LinkCausedBy))
	m.record(episode("a", at(5)))
	m.Equal([]string{"a"}, m.linked("x", store.LinkCausedBy))
	m.Equal([]string{"x", "y"}, m.linked("a", store.LinkCauses))
	m.record(episode("b", at(3)).causedBy("x"))
	m.Equal([]string{"a", "b"}, m.linked("x", store.LinkCausedBy))
	m.Equal([]string{"x"}, m.linked("b", store.LinkCauses))
	m.Equal([]string{"b"}, m.linked("x", store.LinkCauses))
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
	m.Equal([]string{"x"}, m.linked("e1", store.LinkCauses))
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
	m.requireHolds("e1", []string{"c2"}, []string{"f3", "f2"})

	m.record(episode("e2", at(8)).in("s"))
	m.requireHolds("e1", []string{"c2"}, []string{"f3", "f2"})
	m.requireHolds("e2", []string{"c1", "c4"}, []string{"f1"})
	m.Nil(m.canvas("c3").EpisodeKey)
}
