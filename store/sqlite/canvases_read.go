package sqlite

import (
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
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

// canvases gathers the rows of canvases.
type canvases struct {
	list  []*memory.Canvas
	byKey map[string]*memory.Canvas
	// damaged are those of which something cannot be read.
	damaged map[string]bool
}

func newCanvases() *canvases {
	return &canvases{byKey: map[string]*memory.Canvas{}, damaged: map[string]bool{}}
}

// add reads a row; the actions of a canvas must come in their order.
func (v *canvases) add(r *db.Row) {
	key := r.Key(memory.KindCanvas)
	canvas := v.byKey[key]
	if canvas == nil {
		canvas = &memory.Canvas{Key: key}
		canvasScanner.Scan(canvas, r)
		v.byKey[key] = canvas
		v.list = append(v.list, canvas)
	} else {
		r.Part = true
	}
	var action memory.CanvasAction
	actionScanner.Scan(&action, r)
	canvas.Actions = append(canvas.Actions, action)
	if r.Damaged() {
		v.damaged[key] = true
	}
}

// whole are the canvases that can be read.
func (v *canvases) whole() []*memory.Canvas {
	return slices.DeleteFunc(v.list, func(c *memory.Canvas) bool { return v.damaged[c.Key] })
}

// newestFirst are those, sorted.
func (v *canvases) newestFirst() []*memory.Canvas {
	list := v.whole()
	slices.SortFunc(list, memory.NewestCanvasFirst)
	return list
}

var ownedCanvases = ownedBy(graph.EdgePresented, canvasColumns+` FROM edges p JOIN canvases v ON v.id = p.target`+
	canvasTables+` AND x.at <= :as_of`, ``, actionOrder)

const actionOrder = ` ORDER BY x.at, x.seq`

// loadCanvases reads the newest canvases of episodes.
func loadCanvases(c *db.Conn, episodes []*memory.Episode, asOf *time.Time) error {
	for _, e := range episodes {
		e.Context.Canvases = make([]*memory.Canvas, 0, min(e.CanvasActionCount, memory.ContextLimit))
	}
	read := newCanvases()
	count := func(e *memory.Episode) int { return e.CanvasActionCount }
	if err := ownedCanvases.read(c, episodes, asOf, count, read.add); err != nil {
		return err
	}
	owners := byKey(episodes)
	for _, canvas := range read.newestFirst() {
		context := owners[*canvas.EpisodeKey].Context
		context.Canvases = append(context.Canvases, canvas)
	}
	return nil
}

var canvasesByKey = canvasColumns + ` FROM json_each(:keys) w CROSS JOIN nodes q ON q.kind = 'canvas' AND q.key = w.value
	JOIN canvases v ON v.id = q.id` + canvasEdge + canvasTables + actionOrder

// canvases reads canvases by key.
func (t *Tenant) canvases(ctx context.Context, keys []string) ([]*memory.Canvas, error) {
	return answer(ctx, t.file.Snapshot, func(c *db.Conn) ([]*memory.Canvas, error) {
		read := newCanvases()
		if err := c.Query(canvasesByKey, read.add, db.List("keys", keys)); err != nil {
			return nil, err
		}
		ordered := store.InOrder(keys, read.whole(), store.KeyOf)
		return ordered, tellGone(c, memory.KindCanvas, keys, ordered)
	})
}

// listCanvases reads a page of an owner's canvases.
func (t *Tenant) listCanvases(ctx context.Context, query *store.CanvasesOf, page store.Page) ([]*memory.Canvas, bool, error) {
	find, w := canvasesPage(query, &page)
	return wholePage(ctx, t.file.Read, page.Limit, func(c *db.Conn, most int) ([]*memory.Canvas, error) {
		read := newCanvases()
		err := c.Search(ctx, find, read.add, append(w.Args[:len(w.Args):len(w.Args)], db.Arg("limit", most))...)
		c.Left = len(read.damaged) // canvases, of which each action may count above
		return read.newestFirst(), err
	})
}

func canvasesPage(query *store.CanvasesOf, page *store.Page) (find string, w db.Conditions) {
	from, w := canvasesOf(query)
	w.AddAfter(`v.created_at`, page.After)
	sides := []string{``}
	if query.Episode == nil && query.Agent == nil {
		sides = eachSide(canvasWaits, query.Waiting)
	}
	return canvasColumns + ` FROM (` + newestOf(`v`, from, w, sides) + `) w
		JOIN canvases v ON v.id = w.id` + canvasEdge + canvasTables + actionOrder, w
}

// canvasWaits is the condition that canvases_by_waiting begins with.
const canvasWaits = `(v.agent IS NULL)`

// countedCanvases is canvasesOf with the condition that a page has in its sides.
func countedCanvases(query *store.CanvasesOf) (from string, w db.Conditions) {
	from, w = canvasesOf(query)
	w.AddGiven(canvasWaits+` = :waiting`, "waiting", query.Waiting)
	return from, w
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
	}
	graph.AddUser(&w, graph.UserOfCanvas, query.UserFilter)
	w.AddGiven(`v.created_at >= :since`, "since", query.Since)
	return from, w
}
