package storetest

import (
	"fmt"
	"slices"
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) executions(t *testing.T) {
	s.run(t, "every field comes back", func(m *tenant) {
		full := execution("x1", at(3)).by("ada").doing("Refund").worth(0.123456789012345).taking(12.5)
		m.execute(full, execution("x2", at(4)).failing(), execution("x3", at(5)).taking(0))
		m.Equal(full.read(), m.execution("x1"))
		m.Equal(execution("x2", at(4)).failing().read(), m.execution("x2"))
		m.Equal(execution("x3", at(5)).taking(0).read(), m.execution("x3"))
	})
	s.run(t, "names come back byte for byte", func(m *tenant) {
		var drafts []executionDraft
		for i, name := range []string{"a/b", "a:b", "a%2Fb", "ключ", "with blank", "A", "a", "'", "\u0065\u0301", "é"} {
			drafts = append(drafts, execution(fmt.Sprint("x/:", i), at(0)).by(name).doing(name))
		}
		drafts = append(drafts, execution("none", at(0)).doing(""))
		m.execute(drafts...)
		for _, d := range drafts {
			m.Equal(d.read(), m.execution(d.Execution.Key))
			m.requireProfile(plain([]executionDraft{d}), d.Execution.AgentKey, d.Execution.TaskType, nil)
		}
		m.Len(m.profilesOf(store.ProfilesOf{}), len(drafts))
	})
	s.run(t, "the agent comes into being, named by its key, and keeps its name", func(m *tenant) {
		m.execute(execution("x1", at(0)).by("ada"))
		m.Equal("ada", m.agent("ada").Name)
		m.NoError(nameAgent(m.ctx(), m, memory.Agent{Key: "ada", Name: "Ada"}))
		m.execute(execution("x2", at(0)).by("ada"))
		m.Equal("Ada", m.agent("ada").Name)
		m.Equal(1, m.count(store.Count(m.ctx(), m, store.AllAgents{})))
	})
	s.run(t, "the same content again is the same execution, other content a conflict", func(m *tenant) {
		m.execute(execution("x1", at(0)))
		recorded := m.executed(execution("x1", at(0)), execution("x1", at(0)).worth(0.5), execution("x2", at(1)), execution("x2", at(1)))
		m.NoError(recorded[0].Err)
		m.False(recorded[0].Created)
		m.ErrorIs(recorded[1].Err, store.ErrConflict)
		m.True(recorded[2].Created)
		m.False(recorded[3].Created)
		m.NoError(recorded[3].Err)
		m.requireProfile(plain([]executionDraft{execution("x1", at(0)), execution("x2", at(1))}), "agent", "refund", nil)
	})
	s.run(t, "a conflict makes no agent and no profile", func(m *tenant) {
		m.execute(execution("x1", at(0)))
		m.ErrorIs(m.executed(execution("x1", at(0)).by("eve"))[0].Err, store.ErrConflict)
		agents, err := store.Get[memory.Agent](m.ctx(), m, []string{"eve"})
		m.NoError(err)
		m.Equal([]*memory.Agent{nil}, agents)
		m.Nil(m.profile("eve", "refund", nil))
	})
	s.run(t, "the same content again is the same execution when it is archived", func(m *tenant) {
		drafts := m.executionsAt(101)
		m.True(m.execution(drafts[0].Execution.Key).Archived)
		recorded := m.executed(drafts[0], drafts[0].worth(1))
		m.False(recorded[0].Created)
		m.NoError(recorded[0].Err)
		m.ErrorIs(recorded[1].Err, store.ErrConflict)
		m.requireProfile(plain(drafts), "agent", "refund", nil)
	})
	s.run(t, "executions come in the order of the keys, nil where there is none", func(m *tenant) {
		m.execute(execution("a", at(0)), execution("b", at(1)))
		found, err := store.Get[memory.Execution](m.ctx(), m, []string{"b", "none", "a", "b", "A"})
		m.NoError(err)
		a, b := execution("a", at(0)).read(), execution("b", at(1)).read()
		m.Equal([]*memory.Execution{b, nil, a, b, nil}, found)
		found, err = store.Get[memory.Execution](m.ctx(), m, nil)
		m.NoError(err)
		m.Equal([]*memory.Execution{}, found)
	})
	s.run(t, "an empty batch is no error", func(m *tenant) { m.Empty(m.executed()) })
	s.run(t, "an unknown profile has no executions", func(m *tenant) {
		m.execute(execution("a", at(0)))
		for _, query := range []store.ExecutionsOf{{Agent: "nobody", TaskType: "refund"}, {Agent: "agent", TaskType: "Refund"}, {Agent: "agent", TaskType: "refund", Archived: true}} {
			found, more, err := store.List(m.ctx(), m, query, everything)
			m.NoError(err)
			m.False(more)
			m.Equal([]*memory.Execution{}, found)
		}
	})
	t.Run("tenants have their own", func(t *testing.T) {
		backend := s.open(t)
		mine, theirs := bind(t, backend, randomTenant()), bind(t, backend, randomTenant())
		mine.execute(execution("x1", at(0)).worth(0.5))
		theirs.Nil(theirs.execution("x1"))
		theirs.Empty(theirs.profilesOf(store.ProfilesOf{}))
		theirs.Empty(theirs.records(nil, nil))
		theirs.execute(execution("x1", at(0)))
		mine.requireProfile(plain([]executionDraft{execution("x1", at(0)).worth(0.5)}), "agent", "refund", nil)
		theirs.requireProfile(plain([]executionDraft{execution("x1", at(0))}), "agent", "refund", nil)
	})
}

