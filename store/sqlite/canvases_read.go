package sqlite

import (
	"cmp"
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
)

// canvasFields are the columns of a canvas, canvasLinks what stands in edges, actionFields the columns of its actions.
func canvasFields(v *memory.Canvas) []column {
	return []column{{"canvas_type", &v.CanvasType}, {"component_type", &v.ComponentType}}
}

func canvasLinks(v *memory.Canvas) []column {
	return []column{{"episode", &v.EpisodeKey}, {"session", &v.SessionKey}}
}

func actionFields(a *memory.CanvasAction) []column {
	return []column{{"id", &a.ID}, {"action", oneOf(&a.Action)}, {"metadata", &a.Metadata}, {"at", &a.At}}
}

// Canvases come as one row for each action. The canvas is v, its node n, the edge to its episode p, the action x.
var (
	canvasAlone   = `n.key, o.key AS episode, s.key AS session, ` + selected("v", canvasFields(&memory.Canvas{}))
	actionColumns = selected("x", actionFields(&memory.CanvasAction{}))
	canvasColumns = `SELECT ` + canvasAlone + `, ` + actionColumns

	canvasScanner   = scannerOf(canvasLinks, canvasFields)
	actionScanner   = scannerOf(actionFields)
	insertingCanvas = inserting("canvases", canvasFields(&memory.Canvas{}), "id", "named_episode", "created_at")
	insertingAction = inserting("canvas_actions", actionFields(&memory.CanvasAction{}), "canvas", "seq", "input_hash")
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

// add reads a row; the actions of a canvas must come in their order.
func (v *canvases) add(r *row) error {
	key := r.key(memory.KindCanvas)
	canvas := v.byKey[key]
	if canvas == nil {
		canvas = &memory.Canvas{Key: key}
		canvasScanner.scan(canvas, r)
		if v.byKey == nil {
			v.byKey = map[string]*memory.Canvas{}
		}
		v.byKey[key] = canvas
		v.list = append(v.list, canvas)
	} else {
		r.part = true
	}
	var action memory.CanvasAction
	actionScanner.scan(&action, r)
	canvas.Actions = append(canvas.Actions, action)
	if r.damaged() {
		if v.damaged == nil {
			v.damaged = map[string]bool{}
		}
		v.damaged[key] = true
	}
	return nil
}

// whole are the canvases that can be read.
func (v *canvases) whole() []*memory.Canvas {
	if v.damaged == nil {
		return v.list
	}
	return slices.DeleteFunc(v.list, func(c *memory.Canvas) bool { return v.damaged[c.Key] })
}

// newestFirst sorts by the first action, then by key.
func (v *canvases) newestFirst() []*memory.Canvas {
	list := v.whole()
	slices.SortFunc(list, func(a, b *memory.Canvas) int {
		return cmp.Or(b.CreatedAt().Compare(a.CreatedAt()), cmp.Compare(a.Key, b.Key))
	})
	return list
}

var ownedCanvases = ownedBy(edgePresented, canvasColumns+` FROM edges p JOIN canvases v ON v.id = p.target`+
	canvasTables+` AND x.at <= :as_of`, actionOrder)

const actionOrder = ` ORDER BY x.at, x.seq`

// loadCanvases reads the newest canvases of episodes.
func loadCanvases(c *conn, episodes []*memory.Episode, asOf *time.Time) error {
	for _, e := range episodes {
		e.Context.Canvases = make([]*memory.Canvas, 0, min(e.CanvasActionCount, memory.ContextLimit))
	}
	var read canvases
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

// Canvases reads canvases by key.
func (t *Tenant) Canvases(ctx context.Context, keys []string) ([]*memory.Canvas, error) {
	list, err := jsonOf(keys)
	if err != nil {
		return nil, err
	}
	var ordered []*memory.Canvas
	err = t.snapshot(ctx, func(c *conn) error {
		var read canvases
		if err := c.query(canvasesByKey, read.add, arg("keys", list)); err != nil {
			return err
		}
		ordered = inOrder(keys, read.whole(), func(v *memory.Canvas) string { return v.Key })
		return tellGone(c, memory.KindCanvas, keys, ordered)
	})
	return ordered, err
}

// ListCanvases reads a page of an owner's canvases.
func (t *Tenant) ListCanvases(ctx context.Context, query store.CanvasesOf) ([]*memory.Canvas, bool, error) {
	from, w := canvasesOf(&query)
	w.addAfter(`v.created_at`, query.Page.After)
	find := canvasColumns + ` FROM (SELECT v.id` + from + ` WHERE ` + w.sql() + ` ORDER BY v.created_at DESC, k.key LIMIT :limit) w
		JOIN canvases v ON v.id = w.id` + canvasEdge + canvasTables + actionOrder
	return wholePage(ctx, t.read, query.Page.Limit, func(c *conn, most int) ([]*memory.Canvas, error) {
		var read canvases
		err := c.search(ctx, find, read.add, append(w.args[:len(w.args):len(w.args)], arg("limit", most))...)
		c.left = len(read.damaged) // canvases, of which each action may count above
		return read.newestFirst(), err
	})
}

// CountCanvases counts an owner's canvases.
func (t *Tenant) CountCanvases(ctx context.Context, query store.CanvasesOf) (int, error) {
	from, w := canvasesOf(&query)
	return t.count(ctx, `SELECT count(*)`+from+` WHERE `+w.sql(), w.args)
}

// canvasesOf says where an owner's canvases are.
func canvasesOf(query *store.CanvasesOf) (from string, w conditions) {
	if query.Episode != nil {
		from = ` FROM edges p CROSS JOIN canvases v ON v.id = p.target JOIN nodes k ON k.id = v.id`
		w.add(`p.source = (SELECT id FROM nodes WHERE kind = 'episode' AND key = :episode) AND p.type = 'PRESENTED'`,
			arg("episode", query.Episode))
	} else {
		from = ` FROM canvases v JOIN nodes k ON k.id = v.id`
		w.add(`v.agent = (SELECT id FROM nodes WHERE kind = 'agent' AND key = :agent)`, arg("agent", query.Agent))
	}
	if query.Since != nil {
		w.add(`v.created_at >= :since`, arg("since", query.Since))
	}
	return from, w
}
