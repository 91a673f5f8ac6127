package sqlite

import (
	"errors"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// episodeExecution is an episode's node with the execution that it is.
type episodeExecution struct {
	episode int64
	*memory.Execution
}

// What of an episode e, its node n, says whether it is an execution, and which.
const (
	executedColumns = `SELECT e.id, n.key, a.key, e.task_type, e.outcome, e.started_at, e.ended_at, e.quality
		FROM episodes e JOIN nodes n ON n.id = e.id JOIN nodes a ON a.id = e.agent`
	executedEpisode  = executedColumns + ` WHERE e.id = :id`
	executedEpisodes = executedColumns + ` WHERE e.task_type IS NOT NULL ORDER BY e.agent, e.task_type, coalesce(e.ended_at, e.started_at), n.key`
)

// readEpisodeExecution reads an episode; its execution is nil where it is none.
func readEpisodeExecution(r *db.Row) episodeExecution {
	id := r.Integer()
	e := memory.Episode{
		Key: r.Key(memory.KindEpisode), AgentKey: r.Text(), TaskType: r.OptionalText(), Outcome: memory.Outcome(r.Text()),
		StartedAt: r.Time(), EndedAt: r.OptionalTime(), Quality: r.OptionalFloat(),
	}
	return episodeExecution{episode: id, Execution: memory.ExecutionOf(&e)}
}

// countEpisode counts an episode in its agent's profile where it is an execution.
func countEpisode(c *db.Conn, id int64) error {
	var e episodeExecution
	if _, err := c.One(executedEpisode, func(r *db.Row) { e = readEpisodeExecution(r) }, db.Arg("id", id)); err != nil || e.Execution == nil {
		return err
	}
	p, err := profileOf(c, e.Execution)
	if err != nil {
		return err
	}
	if err := p.takeEpisode(c, e); err != nil {
		return err
	}
	return keepProfile(c, p)
}

// takeEpisode counts the execution that an episode is.
func (p *profile) takeEpisode(c *db.Conn, e episodeExecution) error {
	id, err := p.take(c, e.Execution, nil)
	if err != nil {
		return err
	}
	return graph.AddEdge(c, id, graph.EdgeFrom, e.episode, e.At)
}

// discountEpisode takes the execution that an episode was counted as out of its profile, whatever the episode says by
// now. It answers the nodes that go with the episode: the execution, and the profile where that was its last. Profiles
// that cannot tell what they counted are to be summed up anew when the episode is gone.
func discountEpisode(c *db.Conn, id int64) (gone, anew []int64, err error) {
	gone, err = graph.IDs(c, `SELECT source FROM edges WHERE target = :node AND type = :type`, id, graph.EdgeFrom)
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
func heldOf(c *db.Conn, id, execution int64) (p *profile, e *memory.Execution, err error) {
	key, err := keyOf(c, execution)
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

// countEpisodes counts the episodes that were recorded before there were profiles.
func countEpisodes(c *db.Conn) error {
	var executions []episodeExecution
	err := c.Query(executedEpisodes, func(r *db.Row) error {
		if e := readEpisodeExecution(r); e.Execution != nil {
			executions = append(executions, e)
		}
		return nil
	})
	if err != nil {
		return err
	}
	var p *profile
	for _, e := range executions {
		if p == nil || p.AgentKey != e.AgentKey || p.TaskType != e.TaskType {
			if p, err = nextProfile(c, p, e); err != nil {
				return err
			}
		}
		if err := p.takeEpisode(c, e); err != nil {
			return err
		}
	}
	if p == nil {
		return nil
	}
	return p.save(c)
}

// nextProfile saves the profile that is complete, if there is one, and opens that of an execution.
func nextProfile(c *db.Conn, complete *profile, e episodeExecution) (*profile, error) {
	if complete != nil {
		if err := complete.save(c); err != nil {
			return nil, err
		}
	}
	return openProfile(c, e.AgentKey, e.TaskType, e.At)
}
