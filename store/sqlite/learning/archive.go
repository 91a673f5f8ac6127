package learning

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// archiveFields are the columns of an execution that is in no window any more.
func archiveFields(e *memory.Execution) db.Columns {
	return db.Columns{{"at", &e.At}, {"success", &e.Success}, {"quality", &e.Quality}, {"latency_ms", &e.LatencyMs}}
}

// An archived execution is x; its agent and task type are its profile's.
var (
	archiveColumns = `x.key, ` + db.Selected("x", archiveFields(&memory.Execution{}))
	archiveScanner = db.ScannerOf(archiveFields)
	archiving      = db.Inserting("archive", archiveFields(&memory.Execution{}), "profile", "key")
	archiveOf      = `SELECT ` + archiveColumns + ` FROM archive x WHERE x.profile = :profile`
	latestFirst    = ` ORDER BY x.at DESC, x.key DESC LIMIT :limit`

	archivedBefore = archiveOf + ` AND (x.at, x.key) < (:at, :key)` + latestFirst
	archivedUntil  = archiveOf + ` AND x.at <= :as_of` + latestFirst
	archivedSince  = archiveOf + ` AND x.at > :as_of`
)

// readArchived reads archiveColumns.
func (p *Profile) readArchived(r *db.Row) *memory.Execution {
	e := &memory.Execution{Key: r.Key(memory.KindExecution), AgentKey: p.AgentKey, TaskType: p.TaskType, Archived: true}
	archiveScanner.Scan(e, r)
	r.Check(e.Check())
	return e
}

// archive keeps an execution that is not in the window any more.
func (p *Profile) archive(tx *db.Tx, e *memory.Execution) {
	tx.Put(archiving, archiveFields(e), db.Arg("profile", p.ID), db.Arg("key", e.Key))
}

// unarchive forgets an execution that may be in the archive.
func (p *Profile) unarchive(tx *db.Tx, e *memory.Execution) {
	tx.Exec(`DELETE FROM archive WHERE profile = :profile AND at = :at AND key = :key`,
		db.Arg("profile", p.ID), db.Arg("at", e.At), db.Arg("key", e.Key))
}

// archivedBefore reads the latest of the archive that are older than a position.
func (p *Profile) archivedBefore(ctx context.Context, c *db.Conn, at time.Time, key string, limit int) (found []*memory.Execution, err error) {
	return db.AllWithin(ctx, c, archivedBefore, p.readArchived, db.Arg("profile", p.ID), db.Arg("at", at), db.Arg("key", key), db.Arg("limit", limit))
}

// latestArchived reads the latest of the archive that were known at an instant.
func (p *Profile) latestArchived(c *db.Conn, asOf *time.Time, limit int) (found []*memory.Execution, err error) {
	err = c.Query(archivedUntil, func(r *db.Row) {
		e := p.readArchived(r)
		if r.Err != nil && c.Reads == nil { // a write goes on without it
			r.Err = nil
			return
		}
		found = db.Keep(r, found, e)
	}, db.Arg("profile", p.ID), db.Arg("as_of", graph.AsOfOrEver(asOf)), db.Arg("limit", limit))
	return found, err
}

// undo takes out what came after an instant. The window is then what is left of it (see fillUp).
func (p *Profile) undo(ctx context.Context, c *db.Conn, asOf time.Time) error {
	for _, e := range p.Executions() {
		if e.At.After(asOf) {
			p.Remove(*e)
		}
	}
	if len(p.Window.Keys) > 0 {
		return nil // what is archived is older
	}
	return c.Search(ctx, archivedSince, func(r *db.Row) {
		if e := p.readArchived(r); r.Err == nil {
			p.Remove(*e)
		}
		r.Damaged()
	}, db.Arg("profile", p.ID), db.Arg("as_of", asOf))
}

// fillUp takes the latest that were archived at an instant into the window that undo left.
func (p *Profile) fillUp(c *db.Conn, asOf time.Time) error {
	missing := min(p.Total, memory.WindowSize) - len(p.Window.Keys)
	if missing <= 0 {
		return nil
	}
	latest, err := p.latestArchived(c, &asOf, missing)
	for _, e := range latest {
		p.Refill(*e)
	}
	return err
}
