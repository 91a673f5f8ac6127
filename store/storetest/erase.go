package storetest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store"
)

// erases are tests of deleting single records, and many, for good.
func (s suite) erases(t *testing.T) {
	s.run(t, "a record is gone at once, and stays so", eraseEachKind)
	s.run(t, "what is not there leaves nothing", eraseNone)
	s.run(t, "a canvas leaves its episode, and the feedback on it stays", eraseCanvas)
	s.run(t, "a concept goes with its links, and not with what is linked", eraseConcept)
	s.run(t, "a memoir goes with its concepts, however many", eraseMemoir)
	s.run(t, "a key is free again, and imports still leave it out", eraseAndRecordAnew)
	s.run(t, "episodes of several agents go together", eraseEpisodes)
	s.run(t, "an episode whose deletion was broken off takes nothing back", eraseBrokenOff)
	s.run(t, "nor does that of an agent of which only a part is gone", eraseAgentBrokenOff)
	s.run(t, "what was pruned does not come back", erasePruned)
	s.run(t, "what a concept said can be dropped for good", erasePurged)
	s.runTwo(t, "an import of what was exported before leaves it out, unless forced", eraseBeforeImport)
	s.run(t, "what a person said is counted", func(m *tenant) {
		m.react(thumbsUp("f1", at(1)).in("s").by("walrus"), thumbsUp("f2", at(1)).in("s").by("Walrus"))
		m.correct(correction("x1", "t", at(1)).by("walrus"))
		judgedTenantOf(m).rule(verdict("v1", "r", "s", at(1)))
		m.NoError(labelVerdict(m.ctx(), m, store.VerdictLabel{Verdict: "v1", Approve: true, LabelledBy: new("walrus")}))
		m.Equal(3, m.count(m.CountSaid(m.ctx(), "walrus")))
		m.Zero(m.count(m.CountSaid(m.ctx(), "nobody")))
	})
}

// walrusOfEachKind records one record of each kind that is deleted by its id, and gives the kinds.
func walrusOfEachKind(m *tenant) []memory.Kind {
	m.t.Helper()
	m.record(episode("walrus", at(0)).by("ada").seeing("walrus"), episode("e", at(1)))
	m.act(present("walrus", at(1)).of("e").component("walrus"))
	m.react(thumbsUp("walrus", at(2)).on("e").saying("walrus"))
	m.remember(memoir("walrus").named("walrus").describing("walrus"), memoir("m"))
	m.learn(concept("walrus").named("walrus").saying("walrus"), concept("inside").of("walrus").saying("walrus"))
	m.observe(observation("walrus", at(3)).saying("walrus"))
	m.correct(correction("walrus", "walrus", at(4)))
	return []memory.Kind{
		memory.KindEpisode, memory.KindCanvas, memory.KindFeedback, memory.KindConcept, memory.KindObservation, memory.KindCorrection, memory.KindMemoir,
	}
}

// erase deletes one record of a kind.
func (m *tenant) erase(kind memory.Kind, key string) error {
	m.t.Helper()
	if kind == memory.KindMemoir {
		_, err := m.Delete(m.ctx(), memory.KindMemoir, []string{key})
		return err
	}
	return Delete(m.ctx(), m, kind, key)
}

func eraseEachKind(m *tenant) {
	kinds := walrusOfEachKind(m)
	before := m.exported()
	for _, kind := range kinds {
		id := memory.NodeID(kind, "walrus")
		m.NoError(m.erase(kind, "walrus"), kind)
		m.Equal([]bool{false}, m.exist(id))
		m.NotContains(m.matches("walrus"), id)
		m.forgotten([]string{id}, true)
		forgotten, err := store.Get[store.Tombstone](m.ctx(), m, []string{id, "concept:another"})
		m.NoError(err)
		m.Equal([]bool{true, false}, []bool{forgotten[0] != nil, forgotten[1] != nil})
		m.ErrorIs(m.erase(kind, "walrus"), store.ErrNotFound, kind)
	}
	m.requireNoTrace("walrus")
	m.forgotten([]string{"concept:inside"}, true)
	m.requireHolds("e", none, none)
	left := names(m.exported())
	m.Equal([]string{"agent:ada", "agent:agent", "memoir:m", "episode:e"}, left)
	for _, r := range m.restored(false, before...) {
		m.False(r.Created, r.Key)
	}
	m.Equal(left, names(m.exported()))
}

func eraseNone(m *tenant) {
	walrusOfEachKind(m)
	before := m.exported()
	for _, kind := range []memory.Kind{
		memory.KindEpisode, memory.KindCanvas, memory.KindFeedback, memory.KindConcept, memory.KindObservation, memory.KindCorrection, memory.KindMemoir,
		memory.KindVerdict, memory.KindSection, memory.KindRun, memory.KindExecution,
	} {
		m.ErrorIs(m.erase(kind, "Walrus"), store.ErrNotFound, kind)
	}
	for _, kind := range []memory.Kind{memory.KindSession, memory.KindPattern, memory.KindLearningProfile, "none"} {
		_, err := m.Delete(m.ctx(), kind, []string{"walrus"})
		m.ErrorIs(err, store.ErrInvalid, kind)
	}
	m.Zero(m.count(m.Delete(m.ctx(), memory.KindConcept, nil)))
	m.Equal(before, m.exported())
}

