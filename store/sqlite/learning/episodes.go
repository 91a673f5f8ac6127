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
func CountEpisode(tx *db.Tx, id int64) {
	var e episodeExecution
	tx.One(executedEpisode, func(r *db.Row) { e = readEpisodeExecution(r) }, db.Arg("id", id))
	if e.Execution == nil {
		return
	}
	p := ProfileFor(tx, e.Execution)
	graph.AddEdge(tx, p.Take(tx, e.Execution, nil), graph.EdgeFrom, e.episode, e.At)
	SaveProfile(tx, p)
}

// countAll counts those of some episodes that can be read.
func countAll(tx *db.Tx, episodes []int64) {
	for _, id := range episodes {
		_ = tx.Spare(func() { CountEpisode(tx, id) })
	}
}
