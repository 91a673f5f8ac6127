package storetest

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) concurrency(t *testing.T) {
	s.run(t, "64 writers of feedback leave the exact sum and count", manyReactions)
	s.run(t, "8 writers make one agent, one session and one canvas", oneOfEach)
	s.run(t, "the same record is created once", createdOnce)
	s.run(t, "of records with one key and other content one is created", createdOneOf)
	s.run(t, "an episode is concluded once", concludedOnce)
	s.run(t, "whatever arrives together with its episode is linked", linkedTogether)
	s.run(t, "an effect that arrives together with its cause is linked", causedTogether)
	s.run(t, "backfills at once link each record once", backfilledTogether)
	s.run(t, "a delete leaves no half of what arrives with it", deletedTogether)
	s.run(t, "readers see whole writes", readWhileWriting)
}

// together runs a function n times at once and requires that none fails.
func (m *tenant) together(n int, act func(i int) error) {
	m.t.Helper()
	faults := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { faults[i] = act(i) })
	}
	group.Wait()
	m.NoError(errors.Join(faults...))
}

// fault joins the fault of a batch and those of its items.
func fault(recorded []store.Recorded, err error) error {
	for _, r := range recorded {
		err = errors.Join(err, r.Err)
	}
	return err
}

func (m *tenant) recordErr(d episodeDraft) error {
	return fault(store.Record(m.ctx(), m, episodeRecords([]episodeDraft{d})))
}

func (m *tenant) actErr(d actionDraft) error {
	return fault(store.Record(m.ctx(), m, actionRecords([]actionDraft{d})))
}

func (m *tenant) reactErr(d feedbackDraft) error {
	return fault(store.Record(m.ctx(), m, feedbackRecords([]feedbackDraft{d})))
}

func manyReactions(m *tenant) {
	m.record(episode("e1", at(0)), episode("e2", at(0)))
	const writers = 64
	m.together(writers, func(i int) error {
		return m.reactErr(rating(fmt.Sprintf("f%02d", i), 1+i%5, at(i)).on("e1"))
	})
	sum := 0.0
	for i := range writers {
		sum += float64(i%5-2) / 2
	}
	e := m.episode("e1", store.WithFeedback)
	m.Equal(writers, e.FeedbackCount)
	m.Equal(sum, e.FeedbackSum)
	m.Len(e.Context.Feedback, writers)
	m.Zero(m.episode("e2").FeedbackCount)
}

func oneOfEach(m *tenant) {
	const writers = 8
	m.together(writers, func(i int) error {
		return errors.Join(
			m.recordErr(episode(fmt.Sprintf("e%d", i), at(i)).in("s").by("ada")),
			m.actErr(present("c1", at(i)).of("e0").in("s")),
		)
	})
	agents, _, err := store.List(m.ctx(), m, store.AllAgents{}, everything)
	m.NoError(err)
	m.Equal([]*memory.Agent{{Key: "ada", Name: "ada"}}, agents)
	m.True(m.hasSession("s"))
	m.Len(m.listed(store.EpisodeFilter{Session: new("s"), Agent: new("ada")}, memory.NewestFirst), writers)
	m.requireHolds("e0", []string{"c1"}, none)
	m.Equal(writers, m.episode("e0").CanvasActionCount)
	m.Equal([]string{"c1"}, m.canvasesOf(store.CanvasesOf{Agent: new("ada")}))
}

func createdOnce(m *tenant) {
	var created atomic.Int32
	m.together(8, func(int) error {
		recorded, err := store.Record(m.ctx(), m, episodeRecords([]episodeDraft{fullEpisode("e1")}))
		if err == nil && recorded[0].Created {
			created.Add(1)
		}
		return fault(recorded, err)
	})
	m.EqualValues(1, created.Load())
	m.Equal(readBack(fullEpisode("e1")), m.episode("e1"))
	m.Equal(2, m.count(store.Count(m.ctx(), m, store.EventsOf{Episode: "e1"})))
}

func createdOneOf(m *tenant) {
	var created, conflicts atomic.Int32
	var winner atomic.Pointer[string]
	m.together(8, func(i int) error {
		d := episode("e1", at(0)).titled(fmt.Sprint(i)).by(fmt.Sprint(i))
		switch err := m.recordErr(d); {
		case err == nil:
			created.Add(1)
			winner.Store(&d.Episode.Title)
		case errors.Is(err, store.ErrConflict):
			conflicts.Add(1)
		default:
			return err
		}
		return nil
	})
	m.EqualValues(1, created.Load())
	m.EqualValues(7, conflicts.Load())
	m.Equal(*winner.Load(), m.episode("e1").Title)
	m.Equal(1, m.count(store.Count(m.ctx(), m, store.AllAgents{})), "a conflict changes nothing")
}

