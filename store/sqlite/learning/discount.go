package learning

import (
	"errors"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// executedOwn are the executions that some episodes are, the oldest of a profile first.
const executedOwn = executedColumns + ` WHERE e.task_type IS NOT NULL AND e.id IN (SELECT value FROM json_each(:own))
	ORDER BY e.task_type, coalesce(e.ended_at, e.started_at), n.key`

// DiscountEpisodes takes the executions that episodes of one agent are out of its profiles, and answers the
// profiles that are empty then.
func DiscountEpisodes(c *db.Conn, episodes string) (empty []int64, err error) {
	var executions []*memory.Execution
	err = c.Query(executedOwn, func(r *db.Row) error {
		if e := readEpisodeExecution(r); r.Err == nil && e.Execution != nil {
			executions = append(executions, e.Execution)
		}
		r.Err = nil // what was counted of it goes with the profile
		return nil
	}, db.Arg("own", episodes))
	if err != nil {
		return nil, err
	}
	return Discount(c, executions)
}

// Discount takes executions out of their profiles, and answers the profiles that are empty then.
func Discount(c *db.Conn, executions []*memory.Execution) (empty []int64, err error) {
	byProfile := map[[2]string][]*memory.Execution{}
	for _, e := range executions {
		of := [2]string{e.AgentKey, e.TaskType}
		byProfile[of] = append(byProfile[of], e)
	}
	for of, list := range byProfile {
		p, err := findProfile(c, of[0], of[1])
		if err != nil {
			return nil, err
		}
		if p == nil {
			continue
		}
		if err := p.dropAll(c, list); err != nil {
			return nil, err
		}
		if len(p.Window.At) == 0 {
			empty = append(empty, p.ID)
		}
	}
	return empty, nil
}

// dropAll takes executions out of the profile, and saves it if any are left.
func (p *Profile) dropAll(c *db.Conn, executions []*memory.Execution) error {
	for _, e := range executions {
		if err := p.drop(c, e); err != nil {
			return err
		}
	}
	if len(p.Window.At) == 0 {
		return nil
	}
	return p.save(c)
}

// DiscountEpisode takes the execution that an episode was counted as out of its profile, whatever the episode says by
// now. It answers the nodes that go with the episode: the execution, and the profile where that was its last. Profiles
// that cannot tell what they counted are to be summed up anew when the episode is gone.
func DiscountEpisode(c *db.Conn, id int64) (gone, anew []int64, err error) {
	gone, err = graph.SourcesOf(c, graph.EdgeFrom, id)
	if err != nil || len(gone) == 0 {
		return nil, nil, err
	}
	profiles, err := graph.TargetsOf(c, gone[0], graph.EdgeOf)
	if err != nil {
		return nil, nil, err
	}
	for _, profile := range profiles {
		p, e, err := heldOf(c, profile, gone[0])
		var damaged *store.Damaged
		switch {
		case errors.As(err, &damaged) || err == nil && e == nil:
			anew = append(anew, profile)
			continue
		case err == nil:
			err = p.drop(c, e)
		}
		if err == nil && len(p.Window.At) > 0 {
			err = p.save(c)
		} else if err == nil {
			gone = append(gone, profile)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return gone, anew, nil
}

// heldOf reads a profile, and of its window or its archive an execution; nil where that is not there.
func heldOf(c *db.Conn, id, execution int64) (p *Profile, e *memory.Execution, err error) {
	key, err := graph.KeyOf(c, execution)
	if err != nil {
		return nil, nil, err
	}
	if _, err = c.One(wholeProfile+` WHERE p.id = :id`, func(r *db.Row) { p = readWhole(r) }, db.Arg("id", id)); err != nil || p == nil {
		return nil, nil, err
	}
	for _, live := range p.Executions() {
		if live.Key == key {
			return p, live, nil
		}
	}
	archived := archiveOf + ` AND x.key = :key AND x.at = (SELECT at FROM edges WHERE source = :execution AND type = 'OF' AND target = :profile)`
	_, err = c.One(archived, func(r *db.Row) { e = p.readArchived(r) }, db.Arg("profile", id), db.Arg("key", key), db.Arg("execution", execution))
	return p, e, err
}