func eraseCanvas(m *tenant) {
	m.record(episode("e1", at(0)), episode("e2", at(0)))
	m.act(present("c1", at(1)).of("e1"), action("c1", memory.CanvasClose, at(2)), present("c2", at(1)).of("e1"))
	m.react(thumbsUp("f1", at(3)).onCanvas("c1"), thumbsDown("f2", at(3)).onCanvas("c1").on("e2"))
	m.NoError(m.erase(memory.KindCanvas, "c1"))
	m.requireHolds("e1", []string{"c2"}, []string{"f1"})
	m.requireHolds("e2", none, []string{"f2"})
	m.Nil(m.feedback("f1").CanvasKey)
	m.Nil(m.feedback("f2").CanvasKey)
	m.Empty(m.feedbackOf(store.FeedbackOf{Canvases: []string{"c1"}}))
	m.act(present("c1", at(4)).of("e2"))
	m.requireHolds("e1", []string{"c2"}, []string{"f1"})
	m.requireHolds("e2", []string{"c1"}, []string{"f2"})
	m.Nil(m.feedback("f1").CanvasKey, "which it named was another")
}

func eraseConcept(m *tenant) {
	m.remember(memoir("m"))
	m.learn(concept("a"), concept("b"), concept("c"))
	m.link(relates("a", memory.RelationSupersededBy, "b"), relates("b", memory.RelationPartOf, "c"))
	m.record(episode("e1", at(0)).mentioning("b", "c"))
	m.observe(observation("o1", at(1)).about("concept:b", "concept:c"))
	m.NoError(m.erase(memory.KindConcept, "b"))
	m.Empty(m.related("a", memory.DirectionBoth))
	m.Empty(m.related("c", memory.DirectionBoth))
	mentioned, err := m.Mentioned(m.ctx(), []string{"e1"})
	m.NoError(err)
	m.Equal([]string{"c"}, conceptKeys(mentioned["e1"]))
	m.Equal([]string{"concept:c"}, m.observation("o1").About)
	m.Equal(2, m.count(store.Count(m.ctx(), m, store.ConceptsOf{Memoir: "m"})))
	m.learn(concept("b"))
	mentioned, err = m.Mentioned(m.ctx(), []string{"e1"})
	m.NoError(err)
	m.Equal([]string{"c"}, conceptKeys(mentioned["e1"]), "it is another concept")
}

func eraseMemoir(m *tenant) {
	const many = 2100
	m.remember(memoir("m"), memoir("walrus"))
	m.learn(concept("stays"))
	var drafts []conceptDraft
	for i := range many {
		drafts = append(drafts, concept(fmt.Sprintf("walrus-%d", i)).of("walrus"))
	}
	m.learn(drafts...)
	m.link(relates("walrus-0", memory.RelationPartOf, "stays"))
	m.Equal(many, m.count(m.Delete(m.ctx(), memory.KindMemoir, []string{"walrus"})))
	m.requireNoTrace("walrus")
	m.forgotten([]string{"memoir:walrus", "concept:walrus-0", "concept:walrus-2099", "concept:stays"}, true, true, true, false)
	m.Empty(m.related("stays", memory.DirectionBoth))
	m.Equal([]string{"memoir:m", "concept:stays"}, names(m.exported()))
	inside := conceptRecords([]conceptDraft{concept("new").of("walrus")})[0]
	m.ErrorIs(m.restored(false, &inside)[0].Err, store.ErrForgotten, "what was in it does not come back either")
	m.remember(memoir("walrus"))
	m.learn(concept("new").of("walrus"))
}

func eraseAndRecordAnew(m *tenant) {
	for _, kind := range walrusOfEachKind(m) {
		m.NoError(m.erase(kind, "walrus"), kind)
	}
	m.NoError(m.erase(memory.KindEpisode, "e"))
	m.NoError(m.erase(memory.KindMemoir, "m"))
	for _, kind := range walrusOfEachKind(m) {
		m.Equal([]bool{true}, m.exist(memory.NodeID(kind, "walrus")), kind)
		m.forgotten([]string{memory.NodeID(kind, "walrus")}, true)
	}
	m.Equal("walrus", m.concept("walrus").Content)
}

func eraseEpisodes(m *tenant) {
	const many = 230
	var drafts []episodeDraft
	var keys []string
	for i := range many {
		key := fmt.Sprintf("e%03d", i)
		drafts, keys = append(drafts, episode(key, at(i)).by(fmt.Sprintf("agent %d", i%3)).doing("refund")), append(keys, key)
	}
	m.record(drafts...)
	m.act(present("c1", at(1)).of("e007"))
	count, err := m.Delete(m.ctx(), memory.KindEpisode, append(keys[:many-3:many-3], "none", keys[0]))
	m.NoError(err)
	m.Equal(many-3, count)
	m.Equal(3, m.count(store.Count(m.ctx(), m, store.EpisodeQuery{})))
	for i := range 3 {
		m.Equal(1, m.profile(fmt.Sprintf("agent %d", i), "refund", nil).Total)
	}
	m.forgotten([]string{"episode:e000", "episode:e226", "canvas:c1", "episode:e227", "episode:none", "agent:agent 0"}, true, true, true, false, false, false)
}