func (s suite) windows(t *testing.T) {
	s.run(t, "of 120 executions 100 stay and 20 are archived", func(m *tenant) {
		drafts := m.executionsAt(120)
		m.requireProfile(plain(drafts), "agent", "refund", nil)
		p := m.profile("agent", "refund", nil)
		m.Equal(120, p.Total)
		m.Len(p.Window.At, memory.WindowSize)
		m.Len(m.executionsOf("agent", "refund", true, nil), 20)
		m.False(m.execution(benchmarkKey(20)).Archived)
		m.True(m.execution(benchmarkKey(19)).Archived)
	})
	s.run(t, "one that comes late finds its place", func(m *tenant) {
		drafts := m.executionsAt(100)
		old, middle := execution("old", at(-5)), execution("middle", at(50)).failing()
		m.execute(old, middle)
		m.requireProfile(plain(append(drafts, old, middle)), "agent", "refund", nil)
		m.True(m.execution("old").Archived)
		m.False(m.execution("middle").Archived)
	})
	s.run(t, "of one time the greater key is the later", func(m *tenant) {
		var drafts []executionDraft
		for i := range 103 {
			drafts = append(drafts, execution(fmt.Sprintf("x%03d", i), at(0)))
		}
		slices.Reverse(drafts)
		m.execute(drafts...)
		m.requireProfile(plain(drafts), "agent", "refund", nil)
		m.Equal([]string{"x002", "x001", "x000"}, executionKeys(m.executionsOf("agent", "refund", true, nil)))
	})
	s.run(t, "a position stands where its execution is gone", func(m *tenant) {
		m.record(episode("b", at(2)).doing("refund"))
		m.execute(execution("a", at(1)), execution("c", at(3)))
		m.remove("b")
		page := store.Page{Limit: 5, After: &store.Position{At: at(2), Key: memory.EpisodeExecutionKey("b")}}
		found, more, err := store.List(m.ctx(), m, store.ExecutionsOf{Agent: "agent", TaskType: "refund"}, page)
		m.NoError(err)
		m.False(more)
		m.Equal([]string{"a"}, executionKeys(found))
	})
}

