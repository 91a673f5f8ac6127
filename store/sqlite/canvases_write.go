package sqlite

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

// RecordCanvasActions writes a batch in one transaction.
func (t *Tenant) RecordCanvasActions(ctx context.Context, records []store.CanvasActionRecord) ([]store.Recorded, error) {
	return recordAll(ctx, t, records, recordCanvasAction, func(r *store.CanvasActionRecord) string { return r.Canvas })
}

// shown is a canvas as it stands before an action.
type shown struct {
	linking.Canvas
	id        int64
	createdAt time.Time
	episode   int64 // 0 where it has none
	actions   int
	fresh     bool // nothing is linked with it yet
}

func recordCanvasAction(c *conn, record *store.CanvasActionRecord) (created bool, err error) {
	canvas, err := findShown(c, record.Canvas)
	if err != nil {
		return false, err
	}
	if canvas.id != 0 {
		if known, err := sameAction(c, canvas.id, record); known || err != nil {
			return false, err
		}
		if !canvas.Admits(record) {
			return false, store.ErrConflict
		}
	} else if canvas, err = addCanvas(c, record); err != nil {
		return false, err
	}
	by, err := complete(c, &canvas, record)
	if err != nil {
		return false, err
	}
	if err := addAction(c, &canvas, record); err != nil {
		return false, err
	}
	return true, linkCanvas(c, canvas, by)
}

// findShown reads a canvas; its id is 0 where there is none.
func findShown(c *conn, key string) (canvas shown, err error) {
	const read = `SELECT n.id, v.canvas_type, v.component_type, v.named_episode, v.created_at,
			(SELECT s.key FROM edges e JOIN nodes s ON s.id = e.target WHERE e.source = v.id AND e.type = 'IN_SESSION'),
			(SELECT source FROM edges WHERE target = v.id AND type = 'PRESENTED'),
			(SELECT count(*) FROM canvas_actions WHERE canvas = v.id)
		FROM nodes n LEFT JOIN canvases v ON v.id = n.id WHERE n.kind = 'canvas' AND n.key = :key`
	_, err = c.one(read, func(r *row) {
		canvas.id, canvas.CanvasType, canvas.ComponentType, canvas.Named = r.integer(), r.text(), r.optionalText(), r.optionalText()
		canvas.createdAt, canvas.SessionKey, canvas.episode, canvas.actions = r.anyTime(), r.optionalText(), r.integer(), r.int()
	}, arg("key", key))
	return canvas, err
}

// sameAction says whether the canvas has the action already, with ErrConflict where its content is another.
func sameAction(c *conn, canvas int64, record *store.CanvasActionRecord) (known bool, err error) {
	if record.Action.ID == "" {
		return false, nil
	}
	same := false
	const find = `SELECT input_hash FROM canvas_actions WHERE canvas = :canvas AND id IN (:id, :former) AND id <> ''`
	known, err = c.one(find, func(r *row) { same = same || store.SameInput(r.blob(), record.InputHash, &record.Former) }, arg("canvas", canvas), arg("id", record.Action.ID),
		arg("former", record.Former.Action))
	if err == nil && known && !same {
		err = store.ErrConflict
	}
	return known, err
}

// addCanvas makes a canvas and tells the feedback that has been waiting for it.
func addCanvas(c *conn, record *store.CanvasActionRecord) (shown, error) {
	id, err := addNode(c, memory.KindCanvas, record.Canvas)
	if err != nil {
		return shown{}, err
	}
	canvas := shown{id: id, createdAt: record.Action.At, fresh: true}
	canvas.CanvasType = record.CanvasType
	made := memory.Canvas{CanvasType: record.CanvasType, ComponentType: record.ComponentType}
	if err := c.put(insertingCanvas, canvasFields(&made), arg("id", id), arg("named_episode", record.Episode),
		arg("created_at", canvas.createdAt)); err != nil {
		return shown{}, err
	}
	waiters, err := waitersFor(c, memory.KindCanvas, record.Canvas)
	if err != nil || len(waiters) == 0 {
		return canvas, err
	}
	canvas.fresh = false
	for _, w := range waiters {
		if err := addEdge(c, w.node, edgeOn, id, canvas.createdAt); err != nil {
			return shown{}, err
		}
	}
	return canvas, endWait(c, memory.KindCanvas, record.Canvas)
}

// complete sets what the canvas did not say of itself so far, and answers what it is to be linked by.
func complete(c *conn, canvas *shown, record *store.CanvasActionRecord) (by linking.Awaited, err error) {
	const say = `UPDATE canvases SET component_type = :component_type, named_episode = :named_episode WHERE id = :id`
	before := canvas.Canvas
	by = canvas.Learn(record, canvas.episode != 0)
	if said := canvas.ComponentType != before.ComponentType || canvas.Named != before.Named; said && !canvas.fresh {
		if err := c.exec(say, arg("id", canvas.id), arg("component_type", canvas.ComponentType), arg("named_episode", canvas.Named)); err != nil {
			return by, err
		}
	}
	if canvas.SessionKey == before.SessionKey {
		return by, nil
	}
	session, err := ensureSession(c, canvas.SessionKey)
	if err != nil {
		return by, err
	}
	return by, addEdge(c, canvas.id, edgeInSession, session, canvas.createdAt)
}

// addAction adds the action, counts it for the episode, and dates the canvas by its first action.
func addAction(c *conn, canvas *shown, record *store.CanvasActionRecord) error {
	a := &record.Action
	if err := c.put(insertingAction, actionFields(a), arg("canvas", canvas.id), arg("seq", canvas.actions),
		arg("input_hash", blob(record.InputHash))); err != nil {
		return err
	}
	canvas.actions++
	if canvas.episode != 0 {
		one := func(m *linking.Moves[int64]) { m.Canvas(canvas.episode, 0, canvas.episode, 1) }
		if err := count(c, one); err != nil {
			return err
		}
	}
	if !a.At.Before(canvas.createdAt) {
		return nil
	}
	canvas.createdAt = a.At
	for _, sql := range []string{
		`UPDATE canvases SET created_at = :at WHERE id = :id`,
		`UPDATE edges SET at = :at WHERE target = :id AND type = 'PRESENTED'`,
		`UPDATE edges SET at = :at WHERE source = :id AND type = 'IN_SESSION'`,
	} {
		if err := c.exec(sql, arg("id", canvas.id), arg("at", a.At)); err != nil {
			return err
		}
	}
	return nil
}

// linkCanvas links the canvas by what leads it to an episode, or lets it wait for that.
func linkCanvas(c *conn, canvas shown, by linking.Awaited) error {
	if by == (linking.Awaited{}) {
		return nil
	}
	episode, err := leadTo(c, by, canvas.createdAt)
	if err != nil {
		return err
	}
	switch {
	case episode == 0 && by.Kind == linking.Session: // it has none already
	case canvas.fresh:
		err = present(c, canvas.id, 0, episode, canvas.createdAt, canvas.actions)
	default:
		err = assignEpisode(c, waiter{node: canvas.id, kind: memory.KindCanvas}, episode)
	}
	if err != nil || episode != 0 {
		return err
	}
	return wait(c, by.Kind, by.Key, canvas.id)
}
