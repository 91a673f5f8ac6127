package sqlite

import (
	"context"
	"fmt"
	"time"

	"mneme/memory"
)

const (
	// Executions x that no link leads from to a profile.
	withoutProfile = `FROM nodes x WHERE x.kind = 'execution'
		AND NOT EXISTS (SELECT 1 FROM edges o JOIN profiles p ON p.id = o.target WHERE o.source = x.id AND o.type = 'OF')`
	// Executions x of a profile that an episode n is, and that no link leads from to it.
	withoutEpisode = `FROM nodes x JOIN nodes n ON n.ref = x.key AND n.kind = 'episode' JOIN edges o ON o.source = x.id AND o.type = 'OF'
		WHERE x.kind = 'execution'
		AND NOT EXISTS (SELECT 1 FROM edges f JOIN nodes e ON e.id = f.target WHERE f.source = x.id AND f.type = 'FROM')`
)

// lostLink is the link from an execution to the profile in whose window or archive it is.
type lostLink struct {
	execution, profile int64
	at                 time.Time
}

// executions looks for executions without the links that follow from rows.
func (e *examiner) executions() (diagnosis, error) {
	lost, err := lostLinks(e.ctx, e.conn)
	if err != nil {
		return diagnosis{}, err
	}
	without, err := e.count(`SELECT count(DISTINCT x.id) ` + withoutEpisode)
	if err != nil || len(lost)+without == 0 {
		return diagnosis{found: "each is linked with its profile and its episode"}, err
	}
	return diagnosis{
		fault:      fmt.Sprintf("%d executions are not linked with the profile that has them, %d not with the episode that they are", len(lost), without),
		remedy:     "Link them again, as the rows of profiles and the keys of executions say.",
		mendTenant: inWriter(linkExecutions),
	}, nil
}

// lostLinks finds them. Of a row that cannot be read another part tells.
func lostLinks(ctx context.Context, c *conn) (lost []lostLink, err error) {
	unlinked := map[string]int64{}
	err = c.search(ctx, `SELECT x.id, x.key `+withoutProfile, func(r *row) error {
		id := r.integer()
		key, _ := read[string](r)
		unlinked[key] = id
		return nil
	})
	if err != nil || len(unlinked) == 0 {
		return nil, err
	}
	add := func(profile int64, e *memory.Execution) {
		if id, is := unlinked[e.Key]; is {
			lost = append(lost, lostLink{id, profile, e.At})
			delete(unlinked, e.Key)
		}
	}
	err = c.search(ctx, wholeProfile, func(r *row) error {
		p := readColumns(r)
		w := &p.Window
		if n := len(w.Keys); r.err == nil && n == len(w.At) && n == len(w.Quality) && n == len(w.Success) && n == len(w.LatencyMs) {
			for _, e := range p.Executions() {
				add(p.id, e)
			}
		}
		r.err = nil
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = c.search(ctx, `SELECT x.profile, `+archiveColumns+` FROM archive x JOIN profiles p ON p.id = x.profile`, func(r *row) error {
		id := r.integer()
		if e := (&profile{}).readArchived(r); r.err == nil {
			add(id, e)
		}
		r.err = nil
		return nil
	})
	return lost, err
}

// linkExecutions adds the links that are missing.
func linkExecutions(ctx context.Context, c *conn) error {
	lost, err := lostLinks(ctx, c)
	if err != nil {
		return err
	}
	for _, l := range lost {
		if err := addEdge(c, l.execution, edgeOf, l.profile, l.at); err != nil {
			return err
		}
	}
	return c.exec(`INSERT OR IGNORE INTO edges (source, type, target_ref, target, source_ref, at)
		SELECT x.id, 'FROM', n.ref, n.id, x.ref, o.at ` + withoutEpisode)
}
