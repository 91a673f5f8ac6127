package storetest

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/store"
)

// executionsOfEpisodes are what episodes say as executions.
func executionsOfEpisodes(drafts ...episodeDraft) []memory.Execution {
	executions := []memory.Execution{}
	for _, d := range drafts {
		if e := memory.ExecutionOf(&d.Episode); e != nil {
			executions = append(executions, *e)
		}
	}
	return executions
}

func (s suite) episodesAsExecutions(t *testing.T) {
	s.run(t, "an episode with a task type and an outcome is one", func(m *tenant) {
		drafts := []episodeDraft{
			episode("won", at(0)).doing("refund"),
			episode("lost", at(1)).doing("refund").ending(memory.OutcomeFailure).until(at(3)),
			episode("graded", at(2)).doing("refund").graded(0.375).until(at(2)),
			episode("other agent", at(2)).doing("refund").by("eve"),
			episode("other type", at(2)).doing("flights"),
			episode("no type", at(2)),
			episode("open", at(2)).doing("refund").unconcluded().graded(0.5),
		}
		m.record(drafts...)
		all := executionsOfEpisodes(drafts...)
		m.Len(all, 5)
		m.requireProfile(all, "agent", "refund", nil)
		m.requireProfile(all, "agent", "flights", nil)
		m.requireProfile(all, "eve", "refund", nil)
		m.Len(m.profilesOf(store.ProfilesOf{}), 3)
		m.Equal(&all[1], m.execution(memory.EpisodeExecutionKey("lost")))
		m.Equal(new("lost"), m.execution(memory.EpisodeExecutionKey("lost")).EpisodeKey())
		m.Nil(m.execution(memory.EpisodeExecutionKey("open")))
	})
	s.run(t, "an episode counts once, however often it is sent", func(m *tenant) {
		d := episode("e", at(0)).doing("refund")
		m.record(d)
		recorded := m.recorded(d, d.graded(0.5), d)
		m.False(recorded[0].Created)
		m.ErrorIs(recorded[1].Err, store.ErrConflict)
		m.requireProfile(executionsOfEpisodes(d), "agent", "refund", nil)
	})
	s.run(t, "executions of episodes and others share a profile", func(m *tenant) {
		e, x := episode("e", at(1)).doing("refund"), execution("e", at(0)).failing()
		m.record(e)
		m.execute(x)
		m.requireProfile(append(executionsOfEpisodes(e), x.Execution), "agent", "refund", nil)
	})
	s.run(t, "an episode that is concluded later becomes one then", concludedExecution)
	s.run(t, "a conclusion that is refused counts nothing", func(m *tenant) {
		d := episode("e", at(5)).doing("refund").unconcluded()
		m.record(d, episode("done", at(5)).doing("refund"))
		early := conclusion("e", memory.OutcomeSuccess)
		early.EndedAt = new(at(4))
		m.ErrorIs(m.ConcludeEpisode(m.ctx(), early), store.ErrInvalid)
		m.ErrorIs(m.ConcludeEpisode(m.ctx(), conclusion("done", memory.OutcomeFailure)), store.ErrConflict)
		m.requireProfile(executionsOfEpisodes(episode("done", at(5)).doing("refund")), "agent", "refund", nil)
	})
	s.run(t, "a conclusion without an outcome or a task type counts nothing", func(m *tenant) {
		m.record(episode("a", at(0)).doing("refund").unconcluded(), episode("b", at(0)).unconcluded())
		m.NoError(m.ConcludeEpisode(m.ctx(), conclusion("a", memory.OutcomeUnknown)))
		m.NoError(m.ConcludeEpisode(m.ctx(), conclusion("b", memory.OutcomeSuccess)))
		m.Empty(m.profilesOf(store.ProfilesOf{}))
	})
	s.run(t, "a delete takes it out, and the archive refills the window", deletedExecutions)
	s.run(t, "a profile goes with its last execution, the agent stays", func(m *tenant) {
		m.record(episode("e", at(0)).doing("refund").by("ada"))
		m.remove("e")
		m.Empty(m.profilesOf(store.ProfilesOf{}))
		m.Nil(m.execution(memory.EpisodeExecutionKey("e")))
		m.NotNil(m.agent("ada"))
		m.Equal([]memory.AgentRecord{{AgentKey: "ada", Tasks: []memory.TaskRecord{}}}, m.records(nil, nil))
		m.record(episode("e", at(1)).doing("refund").by("ada").ending(memory.OutcomeFailure))
		m.requireProfile(executionsOfEpisodes(episode("e", at(1)).doing("refund").by("ada").ending(memory.OutcomeFailure)), "ada", "refund", nil)
	})
	s.run(t, "task types are those of episodes and of executions", func(m *tenant) {
		types, err := m.Names(m.ctx(), store.TaskTypes)
		m.NoError(err)
		m.Equal([]string{}, types)
		m.record(episode("open", at(0)).doing("open").unconcluded(), episode("a", at(0)).doing("b"), episode("b", at(0)))
		m.execute(execution("x", at(0)).doing("a"), execution("y", at(0)).doing("b"), execution("z", at(0)).doing("B").by("eve"))
		types, err = m.Names(m.ctx(), store.TaskTypes)
		m.NoError(err)
		m.Equal([]string{"B", "a", "b", "open"}, types)
		byAgent := m.taskTypes("agent", "eve", "nobody")
		m.Equal([]string{"a", "b", "open"}, byAgent["agent"])
		m.Equal([]string{"B"}, byAgent["eve"])
		m.Empty(byAgent["nobody"])
	})
}

