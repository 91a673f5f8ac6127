package storetest

import (
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) actors(t *testing.T) {
	s.run(t, "an agent comes into being with its first episode, named by its key", func(m *tenant) {
		m.record(episode("e1", at(0)).by("ada"))
		m.Equal(&memory.Agent{Key: "ada", Name: "ada"}, m.agent("ada"))
	})
	s.run(t, "an episode renames its agent where it brings a name", func(m *tenant) {
		m.record(episode("e1", at(0)).by("ada").named("Ada"), episode("e2", at(1)).by("ada"))
		m.Equal("Ada", m.agent("ada").Name)
		m.record(episode("e3", at(2)).by("ada").named(""))
		m.Equal("", m.agent("ada").Name)
	})
	s.run(t, "an agent is saved without an episode, and renamed", saveAgent)
	s.run(t, "agents and sessions come in the order of the keys, nil where there is none", actorsByKey)
	s.run(t, "agents are listed by key, in pages", agentPages)
	s.run(t, "task types are distinct and sorted, by agent", taskTypes)
}

func saveAgent(m *tenant) {
	m.NoError(nameAgent(m.ctx(), m, memory.Agent{Key: "ada", Name: "Ada"}))
	m.Equal(&memory.Agent{Key: "ada", Name: "Ada"}, m.agent("ada"))
	m.record(episode("e1", at(0)).by("ada"))
	m.Equal("Ada", m.agent("ada").Name)
	m.NoError(nameAgent(m.ctx(), m, memory.Agent{Key: "ada", Name: "Ada L."}))
	m.Equal("Ada L.", m.episode("e1", store.WithAgent).Context.Agent.Name)
	m.Equal(1, m.count(store.Count(m.ctx(), m, store.AllAgents{})))
	m.Empty(m.canvasesOf(store.CanvasesOf{Agent: new("ada")}))
}

func actorsByKey(m *tenant) {
	m.record(episode("e1", at(0)).by("a").in("s"), episode("e2", at(0)).by("b").in("t"))
	agents, err := store.Get[memory.Agent](m.ctx(), m, []string{"b", "none", "a", "b"})
	m.NoError(err)
	a, b := &memory.Agent{Key: "a", Name: "a"}, &memory.Agent{Key: "b", Name: "b"}
	m.Equal([]*memory.Agent{b, nil, a, b}, agents)
	sessions, err := store.Get[memory.Session](m.ctx(), m, []string{"t", "none", "s", "t"})
	m.NoError(err)
	m.Equal([]*memory.Session{{Key: "t"}, nil, {Key: "s"}, {Key: "t"}}, sessions)

	agents, err = store.Get[memory.Agent](m.ctx(), m, nil)
	m.NoError(err)
	m.Equal([]*memory.Agent{}, agents)
	sessions, err = store.Get[memory.Session](m.ctx(), m, nil)
	m.NoError(err)
	m.Equal([]*memory.Session{}, sessions)
}

func agentPages(m *tenant) {
	want := []string{"A", "B", "a", "ab", "b", "é"}
	for i := range want {
		key := want[(i*5)%len(want)]
		m.NoError(nameAgent(m.ctx(), m, memory.Agent{Key: key, Name: "the same name"}))
	}
	m.Equal(len(want), m.count(store.Count(m.ctx(), m, store.AllAgents{})))
	for limit := 1; limit <= len(want)+1; limit++ {
		walked := walk(m, limit, func(page store.Page) ([]*memory.Agent, bool, error) {
			return store.List(m.ctx(), m, store.AllAgents{}, page)
		}, func(a *memory.Agent) store.Position { return store.Position{Key: a.Key} })
		m.Equal(want, keysOf(walked, func(a *memory.Agent) string { return a.Key }), "pages of %d", limit)
	}
}

func taskTypes(m *tenant) {
	m.record(
		episode("e1", at(0)).by("a").doing("refund"), episode("e2", at(1)).by("a").doing("booking"),
		episode("e3", at(2)).by("a").doing("refund"), episode("e4", at(3)).by("a"), episode("e5", at(4)).by("b").doing("upgrade"),
		episode("e6", at(5)).by("c"),
	)
	found := m.taskTypes("a", "b", "c", "nobody")
	m.Equal([]string{"booking", "refund"}, found["a"])
	m.Equal([]string{"upgrade"}, found["b"])
	m.Empty(found["c"])
	m.Empty(found["nobody"])
	m.remove("e2")
	m.Equal([]string{"refund"}, m.taskTypes("a")["a"])
}

// taskTypes are those of agents, by agent.
func (m *tenant) taskTypes(agents ...string) map[string][]string {
	m.t.Helper()
	types := map[string][]string{}
	found, err := store.All(m.ctx(), m, store.TaskTypesOf{Agents: agents})
	m.NoError(err)
	for _, of := range found {
		types[of.Agent] = of.Types
	}
	return types
}
