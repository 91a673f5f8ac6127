package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/sqlite/db"
)

// An agent is g, its node n.
var (
	agentColumns = `n.key, ` + db.Selected("g", fields.Agent(&memory.Agent{}))
	readAgent    = db.ScannerOf(fields.Agent).Read
	agentRow     = `agents g ON g.id = n.id`
)

// agentsPage selects a page of agents by key.
func agentsPage(_ *store.AllAgents, page *store.Page) (find string, w db.Conditions) {
	w.Add(`n.kind = 'agent'`)
	if page.After != nil {
		w.Add(`n.key > :after`, db.Arg("after", page.After.Key))
	}
	return `SELECT ` + agentColumns + ` FROM nodes n JOIN ` + agentRow + ` WHERE ` + w.SQL() + ` ORDER BY n.key LIMIT :limit`, w
}

const sessionsByKey = `SELECT n.key FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'session' AND n.key = w.value`

func readSession(r *db.Row) *memory.Session { return &memory.Session{Key: r.Key(memory.KindSession)} }

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

// taskTypes reads the task types of agents' episodes and profiles.
func taskTypes(ctx context.Context, c *db.Conn, of *store.TaskTypesOf, _ int) (all []*store.AgentTaskTypes, err error) {
	return all, c.Search(ctx, typesOfAgents, func(r *db.Row) {
		agent, taskType := r.Text(), r.Text()
		if r.Unreadable() {
			return
		}
		if len(all) == 0 || all[len(all)-1].Agent != agent {
			all = append(all, &store.AgentTaskTypes{Agent: agent, Types: nil})
		}
		all[len(all)-1].Types = append(all[len(all)-1].Types, taskType)
	}, db.List("agents", db.Distinct(of.Agents)))
}