func concludedExecution(m *tenant) {
	drafts := []episodeDraft{
		episode("a", at(0)).doing("refund"), episode("b", at(1)).doing("refund").graded(0.25), episode("c", at(2)).doing("refund"),
	}
	for _, d := range drafts {
		m.record(d.unconcluded())
	}
	m.Empty(m.profilesOf(store.ProfilesOf{}))
	full := conclusion("c", memory.OutcomeFailure)
	full.Quality, full.EndedAt = new(0.125), new(at(9))
	for _, c := range []store.EpisodeConclusion{conclusion("a", memory.OutcomeSuccess), conclusion("b", memory.OutcomeSuccess), full} {
		m.NoError(m.ConcludeEpisode(m.ctx(), c))
		m.ErrorIs(m.ConcludeEpisode(m.ctx(), c), store.ErrConflict)
	}
	drafts[2] = drafts[2].ending(memory.OutcomeFailure).graded(0.125).until(at(9))
	m.requireProfile(executionsOfEpisodes(drafts...), "agent", "refund", nil)
	m.recorded(episode("a", at(0)).doing("refund").unconcluded())
	m.Equal(3, m.profile("agent", "refund", nil).Total)
}

func deletedExecutions(m *tenant) {
	var drafts []episodeDraft
	for i := range 104 {
		drafts = append(drafts, episode(fmt.Sprintf("e%03d", i), at(i)).doing("refund").graded(float64(i)/128).until(at(i)))
	}
	m.record(drafts...)
	for _, i := range []int{50, 2, 103, 4} { // in the window, archived, the latest, refilled
		m.remove(drafts[i].Episode.Key)
		drafts[i] = drafts[i].ending(memory.OutcomeUnknown)
		m.requireProfile(executionsOfEpisodes(drafts...), "agent", "refund", nil)
	}
	m.False(m.execution(memory.EpisodeExecutionKey("e000")).Archived)
}

func (s suite) episodeOutcomes(t *testing.T) {
	s.run(t, "every field comes, the oldest first, nothing of what they say", func(m *tenant) {
		m.record(
			episode("b", at(1)).ending(memory.OutcomeFailure), episode("a", at(1)).costing(1.5), episode("c", at(0)).unconcluded().doing("refund"),
		)
		m.react(
			thumbsDown("1", at(5)).on("a").saying("no"), rating("2", 3, at(5)).on("a").saying("hm").from(memory.SourceWorkflow),
			thumbsDown("3", at(5)).on("a").saying("again"), thumbsUp("4", at(5)).on("b").saying("yes"), thumbsDown("5", at(5)).on("b"),
			thumbsDown("6", at(5)).on("b").saying("").from(memory.SourceCanvas),
		)
		m.Equal([]memory.EpisodeOutcome{
			{Key: "c", StartedAt: at(0), Outcome: memory.OutcomeUnknown, Interventions: []memory.FeedbackSource{}},
			{
				Key: "a", StartedAt: at(1), Outcome: memory.OutcomeSuccess, FeedbackSum: -2, FeedbackCount: 3,
				Interventions: []memory.FeedbackSource{memory.SourceChat, memory.SourceWorkflow},
			},
			{
				Key: "b", StartedAt: at(1), Outcome: memory.OutcomeFailure, FeedbackSum: -1, FeedbackCount: 3,
				Interventions: []memory.FeedbackSource{},
			},
		}, m.outcomes(store.EpisodeFilter{}))
		counts, err := store.All(m.ctx(), m, store.CountsOf{Filter: store.EpisodeFilter{Since: new(at(0))}, Bucket: time.Hour})
		m.NoError(err)
		m.ElementsMatch([]*memory.EpisodeCount{
			{At: at(0).Truncate(time.Hour), Outcome: memory.OutcomeUnknown, Episodes: 1},
			{At: at(1).Truncate(time.Hour), Outcome: memory.OutcomeSuccess, Episodes: 1, Cost: 1.5, FeedbackSum: -2, FeedbackCount: 3},
			{At: at(1).Truncate(time.Hour), Outcome: memory.OutcomeFailure, Episodes: 1, FeedbackSum: -1, FeedbackCount: 3},
		}, counts)
	})
	s.check(t, "they are those of the episodes that a list gives", 15, func(m *tenant, random *rapid.T) {
		w := newWorld(m, random)
		w.fill(12)
		for range 4 {
			filter := w.filter()
			listed := w.model.list(filter, memory.OldestFirst, nil)
			found := m.outcomes(filter)
			m.Len(found, len(listed))
			for i, e := range listed {
				m.Equal(memory.EpisodeOutcome{
					Key: e.Key, StartedAt: e.StartedAt, Outcome: e.Outcome, FeedbackSum: e.FeedbackSum,
					FeedbackCount: e.FeedbackCount, Interventions: []memory.FeedbackSource{},
				}, found[i])
			}
		}
	})
}

// outcomes walks all outcomes of episodes that pass a filter.
func (m *tenant) outcomes(filter store.EpisodeFilter) []memory.EpisodeOutcome {
	m.t.Helper()
	return walk(m, 2, func(page store.Page) ([]memory.EpisodeOutcome, bool, error) {
		return valuesOf(store.List(m.ctx(), m, store.OutcomesOf{Filter: filter}, page))
	}, func(e memory.EpisodeOutcome) store.Position {
		return store.Position{At: e.StartedAt, Key: e.Key}
	})
}

// from says where a person reacted.
func (d feedbackDraft) from(source memory.FeedbackSource) feedbackDraft {
	d.Feedback.Source = source
	return d
}
