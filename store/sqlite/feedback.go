package sqlite

import (
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// Feedback is f, its node n, the edge from its episode p.
var (
	feedbackColumns   = `SELECT n.key, o.key AS episode, v.key AS canvas, s.key AS session, ` + db.Selected("f", fields.Feedback(&memory.Feedback{}))
	feedbackScanner   = db.ScannerOf(fields.Feedback)
	insertingFeedback = db.Inserting("feedback", fields.Feedback(&memory.Feedback{}), "id", "leads_by", "input_hash")
)

const (
	feedbackTables = ` JOIN nodes n ON n.id = f.id
		LEFT JOIN nodes o ON o.id = p.source` + feedbackEnds
	feedbackEnds = `
		LEFT JOIN edges d ON d.source = f.id AND d.type = 'ON'
		LEFT JOIN nodes v ON v.id = d.target
		LEFT JOIN edges i ON i.source = f.id AND i.type = 'IN_SESSION'
		LEFT JOIN nodes s ON s.id = i.target`
	feedbackEdge = ` LEFT JOIN edges p ON p.target = f.id AND p.type = 'RECEIVED'`
)

func readFeedback(r *db.Row) *memory.Feedback {
	f := feedbackScanner.Read(r)
	r.Check(f.Check())
	return f
}

var ownedFeedback = ownedBy(graph.EdgeReceived, feedbackColumns+` FROM edges p JOIN feedback f ON f.id = p.target`+feedbackTables,
	` AND NOT EXISTS (SELECT 1 FROM feedback r WHERE r.id = p.target AND r.replaced_at <= :as_of)`, ``)

// loadFeedback reads the newest feedback of episodes.
func loadFeedback(c *db.Conn, episodes []*memory.Episode, asOf *time.Time) error {
	for _, e := range episodes {
		e.Context.Feedback = make([]*memory.Feedback, 0, min(e.FeedbackCount, memory.ContextLimit))
	}
	var read []*memory.Feedback
	count := func(e *memory.Episode) int { return e.FeedbackCount }
	err := ownedFeedback.read(c, episodes, asOf, count, func(r *db.Row) { read = db.Keep(r, read, readFeedback(r)) })
	if err != nil {
		return err
	}
	slices.SortFunc(read, memory.NewestFeedbackFirst)
	owners := byKey(episodes)
	for _, f := range read {
		context := owners[*f.EpisodeKey].Context
		context.Feedback = append(context.Feedback, f)
	}
	return nil
}

var feedbackByKey = feedbackColumns + ` FROM json_each(:keys) w CROSS JOIN nodes q ON q.kind = 'feedback' AND q.key = w.value
	JOIN feedback f ON f.id = q.id` + feedbackEdge + feedbackTables

// feedbackPage selects a page of an owner's feedback.
func feedbackPage(query *store.FeedbackOf, page *store.Page) (find string, w db.Conditions) {
	from, w := feedbackOf(query)
	w.AddAfter(`f.created_at`, page.After)
	sides := []string{``}
	if query.Episode == nil && query.Canvases == nil {
		sides = eachSide(`f.waiting`, query.Waiting)
	}
	return feedbackColumns + ` FROM (` + newestOf(`f`, from, w, sides) + `) w
		CROSS JOIN feedback f ON f.id = w.id` + feedbackEdge + feedbackTables + ` ORDER BY f.created_at DESC, n.key`, w
}

// countedFeedback is feedbackOf with the condition that a page has in its sides.
func countedFeedback(query *store.FeedbackOf) (from string, w db.Conditions) {
	from, w = feedbackOf(query)
	w.AddGiven(`f.waiting = :waiting`, "waiting", query.Waiting)
	return from, w
}

// feedbackOf says where an owner's feedback is.
func feedbackOf(query *store.FeedbackOf) (from string, w db.Conditions) {
	switch {
	case query.Episode != nil:
		from = ` FROM edges r CROSS JOIN feedback f ON f.id = r.target JOIN nodes k ON k.id = f.id`
		w.Add(`r.source = (SELECT id FROM nodes WHERE kind = 'episode' AND key = :episode) AND r.type = 'RECEIVED'`,
			db.Arg("episode", query.Episode))
	case query.Canvases != nil:
		from = ` FROM edges r CROSS JOIN feedback f ON f.id = r.source JOIN nodes k ON k.id = f.id`
		w.Add(`r.target IN (SELECT id FROM nodes WHERE kind = 'canvas' AND key IN (SELECT value FROM json_each(:canvases))) AND r.type = 'ON'`,
			db.List("canvases", query.Canvases))
	default:
		from = ` FROM feedback f CROSS JOIN nodes k ON k.id = f.id`
	}
	graph.AddUser(&w, graph.UserOfFeedback, query.UserFilter)
	w.Add(`(f.replaced_at IS NULL OR f.replaced_at > :as_of)`, db.Arg("as_of", graph.AsOfOrEver(query.AsOf)))
	return from, w
}

// Backfill links what waits for an episode of its session, in parts, so that others write between them.
func (t *Tenant) Backfill(ctx context.Context, session *string) (store.Backfilled, error) {
	if t.file.IsNothing() {
		return store.Backfilled{}, ctx.Err()
	}
	return linking.Backfilling(session, func(part func(linking.Tx) error) error {
		return t.writeTogether(ctx, func(tx *db.Tx) error { return part(linkerOf(tx)) })
	})
}
