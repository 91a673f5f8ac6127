package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"mneme/memory"
	"mneme/memory/consolidation"
	"mneme/store"
)

func (s suite) deletedAgents(t *testing.T) {
	s.run(t, "nothing of it is found any more", agentLeavesNothing)
	s.run(t, "an unknown agent is not found", func(m *tenant) {
		m.record(episode("e1", at(0)))
		_, err := m.Delete(m.ctx(), memory.KindAgent, []string{"Agent"})
		m.ErrorIs(err, store.ErrNotFound)
		m.NotNil(m.episode("e1"))
	})
	s.run(t, "an agent without episodes goes too", func(m *tenant) {
		m.NoError(nameAgent(m.ctx(), m, memory.Agent{Key: "idle", Name: "Idle"}))
		count, err := m.Delete(m.ctx(), memory.KindAgent, []string{"idle"})
		m.NoError(err)
		m.Zero(count)
		m.Zero(m.count(store.Count(m.ctx(), m, store.AllAgents{})))
		_, err = m.Delete(m.ctx(), memory.KindAgent, []string{"idle"})
		m.ErrorIs(err, store.ErrNotFound)
	})
	s.run(t, "others keep what is theirs", agentOfOthers)
	s.run(t, "what is held of traces that name it goes too", agentOfHeldSpans)
	s.run(t, "its archived executions go too", func(m *tenant) {
		m.executionsAt(105)
		m.deleteAgent("agent", 0)
		m.Empty(names(m.exported()))
		m.Empty(m.profilesOf(store.ProfilesOf{}))
		m.forgotten([]string{"execution:e000000", "execution:e000104", "learningProfile:agent/refund"}, true, true, false)
	})
	t.Run("while others write, and delete too", func(t *testing.T) {
		backend, id := s.open(t), randomTenant()
		m := bind(t, backend, id)
		m.NoError(errorOf(m.InputKey(m.ctx())))
		judgedTenantOf(m).rule(verdict("v1", "r", "s", at(0)))
		m.together(8, func(i int) (err error) {
			for round := range 6 {
				err = errors.Join(err, m.writeOrForget(i, round))
			}
			return err
		})
		requireNoFault(m, backend, id)
	})
	s.run(t, "also what nobody may call a record any more", func(m *tenant) {
		for i, key := range []string{"a\u0000b", "a\nb\u0085", strings.Repeat("k", 600), "<private>x</private>", "e\u0301", " "} {
			m.record(episode(key, at(0)), episode(fmt.Sprint("e", i), at(1)).by(key))
			m.NoError(Delete(m.ctx(), m, memory.KindEpisode, key), "%+q", key)
			count, err := m.Delete(m.ctx(), memory.KindAgent, []string{key})
			m.NoError(err, "%+q", key)
			m.Equal(1, count, "%+q", key)
			m.react(thumbsUp(key, at(0)))
			m.NoError(Delete(m.ctx(), m, memory.KindFeedback, key), "%+q", key)
		}
		m.Zero(m.count(store.Count(m.ctx(), m, store.EpisodeQuery{})))
	})
	s.run(t, "its keys are free again", func(m *tenant) {
		m.record(fullEpisode("e1"))
		m.deleteAgent("agent", 1)
		m.record(fullEpisode("e1"))
		m.Equal(readBack(fullEpisode("e1")), m.episode("e1"))
	})
}

// writeOrForget does one of the writes there are to what is being deleted, or deletes it.
func (m *tenant) writeOrForget(writer, round int) error {
	key := fmt.Sprintf("e%d", round%2)
	switch (writer + round) % 8 {
	case 0, 1:
		return m.recordErr(episode(key, at(0)).in("s").doing("refund"))
	case 2:
		return m.executeErr(execution(fmt.Sprintf("x%d-%d", writer, round), at(round)))
	case 3:
		return m.reactErr(thumbsUp(fmt.Sprintf("f%d-%d", writer, round), at(round)).on(key).by("eve").in("s"))
	case 4:
		return m.actErr(present(fmt.Sprintf("c%d-%d", writer, round), at(round)).of(key).in("s"))
	case 5:
		return labelVerdict(m.ctx(), m, store.VerdictLabel{Verdict: "v1", Approve: true, LabelledBy: new("eve")})
	case 6:
		_, err := m.Delete(m.ctx(), memory.KindPerson, []string{"eve"})
		return err
	}
	_, err := m.Delete(m.ctx(), memory.KindAgent, []string{"agent"})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	return err
}

