package sqlite

import (
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store"
)

// observationFields are what is kept when an observation is recorded, observationUse what readings of it add.
func observationFields(o *memory.Observation) []column {
	return []column{
		{"content", &o.Content}, {"importance", oneOf(&o.Importance)}, {"created_at", &o.CreatedAt},
		{"tokens_before", &o.Receipt.TokensBefore}, {"tokens_after", &o.Receipt.TokensAfter}, {"redactions", listIn(&o.Receipt.Redactions)},
	}
}

func observationUse(o *memory.Observation) []column {
	return []column{{"access_count", &o.AccessCount}, {"last_accessed_at", &o.LastAccessedAt}}
}

// An observation is x, its node n, that of its session s.
var (
	observationColumns = `n.key, coalesce(s.key, x.session) AS session, ` + aboutOf + ` AS about, ` +
		selected("x", observationFields(&memory.Observation{})) + `, ` + selected("x", observationUse(&memory.Observation{}))
	observationScanner = scannerOf(observationFields, observationUse)
	insertObservation  = inserting("observations", observationFields(&memory.Observation{}), "id", "session", "input_hash")
	countAccesses      = updating("observations", observationUse(&memory.Observation{}), `id = :id`)
)

const observationTables = ` JOIN nodes n ON n.id = x.id LEFT JOIN nodes s ON s.id = x.session AND s.kind = 'session'`

func readObservation(r *row) *memory.Observation {
	o := &memory.Observation{Key: r.key(memory.KindObservation), SessionKey: r.optionalText(), About: listOf[string](r)}
	observationScanner.scan(o, r)
	return o
}

var observationsByKey = `SELECT ` + observationColumns + ` FROM json_each(:keys) w
	CROSS JOIN nodes q ON q.kind = 'observation' AND q.key = w.value JOIN observations x ON x.id = q.id` + observationTables

// Observations reads observations by key.
func (t *Tenant) Observations(ctx context.Context, keys []string) ([]*memory.Observation, error) {
	return recordsByKey(ctx, t, memory.KindObservation, observationsByKey, keys, readObservation, func(o *memory.Observation) string { return o.Key })
}

// ListObservations reads a page in an order. What comes on it is found first, without reading contents.
func (t *Tenant) ListObservations(ctx context.Context, query store.ObservationQuery) ([]*memory.Observation, bool, error) {
	w, weight := observationsOf(&query)
	order := w.addAfterObservation(&query, weight)
	find := `SELECT ` + observationColumns + ` FROM (SELECT x.id AS id, ` + weight + ` AS weight, x.created_at AS since, k.key AS place
			FROM observations x JOIN nodes k ON k.id = x.id WHERE ` + w.sql() + ` ORDER BY ` + order + ` LIMIT :limit) p
		CROSS JOIN observations x ON x.id = p.id` + observationTables + ` ORDER BY ` + order
	return listPage(ctx, t, find, w, query.Page.Limit, readObservation)
}

// CountObservations counts what a query lists.
func (t *Tenant) CountObservations(ctx context.Context, query store.ObservationQuery) (int, error) {
	w, _ := observationsOf(&query)
	return t.count(ctx, `SELECT count(*) FROM observations x WHERE `+w.sql(), w.args)
}

// observationsOf are the conditions of a query but for its page, and the weight that it goes by.
func observationsOf(query *store.ObservationQuery) (w conditions, weight string) {
	weight = `0`
	if query.Order != store.LatestFirst || query.MinWeight != nil || query.MaxWeight != nil {
		weight = w.weigh(query.Policy, query.Now)
	}
	if query.MinWeight != nil {
		w.add(weight+` >= :min_weight`, arg("min_weight", query.MinWeight))
	}
	if query.MaxWeight != nil {
		w.add(weight+` <= :max_weight`, arg("max_weight", query.MaxWeight))
	}
	return w, weight
}

// addAfterObservation goes on behind a position in a query's order, which it answers.
func (w *conditions) addAfterObservation(query *store.ObservationQuery, weight string) (order string) {
	const newest = `since DESC, place`
	after, beyond := query.Page.After, ` < `
	switch query.Order {
	case store.LatestFirst:
		w.addAfter(`x.created_at`, after)
		return newest
	case store.LightestFirst:
		order, beyond = `weight, `+newest, ` > `
	case store.HeaviestFirst:
		order = `weight DESC, ` + newest
	}
	if after != nil && after.Value != nil {
		w.add(`(`+weight+beyond+`:after_weight OR `+weight+` = :after_weight AND
			(x.created_at < :after_at OR x.created_at = :after_at AND k.key > :after_key))`,
			arg("after_weight", after.Value), arg("after_at", after.At), arg("after_key", after.Key))
	}
	return order
}

// SessionNeighbours reads which observations stand next to others in their sessions.
func (t *Tenant) SessionNeighbours(ctx context.Context, keys []string) (map[string][2]string, error) {
	const find = `SELECT q.key,
		(SELECT k.key FROM observations b JOIN nodes k ON k.id = b.id
		 WHERE b.session = x.session AND b.created_at <= x.created_at AND (b.created_at < x.created_at OR k.key < q.key)
		 ORDER BY b.created_at DESC, k.key DESC LIMIT 1),
		(SELECT k.key FROM observations b JOIN nodes k ON k.id = b.id
		 WHERE b.session = x.session AND b.created_at >= x.created_at AND (b.created_at > x.created_at OR k.key > q.key)
		 ORDER BY b.created_at, k.key LIMIT 1)
		FROM json_each(:keys) w CROSS JOIN nodes q ON q.kind = 'observation' AND q.key = w.value
		JOIN observations x ON x.id = q.id`
	list, err := jsonOf(distinct(keys))
	if err != nil {
		return nil, err
	}
	neighbours := make(map[string][2]string, len(keys))
	err = t.read(ctx, func(c *conn) error {
		return c.search(ctx, find, func(r *row) error {
			neighbours[r.text()] = [2]string{r.text(), r.text()}
			return nil
		}, arg("keys", list))
	})
	if err != nil {
		return nil, err
	}
	return neighbours, nil
}

