package learning

import (
	"mneme/memory"
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
	executedEpisode = executedColumns + ` WHERE e.id = :id`
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

// CountEpisode counts an episode in its agent's profile where it is an execution.
func CountEpisode(c *db.Conn, id int64) error {
	var e episodeExecution
	if _, err := c.One(executedEpisode, func(r *db.Row) { e = readEpisodeExecution(r) }, db.Arg("id", id)); err != nil || e.Execution == nil {
		return err
	}
	p, err := ProfileFor(c, e.Execution)
	if err != nil {
		return err
	}
	if err := p.takeEpisode(c, e); err != nil {
		return err
	}
	return SaveProfile(c, p)
}

// takeEpisode counts the execution that an episode is.
func (p *Profile) takeEpisode(c *db.Conn, e episodeExecution) error {
	id, err := p.Take(c, e.Execution, nil)
	if err != nil {
		return err
	}
	return graph.AddEdge(c, id, graph.EdgeFrom, e.episode, e.At)
}
