package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/profiles"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
)

// listExecutions reads a page of a profile's executions.
func (t *Tenant) listExecutions(ctx context.Context, query *store.ExecutionsOf, page store.Page) ([]*memory.Execution, bool, error) {
	return profiles.List(query, page, func(l profiles.Listing) ([]profiles.Listed, error) {
		page, _, err := wholePage(ctx, t.file.Snapshot, l.Limit, func(c *db.Conn, most int) ([]profiles.Listed, error) {
			l.Limit = most
			return learning.Page(ctx, c, l)
		})
		return page, err
	})
}

func recordExecution(tx *db.Tx, record *store.ExecutionRecord) (created bool, err error) {
	if known, err := sameAsRecorded(tx, memory.KindExecution, record.Key, record.InputHash); known || err != nil {
		return false, err
	}
	if known, err := learning.Pending(tx, record); known || err != nil {
		return false, err
	}
	learning.Count(tx, *record)
	return true, nil
}

// agentRecords reads what agents have done in all, of those that are known, or that had an episode at an instant.
func agentRecords(ctx context.Context, c *db.Conn, query *store.AgentRecordsOf, _ int) ([]*memory.AgentRecord, error) {
	var w db.Conditions
	learning.AddAgents(&w, `g.id`, query.Agents)
	w.AddGiven(`EXISTS (SELECT 1 FROM episodes e WHERE e.agent = g.id AND e.known_at <= :as_of)`, "as_of", query.AsOf)
	var agents []string
	byID := map[int64]string{}
	err := c.Search(ctx, `SELECT g.id, k.key FROM agents g CROSS JOIN nodes k ON k.id = g.id WHERE `+w.SQL(), func(r *db.Row) {
		if id, key := r.Integer(), r.Text(); !r.Unreadable() {
			agents, byID[id] = append(agents, key), key
		}
	}, w.Args...)
	if err != nil {
		return nil, err
	}
	found, err := taskRecords(ctx, c, query, byID)
	return profiles.Records(agents, found), err
}

// taskRecords reads counters in the order of the table: of all agents there may be a hundred for each, and to look
// these up agent by agent costs several times as much.
func taskRecords(ctx context.Context, c *db.Conn, query *store.AgentRecordsOf, agents map[int64]string) (found []*memory.LearningProfile, err error) {
	if query.AsOf != nil {
		return learning.Profiles(ctx, c, &store.ProfilesOf{Agents: query.Agents, AsOf: query.AsOf}, false)
	}
	var w db.Conditions
	learning.AddAgents(&w, `p.agent`, query.Agents)
	find := `SELECT p.agent, p.task_type, p.total, p.successful, p.quality_billionths FROM profiles p WHERE ` + w.SQL()
	return found, c.Search(ctx, find, func(r *db.Row) {
		p := &memory.LearningProfile{AgentKey: agents[r.Integer()], TaskType: r.Text(), Total: r.Int(), Successful: r.Int(), QualityBillionths: r.Integer()}
		if !r.Unreadable() && p.AgentKey != "" {
			found = append(found, p)
		}
	}, w.Args...)
}

// episodeCounts adds episodes up by when they began and how they ended.
func episodeCounts(ctx context.Context, c *db.Conn, query *store.CountsOf, _ int) ([]*memory.EpisodeCount, error) {
	w := graph.Filtered(&query.Filter, nil)
	count := `SELECT e.started_at - e.started_at % :bucket, e.outcome, count(*), total(e.cost), sum(e.feedback_sum), sum(e.feedback_count) FROM episodes e
		WHERE ` + w.SQL() + ` GROUP BY 1, 2`
	return db.AllWithin(ctx, c, count, func(r *db.Row) *memory.EpisodeCount {
		return &memory.EpisodeCount{At: r.Time(), Outcome: db.Word[memory.Outcome](r), Episodes: r.Int(), Cost: r.Sum(), FeedbackSum: r.Sum(), FeedbackCount: r.Int()}
	}, append(w.Args, db.Arg("bucket", query.Bucket.Milliseconds()))...)
}

// outcomesPage selects a page of how episodes turned out. It finds the page first, then where people intervened.
func outcomesPage(query *store.OutcomesOf, page *store.Page) (find string, w db.Conditions) {
	w = graph.Filtered(&query.Filter, nil)
	order := addOrder(&w, memory.OldestFirst, page.After)
	return `SELECT k.key, e.started_at, e.outcome, e.feedback_sum, e.feedback_count, iif(e.feedback_count = 0, '[]', (
			SELECT json_group_array(source) FROM (
				SELECT DISTINCT f.source FROM edges r JOIN feedback f ON f.id = r.target
				WHERE r.source = e.id AND r.type = 'RECEIVED' AND ` + graph.Corrects + ` AND f.replaced_at IS NULL ORDER BY f.source)))
		FROM (SELECT e.id FROM episodes e JOIN nodes k ON k.id = e.id WHERE ` + w.SQL() + ` ORDER BY ` + order + ` LIMIT :limit) w
		JOIN episodes e ON e.id = w.id JOIN nodes k ON k.id = e.id ORDER BY e.started_at, k.key`, w
}

func readOutcome(r *db.Row) *memory.EpisodeOutcome {
	return &memory.EpisodeOutcome{
		Key: r.Key(memory.KindEpisode), StartedAt: r.Time(), Outcome: db.Word[memory.Outcome](r), FeedbackSum: r.Sum(),
		FeedbackCount: r.Int(), Interventions: db.ListOf[memory.FeedbackSource](r),
	}
}
