package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

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
	s.run(t, "an episode takes as much as a write may decide on, and a backfill gives it the rest in parts", backfillMuch)
	s.run(t, "feedback on a canvas that is linked comes with it", func(m *tenant) {
		m.act(present("c1", at(1)).in("s"))
		m.react(thumbsUp("f1", at(2)).onCanvas("c1"))
		m.record(episode("e1", daysLater(at(5))).in("s"))
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

// daysLater is out of the reach of what came before.
func daysLater(when time.Time) time.Time { return when.Add(48 * time.Hour) }

func backfillEarlier(m *tenant) {
	m.act(present("c1", at(1)).in("s"), present("c2", at(2)).in("t"), present("c3", at(3)))
	m.react(thumbsUp("f1", at(1)).in("s"), thumbsUp("f2", at(2)).in("s"), thumbsUp("f3", at(3)).in("t"))
	m.record(episode("e2", daysLater(at(9))).in("s"), episode("e1", daysLater(at(5))).in("s"), episode("e3", daysLater(at(9))).in("t"))
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
	m.record(episode("e1", daysLater(at(5))).in("s"), episode("e2", daysLater(at(5))).in("t"))
	m.Equal(store.Backfilled{Canvases: 2, Feedback: 1, Episodes: 2}, m.backfilled(nil))
	m.requireHolds("e1", []string{"c1"}, none)
	m.requireHolds("e2", []string{"c2"}, []string{"f1"})
	m.Nil(m.canvas("c3").EpisodeKey)
	m.Nil(m.feedback("f2").EpisodeKey)
	m.Zero(m.backfilled(nil))
}

func backfillMuch(m *tenant) {
	const late, inReach = linking.LinkedTogether + 50, linking.MaxReassigned + 150
	start := daysLater(at(0))
	var shown []actionDraft
	for i := range late + inReach {
		when := at(0).Add(time.Duration(i) * time.Millisecond)
		if i >= late {
			when = start.Add(-time.Hour + time.Duration(i)*time.Millisecond)
		}
		shown = append(shown, present(fmt.Sprintf("c%04d", i), when).in("s"))
	}
	for part := range slices.Chunk(shown, 500) {
		m.act(part...)
	}
	m.react(thumbsUp("f1", at(1)).in("s"), thumbsUp("f2", at(1)).onCanvas("c0000"))
	m.record(episode("e1", start).in("s").told())
	m.Equal(linking.MaxReassigned, m.episode("e1").CanvasActionCount)
	m.Nil(m.canvas(shown[len(shown)-1].Canvas).EpisodeKey, "the earliest come first")
	m.Nil(m.canvas(shown[late-1].Canvas).EpisodeKey)
	m.Equal(store.Backfilled{Canvases: late + inReach - linking.MaxReassigned, Feedback: 2, Episodes: 1}, m.backfilled(nil))
	m.Equal(late+inReach, m.episode("e1").CanvasActionCount)
	m.Equal(new("e1"), m.canvas("c0000").EpisodeKey)
	m.Equal(2, m.episode("e1").FeedbackCount)
	m.Zero(m.backfilled(nil))
}