func (s suite) profiles(t *testing.T) {
	s.run(t, "the filter keeps what meets it, by agent and task type", func(m *tenant) {
		var drafts []executionDraft
		for i, agent := range []string{"eve", "ada", "Ada"} {
			for j, taskType := range []string{"refund", "flights", ""} {
				drafts = append(drafts, execution(fmt.Sprint(i, j), at(i+j)).by(agent).doing(taskType).worth(float64(i)/4))
			}
		}
		m.execute(drafts...)
		name := func(p *memory.LearningProfile) string { return p.AgentKey + "/" + p.TaskType }
		for _, test := range []struct {
			filter store.ProfilesOf
			want   []string
		}{
			{store.ProfilesOf{}, []string{"Ada/", "Ada/flights", "Ada/refund", "ada/", "ada/flights", "ada/refund", "eve/", "eve/flights", "eve/refund"}},
			{store.ProfilesOf{Agents: []string{"ada"}}, []string{"ada/", "ada/flights", "ada/refund"}},
			{store.ProfilesOf{Agents: []string{"eve", "ada", "eve"}, TaskTypes: []string{"refund"}}, []string{"ada/refund", "eve/refund"}},
			{store.ProfilesOf{TaskTypes: []string{""}}, []string{"Ada/", "ada/", "eve/"}},
			{store.ProfilesOf{TaskTypes: []string{"unknown"}}, none},
			{store.ProfilesOf{Agents: []string{}}, none},
			{store.ProfilesOf{TaskTypes: []string{}}, none},
			{store.ProfilesOf{Agents: []string{"ada"}, AsOf: new(at(2))}, []string{"ada/flights", "ada/refund"}},
			{store.ProfilesOf{AsOf: new(at(-1))}, none},
		} {
			got := []string{}
			for _, p := range m.profilesOf(test.filter) {
				got = append(got, name(p))
				m.Equal(profileOf(plain(drafts), p.AgentKey, p.TaskType, test.filter.AsOf), p)
			}
			m.Equal(test.want, got, "%+v", test.filter)
		}
	})
	s.run(t, "sums are exact", func(m *tenant) {
		for i := range 30 {
			m.execute(execution(fmt.Sprint(i), at(i)).worth(0.1).taking(0.001))
		}
		p := m.profile("agent", "refund", nil)
		m.EqualValues(3_000_000_000, p.QualityBillionths)
		m.EqualValues(30, p.LatencyMicros)
		m.Equal(30, p.Timed)
		m.Equal(0.1, p.AvgQuality())
	})
}

func (s suite) agentRecords(t *testing.T) {
	s.run(t, "they sum up each task type, archived executions too", func(m *tenant) {
		drafts := m.executionsAt(105)
		m.execute(execution("f1", at(0)).doing("flights").failing(), execution("f2", at(1)).doing("flights").worth(0.25))
		var billionths int64
		for _, d := range drafts {
			billionths += memory.QualityBillionths(d.Execution.Quality)
		}
		m.Equal([]memory.AgentRecord{{AgentKey: "agent", Tasks: []memory.TaskRecord{
			{TaskType: "flights", Total: 2, Successful: 1, QualityBillionths: 250_000_000},
			{TaskType: "refund", Total: 105, Successful: 105, QualityBillionths: billionths},
		}}}, m.records(nil, nil))
	})
	s.run(t, "every agent that is known has one, by key", func(m *tenant) {
		m.NoError(nameAgent(m.ctx(), m, memory.Agent{Key: "saved", Name: "Saved"}))
		m.record(episode("e", at(0)).by("idle"), episode("open", at(0)).by("Busy").doing("refund").unconcluded())
		m.execute(execution("x", at(0)).by("ada"))
		ada := memory.AgentRecord{AgentKey: "ada", Tasks: []memory.TaskRecord{
			{TaskType: "refund", Total: 1, Successful: 1, QualityBillionths: 1_000_000_000},
		}}
		nothing := func(agent string) memory.AgentRecord {
			return memory.AgentRecord{AgentKey: agent, Tasks: []memory.TaskRecord{}}
		}
		m.Equal([]memory.AgentRecord{nothing("Busy"), ada, nothing("idle"), nothing("saved")}, m.records(nil, nil))
		m.Equal([]memory.AgentRecord{ada, nothing("saved")}, m.records([]string{"saved", "nobody", "ada", "saved"}, nil))
		m.Equal([]memory.AgentRecord{}, m.records([]string{}, nil))
	})
	s.run(t, "as of an instant, those with work known then and what it was", func(m *tenant) {
		m.NoError(nameAgent(m.ctx(), m, memory.Agent{Key: "saved", Name: "Saved"}))
		m.record(episode("e", at(2)).by("idle").until(at(6)), episode("w", at(1)).by("ada").doing("refund").until(at(4)))
		m.execute(execution("x", at(3)).by("ada").failing())
		task := func(successful, total int) []memory.TaskRecord {
			return []memory.TaskRecord{{TaskType: "refund", Total: total, Successful: successful, QualityBillionths: int64(successful) * 1e9}}
		}
		for minute, want := range map[int][]memory.AgentRecord{
			2: {},
			3: {{AgentKey: "ada", Tasks: task(0, 1)}},
			4: {{AgentKey: "ada", Tasks: task(1, 2)}},
			6: {{AgentKey: "ada", Tasks: task(1, 2)}, {AgentKey: "idle", Tasks: []memory.TaskRecord{}}},
		} {
			m.Equal(want, m.records(nil, new(at(minute))), minute)
		}
		m.Equal([]memory.AgentRecord{}, m.records([]string{"idle", "saved"}, new(at(5))))
	})
}

