package storetest

import (
	"testing"
	"time"

	"mneme/memory"
	"mneme/store"
)

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

func (s suite) backfill(t *testing.T) {
	s.run(t, "the rule chooses for feedback when it is recorded", func(m *tenant) {
		sessionOfFour(m)
		for _, test := range sessionChoices {
			m.react(thumbsUp(test.name, test.when).in("s"))
			m.Equal(new(test.want), m.feedback(test.name).EpisodeKey, test.name)
		}
	})
	s.run(t, "the rule chooses for canvases when they are recorded", func(m *tenant) {
		sessionOfFour(m)
		for _, test := range sessionChoices {
			m.act(present(test.name, test.when).in("s"))
			m.Equal(new(test.want), m.canvas(test.name).EpisodeKey, test.name)
		}
	})
	s.run(t, "earlier records of a session are linked to its first episode", backfillEarlier)
	s.run(t, "without a session all are looked at", backfillAll)
	s.run(t, "feedback on a canvas that is linked comes with it", func(m *tenant) {
		m.act(present("c1", at(1)).in("s"))
		m.react(thumbsUp("f1", at(2)).onCanvas("c1"))
		m.record(episode("e1", at(5)).in("s"))
		m.Equal(store.Backfilled{Canvases: 1, Feedback: 1, Episodes: 1}, m.backfilled(new("s")))
		m.requireHolds("e1", []string{"c1"}, []string{"f1"})
	})
	s.run(t, "a session without an episode stays as it is", func(m *tenant) {
		m.act(present("c1", at(1)).in("s"))
		m.react(thumbsUp("f1", at(2)).in("s"))
		m.record(episode("e1", at(0)))
		m.Zero(m.backfilled(new("s")))
		m.Zero(m.backfilled(nil))
		m.Zero(m.backfilled(new("unknown")))
		m.Nil(m.canvas("c1").EpisodeKey)
		m.Nil(m.feedback("f1").EpisodeKey)
	})
	s.run(t, "the time of a canvas is its first action's", func(m *tenant) {
		m.record(episode("e1", at(0)).in("s").until(at(4)), episode("e2", at(5)).in("s").until(at(9)))
		m.act(action("c1", memory.CanvasClose, at(7)), present("c1", at(2)))
		m.act(action("c1", memory.CanvasUpdate, at(8)).in("s"))
		m.requireHolds("e1", []string{"c1"}, none)
	})
}

// backfilled runs a backfill.
func (m *tenant) backfilled(session *string) store.Backfilled {
	m.t.Helper()
	done, err := m.Backfill(m.ctx(), session)
	m.NoError(err)
	return done
}

func backfillEarlier(m *tenant) {
	m.act(present("c1", at(1)).in("s"), present("c2", at(2)).in("t"), present("c3", at(3)))
	m.react(thumbsUp("f1", at(1)).in("s"), thumbsUp("f2", at(2)).in("s"), thumbsUp("f3", at(3)).in("t"))
	m.record(episode("e2", at(9)).in("s"), episode("e1", at(5)).in("s"), episode("e3", at(9)).in("t"))
	for _, key := range []string{"e1", "e2", "e3"} {
		m.requireHolds(key, none, none)
	}
	m.Equal(store.Backfilled{Canvases: 1, Feedback: 2, Episodes: 1}, m.backfilled(new("s")))
	m.requireHolds("e1", []string{"c1"}, []string{"f2", "f1"})
	m.requireHolds("e2", none, none)
	m.requireHolds("e3", none, none)
	m.Nil(m.canvas("c3").EpisodeKey)
	m.Zero(m.backfilled(new("s")), "there is nothing left to do")
}

func backfillAll(m *tenant) {
	m.act(present("c1", at(1)).in("s"), present("c2", at(2)).in("t"), present("c3", at(2)).in("u"))
	m.react(thumbsDown("f1", at(1)).in("t"), thumbsUp("f2", at(1)).on("unknown").in("t"))
	m.record(episode("e1", at(5)).in("s"), episode("e2", at(5)).in("t"))
	m.Equal(store.Backfilled{Canvases: 2, Feedback: 1, Episodes: 2}, m.backfilled(nil))
	m.requireHolds("e1", []string{"c1"}, none)
	m.requireHolds("e2", []string{"c2"}, []string{"f1"})
	m.Nil(m.canvas("c3").EpisodeKey)
	m.Nil(m.feedback("f2").EpisodeKey)
	m.Zero(m.backfilled(nil))
}