// deleteAgent deletes an agent that has a number of episodes.
func (m *tenant) deleteAgent(key string, episodes int) {
	m.t.Helper()
	count, err := m.Delete(m.ctx(), memory.KindAgent, []string{key})
	m.NoError(err)
	m.Equal(episodes, count)
}

// requireNoTrace looks for a word in all that an export hands over.
func (m *tenant) requireNoTrace(word string) {
	m.t.Helper()
	for _, item := range m.exported() {
		text, err := json.Marshal(item)
		m.NoError(err)
		m.NotContains(string(text), word)
	}
}

func agentLeavesNothing(m *tenant) {
	secret := fullEpisode("walrus-1").by("walrus").named("Walrus").in("walrus-session").seeing("walrus").causedBy("walrus-0")
	m.record(secret, episode("walrus-2", at(1)).by("walrus"), episode("other", at(1)).causedBy("walrus-1"))
	m.act(present("walrus-canvas", at(1)).of("walrus-1"))
	m.react(thumbsUp("walrus-feedback", at(2)).running("run-1").saying("walrus"), thumbsUp("stays", at(2)).onCanvas("walrus-canvas").on("other"))
	m.observe(observation("o1", at(3)).about("agent:walrus", "episode:walrus-1", "canvas:walrus-canvas"),
		observation(consolidation.KeyPrefix("walrus")+"failure/3", at(3)).about("episode:walrus-1"))
	m.record(episode("walrus-3", at(4)).by("walrus").doing("walrus hunt"))
	m.execute(execution("walrus-x", at(1)).by("walrus").doing("walrus hunt"), execution("walrus-y", at(1)).by("walrus"), execution("other-x", at(1)).by("agent"))
	m.hold(at(1), held("walrus-1", "a", ""), held("other", "a", ""))
	m.deleteAgent("walrus", 3)

	m.requireNoTrace("walrus")
	m.requireNoTrace("Walrus")
	m.NotContains(m.hits(situation{text: "walrus"}), "walrus-1")
	m.Empty(m.matches("walrus"))
	agents, err := store.Get[memory.Agent](m.ctx(), m, []string{"walrus"})
	m.NoError(err)
	m.Equal([]*memory.Agent{nil}, agents)
	m.Equal([]bool{false, false, false, false, false}, m.exist("agent:walrus", "episode:walrus-2", "canvas:walrus-canvas", "feedback:walrus-feedback", "session:walrus-session"))
	m.Empty(m.linked("other", memory.LinkCausedBy))
	m.Nil(m.feedback("stays").CanvasKey)
	m.Empty(m.observation("o1").About)
	m.Len(m.heldOf("other"), 1)
	m.Nil(m.profile("walrus", "walrus hunt", nil))
	types, err := m.Names(m.ctx(), store.TaskTypes)
	m.NoError(err)
	m.Equal([]string{"refund"}, types)
	m.Equal([]bool{false, false, false}, m.exist("execution:walrus-x", "execution:episode:walrus-3", "learningProfile:walrus/walrus hunt"))
	m.Equal([]string{"agent:agent", "episode:other", "feedback:stays", "execution:other-x", "observation:o1"}, names(m.exported()))
}

func agentOfOthers(m *tenant) {
	m.record(episode("e1", at(0)).by("ada").in("s"), episode("e2", at(1)).by("eve").in("s").running("run"))
	m.act(present("c1", at(1)).of("e1"), present("c2", at(1)).of("e2"))
	m.react(thumbsUp("f1", at(2)).on("e1"), thumbsUp("f2", at(2)).running("run"))
	m.deleteAgent("ada", 1)
	m.requireHolds("e2", []string{"c2"}, []string{"f2"})
	m.True(m.hasSession("s"))
	m.Equal(1, m.count(store.Count(m.ctx(), m, store.AllAgents{})))
}