func (s suite) learningLinks(t *testing.T) {
	s.run(t, "an execution is of a profile and from an episode, a profile of an agent", func(m *tenant) {
		m.record(episode("e", at(0)).doing("re/fund").by("gpt:4"))
		m.execute(execution("x", at(1)).doing("re/fund").by("gpt:4"))
		profile, own, other := "learningProfile:gpt:4/re%2Ffund", "execution:episode:e", "execution:x"
		m.Equal([]bool{true, true, true}, m.exist(profile, own, other))
		m.Equal([]store.Link{
			{Source: own, Target: "episode:e", Type: "FROM"}, {Source: own, Target: profile, Type: "OF"},
			{Source: other, Target: profile, Type: "OF"}, {Source: profile, Target: "agent:gpt:4", Type: "OF"},
		}, m.between([]string{profile, own}, []string{profile, own, other, "episode:e", "agent:gpt:4"}, []string{"OF", "FROM"}))
		of := func(id string, direction memory.Direction, types ...string) []string {
			return m.neighbours(store.AdjacencyQuery{Of: []string{id}, Direction: direction, Relations: types})
		}
		m.Equal([]string{"episode:e", profile}, of(own, memory.DirectionOut))
		m.Equal([]string{own, other}, of(profile, memory.DirectionIn))
		m.Equal([]string{"agent:gpt:4"}, of(profile, memory.DirectionOut))
		m.Equal([]string{own}, of("episode:e", memory.DirectionIn, "FROM"))
		m.Equal([]string{profile}, of("agent:gpt:4", memory.DirectionIn))
		m.remove("e")
		m.Equal([]bool{true, false, true}, m.exist(profile, own, other))
		m.Equal([]string{other}, of(profile, memory.DirectionIn))
	})
	s.run(t, "they go with the last execution", func(m *tenant) {
		m.record(episode("e", at(0)).doing("refund"))
		m.remove("e")
		m.Equal([]bool{false, false}, m.exist("learningProfile:agent/refund", "execution:episode:e"))
		m.Empty(m.neighbours(store.AdjacencyQuery{Of: []string{"agent:agent"}}))
	})
	s.run(t, "archived executions stay linked", func(m *tenant) {
		m.executionsAt(101)
		archived := "execution:" + benchmarkKey(0)
		m.Equal([]bool{true}, m.exist(archived))
		m.Equal([]string{"learningProfile:agent/refund"}, m.neighbours(store.AdjacencyQuery{Of: []string{archived}}))
		m.Len(m.pages(store.AdjacencyQuery{Of: []string{"learningProfile:agent/refund"}, Direction: memory.DirectionIn, Limit: 30}), 101)
	})
	s.run(t, "observations about them wait until they come", func(m *tenant) {
		about := []string{"execution:episode:e", "execution:x", "learningProfile:agent/refund"}
		m.observe(observation("o", at(0)).about(about...))
		m.Empty(m.observation("o").About)
		m.record(episode("e", at(0)).doing("refund"))
		m.Equal([]string{about[0], about[2]}, m.observation("o").About)
		m.execute(execution("x", at(0)))
		m.Equal(about, m.observation("o").About)
		m.remove("e")
		m.Equal(about[1:], m.observation("o").About)
	})
}