func concludedOnce(m *tenant) {
	m.record(episode("e1", at(0)).unconcluded())
	var done atomic.Int32
	var winner atomic.Pointer[string]
	m.together(8, func(i int) error {
		c := conclusion("e1", memory.OutcomeFailure)
		c.Result = new(fmt.Sprint(i))
		err := m.ConcludeEpisode(m.ctx(), c)
		if errors.Is(err, store.ErrConflict) {
			return nil
		}
		done.Add(1)
		winner.Store(c.Result)
		return err
	})
	m.EqualValues(1, done.Load())
	m.Equal(winner.Load(), m.episode("e1").Result)
}

// linkedTogether races an episode against all that can wait for it.
func linkedTogether(m *tenant) {
	for round := range 6 {
		name := func(kind string) string { return fmt.Sprintf("%s%d", kind, round) }
		e, c, run, session := name("e"), name("c"), name("run"), name("s")
		writes := []func() error{
			func() error { return m.recordErr(episode(e, at(0)).in(session).running(run)) },
			func() error { return m.actErr(present(c, at(1)).of(e)) },
			func() error { return m.actErr(present(name("in session"), at(2)).in(session)) },
			func() error { return m.reactErr(thumbsUp(name("by key"), at(3)).on(e)) },
			func() error { return m.reactErr(thumbsUp(name("by run"), at(4)).running(run)) },
			func() error { return m.reactErr(thumbsUp(name("by canvas"), at(5)).onCanvas(c)) },
			func() error { return m.reactErr(thumbsUp(name("by session"), at(6)).in(session)) },
		}
		m.together(len(writes), func(i int) error { return writes[(i+round)%len(writes)]() })
		m.requireHolds(e, []string{name("in session"), c}, []string{name("by session"), name("by canvas"), name("by run"), name("by key")})
	}
}

func causedTogether(m *tenant) {
	for round := range 6 {
		cause, effect := fmt.Sprintf("cause%d", round), fmt.Sprintf("effect%d", round)
		m.together(2, func(i int) error {
			if (i+round)%2 == 0 {
				return m.recordErr(episode(cause, at(0)))
			}
			return m.recordErr(episode(effect, at(1)).causedBy(cause))
		})
		m.Equal([]string{cause}, m.linked(effect, memory.LinkCausedBy))
	}
}

func backfilledTogether(m *tenant) {
	const waiting = 10
	for i := range waiting {
		m.react(thumbsUp(fmt.Sprintf("f%d", i), at(i)).in("s"))
		m.act(present(fmt.Sprintf("c%d", i), at(i)).in("s"))
	}
	m.record(episode("e1", daysLater(at(60))).in("s"))
	var canvases, feedback atomic.Int64
	m.together(4, func(int) error {
		done, err := m.Backfill(m.ctx(), nil)
		canvases.Add(int64(done.Canvases))
		feedback.Add(int64(done.Feedback))
		return err
	})
	m.EqualValues(waiting, canvases.Load())
	m.EqualValues(waiting, feedback.Load())
	e := m.episode("e1")
	m.Equal(waiting, e.CanvasActionCount)
	m.Equal(waiting, e.FeedbackCount)
}

// deletedTogether races a delete against feedback: each either went with the episode or waits for it.
func deletedTogether(m *tenant) {
	m.record(episode("e1", at(0)))
	const writers = 12
	m.together(writers+1, func(i int) error {
		if i == writers/2 {
			return Delete(m.ctx(), m, memory.KindEpisode, "e1")
		}
		return m.reactErr(thumbsUp(fmt.Sprintf("f%02d", i), at(i)).on("e1"))
	})
	m.Nil(m.find("e1", 0, nil))
	left := []string{}
	for i := writers; i >= 0; i-- {
		key := fmt.Sprintf("f%02d", i)
		found, err := store.Get[memory.Feedback](m.ctx(), m, []string{key})
		m.NoError(err)
		if found[0] != nil {
			m.Nil(found[0].EpisodeKey, "nothing belongs to a deleted episode")
			left = append(left, key)
		}
	}
	m.record(episode("e1", at(0)))
	m.requireHolds("e1", none, left)
}

// readWhileWriting reads an episode whose feedback is all +1 while it is written.
func readWhileWriting(m *tenant) {
	m.record(episode("e1", at(0)))
	const writers = 16
	m.together(2*writers, func(i int) error {
		if i < writers {
			return m.reactErr(thumbsUp(fmt.Sprintf("f%02d", i), at(i)).on("e1"))
		}
		found, err := m.Episodes(m.ctx(), store.EpisodesByKey{Keys: []string{"e1"}})
		if err != nil {
			return err
		}
		if e := found[0]; e == nil || e.FeedbackSum != float64(e.FeedbackCount) {
			return fmt.Errorf("half a write: %+v", e)
		}
		return nil
	})
	m.Equal(writers, m.episode("e1").FeedbackCount)
}
