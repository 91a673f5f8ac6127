package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// SaveAgent makes an agent known, or renames it.
func (t *Tenant) SaveAgent(ctx context.Context, agent memory.Agent) error {
	return t.write(ctx, func(c *conn) error {
		_, err := ensureAgent(c, agent.Key, &agent.Name)
		return err
	})
}

// Agents reads agents by key.
func (t *Tenant) Agents(ctx context.Context, keys []string) ([]*memory.Agent, error) {
	find := agentColumns + ` FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'agent' AND n.key = w.value
		JOIN agents g ON g.id = n.id`
	return recordsByKey(ctx, t, memory.KindAgent, find, keys, readAgent, func(a *memory.Agent) string { return a.Key })
}

// Sessions reads sessions by key.
func (t *Tenant) Sessions(ctx context.Context, keys []string) ([]*memory.Session, error) {
	const find = `SELECT n.key FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'session' AND n.key = w.value`
	read := func(r *row) *memory.Session { return &memory.Session{Key: r.key(memory.KindSession)} }
	return recordsByKey(ctx, t, memory.KindSession, find, keys, read, func(s *memory.Session) string { return s.Key })
}

func agentFields(g *memory.Agent) []column { return []column{{"name", &g.Name}} }

// An agent is g, its node n.
var (
	agentColumns = `SELECT n.key, ` + selected("g", agentFields(&memory.Agent{}))
	agentScanner = scannerOf(agentFields)
)

func readAgent(r *row) *memory.Agent {
	g := &memory.Agent{Key: r.key(memory.KindAgent)}
	agentScanner.scan(g, r)
	return g
}

// ListAgents reads a page of agents by key.
func (t *Tenant) ListAgents(ctx context.Context, page store.Page) ([]*memory.Agent, bool, error) {
	find := agentColumns + ` FROM nodes n JOIN agents g ON g.id = n.id
		WHERE n.kind = 'agent' AND n.key > :after ORDER BY n.key LIMIT :limit`
	after := "" // no key is empty
	if page.After != nil {
		after = page.After.Key
	}
	return wholePage(ctx, t.read, page.Limit, func(c *conn, most int) (read []*memory.Agent, err error) {
		err = c.query(find, func(r *row) error {
			read = keep(r, read, readAgent(r))
			return nil
		}, arg("after", after), arg("limit", most))
		return read, err
	})
}

// CountAgents counts the agents.
func (t *Tenant) CountAgents(ctx context.Context) (int, error) {
	return t.count(ctx, `SELECT count(*) FROM agents`, nil)
}

// typesOfAgents hops from one task type to the next in the index, so that its cost is that of the task types and not
// of the episodes.
const typesOfAgents = `WITH RECURSIVE
	asked (agent, key) AS MATERIALIZED (
		SELECT n.id, n.key FROM json_each(:agents) w CROSS JOIN nodes n ON n.kind = 'agent' AND n.key = w.value
	),
	types (agent, key, task_type) AS (
		SELECT agent, key, (SELECT min(e.task_type) FROM episodes e WHERE e.agent = a.agent) FROM asked a
		UNION ALL
		SELECT t.agent, t.key, (SELECT min(e.task_type) FROM episodes e WHERE e.agent = t.agent AND e.task_type > t.task_type)
		FROM types t WHERE t.task_type IS NOT NULL
	) SELECT key, task_type FROM types WHERE task_type IS NOT NULL
	UNION SELECT a.key, p.task_type FROM asked a CROSS JOIN profiles p ON p.agent = a.agent ORDER BY 1, 2`

// TaskTypes reads the task types of agents' episodes and profiles.
func (t *Tenant) TaskTypes(ctx context.Context, agents []string) (map[string][]string, error) {
	list, err := jsonOf(distinct(agents))
	if err != nil {
		return nil, err
	}
	types := make(map[string][]string, len(agents))
	err = t.read(ctx, func(c *conn) error {
		return c.query(typesOfAgents, func(r *row) error {
			if agent, taskType := r.text(), r.text(); !r.unreadable() {
				types[agent] = append(types[agent], taskType)
			}
			return nil
		}, arg("agents", list))
	})
	return types, err
}
