package sqlite

import (
	"bytes"
	"cmp"
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

func recordCanvasAction(tx *db.Tx, record *store.CanvasActionRecord) (created bool, err error) {
	canvas := findShown(tx, record.Canvas)
	if canvas.id != 0 {
		if known, err := sameAction(tx, canvas.id, record); known || err != nil {
			return false, err
		}
		if err := cmp.Or(canvas.Admit(record), record.Action.Fits(canvas.next, canvas.bytes)); err != nil {
			return false, err
		}
	} else {
		canvas = addCanvas(tx, record)
	}
	before := canvas
	by := complete(tx, &canvas, record)
	addAction(tx, &canvas, record)
	linkCanvas(tx, canvas, by)
	if canvas.Moved(&before.Canvas, before.createdAt, canvas.createdAt) {
		graph.DecideShown(tx, *canvas.SessionKey, before.createdAt, canvas.createdAt)
	}
	return true, nil
}

// findShown reads a canvas; its id is 0 where there is none.
func findShown(tx *db.Tx, key string) (canvas shown) {
	const read = `SELECT n.id, v.canvas_type, v.component_type, v.named_episode, v.user_id, v.created_at,
			(SELECT s.key FROM edges e JOIN nodes s ON s.id = e.target WHERE e.source = v.id AND e.type = 'IN_SESSION'),
			(SELECT source FROM edges WHERE target = v.id AND type = 'PRESENTED'),
			(SELECT coalesce(max(seq) + 1, 0) FROM canvas_actions WHERE canvas = v.id),
			(SELECT coalesce(sum(octet_length(metadata)), 0) FROM canvas_actions WHERE canvas = v.id)
		FROM nodes n LEFT JOIN canvases v ON v.id = n.id WHERE n.kind = 'canvas' AND n.key = :key`
	tx.One(read, func(r *db.Row) {
		canvas.id, canvas.CanvasType, canvas.ComponentType, canvas.Named, canvas.UserID = r.Integer(), r.Text(), r.OptionalText(), r.OptionalText(), r.OptionalText()
		canvas.createdAt, canvas.SessionKey, canvas.episode, canvas.next, canvas.bytes = r.AnyTime(), r.OptionalText(), r.Integer(), r.Int(), r.Int()
	}, db.Arg("key", key))
	return canvas
}

// sameAction says whether the canvas has the action already, with *store.Differs where its content is another.
func sameAction(tx *db.Tx, canvas int64, record *store.CanvasActionRecord) (known bool, err error) {
	if record.Action.ID == "" {
		return false, nil
	}
	same := false
	const find = `SELECT input_hash FROM canvas_actions WHERE canvas = :canvas AND id = :id AND id <> ''`
	known = tx.One(find, func(r *db.Row) { same = bytes.Equal(r.Blob(), record.InputHash) }, db.Arg("canvas", canvas), db.Arg("id", record.Action.ID))
	if known && !same {
		err = &store.Differs{Field: "id"}
	}
	return known, err
}

// addCanvas makes a canvas and tells the feedback that has been waiting for it.
func addCanvas(tx *db.Tx, record *store.CanvasActionRecord) shown {
	canvas := shown{id: graph.AddNode(tx, memory.KindCanvas, record.Canvas), createdAt: record.Action.At}
	canvas.CanvasType = record.CanvasType
	made := memory.Canvas{CanvasType: record.CanvasType, ComponentType: record.ComponentType, UserID: record.User}
	tx.Put(insertingCanvas, canvasFields(&made), db.Arg("id", canvas.id), db.Arg("named_episode", record.Episode), db.Arg("created_at", canvas.createdAt))
	canvas.fresh = !graph.LinkWaitingFeedback(tx, canvas.id, record.Canvas, canvas.createdAt)
	return canvas
}

// complete sets what the canvas did not say of itself so far, and answers what it is to be linked by.
func complete(tx *db.Tx, canvas *shown, record *store.CanvasActionRecord) (by linking.Awaited) {
	const say = `UPDATE canvases SET component_type = :component_type, named_episode = :named_episode, user_id = :user_id WHERE id = :id`
	before, settled := canvas.Canvas, canvas.episode != 0 && !record.Action.At.Before(canvas.createdAt)
	by = canvas.Learn(record, settled)
	if said := canvas.ComponentType != before.ComponentType || canvas.Named != before.Named || canvas.UserID != before.UserID; said && !canvas.fresh {
		tx.Exec(say, db.Arg("id", canvas.id), db.Arg("component_type", canvas.ComponentType), db.Arg("named_episode", canvas.Named), db.Arg("user_id", canvas.UserID))
	}
	if canvas.SessionKey != before.SessionKey {
		graph.JoinSession(tx, canvas.id, graph.EnsureSession(tx, canvas.SessionKey), canvas.createdAt)
	}
	return by
}

// addAction adds the action, counts it for the episode, and dates the canvas by its first action.
func addAction(tx *db.Tx, canvas *shown, record *store.CanvasActionRecord) {
	a := &record.Action
	tx.Put(insertingAction, actionFields(a), db.Arg("canvas", canvas.id), db.Arg("seq", canvas.next), db.Arg("input_hash", db.Bytes(record.InputHash)))
	canvas.next++
	if canvas.episode != 0 {
		graph.Move(tx, func(m *linking.Moves[int64]) { m.Canvas(canvas.episode, 0, canvas.episode, 1) })
	}
	if !a.At.Before(canvas.createdAt) {
		return
	}
	canvas.createdAt = a.At
	for _, sql := range []string{
		`UPDATE canvases SET created_at = :at WHERE id = :id`,
		`UPDATE edges SET at = :at WHERE target = :id AND type = 'PRESENTED'`,
		`UPDATE edges SET at = :at WHERE source = :id AND type = 'IN_SESSION'`,
	} {
		tx.Exec(sql, db.Arg("id", canvas.id), db.Arg("at", a.At))
	}
}

// linkCanvas links the canvas by what leads it to an episode, or lets it wait for that.
func linkCanvas(tx *db.Tx, canvas shown, by linking.Awaited) {
	if by == (linking.Awaited{}) {
		return
	}
	episode := graph.LeadTo(tx, by, memory.KindCanvas, canvas.createdAt)
	switch {
	case episode == 0 && by.Kind == linking.Session && canvas.episode == 0: // it has none already
	case canvas.fresh:
		graph.Present(tx, canvas.id, 0, episode, canvas.createdAt, canvas.next)
	default:
		graph.AssignEpisode(tx, graph.Waiter{Node: canvas.id, Kind: memory.KindCanvas}, episode)
	}
	if episode == 0 {
		graph.Wait(tx, by.Kind, by.Key, canvas.id)
	}
}