// RecordObservations writes a batch in one transaction.
func (t *Tenant) RecordObservations(ctx context.Context, records []store.ObservationRecord) ([]store.Recorded, error) {
	return recordAll(ctx, t, records, recordObservation, func(r *store.ObservationRecord) string { return r.Observation.Key })
}

const hashOfObservation = `SELECT x.input_hash FROM nodes n LEFT JOIN observations x ON x.id = n.id WHERE n.kind = :kind AND n.key = :key`

func recordObservation(c *conn, record *store.ObservationRecord) (created bool, err error) {
	o := &record.Observation
	if err := checkAbout(o.About); err != nil {
		return false, err
	}
	if known, err := sameAsRecorded(c, memory.KindObservation, o.Key, hashOfObservation, record.InputHash, &record.Former); known || err != nil {
		return false, err
	}
	id, err := addNode(c, memory.KindObservation, o.Key)
	if err != nil {
		return false, err
	}
	session, err := ensureSession(c, o.SessionKey)
	if err != nil {
		return false, err
	}
	if err := c.put(insertObservation, observationFields(o), arg("id", id), arg("session", idOrNull(session)),
		arg("input_hash", blob(record.InputHash))); err != nil {
		return false, err
	}
	if session != 0 {
		if err := addEdge(c, id, edgeInSession, session, o.CreatedAt); err != nil {
			return false, err
		}
	}
	if err := linkAbout(c, id, o.About, o.CreatedAt); err != nil {
		return false, err
	}
	return true, index(c, memory.KindObservation, id)
}

// AddAccesses adds to the counts of those observations that are there. The latest access stays the
// last one, in whatever order they are told.
func (t *Tenant) AddAccesses(ctx context.Context, accesses []store.Access) error {
	if len(accesses) == 0 {
		return nil
	}
	add := `UPDATE observations SET ` + added("access_count", "count") + `,
		last_accessed_at = max(coalesce(last_accessed_at, :at), :at)
		WHERE id = (SELECT id FROM nodes WHERE kind = 'observation' AND key = :key)`
	return t.write(ctx, func(c *conn) error {
		for _, access := range accesses {
			if err := c.exec(add, arg("key", access.Key), arg("count", access.Count), arg("at", access.At)); err != nil {
				return err
			}
		}
		return nil
	})
}

// PruneObservations removes what weighs too little, in parts.
func (t *Tenant) PruneObservations(ctx context.Context, pruning store.Pruning) (count int, err error) {
	w := lighterThan(&pruning)
	if pruning.DryRun {
		return t.count(ctx, `SELECT count(*) FROM observations x WHERE `+w.sql(), w.args)
	}
	light, err := t.lighter(ctx, w)
	if err != nil || len(light) == 0 {
		return 0, err
	}
	err = t.inParts(ctx, func(c *conn) (done bool, err error) {
		part := light[:min(mostInPart, len(light))]
		light = light[len(part):]
		gone, err := pruneSome(ctx, c, part, w)
		count += gone
		return len(light) == 0, err
	})
	return count, err
}

// lighter finds the observations that meet the conditions.
func (t *Tenant) lighter(ctx context.Context, w conditions) (light []int64, err error) {
	return light, t.snapshot(ctx, func(c *conn) error {
		return c.search(ctx, `SELECT x.id FROM observations x WHERE `+w.sql(), func(r *row) error {
			light = append(light, r.integer())
			return nil
		}, w.args...)
	})
}

// pruneSome removes those of some observations that still meet the conditions: they may have been read meanwhile.
func pruneSome(ctx context.Context, c *conn, observations []int64, w conditions) (int, error) {
	list, err := jsonOf(observations)
	if err != nil {
		return 0, err
	}
	var still []int64
	const find = `SELECT x.id FROM json_each(:observations) o CROSS JOIN observations x ON x.id = o.value WHERE `
	err = c.search(ctx, find+w.sql(), func(r *row) error {
		still = append(still, r.integer())
		return nil
	}, append(slices.Clone(w.args), arg("observations", list))...)
	if err != nil || len(still) == 0 {
		return 0, err
	}
	return len(still), deleteNodes(c, still)
}

// weigh gives the expression of a policy's weight at a time of observations x, and adds its parameters.
func (w *conditions) weigh(policy decay.Policy, now time.Time) string {
	w.args = append(w.args, arg("now", now))
	return `(` + policy.Expression(`x.importance`, `x.access_count`, `max(0, :now - coalesce(x.last_accessed_at, x.created_at))`) + `)`
}

// lighterThan is the condition of pruning.
func lighterThan(pruning *store.Pruning) (w conditions) {
	weight := w.weigh(pruning.Policy, pruning.Now)
	w.add(`x.importance NOT IN ('CRITICAL', 'HIGH') AND `+weight+` < :min_weight`, arg("min_weight", pruning.MinWeight))
	return w
}
