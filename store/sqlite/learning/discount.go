package learning

import (
	"mneme/memory"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// executedOwn are the executions that some episodes are, the oldest of a profile first.
const executedOwn = executedColumns + ` WHERE e.task_type IS NOT NULL AND e.id IN (SELECT value FROM json_each(:own))
	ORDER BY e.task_type, coalesce(e.ended_at, e.started_at), n.key`

// DiscountEpisodes takes the executions that episodes of one agent are out of its profiles, and answers the
// profiles that are empty then.
func DiscountEpisodes(tx *db.Tx, episodes string) (empty []int64) {
	var executions []*memory.Execution
	tx.Each(executedOwn, func(r *db.Row) {
		if e := readEpisodeExecution(r); r.Err == nil && e.Execution != nil {
			executions = append(executions, e.Execution)
		}
		r.Err = nil // what was counted of it goes with the profile
	}, db.Arg("own", episodes))
	return Discount(tx, executions)
}

// Discount takes executions out of their profiles, and answers the profiles that are empty then.
func Discount(tx *db.Tx, executions []*memory.Execution) (empty []int64) {
	byProfile := map[[2]string][]*memory.Execution{}
	for _, e := range executions {
		of := [2]string{e.AgentKey, e.TaskType}
		byProfile[of] = append(byProfile[of], e)
	}
	for of, list := range byProfile {
		p := profileOf(tx, of[0], of[1])
		if p == nil {
			continue
		}
		for _, e := range list {
			p.drop(tx, e)
		}
		if !p.saveRest(tx) {
			empty = append(empty, p.ID)
		}
	}
	return empty
}

// saveRest saves what is left of a profile, and says whether anything is.
func (p *Profile) saveRest(tx *db.Tx) bool {
	if len(p.Window.At) == 0 {
		return false
	}
	p.save(tx)
	return true
}

// DiscountEpisode takes the execution that an episode was counted as out of its profile, whatever the episode says by
// now. It answers the nodes that go with the episode: the execution, and the profile where that was its last. Profiles
// that cannot tell what they counted are to be summed up anew when the episode is gone.
func DiscountEpisode(tx *db.Tx, id int64) (gone, anew []int64) {
	gone = graph.SourcesOf(tx, graph.EdgeFrom, id)
	if len(gone) == 0 {
		return nil, nil
	}
	for _, profile := range graph.TargetsOf(tx, gone[0], graph.EdgeOf) {
		var p *Profile
		var e *memory.Execution
		if tx.Spare(func() { p, e = heldOf(tx, profile, gone[0]) }) != nil || e == nil {
			anew = append(anew, profile)
		} else if p.drop(tx, e); !p.saveRest(tx) {
			gone = append(gone, profile)
		}
	}
	return gone, anew
}

// heldOf reads a profile, and of its window or its archive an execution; nil where that is not there.
func heldOf(tx *db.Tx, id, execution int64) (p *Profile, e *memory.Execution) {
	key := nodeKey(tx, execution)
	if !tx.One(wholeProfile+` WHERE p.id = :id`, func(r *db.Row) { p = readWhole(r) }, db.Arg("id", id)) {
		return nil, nil
	}
	for _, live := range p.Executions() {
		if live.Key == key {
			return p, live
		}
	}
	archived := archiveOf + ` AND x.key = :key AND x.at = (SELECT at FROM edges WHERE source = :execution AND type = 'OF' AND target = :profile)`
	tx.One(archived, func(r *db.Row) { e = p.readArchived(r) }, db.Arg("profile", id), db.Arg("key", key), db.Arg("execution", execution))
	return p, e
}
