package sqlite

import (
	"context"
	"fmt"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

const (
	// Profiles p that do not sum up the executions that are linked with them, or some of episodes that are gone.
	miscountedProfiles = `FROM profiles p WHERE (p.total <> (SELECT count(*) FROM edges o WHERE o.target = p.id AND o.type = 'OF')
		OR length(p.times) <> 8 * min(p.total, 100)
		OR p.total - length(p.times) / 8 <> (SELECT count(*) FROM archive x WHERE x.profile = p.id)
		OR EXISTS (SELECT 1 FROM edges o JOIN nodes x ON x.id = o.source WHERE o.target = p.id AND o.type = 'OF' AND x.key GLOB 'episode:*'
			AND NOT EXISTS (SELECT 1 FROM edges f WHERE f.source = x.id AND f.type = 'FROM')))`

	// Episodes e that are executions, and that no profile counts.
	uncountedEpisodes = `FROM episodes e WHERE e.task_type IS NOT NULL AND e.outcome IN ('SUCCESS', 'FAILURE')
		AND NOT EXISTS (SELECT 1 FROM edges f WHERE f.target = e.id AND f.type = 'FROM')`
)

// profiles looks at what sums up executions.
func (e *examiner) profiles() (diagnosis, error) {
	miscounted, err := e.count(`SELECT count(*) ` + miscountedProfiles)
	if err != nil {
		return diagnosis{}, err
	}
	wrong, err := missummed(e.ctx, e.conn)
	if err != nil {
		return diagnosis{}, err
	}
	miscounted += len(wrong)
	uncounted, err := e.count(`SELECT count(*) ` + uncountedEpisodes)
	switch {
	case err != nil:
		return diagnosis{}, err
	case miscounted > 0:
		return diagnosis{
			fault:  fmt.Sprintf("%d profiles do not sum up their executions", miscounted),
			remedy: "Sum up anew what can be read of their executions.", mendTenant: inWriter(sumUpMiscounted),
		}, nil
	case uncounted > 0:
		return diagnosis{
			fault:  fmt.Sprintf("%d episodes with a task type and an outcome are in no profile", uncounted),
			remedy: "Count them.", mendTenant: inWriter(countUncounted),
		}, nil
	}
	return diagnosis{found: "each sums up its executions"}, nil
}

func sumUpMiscounted(ctx context.Context, c *db.Conn) error {
	profiles, err := graph.QueryIDs(ctx, c, `SELECT p.id `+miscountedProfiles+` AND :all`, "all", true)
	if err != nil {
		return err
	}
	wrong, err := missummed(ctx, c)
	if err != nil {
		return err
	}
	profiles = append(profiles, wrong...)
	slices.Sort(profiles)
	for _, id := range slices.Compact(profiles) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := rebuildProfile(c, id); err != nil {
			return err
		}
	}
	return nil
}

// countUncounted counts the episodes that no profile counts, once what can be linked is.
func countUncounted(ctx context.Context, c *db.Conn) error {
	if err := linkExecutions(ctx, c); err != nil {
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
	err = c.Query(`SELECT e.id `+uncountedEpisodes, func(r *db.Row) error {
		episodes = append(episodes, r.Integer())
		return nil
	})
	if err != nil {
		return err
	}
	for _, id := range episodes {
		if err := countEpisode(c, id); err != nil {
			return err
		}
	}
	return nil
}

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
func lostLinks(ctx context.Context, c *db.Conn) (lost []lostLink, err error) {
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
			lost = append(lost, lostLink{id, profile, e.At})
			delete(unlinked, e.Key)
		}
	}
	err = c.Search(ctx, wholeProfile, func(r *db.Row) error {
		p := readColumns(r)
		w := &p.Window
		if n := len(w.Keys); r.Err == nil && n == len(w.At) && n == len(w.Quality) && n == len(w.Success) && n == len(w.LatencyMs) {
			for _, e := range p.Executions() {
				add(p.id, e)
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
		if e := (&profile{}).readArchived(r); r.Err == nil {
			add(id, e)
		}
		r.Err = nil
		return nil
	})
	return lost, err
}

// linkExecutions adds the links that are missing.
func linkExecutions(ctx context.Context, c *db.Conn) error {
	lost, err := lostLinks(ctx, c)
	if err != nil {
		return err
	}
	for _, l := range lost {
		if err := graph.AddEdge(c, l.execution, graph.EdgeOf, l.profile, l.at); err != nil {
			return err
		}
	}
	return c.Exec(`INSERT OR IGNORE INTO edges (source, type, target_ref, target, source_ref, at)
		SELECT x.id, 'FROM', n.ref, n.id, x.ref, o.at ` + withoutEpisode)
}
