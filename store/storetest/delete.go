package storetest

import (
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) deletes(t *testing.T) {
	s.run(t, "nothing of it is found any more", deleteLeavesNothing)
	s.run(t, "an unknown episode is not found", func(m *tenant) {
		m.record(episode("e1", at(0)))
		m.ErrorIs(Delete(m.ctx(), m, memory.KindEpisode, "E1"), store.ErrNotFound)
		m.remove("e1")
		m.ErrorIs(Delete(m.ctx(), m, memory.KindEpisode, "e1"), store.ErrNotFound)
	})
	s.run(t, "the agent stays", func(m *tenant) {
		m.record(episode("e1", at(0)).named("Ada").doing("task"))
		m.remove("e1")
		m.Equal("Ada", m.agent("agent").Name)
		m.Equal(1, m.count(store.Count(m.ctx(), m, store.AllAgents{})))
		m.Empty(m.taskTypes("agent"))
	})
	s.run(t, "a session goes with the last that is in it", deleteSession)
	s.run(t, "a neighbour closes the gap", func(m *tenant) {
		m.record(episode("a", at(1)).in("s"), episode("b", at(2)).in("s"), episode("c", at(3)).in("s"))
		m.remove("b")
		m.Equal([]string{"c"}, m.linked("a", memory.LinkNext))
		m.Equal([]string{"a"}, m.linked("c", memory.LinkPrevious))
	})
	s.run(t, "what it caused stays, without the link", deleteCause)
	s.run(t, "its own causes and what it waited for are forgotten", deleteEffect)
	s.run(t, "others keep what is theirs", deleteKeepsOthers)
	s.run(t, "feedback of another episode on its canvas stays", deleteCanvasOfOthersFeedback)
	s.run(t, "feedback that names it afterwards waits", func(m *tenant) {
		m.record(episode("e1", at(0)).running("run"))
		m.remove("e1")
		m.react(thumbsUp("f1", at(1)).on("e1"), thumbsUp("f2", at(1)).running("run"))
		m.Nil(m.feedback("f1").EpisodeKey)
		m.Nil(m.feedback("f2").EpisodeKey)
		m.record(episode("e1", at(0)))
		m.requireHolds("e1", none, []string{"f1"})
	})
	s.run(t, "its keys are free again", deleteFreesKeys)
}

func deleteLeavesNothing(m *tenant) {
	m.record(fullEpisode("e1").in("s").seeing("walrus"))
	m.act(present("c1", at(1)).of("e1"), present("c2", at(1)).in("s"))
	m.react(thumbsUp("f1", at(2)).onCanvas("c1"), thumbsUp("f2", at(2)).running("run-1"), thumbsUp("f3", at(2)).in("s"))
	m.requireHolds("e1", []string{"c1", "c2"}, []string{"f1", "f2", "f3"})
	m.remove("e1")

	m.Nil(m.find("e1", store.WithCanvases|store.WithFeedback, nil))
	m.Nil(m.find("e1", 0, new(at(100))))
	for _, order := range []memory.EpisodeOrder{memory.NewestFirst, memory.OldestFirst, memory.BestFeedbackFirst} {
		m.Empty(m.listed(store.EpisodeFilter{}, order))
	}
	m.Zero(m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "e1"})))
	canvases, err := store.Get[memory.Canvas](m.ctx(), m, []string{"c1", "c2"})
	m.NoError(err)
	m.Equal([]*memory.Canvas{nil, nil}, canvases)
	feedback, err := store.Get[memory.Feedback](m.ctx(), m, []string{"f1", "f2", "f3"})
	m.NoError(err)
	m.Equal([]*memory.Feedback{nil, nil, nil}, feedback)
	m.Empty(m.canvasesOf(store.CanvasesOf{Episode: new("e1")}))
	m.Empty(m.canvasesOf(store.CanvasesOf{Agent: new("agent")}))
	m.Empty(m.feedbackOf(store.FeedbackOf{Episode: new("e1")}))
	m.Empty(m.feedbackOf(store.FeedbackOf{Canvases: []string{"c1", "c2"}}))
	m.False(m.hasSession("s"))
	for _, by := range []situation{{}, {text: "walrus"}, {text: "walrus", embedding: []float32{1, 2, 3}}} {
		m.Empty(m.hits(by))
	}
	m.Zero(m.backfilled(nil))
}

