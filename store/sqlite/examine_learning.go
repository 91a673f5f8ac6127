package sqlite

import (
	"context"
	"fmt"
	"slices"
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

func sumUpMiscounted(ctx context.Context, c *conn) error {
	profiles, err := idsOf(ctx, c, `SELECT p.id `+miscountedProfiles+` AND :all`, "all", true)
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
func countUncounted(ctx context.Context, c *conn) error {
	if err := linkExecutions(ctx, c); err != nil {
		return err
	}
	// What is of no profile cannot be read, and stands in the way.
	left, err := idsOf(ctx, c, `SELECT x.id `+withoutProfile+` AND x.key IN (SELECT n.ref FROM nodes n WHERE n.kind = 'episode') AND :all`, "all", true)
	if err != nil {
		return err
	}
	if err := deleteNodes(c, left); err != nil {
		return err
	}
	var episodes []int64
	err = c.query(`SELECT e.id `+uncountedEpisodes, func(r *row) error {
		episodes = append(episodes, r.integer())
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