func (s suite) deletedFeedback(t *testing.T) {
	s.run(t, "one goes and the aggregate follows", func(m *tenant) {
		m.record(episode("e1", at(0)))
		m.react(thumbsUp("f1", at(1)).on("e1"), thumbsDown("f2", at(1)).on("e1").saying("walrus").in("walrus-session"))
		m.NoError(Delete(m.ctx(), m, memory.KindFeedback, "f2"))
		m.requireHolds("e1", none, []string{"f1"})
		m.requireNoTrace("walrus")
		m.Empty(m.matches("walrus"))
		m.False(m.hasSession("walrus-session"))
		m.ErrorIs(Delete(m.ctx(), m, memory.KindFeedback, "f2"), store.ErrNotFound)
	})
	s.run(t, "what waited waits no more", func(m *tenant) {
		m.react(thumbsUp("f1", at(1)).on("e1").onCanvas("c1"))
		m.NoError(Delete(m.ctx(), m, memory.KindFeedback, "f1"))
		m.record(episode("e1", at(0)))
		m.act(present("c1", at(1)).of("e1"))
		m.requireHolds("e1", []string{"c1"}, none)
		m.Empty(m.feedbackOf(store.FeedbackOf{Canvases: []string{"c1"}}))
	})
	s.run(t, "all by a person goes, and nothing else", func(m *tenant) {
		m.record(episode("e1", at(0)))
		m.react(thumbsUp("f1", at(1)).on("e1").by("walrus"), thumbsDown("f2", at(1)).on("e1").by("Walrus"), thumbsUp("f3", at(1)).in("s").by("walrus"))
		m.correct(correction("x1", "t", at(1)).by("walrus"), correction("x2", "t", at(1)))
		judgedTenantOf(m).rule(verdict("v1", "r", "s", at(1)), verdict("v2", "r", "s", at(1)))
		m.NoError(labelVerdict(m.ctx(), m, store.VerdictLabel{Verdict: "v1", Approve: true, LabelledBy: new("walrus")}))
		m.NoError(labelVerdict(m.ctx(), m, store.VerdictLabel{Verdict: "v2", Approve: true, LabelledBy: new("eve")}))
		count, err := m.Delete(m.ctx(), memory.KindPerson, []string{"walrus"})
		m.NoError(err)
		m.Equal(4, count)
		m.Nil(judgedTenantOf(m).verdict("v1").Label)
		m.Equal(new(true), judgedTenantOf(m).verdict("v2").Label)
		m.requireHolds("e1", none, []string{"f2"})
		m.requireNoTrace("walrus")
		m.Equal([]string{"agent:agent", "episode:e1", "feedback:f2", "run:r", "verdict:v1", "verdict:v2", "correction:x2"}, names(m.exported()))
		m.False(m.hasSession("s"))
		count, err = m.Delete(m.ctx(), memory.KindPerson, []string{"walrus"})
		m.NoError(err)
		m.Zero(count)
	})
}

func (s suite) tombstones(t *testing.T) {
	s.run(t, "what is deleted for good is known to be", func(m *tenant) {
		m.record(episode("e1", at(0)))
		m.act(present("c1", at(0)).of("e1"))
		m.react(thumbsUp("f1", at(1)).on("e1"), thumbsUp("f2", at(1)).in("s").by("eve"))
		ids := []string{"episode:e1", "canvas:c1", "agent:agent", "feedback:f1", "feedback:f2", "person:eve", "person:f2"}
		m.forgotten(ids, false, false, false, false, false, false, false)
		m.deleteAgent("agent", 1)
		m.forgotten(ids, true, true, true, true, false, false, false)
		_, err := m.Delete(m.ctx(), memory.KindPerson, []string{"eve"})
		m.NoError(err)
		m.forgotten(ids, true, true, true, true, true, true, false)
	})
	s.run(t, "it stays when the id is recorded anew", func(m *tenant) {
		m.react(thumbsUp("f1", at(1)).in("s"))
		m.NoError(Delete(m.ctx(), m, memory.KindFeedback, "f1"))
		m.react(thumbsUp("f1", at(1)).in("s"))
		m.forgotten([]string{"feedback:f1"}, true)
		m.Equal([]string{"feedback:f1"}, names(m.exported()))
	})
	s.runTwo(t, "it keeps a restore from bringing back what is deleted, unless forced", tombstoneKeepsOut)
	s.runTwo(t, "it keeps held spans out too, unless forced", forgottenSpansStayOut)
	s.runTwo(t, "it goes along, and deletes nothing", func(from, to *tenant) {
		from.fill()
		before := from.exported()
		to.restore(before...)
		from.NoError(Delete(from.ctx(), from, memory.KindFeedback, "by episode"))
		after := from.exported()
		to.restored(false, after...)
		to.NotNil(to.feedback("by episode"))
		to.forgotten([]string{"feedback:by episode"}, true)
	})
}

