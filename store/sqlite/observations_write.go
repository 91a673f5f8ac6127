package sqlite

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
)

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
		part := light[:min(mostBuried, len(light))]
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
