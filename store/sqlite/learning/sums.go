package learning

import (
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// TellDamaged tells of the profiles that cannot be read.
func TellDamaged(ctx context.Context, c *db.Conn) error {
	return c.Search(ctx, wholeProfile, func(r *db.Row) error {
		p := readWhole(r)
		if r.Err != nil {
			key, err := graph.KeyOf(c, p.ID) // its own columns may say otherwise
			if err != nil {
				return err
			}
			r.Of(memory.KindLearningProfile, key)
			r.Damaged()
		}
		return nil
	})
}

// SumUp sums up anew the profiles that do not agree with their executions.
func SumUp(ctx context.Context, c *db.Conn) error {
	profiles, err := graph.QueryIDs(ctx, c, `SELECT p.id `+Miscounted+` AND :all`, "all", true)
	if err != nil {
		return err
	}
	wrong, err := Missummed(ctx, c)
	if err != nil {
		return err
	}
	profiles = append(profiles, wrong...)
	slices.Sort(profiles)
	for _, id := range slices.Compact(profiles) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := Rebuild(c, id); err != nil {
			return err
		}
	}
	return nil
}

// CountUncounted counts the episodes that no profile counts, once what can be linked is.
func CountUncounted(ctx context.Context, c *db.Conn) error {
	if err := LinkExecutions(ctx, c); err != nil {
		return err
	}
	// What is of no profile cannot be read, and stands in the way.
	left, err := graph.QueryIDs(ctx, c, `SELECT x.id `+withoutProfile+` AND x.key IN (SELECT n.ref FROM nodes n WHERE n.kind = 'episode') AND :all`, "all", true)
	if err != nil {
		return err
	}
	if err := graph.DeleteNodes(c, left); err != nil {
		return err
	}
	var episodes []int64
	err = c.Query(`SELECT e.id `+Uncounted, func(r *db.Row) error {
		episodes = append(episodes, r.Integer())
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range episodes {
		if err := CountEpisode(c, id); err != nil {
			return err
		}
	}
	return nil
}

// LostLink is the link from an execution to the profile in whose window or archive it is.
type LostLink struct {
	execution, profile int64
	at                 time.Time
}

// LostLinks finds them. Of a row that cannot be read another part tells.
func LostLinks(ctx context.Context, c *db.Conn) (lost []LostLink, err error) {
	unlinked := map[string]int64{}
	err = c.Search(ctx, `SELECT x.id, x.key `+withoutProfile, func(r *db.Row) error {
		id := r.Integer()
		key, _ := db.Read[string](r)
		unlinked[key] = id
		return nil
	})
	if err != nil || len(unlinked) == 0 {
		return nil, err
	}
	add := func(profile int64, e *memory.Execution) {
		if id, is := unlinked[e.Key]; is {
			lost = append(lost, LostLink{id, profile, e.At})
			delete(unlinked, e.Key)
		}
	}
	err = c.Search(ctx, wholeProfile, func(r *db.Row) error {
		p := readColumns(r)
		w := &p.Window
		if n := len(w.Keys); r.Err == nil && n == len(w.At) && n == len(w.Quality) && n == len(w.Success) && n == len(w.LatencyMs) {
			for _, e := range p.Executions() {
				add(p.ID, e)
			}
		}
		r.Err = nil
		return nil
	})
	if err != nil {
		return nil, err
	}
	err = c.Search(ctx, `SELECT x.profile, `+archiveColumns+` FROM archive x JOIN profiles p ON p.id = x.profile`, func(r *db.Row) error {
		id := r.Integer()
		if e := (&Profile{}).readArchived(r); r.Err == nil {
			add(id, e)
		}
		r.Err = nil
		return nil
	})
	return lost, err
}

// LinkExecutions adds the links that are missing.
func LinkExecutions(ctx context.Context, c *db.Conn) error {
	lost, err := LostLinks(ctx, c)
	if err != nil {
		return err
	}
	for _, l := range lost {
		if err := graph.AddEdge(c, l.execution, graph.EdgeOf, l.profile, l.at); err != nil {
			return err
		}
	}
	return c.Exec(`INSERT OR IGNORE INTO edges (source, type, target_ref, target, source_ref, at)
		SELECT x.id, 'FROM', n.ref, n.id, x.ref, o.at ` + WithoutEpisode)
}

// Missummed are the profiles whose sums are not those of their executions, of those that can be read.
func Missummed(ctx context.Context, c *db.Conn) (found []int64, err error) {
	latest, err := latestOf(ctx, c)
	if err != nil {
		return nil, err
	}
	err = c.Search(ctx, wholeProfile, func(r *db.Row) error {
		p := readWhole(r)
		if r.Err != nil {
			r.Err = nil
			return nil //nolint:nilerr // what cannot be read another part finds
		}
		executions := p.Executions()
		archive := []*memory.Execution{}
		if err := c.Query(archiveOf, func(r *db.Row) error {
			e := p.readArchived(r)
			if r.Err == nil {
				archive = append(archive, e)
			}
			r.Err = nil
			return nil
		}, db.Arg("profile", p.ID)); err != nil {
			return err
		}
		sum := memory.LearningProfile{}
		for _, e := range slices.Concat(archive, executions) {
			sum.Add(*e)
		}
		if len(executions) == 0 || sum.Successful != p.Successful || sum.QualityBillionths != p.QualityBillionths || sum.LatencyMicros != p.LatencyMicros ||
			sum.Timed != p.Timed || latest[p.ID] != slices.Max(p.Window.At) {
			found = append(found, p.ID)
		}
		return nil
	})
	return found, err
}

func latestOf(ctx context.Context, c *db.Conn) (map[int64]int64, error) {
	latest := map[int64]int64{}
	return latest, c.Search(ctx, `SELECT id, latest_at FROM profiles`, func(r *db.Row) error {
		id := r.Integer()
		latest[id] = r.Integer()
		return nil
	})
}
