package sqlite

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/passages"
)

func recordCorrection(tx *db.Tx, record *store.CorrectionRecord) (created bool, err error) {
	x := &record.Correction
	if err := store.CheckAbout(x.About); err != nil {
		return false, err
	}
	if known, err := sameAsRecorded(tx, memory.KindCorrection, x.Key, record.InputHash); known || err != nil {
		return false, err
	}
	id := graph.AddNode(tx, memory.KindCorrection, x.Key)
	tx.Put(insertCorrection, fields.Correction(x), db.Arg("id", id), db.Arg("input_hash", record.InputHash))
	graph.LinkAbout(tx, id, x.About, x.CreatedAt)
	passages.Index(tx, memory.KindCorrection, id)
	return true, nil
}

// A correction is x, its node n.
var (
	correctionColumns = `n.key, ` + db.Selected("x", fields.Correction(&memory.Correction{})) + `, ` + graph.AboutOf + ` AS about`
	readCorrection    = db.ScannerOf(fields.Correction, func(x *memory.Correction) fields.List { return fields.List{{Name: "about", At: &x.About}} }).Read
	insertCorrection  = db.Inserting("corrections", fields.Correction(&memory.Correction{}), "id", "input_hash")
	correctionRow     = `corrections x ON x.id = n.id`
)

// correctionsOf says where corrections are.
func correctionsOf(query *store.CorrectionsOf) (from string, w db.Conditions) {
	w.AddGiven(`x.topic = :topic`, "topic", query.Topic)
	return ` FROM corrections x`, w
}

// correctionsPage selects a page, newest first.
func correctionsPage(query *store.CorrectionsOf, page *store.Page) (find string, w db.Conditions) {
	from, w := correctionsOf(query)
	w.AddAfter(`x.created_at`, page.After)
	return `SELECT ` + correctionColumns + ` FROM (SELECT x.id` + from + ` JOIN nodes k ON k.id = x.id
			WHERE ` + w.SQL() + ` ORDER BY x.created_at DESC, k.key LIMIT :limit) p
		CROSS JOIN corrections x ON x.id = p.id JOIN nodes n ON n.id = x.id ORDER BY x.created_at DESC, n.key`, w
}

// CorrectionStats counts corrections by topic and by importance.
func (t *Tenant) CorrectionStats(ctx context.Context, since *time.Time) (memory.CorrectionStats, error) {
	var w db.Conditions
	w.AddGiven(`x.created_at >= :since`, "since", since)
	find := `SELECT x.topic, x.importance, count(*) FROM corrections x WHERE ` + w.SQL() + ` GROUP BY x.topic, x.importance`
	var counts []memory.CorrectionCount
	err := t.each(ctx, find, func(r *db.Row) {
		count := memory.CorrectionCount{Topic: r.Text(), Importance: db.Word[memory.Importance](r), Count: r.Int()}
		if !r.Unreadable() {
			counts = append(counts, count)
		}
	}, w.Args...)
	return memory.CountCorrections(counts), err
}
