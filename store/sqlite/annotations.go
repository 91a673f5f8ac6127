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
	"mneme/store/sqlite/passages"
)

// An observation is x, its node n, that of its session s.
var (
	observationColumns = `n.key, coalesce(s.key, x.session) AS session, ` +
		db.Selected("x", observationFields(&memory.Observation{})) + `, ` + graph.AboutOf + ` AS about`
	readObservation   = db.ScannerOf(observationFields, func(o *memory.Observation) fields.List { return fields.List{{Name: "about", At: &o.About}} }).Read
	insertObservation = db.Inserting("observations", observationFields(&memory.Observation{}), "id", "session", "input_hash")
)

const (
	observationOwner  = ` LEFT JOIN nodes s ON s.id = x.session AND s.kind = 'session'`
	observationTables = ` JOIN nodes n ON n.id = x.id` + observationOwner
	observationRow    = `observations x ON x.id = n.id` + observationOwner
)

func observationFields(o *memory.Observation) fields.List {
	return slices.Concat(fields.Observation(o), fields.ObservationUse(o))
}

// observationsPage selects a page in an order. What comes on it is found first, without reading contents.
func observationsPage(query *store.ObservationQuery, page *store.Page) (find string, w db.Conditions) {
	w, weight := observationsOf(query)
	order := addAfterObservation(&w, query, page.After, weight)
	return `SELECT ` + observationColumns + ` FROM (SELECT x.id AS id, ` + weight + ` AS weight, x.created_at AS since, k.key AS place
			FROM observations x JOIN nodes k ON k.id = x.id WHERE ` + w.SQL() + ` ORDER BY ` + order + ` LIMIT :limit) p
		CROSS JOIN observations x ON x.id = p.id` + observationTables + ` ORDER BY ` + order, w
}

// listObservations reads a page.
func (t *Tenant) listObservations(ctx context.Context, query *store.ObservationQuery, page store.Page) ([]*memory.Observation, bool, error) {
	if err := t.chargeWeights(ctx, query); err != nil {
		return nil, false, err
	}
	find, w := observationsPage(query, &page)
	return listPage(ctx, t, page.Limit, readObservation, find, w)
}

// weighedTogether is how many observations are weighed in the time that a record takes which is gone through for a sum.
const weighedTogether = 10

// chargeWeights counts what a query goes through whose order or bounds are weights: all observations, as these change
// with time.
func (t *Tenant) chargeWeights(ctx context.Context, query *store.ObservationQuery) error {
	budget := store.BudgetOf(ctx)
	if budget == nil || !goesByWeight(query) {
		return nil
	}
	all, err := t.count(ctx, `SELECT count(*) FROM observations`, nil)
	if err != nil {
		return err
	}
	return budget.Sum().Add(all / weighedTogether)
}

func goesByWeight(query *store.ObservationQuery) bool {
	return query.Order != memory.LatestFirst || query.MinWeight != nil || query.MaxWeight != nil
}

// countedObservations says where the observations of a query are.
func countedObservations(query *store.ObservationQuery) (from string, w db.Conditions) {
	w, _ = observationsOf(query)
	return ` FROM observations x`, w
}

// observationsOf are the conditions of a query but for its page, and the weight that it goes by.
func observationsOf(query *store.ObservationQuery) (w db.Conditions, weight string) {
	weight = `0`
	graph.AddUser(&w, `x.user_id`, query.UserFilter)
	if goesByWeight(query) {
		weight = graph.Weight(&w, query.Policy, query.Now)
	}
	w.AddGiven(weight+` >= :min_weight`, "min_weight", query.MinWeight)
	w.AddGiven(weight+` <= :max_weight`, "max_weight", query.MaxWeight)
	return w, weight
}

// addAfterObservation goes on behind a position in a query's order, which it answers.
func addAfterObservation(w *db.Conditions, query *store.ObservationQuery, after *store.Position, weight string) (order string) {
	const newest = `since DESC, place`
	beyond := ` < `
	switch query.Order {
	case memory.LatestFirst:
		w.AddAfter(`x.created_at`, after)
		return newest
	case memory.LightestFirst:
		order, beyond = `weight, `+newest, ` > `
	default:
		order = `weight DESC, ` + newest
	}
	if after != nil && after.Value != nil {
		w.Add(`(`+weight+beyond+`:after_weight OR `+weight+` = :after_weight AND
			(x.created_at < :after_at OR x.created_at = :after_at AND k.key > :after_key))`,
			db.Arg("after_weight", after.Value), db.Arg("after_at", after.At), db.Arg("after_key", after.Key))
	}
	return order
}

func recordObservation(tx *db.Tx, record *store.ObservationRecord) (created bool, err error) {
	o := &record.Observation
	if err := store.CheckAbout(o.About); err != nil {
		return false, err
	}
	if known, err := sameAsRecorded(tx, memory.KindObservation, o.Key, record.InputHash); known || err != nil {
		return false, err
	}
	id, session := graph.AddNode(tx, memory.KindObservation, o.Key), graph.EnsureSession(tx, o.SessionKey)
	tx.Put(insertObservation, observationFields(o), db.Arg("id", id), db.Arg("session", graph.IDOrNull(session)),
		db.Arg("input_hash", record.InputHash))
	graph.JoinSession(tx, id, session, o.CreatedAt)
	graph.LinkAbout(tx, id, o.About, o.CreatedAt)
	passages.Index(tx, memory.KindObservation, id)
	return true, nil
}

// addAccess adds to the counts of an observation, if it is there. The latest access stays the last, in any order.
func addAccess(tx *db.Tx, access *store.Access) (created bool, err error) {
	add := `UPDATE observations SET ` + graph.Increased("access_count", "count") + `,
		last_accessed_at = max(coalesce(last_accessed_at, :at), :at)
		WHERE id = (SELECT id FROM nodes WHERE kind = 'observation' AND key = :key)`
	tx.Exec(add, db.Arg("key", access.Key), db.Arg("count", access.Count), db.Arg("at", access.At))
	return false, nil
}

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