func erasePruned(m *tenant) {
	m.observe(observation("walrus", at(0)).weighing(memory.ImportanceLow), observation("stays", at(0)).weighing(memory.ImportanceHigh))
	before := m.exported()
	count, err := m.PruneObservations(m.ctx(), store.Pruning{Policy: decay.UseFades, Now: at(1), MinWeight: 1})
	m.NoError(err)
	m.Equal(1, count)
	m.forgotten([]string{"observation:walrus", "observation:stays"}, true, false)
	for _, r := range m.restored(false, before...) {
		m.False(r.Created, r.Key)
	}
	m.requireNoTrace("walrus")
}

func erasePurged(m *tenant) {
	m.remember(memoir("m"))
	m.learn(concept("c1").saying("walrus").labelled("walrus"))
	m.refine(refinement("c1", at(3)).saying("another walrus").labelled())
	purge := refinement("c1", at(4)).saying("seal")
	purge.Purge = true
	m.refine(purge)
	m.requireNoTrace("walrus")
	m.Equal("seal", m.concept("c1").Content)
	m.Equal(at(4), m.concept("c1").UpdatedAt)
	m.Empty(m.concept("c1").Revisions)
	m.Empty(m.matches("walrus"))

	m.refine(refinement("c1", at(5)).saying("otter"))
	m.Len(m.concept("c1").Revisions, 1)
	alone := refinement("c1", at(6))
	alone.Purge = true
	m.refine(alone)
	m.Empty(m.concept("c1").Revisions)
	m.Equal("otter", m.concept("c1").Content)
	m.Equal(at(5), m.concept("c1").UpdatedAt, "which it says since then")
}

func eraseBeforeImport(from, to *tenant) {
	from.fill()
	items := from.exported()
	to.restore(items...)
	for kind, key := range map[memory.Kind]string{
		memory.KindEpisode: "full", memory.KindCanvas: "alone", memory.KindFeedback: "is older", memory.KindConcept: "q",
		memory.KindObservation: "o1", memory.KindCorrection: "x1", memory.KindMemoir: "empty",
	} {
		to.NoError(to.erase(kind, key), kind)
	}
	left := to.exported()
	for i, r := range to.restored(false, items...) {
		to.False(r.Created, r.Key)
		if _, ok := items[i].(*store.RelationItem); ok {
			to.ErrorIs(r.Err, store.ErrForgotten, "one of its concepts is gone")
		}
	}
	to.Equal(left, to.exported())
	for _, r := range to.restored(true, items...) {
		to.NoError(r.Err, r.Key)
	}
	to.Equal(names(items), names(to.exported()))
}

// eraseBrokenOff deletes an episode with much and one after it, and is broken off as soon as something is gone.
func eraseBrokenOff(m *tenant) {
	eraseAndBreakOff(m, func(ctx context.Context) error {
		return errorOf(m.Delete(ctx, memory.KindEpisode, []string{"rich", "after"}))
	})
}

// eraseAgentBrokenOff deletes an agent that has such an episode.
func eraseAgentBrokenOff(m *tenant) {
	eraseAndBreakOff(m, func(ctx context.Context) error {
		_, err := m.Delete(ctx, memory.KindAgent, []string{"agent"})
		if errors.Is(err, store.ErrNotFound) { // it was done the first time
			return nil
		}
		return err
	})
}

func eraseAndBreakOff(m *tenant, erase func(context.Context) error) {
	const many = 1500
	m.record(episode("rich", at(0)), episode("after", at(1)))
	var actions []actionDraft
	for i := range many {
		actions = append(actions, present(fmt.Sprintf("c%d", i), at(i)).of("rich"))
	}
	m.act(actions...)
	late := feedbackRecords([]feedbackDraft{thumbsUp("late", at(1)).on("rich")})[0]
	for left := many; left == many; {
		ctx, stop := context.WithCancel(m.ctx())
		go func() { // as soon as something is gone
			defer stop()
			for m.ctx().Err() == nil {
				if n, err := store.Count(m.ctx(), m, store.CanvasesOf{Episode: new("rich")}); err != nil || n < many {
					return
				}
			}
		}()
		err := erase(ctx)
		stop()
		left = m.count(store.Count(m.ctx(), m, store.CanvasesOf{Episode: new("rich")}))
		if err == nil {
			break // it was done before it could be broken off
		}
	}
	m.ErrorIs(m.restored(false, &late)[0].Err, store.ErrForgotten, "nothing comes to it meanwhile")
	m.NoError(erase(m.ctx()))
	m.Equal([]bool{false, false}, m.exist("episode:rich", "episode:after"))
	m.forgotten([]string{"episode:rich", "canvas:c0", "canvas:c1499"}, true, true, true)
}
