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

// Canvases come as one row for each action. The canvas is v, its node n, the edge to its episode p, the action x.
var (
	canvasAlone   = `n.key, o.key AS episode, s.key AS session, ` + db.Selected("v", fields.Canvas(&memory.Canvas{}))
	actionColumns = db.Selected("x", fields.CanvasAction(&memory.CanvasAction{}))
	canvasColumns = `SELECT ` + canvasAlone + `, ` + actionColumns

	canvasScanner   = db.ScannerOf(fields.Canvas)
	actionScanner   = db.ScannerOf(fields.CanvasAction)
	insertingCanvas = db.Inserting("canvases", fields.Canvas(&memory.Canvas{}), "id", "named_episode", "created_at")
	insertingAction = db.Inserting("canvas_actions", fields.CanvasAction(&memory.CanvasAction{}), "canvas", "seq", "input_hash")
)

const (
	canvasTables = ` JOIN nodes n ON n.id = v.id
		LEFT JOIN nodes o ON o.id = p.source
		LEFT JOIN edges i ON i.source = v.id AND i.type = 'IN_SESSION'
		LEFT JOIN nodes s ON s.id = i.target
		JOIN canvas_actions x ON x.canvas = v.id`
	canvasEdge = ` LEFT JOIN edges p ON p.target = v.id AND p.type = 'PRESENTED'`
)

// canvases gathers the rows of canvases, which come one canvas after the other.
type canvases struct {
	list    []*memory.Canvas // of which all can be read
	latest  *memory.Canvas
	damaged int
}

// add reads a row; the actions of a canvas must come in their order.
func (v *canvases) add(r *db.Row) {
	key := r.Key(memory.KindCanvas)
	if r.Part = v.latest != nil && v.latest.Key == key; !r.Part {
		v.latest = &memory.Canvas{Key: key}
		canvasScanner.Scan(v.latest, r)
		v.list = append(v.list, v.latest)
	}
	var action memory.CanvasAction
	actionScanner.Scan(&action, r)
	v.latest.Actions = append(v.latest.Actions, action)
	if last := len(v.list) - 1; r.Damaged() && last >= 0 && v.list[last] == v.latest {
		v.list = v.list[:last]
		v.damaged++
	}
}

// newestFirst are those that can be read.
func (v *canvases) newestFirst() []*memory.Canvas {
	slices.SortFunc(v.list, memory.NewestCanvasFirst)
	return v.list
}

var ownedCanvases = ownedBy(graph.EdgePresented, canvasColumns+` FROM edges p JOIN canvases v ON v.id = p.target`+
	canvasTables+` AND x.at <= :as_of`, ``, actionOrder)

const actionOrder = ` ORDER BY v.id, x.at, x.seq`

// loadCanvases reads the newest canvases of episodes.
func loadCanvases(c *db.Conn, episodes []*memory.Episode, asOf *time.Time) error {
	for _, e := range episodes {
		e.Context.Canvases = make([]*memory.Canvas, 0, min(e.CanvasActionCount, memory.ContextLimit))
	}
	var read canvases
	owners, err := ownedCanvases.read(c, episodes, asOf, func(e *memory.Episode) int { return e.CanvasActionCount }, read.add)
	if err != nil {
		return err
	}
	for _, canvas := range read.newestFirst() {
		context := owners[*canvas.EpisodeKey]
		context.Canvases = append(context.Canvases, canvas)
	}
	return nil
}

var canvasesByKey = canvasColumns + ` FROM json_each(:keys) w CROSS JOIN nodes q ON q.kind = 'canvas' AND q.key = w.value
	JOIN canvases v ON v.id = q.id` + canvasEdge + canvasTables + actionOrder

func canvasesOfKeys(_ context.Context, c *db.Conn, keys []string) ([]*memory.Canvas, error) {
	var read canvases
	err := c.Query(canvasesByKey, read.add, db.List("keys", keys))
	return read.list, err
}

// listCanvases reads a page of an owner's canvases.
func (t *Tenant) listCanvases(ctx context.Context, query *store.CanvasesOf, page store.Page) ([]*memory.Canvas, bool, error) {
	find, w := canvasesPage(query, &page)
	return wholePage(ctx, t.file.Read, page.Limit, func(c *db.Conn, most int) ([]*memory.Canvas, error) {
		var read canvases
		err := c.Search(ctx, find, read.add, append(w.Args[:len(w.Args):len(w.Args)], db.Arg("limit", most))...)
		c.Left = read.damaged // canvases, of which each action may count above
		return read.newestFirst(), err
	})
}

func canvasesPage(query *store.CanvasesOf, page *store.Page) (find string, w db.Conditions) {
	from, w := canvasesOf(query)
	w.AddAfter(`v.created_at`, page.After)
	return canvasColumns + ` FROM (SELECT v.id` + from + ` WHERE ` + w.SQL() + ` ORDER BY v.created_at DESC, k.key LIMIT :limit) w
		JOIN canvases v ON v.id = w.id` + canvasEdge + canvasTables + actionOrder, w
}

// canvasesOf says where an owner's canvases are.
func canvasesOf(query *store.CanvasesOf) (from string, w db.Conditions) {
	switch {
	case query.Episode != nil:
		from = ` FROM edges p CROSS JOIN canvases v ON v.id = p.target JOIN nodes k ON k.id = v.id`
		w.Add(`p.source = (SELECT id FROM nodes WHERE kind = 'episode' AND key = :episode) AND p.type = 'PRESENTED'`,
			db.Arg("episode", query.Episode))
	case query.Agent != nil:
		from = ` FROM canvases v JOIN nodes k ON k.id = v.id`
		w.Add(`v.agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent)`, db.Arg("agent", query.Agent))
	default:
		from = ` FROM canvases v CROSS JOIN nodes k ON k.id = v.id`
		w.AddGiven(`(v.agent IS NULL) = :waiting`, "waiting", query.Waiting)
	}
	graph.AddUser(&w, graph.UserOfCanvas, query.UserFilter)
	w.AddGiven(`v.created_at >= :since`, "since", query.Since)
	return from, w
}

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
	owners, err := ownedFeedback.read(c, episodes, asOf, func(e *memory.Episode) int { return e.FeedbackCount },
		func(r *db.Row) { read = db.Keep(r, read, readFeedback(r)) })
	if err != nil {
		return err
	}
	slices.SortFunc(read, memory.NewestFeedbackFirst)
	for _, f := range read {
		context := owners[*f.EpisodeKey]
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
	return feedbackColumns + ` FROM (SELECT f.id` + from + ` WHERE ` + w.SQL() + ` ORDER BY f.created_at DESC, k.key LIMIT :limit) w
		CROSS JOIN feedback f ON f.id = w.id` + feedbackEdge + feedbackTables + ` ORDER BY f.created_at DESC, n.key`, w
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
		w.AddGiven(`f.waiting = :waiting`, "waiting", query.Waiting)
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