// forgotten says which ids must have a tombstone.
func (m *tenant) forgotten(ids []string, want ...bool) {
	m.t.Helper()
	key, err := m.InputKey(m.ctx())
	m.NoError(err)
	left := map[string]bool{}
	for _, item := range m.exported() {
		if tombstone, ok := item.(store.Tombstone); ok {
			left[string(tombstone)] = true
		}
	}
	got := make([]bool, len(ids))
	for i, id := range ids {
		got[i] = left[string(memory.Tombstone(key, id))]
	}
	m.Equal(want, got)
}

func tombstoneKeepsOut(from, to *tenant) {
	from.fill()
	items := from.exported()
	to.restore(items...)
	to.deleteAgent("agent", 3)
	_, err := to.Delete(to.ctx(), memory.KindPerson, []string{"eve"})
	to.NoError(err)
	deleted := to.exported()

	kept := []string{}
	for _, r := range to.restored(false, items...) {
		to.False(r.Created, r.Key)
		if errors.Is(r.Err, store.ErrForgotten) {
			kept = append(kept, r.Key)
		} else {
			to.NoError(r.Err, r.Key)
		}
	}
	slices.Sort(kept)
	worked := func(id string) bool { return strings.HasPrefix(id, "execution:e0") }
	to.Len(slices.DeleteFunc(slices.Clone(kept), func(id string) bool { return !worked(id) }), 103)
	to.Equal("agent:agent canvas:by session canvas:named correction:x1 episode:full episode:late episode:plain execution:first "+
		"feedback:by canvas feedback:by episode feedback:by run feedback:by session feedback:second thought", strings.Join(slices.DeleteFunc(kept, worked), " "))
	to.Equal(deleted, to.exported())

	for _, r := range to.restored(true, items...) {
		to.NoError(r.Err, r.Key)
	}
	to.forgotten([]string{"agent:agent", "person:eve", "episode:full", "canvas:named"}, false, false, false, false)
	to.Equal(names(items), names(to.exported()))
	to.Equal(from.episode("full", store.WithCanvases, store.WithFeedback), to.episode("full", store.WithCanvases, store.WithFeedback))
	to.Nil(judgedTenantOf(to).verdict("v full").Label, "what is there stays as it is")
	requireSameProfiles(from, to)
	labelKeptOut(from, to)
}

// labelKeptOut restores a verdict that a forgotten person labelled.
func labelKeptOut(from, to *tenant) {
	from.t.Helper()
	relabelled := fullVerdict("v anew")
	relabelled.Verdict.Label, relabelled.Verdict.LabelledBy = new(true), new("ann")
	relabelled.InputHash = hash(relabelled)
	_, err := to.Delete(to.ctx(), memory.KindPerson, []string{"ann"})
	to.NoError(err)
	to.restore(&relabelled.VerdictRecord)
	to.Nil(judgedTenantOf(to).verdict("v anew").Label)
	to.Nil(judgedTenantOf(to).verdict("v anew").LabelledBy)
	relabelled.Verdict.Key = "v forced"
	to.True(to.restored(true, &relabelled.VerdictRecord)[0].Created)
	to.Equal(new("ann"), judgedTenantOf(to).verdict("v forced").LabelledBy)
	to.forgotten([]string{"person:ann"}, false)
}
