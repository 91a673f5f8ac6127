package neo4j

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

func (t *transaction) saveAgent(agent memory.Agent) error {
	c := linking.NewChanges()
	c.Arrive(memory.KindAgent, agent.Key)
	return t.Create(c, cypher.Named("save_agent"), cypher.Parameters{"key": agent.Key, "name": agent.Name})
}

var agentOf = bolt.Reading(fields.Agent)

// taskTypes reads the task types of agents; see store.TaskTypesOf.
func (s *tenantStore) taskTypes(ctx context.Context, agents []string) (all []*store.AgentTaskTypes, err error) {
	if len(agents) == 0 {
		return nil, nil
	}
	q := s.Query(cypher.Named("task_types"), cypher.Parameters{"agents": linking.SetOf(agents...).Sorted()})
	return bolt.Read(ctx, s.Connection, q, func(f *bolt.Fields) *store.AgentTaskTypes {
		types := bolt.List[string](f, "taskTypes")
		slices.Sort(types)
		return &store.AgentTaskTypes{Agent: f.Text("agent"), Types: types}
	})
}

func sessionOf(f *bolt.Fields) *memory.Session { return &memory.Session{Key: f.Text("key")} }
