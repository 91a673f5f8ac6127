package sqlite

import (
	"context"
	"time"

	"mneme/memory"
)

func archiveFields(e *memory.Execution) []column {
	return []column{{"at", &e.At}, {"success", &e.Success}, {"quality", &e.Quality}, {"latency_ms", &e.LatencyMs}}
}

// An archived execution is x; its agent and task type are its profile's.
var (
	archiveColumns = `x.key, ` + selected("x", archiveFields(&memory.Execution{}))
	archiveScanner = scannerOf(archiveFields)
	archiving      = inserting("archive", archiveFields(&memory.Execution{}), "profile", "key")
	archiveOf      = `SELECT ` + archiveColumns + ` FROM archive x WHERE x.profile = :profile`
	latestFirst    = ` ORDER BY x.at DESC, x.key DESC LIMIT :limit`

	archivedBefore = archiveOf + ` AND (x.at, x.key) < (:at, :key)` + latestFirst
	archivedUntil  = archiveOf + ` AND x.at <= :as_of` + latestFirst
	archivedSince  = archiveOf + ` AND x.at > :as_of`
)

// readArchived reads archiveColumns.
func (p *profile) readArchived(r *row) *memory.Execution {
	e := &memory.Execution{Key: r.key(memory.KindExecution), AgentKey: p.AgentKey, TaskType: p.TaskType, Archived: true}
	archiveScanner.scan(e, r)
	r.check(e.Check())
	return e
}

// archive keeps an execution that is not in the window any more.
func (p *profile) archive(c *conn, e *memory.Execution) error {
	return c.put(archiving, archiveFields(e), arg("profile", p.id), arg("key", e.Key))
}

// unarchive forgets an execution that may be in the archive.
func (p *profile) unarchive(c *conn, e *memory.Execution) error {
	return c.exec(`DELETE FROM archive WHERE profile = :profile AND at = :at AND key = :key`,
		arg("profile", p.id), arg("at", e.At), arg("key", e.Key))
}

// archivedBefore reads the latest of the archive that are older than a position.
func (p *profile) archivedBefore(ctx context.Context, c *conn, at time.Time, key string, limit int) (found []*memory.Execution, err error) {
	err = c.search(ctx, archivedBefore, func(r *row) error {
		found = keep(r, found, p.readArchived(r))
		return nil
	}, arg("profile", p.id), arg("at", at), arg("key", key), arg("limit", limit))
	return found, err
}

// latestArchived reads the latest of the archive that were known at an instant.
func (p *profile) latestArchived(c *conn, asOf *time.Time, limit int) (found []*memory.Execution, err error) {
	err = c.query(archivedUntil, func(r *row) error {
		e := p.readArchived(r)
		if r.err != nil && c.reads == nil { // a write goes on without it
			r.err = nil
			return nil
		}
		found = keep(r, found, e)
		return nil
	}, arg("profile", p.id), arg("as_of", asOfOrEver(asOf)), arg("limit", limit))
	return found, err
}

// undo takes out what came after an instant. The window is then what is left of it (see fillUp).
func (p *profile) undo(ctx context.Context, c *conn, asOf time.Time) error {
	for _, e := range p.Executions() {
		if e.At.After(asOf) {
			p.Remove(*e)
		}
	}
	if len(p.Window.Keys) > 0 {
		return nil // what is archived is older
	}
	return c.search(ctx, archivedSince, func(r *row) error {
		if e := p.readArchived(r); r.err == nil {
			p.Remove(*e)
		}
		r.damaged()
		return nil
	}, arg("profile", p.id), arg("as_of", asOf))
}

// fillUp takes the latest that were archived at an instant into the window that undo left.
func (p *profile) fillUp(c *conn, asOf time.Time) error {
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
