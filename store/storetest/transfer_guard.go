package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"mneme/memory"
	"mneme/memory/consolidation"
	"mneme/store"
)

// guards are tests of what is written that is no client's own new record, beside what is deleted for good.
func (s suite) guards(t *testing.T) {
	s.run(t, "what was deleted does not come back by any record that is restored", guardedRecords)
	s.run(t, "a guarded item asks for the tombstones that it names, and for no others", guardedByOthers)
	s.run(t, "what is of a record that was kept out is kept out too", keptOutWithIt)
	s.run(t, "an agent that is restored takes its name only where it is told to", renamedAgent)
	s.run(t, "restores beside a deletion bring nothing back", restoredBesideDeletion)
	s.run(t, "traces that are finished beside a deletion bring nothing back", finishedBesideDeletion)
	s.run(t, "restores beside the deletion of a person bring nothing back", personBesideRestores)
	s.run(t, "a deletion ends beside a writer that does not, whose records stay", deletionBesideWriter)
	s.run(t, "what one episode owns goes with it, however much", richEpisode)
	s.run(t, "what a person said goes, however much", eloquentPerson)
}

// walrus is what there is of an agent, as it is restored.
func walrus() (records []store.Item) {
	e := episodeRecords([]episodeDraft{episode("walrus-e", at(0)).by("walrus")})[0]
	a := actionRecords([]actionDraft{present("walrus-c", at(1)).of("walrus-e")})[0]
	f := feedbackRecords([]feedbackDraft{thumbsUp("walrus-f", at(1)).on("walrus-e")})[0]
	x := execution("walrus-x", at(1)).by("walrus").ExecutionRecord
	return []store.Item{&e, &a, &f, &x}
}

func guardedRecords(m *tenant) {
	for _, r := range m.restored(false, walrus()...) {
		m.NoError(r.Err)
		m.True(r.Created)
	}
	m.deleteAgent("walrus", 1)
	for i, r := range m.restored(false, walrus()...) {
		m.ErrorIs(r.Err, store.ErrForgotten, i)
		m.False(r.Created)
	}
	m.requireNoTrace("walrus")
	_, err := m.Delete(m.ctx(), memory.KindPerson, []string{"eve"})
	m.NoError(err)
	judgedTenantOf(m).rule(verdict("v", "r", "s", at(0)))
	label := &store.VerdictLabel{Verdict: "v", Approve: true, LabelledBy: new("eve")}
	m.ErrorIs(m.restored(false, label)[0].Err, store.ErrForgotten)
	m.Nil(judgedTenantOf(m).verdict("v").Label)
	m.ErrorIs(m.restored(false, &store.VerdictLabel{Verdict: "unknown"})[0].Err, store.ErrNotFound)
	m.NoError(m.restored(true, label)[0].Err)
	m.Equal(new("eve"), judgedTenantOf(m).verdict("v").LabelledBy)
	m.forgotten([]string{"person:eve", "agent:walrus"}, false, true)

	m.record(episode("walrus-e", at(0)).by("walrus"))
	m.act(present("walrus-c", at(1)).of("walrus-e"))
	more := action("walrus-c", memory.CanvasClose, at(2)).CanvasActionRecord
	m.ErrorIs(m.restored(false, &more)[0].Err, store.ErrForgotten, "what is recorded anew gets nothing of what was")
	for _, r := range m.restored(true, walrus()...) {
		m.NoError(r.Err)
	}
	m.forgotten([]string{"agent:walrus", "episode:walrus-e", "canvas:walrus-c", "feedback:walrus-f"}, false, false, false, false)
}

func guardedByOthers(m *tenant) {
	m.record(episode("e1", at(0)).by("walrus"))
	m.deleteAgent("walrus", 1)
	again := episode("e2", at(0)).by("walrus").EpisodeRecord
	sum := observation(consolidation.KeyPrefix("walrus")+"x", at(1)).about("episode:e1").ObservationRecord
	recorded := m.restored(false,
		&store.Guarded{Item: &again, Unless: []string{"episode:e2"}}, &store.Guarded{Item: &sum, Unless: []string{"episode:e2", "episode:e1"}})
	m.NoError(recorded[0].Err)
	m.True(recorded[0].Created)
	m.Equal("episode:e2", recorded[0].Key)
	m.ErrorIs(recorded[1].Err, store.ErrForgotten)
	m.Equal([]string{"agent:walrus", "episode:e2"}, names(m.exported()))
	m.ErrorIs(m.restored(false, &store.Guarded{Item: &again, Unless: []string{"agent:walrus"}})[0].Err, store.ErrForgotten, "there or not")
}

