package storetest

import (
	"testing"

	"mneme/memory"
	"mneme/store"
)

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
		m.NoError(m.SaveAgent(m.ctx(), memory.Agent{Key: "saved", Name: "Saved"}))
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
		m.NoError(m.SaveAgent(m.ctx(), memory.Agent{Key: "saved", Name: "Saved"}))
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
		of := func(id string, direction store.Direction, types ...string) []string {
			return m.neighbours(store.AdjacencyQuery{Of: []string{id}, Direction: direction, Relations: types})
		}
		m.Equal([]string{"episode:e", profile}, of(own, store.Out))
		m.Equal([]string{own, other}, of(profile, store.In))
		m.Equal([]string{"agent:gpt:4"}, of(profile, store.Out))
		m.Equal([]string{own}, of("episode:e", store.In, "FROM"))
		m.Equal([]string{profile}, of("agent:gpt:4", store.In))
		m.remove("e")
		m.Equal([]bool{true, false, true}, m.exist(profile, own, other))
		m.Equal([]string{other}, of(profile, store.In))
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
		m.Len(m.pages(store.AdjacencyQuery{Of: []string{"learningProfile:agent/refund"}, Direction: store.In, Limit: 30}), 101)
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