func deleteSession(m *tenant) {
	m.record(
		episode("e1", at(0)).in("with episode"), episode("e2", at(0)).in("with episode"),
		episode("e3", at(0)).in("with canvas"), episode("e4", at(0)).in("with feedback"), episode("e5", at(0)).in("alone"),
	)
	m.act(present("c1", at(1)).in("with canvas").of("elsewhere"), present("c2", at(1)).of("e5").in("of its canvas"))
	m.react(thumbsUp("f1", at(1)).in("with feedback").on("elsewhere"), thumbsUp("f2", at(1)).on("e5").in("of its feedback"))
	for _, key := range []string{"e1", "e3", "e4", "e5"} {
		m.remove(key)
	}
	for _, session := range []string{"with episode", "with canvas", "with feedback"} {
		m.True(m.hasSession(session), session)
	}
	for _, session := range []string{"alone", "of its canvas", "of its feedback"} {
		m.False(m.hasSession(session), session)
	}
	m.remove("e2")
	m.False(m.hasSession("with episode"))
}

func deleteCause(m *tenant) {
	m.record(episode("cause", at(0)), episode("other", at(0)), episode("effect", at(1)).causedBy("cause", "other"))
	m.remove("cause")
	m.Equal([]string{"other"}, m.linked("effect", memory.LinkCausedBy))
	m.record(episode("cause", at(0)))
	m.Equal([]string{"other"}, m.linked("effect", memory.LinkCausedBy))
	m.Empty(m.linked("cause", memory.LinkCauses))
}

func deleteEffect(m *tenant) {
	m.record(episode("cause", at(0)), episode("effect", at(1)).causedBy("cause", "later"))
	m.remove("effect")
	m.Empty(m.linked("cause", memory.LinkCauses))
	m.record(episode("effect", at(1)))
	m.record(episode("later", at(2)))
	m.Empty(m.linked("effect", memory.LinkCausedBy))
	m.Empty(m.linked("later", memory.LinkCauses))
}

func deleteKeepsOthers(m *tenant) {
	m.record(episode("e1", at(0)).in("s"), episode("e2", at(1)).in("s").logging(entry(0, "x", "1")))
	m.act(present("c1", at(0)).of("e1"), present("c2", at(1)).of("e2"), present("c3", at(1)).of("e3"))
	m.react(
		thumbsUp("f1", at(0)).on("e1"), thumbsDown("f2", at(1)).on("e2"), thumbsUp("f3", at(2)).onCanvas("c2"),
		thumbsUp("f4", at(3)).on("e3"), thumbsUp("f5", at(3)).onCanvas("c2").on("e1"),
	)
	m.remove("e1")
	m.requireHolds("e2", []string{"c2"}, []string{"f3", "f2"})
	m.Equal([]string{"f3"}, m.feedbackOf(store.FeedbackOf{Canvases: []string{"c1", "c2"}}))
	m.Equal(1, m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "e2"})))
	m.record(episode("e3", at(2)))
	m.requireHolds("e3", []string{"c3"}, []string{"f4"})
}

func deleteCanvasOfOthersFeedback(m *tenant) {
	m.record(episode("e1", at(0)), episode("e2", at(0)))
	m.act(present("c1", at(1)).of("e1"))
	m.react(rating("f1", 4, at(2)).onCanvas("c1").on("e2"))
	m.remove("e1")
	m.requireHolds("e2", none, []string{"f1"})
	m.Nil(m.feedback("f1").CanvasKey)
	m.Empty(m.feedbackOf(store.FeedbackOf{Canvases: []string{"c1"}}))

	m.record(episode("e3", at(3)))
	m.act(present("c1", at(4)).of("e3"))
	m.Equal(new("c1"), m.feedback("f1").CanvasKey, "a canvas of that key is its canvas again")
	m.Equal([]string{"f1"}, m.feedbackOf(store.FeedbackOf{Canvases: []string{"c1"}}))
	m.requireHolds("e2", none, []string{"f1"})
	m.requireHolds("e3", []string{"c1"}, none)
}

func deleteFreesKeys(m *tenant) {
	m.record(fullEpisode("e1"))
	m.act(present("c1", at(1)).of("e1").id("a1"))
	m.react(thumbsUp("f1", at(2)).on("e1"))
	m.remove("e1")

	again := episode("e1", at(3)).in("elsewhere").running("run-1")
	m.record(again)
	m.Equal(readBack(again), m.episode("e1"))
	m.requireHolds("e1", none, none)
	m.Zero(m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "e1"})))
	m.act(present("c1", at(4)).of("e1").id("a1").typed("other").component("x"))
	m.react(rating("f1", 1, at(5)).running("run-1"))
	m.requireHolds("e1", []string{"c1"}, []string{"f1"})
	m.remove("e1")
	m.record(fullEpisode("e1"))
	m.Equal(readBack(fullEpisode("e1")), m.episode("e1"))
	m.Equal(2, m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "e1"})))
}