// keptOutWithIt restores what was never here, of an agent that was deleted.
func keptOutWithIt(m *tenant) {
	m.NoError(nameAgent(m.ctx(), m, memory.Agent{Key: "walrus", Name: "Walrus"}))
	m.deleteAgent("walrus", 0)
	onCanvas := feedbackRecords([]feedbackDraft{thumbsUp("walrus-g", at(2)).onCanvas("walrus-c")})[0]
	span := &store.SpanItem{HeldSpan: said("walrus-t", "b", "a", "walrus", ""), ArrivedAt: at(0)}
	rest := &store.SpanItem{HeldSpan: held("walrus-t", "c", "a"), ArrivedAt: at(0)}
	for i, r := range m.restored(false, append(walrus(), &onCanvas, span, rest)...) {
		m.ErrorIs(r.Err, store.ErrForgotten, i)
	}
	m.requireNoTrace("walrus")
	m.forgotten([]string{"episode:walrus-e", "canvas:walrus-c", "episode:walrus-t"}, true, true, true)
	m.record(episode("walrus-e", at(0)))
	m.NotNil(m.episode("walrus-e"))
}

func renamedAgent(m *tenant) {
	item := &store.AgentItem{Agent: memory.Agent{Key: "a", Name: "First"}}
	m.True(m.restored(false, item)[0].Created)
	item = &store.AgentItem{Agent: memory.Agent{Key: "a", Name: "Second"}}
	m.False(m.restored(false, item)[0].Created)
	m.Equal("First", m.agent("a").Name)
	item.Rename = true
	m.False(m.restored(false, item)[0].Created)
	m.Equal("Second", m.agent("a").Name)
}

// restoredBesideDeletion restores an agent from several sides while it is deleted, again and again.
func restoredBesideDeletion(m *tenant) {
	m.NoError(errorOf(m.InputKey(m.ctx())))
	m.besideDeletion(func(agent string, i int) error {
		e := episode(fmt.Sprintf("%s-%d", agent, i), at(i)).by(agent).doing("refund").EpisodeRecord
		a := present(fmt.Sprintf("%s-c%d", agent, i), at(i)).of(fmt.Sprintf("%s-%d", agent, i)).CanvasActionRecord
		x := execution(fmt.Sprintf("%s-x%d", agent, i), at(i)).by(agent).ExecutionRecord
		return m.restoreErr(&e, &a, &x)
	})
	m.Empty(names(m.exported()), "nothing is back")
}

