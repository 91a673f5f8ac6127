package sqlite

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
)

// RecordCorrections writes a batch in one transaction.
func (t *Tenant) RecordCorrections(ctx context.Context, records []store.CorrectionRecord) ([]store.Recorded, error) {
	return recordAll(ctx, t, records, recordCorrection, func(r *store.CorrectionRecord) string { return r.Correction.Key })
}

const hashOfCorrection = `SELECT x.input_hash FROM nodes n LEFT JOIN corrections x ON x.id = n.id WHERE n.kind = :kind AND n.key = :key`

func recordCorrection(c *conn, record *store.CorrectionRecord) (created bool, err error) {
	x := &record.Correction
	if err := checkAbout(x.About); err != nil {
		return false, err
	}
	if known, err := sameAsRecorded(c, memory.KindCorrection, x.Key, hashOfCorrection, record.InputHash, &record.Former); known || err != nil {
		return false, err
	}
	id, err := addNode(c, memory.KindCorrection, x.Key)
	if err != nil {
		return false, err
	}
	if err := c.put(insertCorrection, correctionFields(x), arg("id", id), arg("input_hash", blob(record.InputHash))); err != nil {
		return false, err
	}
	if err := linkAbout(c, id, x.About, x.CreatedAt); err != nil {
		return false, err
	}
	return true, index(c, memory.KindCorrection, id)
}

func correctionFields(x *memory.Correction) []column {
	return []column{
		{"topic", &x.Topic}, {"prediction", &x.Prediction}, {"correction", &x.Correction}, {"context", &x.Context},
		{"importance", oneOf(&x.Importance)}, {"created_by", &x.CreatedBy}, {"created_at", &x.CreatedAt},
		{"tokens_before", &x.Receipt.TokensBefore}, {"tokens_after", &x.Receipt.TokensAfter}, {"redactions", listIn(&x.Receipt.Redactions)},
	}
}

// A correction is x, its node n.
var (
	correctionColumns = `n.key, ` + aboutOf + ` AS about, ` + selected("x", correctionFields(&memory.Correction{}))
	correctionScanner = scannerOf(correctionFields)
	insertCorrection  = inserting("corrections", correctionFields(&memory.Correction{}), "id", "input_hash")
)

func readCorrection(r *row) *memory.Correction {
	x := &memory.Correction{Key: r.key(memory.KindCorrection), About: listOf[string](r)}
	correctionScanner.scan(x, r)
	return x
}

var correctionsByKey = `SELECT ` + correctionColumns + ` FROM json_each(:keys) w
	CROSS JOIN nodes n ON n.kind = 'correction' AND n.key = w.value JOIN corrections x ON x.id = n.id`

// Corrections reads corrections by key.
func (t *Tenant) Corrections(ctx context.Context, keys []string) ([]*memory.Correction, error) {
	return recordsByKey(ctx, t, memory.KindCorrection, correctionsByKey, keys, readCorrection, func(x *memory.Correction) string { return x.Key })
}

// ListCorrections reads a page, newest first.
func (t *Tenant) ListCorrections(ctx context.Context, topic *string, page store.Page) ([]*memory.Correction, bool, error) {
	w := onTopic(topic)
	w.addAfter(`x.created_at`, page.After)
	find := `SELECT ` + correctionColumns + ` FROM (SELECT x.id FROM corrections x JOIN nodes k ON k.id = x.id
			WHERE ` + w.sql() + ` ORDER BY x.created_at DESC, k.key LIMIT :limit) p
		CROSS JOIN corrections x ON x.id = p.id JOIN nodes n ON n.id = x.id ORDER BY x.created_at DESC, n.key`
	return listPage(ctx, t, find, w, page.Limit, readCorrection)
}

// CountCorrections counts them.
func (t *Tenant) CountCorrections(ctx context.Context, topic *string) (int, error) {
	w := onTopic(topic)
	return t.count(ctx, `SELECT count(*) FROM corrections x WHERE `+w.sql(), w.args)
}

func onTopic(topic *string) (w conditions) {
	if topic != nil {
		w.add(`x.topic = :topic`, arg("topic", topic))
	}
	return w
}

// CorrectionStats counts corrections by topic and by importance.
func (t *Tenant) CorrectionStats(ctx context.Context, since *time.Time) (memory.CorrectionStats, error) {
	var w conditions
	if since != nil {
		w.add(`x.created_at >= :since`, arg("since", since))
	}
	find := `SELECT x.topic, x.importance, count(*) FROM corrections x WHERE ` + w.sql() + ` GROUP BY x.topic, x.importance`
	var counts []memory.CorrectionCount
	err := t.read(ctx, func(c *conn) error {
		return c.search(ctx, find, func(r *row) error {
			count := memory.CorrectionCount{Topic: r.text(), Importance: word[memory.Importance](r), Count: r.int()}
			if !r.unreadable() {
				counts = append(counts, count)
			}
			return nil
		}, w.args...)
	})
	if err != nil {
		return memory.CorrectionStats{}, err
	}
	return memory.CountCorrections(counts), nil
}
