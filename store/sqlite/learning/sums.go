package learning

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// TellDamaged tells of the profiles that cannot be read.
func TellDamaged(ctx context.Context, c *db.Conn) error {
	return c.Search(ctx, wholeProfile, func(r *db.Row) {
		if p := readWhole(r); r.Err != nil {
			key, err := keyOf(c, p.ID) // its own columns may say otherwise
			r.Stop(err)
			r.Of(memory.KindLearningProfile, key)
			r.Damaged()
		}
	})
}

// SumUp sums up anew the profiles that do not agree with their executions, and counts the episodes that no profile counts.
// What cannot be read of either stays as it is.
func SumUp(tx *db.Tx) {
	wrong, err := Missummed(tx.Context, tx.Conn)
	tx.Fail(err)
	for _, id := range wrong {
		tx.Fail(tx.Context.Err())
		Rebuild(tx, id)
	}
	// What is of no profile stands in the way of the episode that it is.
	const inTheWay = `SELECT x.id ` + withoutProfile + ` AND x.key IN (SELECT n.ref FROM nodes n WHERE n.kind = 'episode')`
	graph.DeleteNodes(tx, tx.IDs(inTheWay))
	countAll(tx, tx.IDs(`SELECT e.id `+Uncounted))
}

// Missummed are the profiles that do not sum up their executions, of those of which all can be read.
func Missummed(ctx context.Context, c *db.Conn) (found []int64, err error) {
	miscounted, err := db.AllWithin(ctx, c, `SELECT p.id `+Miscounted, (*db.Row).Integer)
	if err != nil {
		return nil, err
	}
	latest := map[int64]int64{}
	err = c.Search(ctx, `SELECT id, latest_at FROM profiles`, func(r *db.Row) {
		id := r.Integer()
		latest[id] = r.Integer()
	})
	if err != nil {
		return nil, err
	}
	err = c.Search(ctx, wholeProfile, func(r *db.Row) {
		p := readColumns(r)
		executions, sound, err := p.executionsRead(c, r)
		r.Stop(err)
		if r.Err = nil; err != nil || !sound {
			return
		}
		sum := memory.LearningProfile{}
		for _, e := range executions {
			sum.Add(*e)
		}
		if len(p.Window.At) == 0 || sum.Successful != p.Successful || sum.QualityBillionths != p.QualityBillionths || sum.LatencyMicros != p.LatencyMicros ||
			sum.Timed != p.Timed || latest[p.ID] != slices.Max(p.Window.At) || slices.Contains(miscounted, p.ID) {
			found = append(found, p.ID)
		}
	})
	return found, err
}

// executionsRead are all executions of a profile whose columns a row was read into; it is not sound where one cannot be read.
func (p *Profile) executionsRead(c *db.Conn, r *db.Row) (all []*memory.Execution, sound bool, err error) {
	counted := p.LearningProfile
	counted.Total, counted.Successful, counted.Timed = len(p.Window.At), 0, 0 // which follow
	if r.Err != nil || !p.whole() || counted.Check() != nil {
		return nil, false, nil //nolint:nilerr // what cannot be read is named elsewhere
	}
	sound = true
	err = c.Query(archiveOf, func(r *db.Row) {
		all = append(all, p.readArchived(r))
		sound = sound && r.Err == nil
		r.Err = nil
	}, db.Arg("profile", p.ID))
	return append(all, counted.Executions()...), sound, err
}