// finishedBesideDeletion lets several make episodes of held spans while the agent that these name is deleted.
func finishedBesideDeletion(m *tenant) {
	const rounds, finishers, traces = 3, 3, 6
	for round := range rounds {
		agent := fmt.Sprintf("walrus%d", round)
		var keys []string
		for i := range traces {
			keys = append(keys, fmt.Sprintf("%s-%d", agent, i))
			m.hold(at(i), said(keys[i], "a", "", agent, ""))
		}
		m.together(finishers+1, func(w int) error {
			if w == finishers {
				_, err := m.Delete(m.ctx(), memory.KindAgent, []string{agent})
				return err
			}
			for _, trace := range keys {
				held, err := heldSpans(m.ctx(), m, trace, store.TraceRoom{Spans: 9, Bytes: 1 << 20})
				if err != nil {
					return err
				}
				if len(held) == 0 {
					continue
				}
				e := episode(trace, at(0)).by(agent).EpisodeRecord
				if err := m.restoreErr(&store.Guarded{Item: &e, Unless: []string{e.ID()}}); err != nil {
					return err
				}
				if err := m.ReleaseSpans(m.ctx(), trace, []string{"a"}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	m.Empty(names(m.exported()), "nothing is back")
	m.Empty(m.due(at(99), at(99)))
}

// besideDeletion lets several write about an agent while it is deleted, some before and some after, agent by agent.
func (m *tenant) besideDeletion(write func(agent string, i int) error) {
	const rounds, writers, records = 4, 4, 6
	for round := range rounds {
		agent := fmt.Sprintf("walrus%d", round)
		m.NoError(nameAgent(m.ctx(), m, memory.Agent{Key: agent, Name: agent}))
		var written atomic.Int64
		m.together(writers+1, func(w int) error {
			if w == writers {
				for written.Load() < int64(round*writers) { // in the midst of them
					if err := m.ctx().Err(); err != nil {
						return err
					}
				}
				_, err := m.Delete(m.ctx(), memory.KindAgent, []string{agent})
				return err
			}
			for i := range records {
				err := write(agent, w*records+i)
				written.Add(1)
				if err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// restoreErr restores a batch; that something was deleted for good is no fault.
func (m *tenant) restoreErr(items ...store.Item) error {
	recorded, err := m.Restore(m.ctx(), items, false)
	for _, r := range recorded {
		if !errors.Is(r.Err, store.ErrForgotten) {
			err = errors.Join(err, r.Err)
		}
	}
	return err
}

func personBesideRestores(m *tenant) {
	m.record(episode("e1", at(0)))
	judgedTenantOf(m).rule(verdict("v", "r", "s", at(0)))
	const writers, records = 4, 8
	m.together(writers+1, func(w int) error {
		if w == writers {
			_, err := m.Delete(m.ctx(), memory.KindPerson, []string{"walrus"})
			return err
		}
		for i := range records {
			f := thumbsUp(fmt.Sprintf("f%d-%d", w, i), at(i)).on("e1").by("walrus").FeedbackRecord
			x := correction(fmt.Sprintf("x%d-%d", w, i), "t", at(i)).by("walrus").CorrectionRecord
			if err := m.restoreErr(&f, &x, &store.VerdictLabel{Verdict: "v", Approve: true, LabelledBy: new("walrus")}); err != nil {
				return err
			}
		}
		return nil
	})
	m.requireNoTrace("walrus")
	m.requireHolds("e1", none, none)
}

// deletionBesideWriter deletes an agent that somebody records of all the time. That it ends is told by that the
// writer, who gives up some day, did not have to.
func deletionBesideWriter(m *tenant) {
	const before, patience = 230, 3000
	var all []episodeDraft
	for i := range before {
		all = append(all, episode(fmt.Sprintf("before%d", i), at(i)).by("walrus").named("Walrus").doing("refund"))
	}
	m.record(all...)
	m.execute(execution("before x", at(1)).by("walrus"))
	var ended atomic.Bool
	written := 0
	m.together(2, func(i int) error {
		if i == 0 {
			defer ended.Store(true)
			_, err := m.Delete(m.ctx(), memory.KindAgent, []string{"walrus"})
			return err
		}
		for written < patience && !ended.Load() {
			key := fmt.Sprintf("meanwhile%d", written)
			if err := m.recordErr(episode(key, at(before+written)).by("walrus").doing("refund")); err != nil {
				return err
			}
			written++
		}
		return nil
	})
	m.Less(written, patience, "the deletion ended before the writer did")
	m.record(episode("after", at(0)).by("walrus"))
	m.requireNoTrace("before")
	m.requireNoTrace("Walrus")
	m.NotNil(m.episode("after"))
	m.Equal("walrus", m.agent("walrus").Name)
	if count := m.count(store.Count(m.ctx(), m, store.EpisodeQuery{Filter: store.EpisodeFilter{Agent: new("walrus")}})); count > 1 {
		m.Equal(count-1, m.profile("walrus", "refund", nil).Total, "and the profile counts what is left")
	}
	m.forgotten([]string{"agent:walrus", "episode:before0", "episode:after"}, true, true, false)
}

// richEpisode deletes episodes that own more than goes into one part of a deletion.
func richEpisode(m *tenant) {
	m.record(episode("other", at(0)).by("ada"))
	for _, rich := range []struct {
		canvases, feedback int
		remove             func()
	}{
		{1100, 1, func() { m.NoError(Delete(m.ctx(), m, memory.KindEpisode, "rich")) }},
		{600, 600, func() { m.deleteAgent("walrus", 1) }},
	} {
		m.record(episode("rich", at(0)).by("walrus").doing("refund"))
		var actions []actionDraft
		var reactions []feedbackDraft
		for i := range rich.canvases {
			actions = append(actions, present(fmt.Sprintf("walrus-c%d", i), at(i)).of("rich"))
		}
		for i := range rich.feedback {
			reactions = append(reactions, thumbsUp(fmt.Sprintf("walrus-f%d", i), at(i)).on("rich"))
		}
		m.act(actions...)
		m.react(reactions...)
		m.react(thumbsUp("stays", at(0)).onCanvas("walrus-c7").on("other"))
		m.Equal(rich.feedback, m.episode("rich").FeedbackCount)
		rich.remove()
		m.Equal([]bool{false}, m.exist("episode:rich"))
		m.Nil(m.feedback("stays").CanvasKey)
		for _, item := range m.exported() {
			m.False(strings.HasPrefix(item.ID(), "canvas:") || strings.HasPrefix(item.ID(), "feedback:walrus"), item.ID())
		}
		m.NoError(Delete(m.ctx(), m, memory.KindFeedback, "stays"))
		m.requireHolds("other", none, none)
	}
	m.forgotten([]string{"canvas:walrus-c0", "canvas:walrus-c599", "canvas:walrus-c600", "feedback:walrus-f599"}, true, true, true, true)
}

func eloquentPerson(m *tenant) {
	const said = 1100
	m.record(episode("e1", at(0)))
	reactions := []feedbackDraft{thumbsDown("stays", at(0)).on("e1")}
	for i := range said {
		reactions = append(reactions, thumbsUp(fmt.Sprintf("f%d", i), at(i)).on("e1").by("walrus"))
	}
	m.react(reactions...)
	count, err := m.Delete(m.ctx(), memory.KindPerson, []string{"walrus"})
	m.NoError(err)
	m.Equal(said, count)
	m.requireHolds("e1", none, []string{"stays"})
	m.forgotten([]string{"feedback:f0", "feedback:f1099", "feedback:stays", "person:walrus"}, true, true, false, true)
}
