package sqlite

import (
	"bytes"
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
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
	next      int   // the seq of its next action: of a fresh canvas the number of those it has
	bytes     int   // of their metadata
	fresh     bool  // nothing is linked with it yet
}

func recordCanvasAction(c *db.Conn, record *store.CanvasActionRecord) (created bool, err error) {
	canvas, err := findShown(c, record.Canvas)
	if err != nil {
		return false, err
	}
	if canvas.id != 0 {
		if known, err := sameAction(c, canvas.id, record); known || err != nil {
			return false, err
		}
		if err := canvas.Admit(record); err != nil {
			return false, err
		}
		if err := record.Action.Fits(canvas.next, canvas.bytes); err != nil {
			return false, err
		}
	} else if canvas, err = addCanvas(c, record); err != nil {
		return false, err
	}
	before := canvas
	by, err := complete(c, &canvas, record)
	if err != nil {
		return false, err
	}
	if err := addAction(c, &canvas, record); err != nil {
		return false, err
	}
	if err := linkCanvas(c, canvas, by); err != nil || !canvas.Moved(&before.Canvas, before.createdAt, canvas.createdAt) {
		return true, err
	}
	return true, graph.DecideShown(c, *canvas.SessionKey, before.createdAt, canvas.createdAt)
}

// findShown reads a canvas; its id is 0 where there is none.
func findShown(c *db.Conn, key string) (canvas shown, err error) {
	const read = `SELECT n.id, v.canvas_type, v.component_type, v.named_episode, v.created_at,
			(SELECT s.key FROM edges e JOIN nodes s ON s.id = e.target WHERE e.source = v.id AND e.type = 'IN_SESSION'),
			(SELECT source FROM edges WHERE target = v.id AND type = 'PRESENTED'),
			(SELECT coalesce(max(seq) + 1, 0) FROM canvas_actions WHERE canvas = v.id),
			(SELECT coalesce(sum(octet_length(metadata)), 0) FROM canvas_actions WHERE canvas = v.id)
		FROM nodes n LEFT JOIN canvases v ON v.id = n.id WHERE n.kind = 'canvas' AND n.key = :key`
	_, err = c.One(read, func(r *db.Row) {
		canvas.id, canvas.CanvasType, canvas.ComponentType, canvas.Named = r.Integer(), r.Text(), r.OptionalText(), r.OptionalText()
		canvas.createdAt, canvas.SessionKey, canvas.episode, canvas.next, canvas.bytes = r.AnyTime(), r.OptionalText(), r.Integer(), r.Int(), r.Int()
	}, db.Arg("key", key))
	return canvas, err
}

// sameAction says whether the canvas has the action already, with *store.Differs where its content is another.
func sameAction(c *db.Conn, canvas int64, record *store.CanvasActionRecord) (known bool, err error) {
	if record.Action.ID == "" {
		return false, nil
	}
	same := false
	const find = `SELECT input_hash FROM canvas_actions WHERE canvas = :canvas AND id = :id AND id <> ''`
	known, err = c.One(find, func(r *db.Row) { same = bytes.Equal(r.Blob(), record.InputHash) }, db.Arg("canvas", canvas), db.Arg("id", record.Action.ID))
	if err == nil && known && !same {
		err = &store.Differs{Field: "id"}
	}
	return known, err
}

// addCanvas makes a canvas and tells the feedback that has been waiting for it.
func addCanvas(c *db.Conn, record *store.CanvasActionRecord) (shown, error) {
	id, err := graph.AddNode(c, memory.KindCanvas, record.Canvas)
	if err != nil {
		return shown{}, err
	}
	canvas := shown{id: id, createdAt: record.Action.At, fresh: true}
	canvas.CanvasType = record.CanvasType
	made := memory.Canvas{CanvasType: record.CanvasType, ComponentType: record.ComponentType}
	if err := c.Put(insertingCanvas, canvasFields(&made), db.Arg("id", id), db.Arg("named_episode", record.Episode),
		db.Arg("created_at", canvas.createdAt)); err != nil {
		return shown{}, err
	}
	linked, err := graph.LinkWaitingFeedback(c, id, record.Canvas, canvas.createdAt)
	canvas.fresh = !linked
	return canvas, err
}

// complete sets what the canvas did not say of itself so far, and answers what it is to be linked by.
func complete(c *db.Conn, canvas *shown, record *store.CanvasActionRecord) (by linking.Awaited, err error) {
	const say = `UPDATE canvases SET component_type = :component_type, named_episode = :named_episode WHERE id = :id`
	before, settled := canvas.Canvas, canvas.episode != 0 && !record.Action.At.Before(canvas.createdAt)
	by = canvas.Learn(record, settled)
	if said := canvas.ComponentType != before.ComponentType || canvas.Named != before.Named; said && !canvas.fresh {
		if err := c.Exec(say, db.Arg("id", canvas.id), db.Arg("component_type", canvas.ComponentType), db.Arg("named_episode", canvas.Named)); err != nil {
			return by, err
		}
	}
	if canvas.SessionKey == before.SessionKey {
		return by, nil
	}
	session, err := graph.EnsureSession(c, canvas.SessionKey)
	if err != nil {
		return by, err
	}
	return by, graph.AddEdge(c, canvas.id, graph.EdgeInSession, session, canvas.createdAt)
}

// addAction adds the action, counts it for the episode, and dates the canvas by its first action.
func addAction(c *db.Conn, canvas *shown, record *store.CanvasActionRecord) error {
	a := &record.Action
	if err := c.Put(insertingAction, actionFields(a), db.Arg("canvas", canvas.id), db.Arg("seq", canvas.next),
		db.Arg("input_hash", db.Bytes(record.InputHash))); err != nil {
		return err
	}
	canvas.next++
	if canvas.episode != 0 {
		one := func(m *linking.Moves[int64]) { m.Canvas(canvas.episode, 0, canvas.episode, 1) }
		if err := graph.Move(c, one); err != nil {
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
		if err := c.Exec(sql, db.Arg("id", canvas.id), db.Arg("at", a.At)); err != nil {
			return err
		}
	}
	return nil
}

// linkCanvas links the canvas by what leads it to an episode, or lets it wait for that.
func linkCanvas(c *db.Conn, canvas shown, by linking.Awaited) error {
	if by == (linking.Awaited{}) {
		return nil
	}
	episode, err := graph.LeadTo(c, by, memory.KindCanvas, canvas.createdAt)
	if err != nil {
		return err
	}
	switch {
	case episode == 0 && by.Kind == linking.Session && canvas.episode == 0: // it has none already
	case canvas.fresh:
		err = graph.Present(c, canvas.id, 0, episode, canvas.createdAt, canvas.next)
	default:
		err = graph.AssignEpisode(c, graph.Waiter{Node: canvas.id, Kind: memory.KindCanvas}, episode)
	}
	if err != nil || episode != 0 {
		return err
	}
	return graph.Wait(c, by.Kind, by.Key, canvas.id)
}
