package neo4j

import (
	"context"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// SaveAgent makes an agent known, or renames it; see store.ActorReader.
func (s *tenantStore) SaveAgent(ctx context.Context, agent memory.Agent) error {
	return s.write(ctx, func(t *transaction) error { return t.saveAgent(agent) })
}

func (t *transaction) saveAgent(agent memory.Agent) error {
	arrived, c := arrivals{}, newChanges()
	arrived.add(memory.KindAgent, agent.Key)
	values := parameters{"key": agent.Key, "name": agent.Name}
	if err := t.create(c, named("save_agent"), values, arrived); err != nil {
		return err
	}
	return c.apply(t)
}

func decodeAgent(row *neo4j.Record) (*memory.Agent, error) {
	f := fieldsOf(row.AsMap())
	return &memory.Agent{Key: f.key(memory.KindAgent), Name: f.text("name")}, f.err
}

// Agents reads known agents; see store.ActorReader.
func (s *tenantStore) Agents(ctx context.Context, keys []string) ([]*memory.Agent, error) {
	return readByKey(ctx, s, named("agents"), keys, decodeAgent, func(a *memory.Agent) string { return a.Key })
}

// ListAgents reads a page of agents; see store.ActorReader.
func (s *tenantStore) ListAgents(ctx context.Context, p store.Page) ([]*memory.Agent, bool, error) {
	return wholePage(ctx, p.Limit, func(ctx context.Context, limit int) ([]*memory.Agent, error) {
		values := parameters{"after": "", "limit": limit + 1}
		if p.After != nil {
			values["after"] = p.After.Key
		}
		return read(ctx, s.backend, s.query(named("list_agents"), values), decodeAgent)
	})
}

// CountAgents counts the agents; see store.ActorReader.
func (s *tenantStore) CountAgents(ctx context.Context) (int, error) {
	return s.count(ctx, s.query(named("count_agents"), nil))
}

// TaskTypes reads the task types of agents; see store.ActorReader.
func (s *tenantStore) TaskTypes(ctx context.Context, agents []string) (map[string][]string, error) {
	types := map[string][]string{}
	if len(agents) == 0 {
		return types, nil
	}
	q := s.query(named("task_types"), parameters{"agents": setOf(agents...).sorted()})
	found, err := read(ctx, s.backend, q, decodeTaskTypes)
	for _, row := range found {
		slices.Sort(row.taskTypes)
		types[row.agent] = row.taskTypes
	}
	return types, err
}

type agentTaskTypes struct {
	agent     string
	taskTypes []string
}

func decodeTaskTypes(row *neo4j.Record) (agentTaskTypes, error) {
	f := fieldsOf(row.AsMap())
	return agentTaskTypes{agent: f.text("agent"), taskTypes: list[string](f, "taskTypes")}, f.err
}

// Sessions reads known sessions; see store.ActorReader.
func (s *tenantStore) Sessions(ctx context.Context, keys []string) ([]*memory.Session, error) {
	return readByKey(ctx, s, named("sessions"), keys, func(row *neo4j.Record) (*memory.Session, error) {
		key, err := column[string]("key")(row)
		return &memory.Session{Key: key}, err
	}, func(session *memory.Session) string { return session.Key })
}
