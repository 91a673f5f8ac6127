package learning

import (
	"bytes"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/profiles"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// Write is a write as package profiles asks for it.
func Write(tx *db.Tx) profiles.Tx { return write{tx} }

type write struct{ *db.Tx }

var (
	profilesOf = `SELECT ` + profileColumns + ` FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'learningProfile' AND n.key = w.value
		LEFT JOIN profiles p ON p.id = n.id` + profileAgent
	executionsBy = `SELECT ` + foundColumns + ` FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'execution' AND n.key = w.value
		LEFT JOIN executions x ON x.id = n.id
		LEFT JOIN nodes o ON o.id = ` + profileOf
)

func (w write) LockProfiles(keys, executions []string) (*profiles.Locked, error) {
	l := &profiles.Locked{Profiles: map[string]*memory.LearningProfile{}, Executions: map[string]*profiles.Found{}}
	w.Each(profilesOf, func(r *db.Row) {
		p := checked(r)
		key, _ := r.Named("key").(string)
		if l.Profiles[key] = nil; r.Err == nil {
			l.Profiles[key] = p
		}
		r.Err = nil
	}, db.List("keys", keys))
	w.Each(executionsBy, func(r *db.Row) {
		found := readFound(r)
		l.Executions[found.Key] = found
	}, db.List("keys", executions))
	return l, w.Err()
}

func (w write) ExecutionsOf(profile string) ([]*profiles.Found, error) {
	all := db.Ask(w.Tx, func(c *db.Conn) ([]*profiles.Found, error) { return executionsOf(w.Context, c, profile) })
	return all, w.Err()
}

func (w write) DeleteExecutions(executions, of []string) (map[string][]*memory.Execution, error) {
	graph.DeleteNodes(w.Tx, graph.NodesOf(w.Tx, memory.KindExecution, executions))
	latest := map[string][]*memory.Execution{}
	for _, key := range of {
		w.Each(windowOf, func(r *db.Row) {
			e := readPlace(r)
			if r.Unreadable() {
				e.Quality = -1 // which no profile has
			}
			latest[key] = append(latest[key], e)
		}, latestArgs(key, nil, nil, memory.WindowSize, 0)...)
	}
	return latest, w.Err()
}

// readPlace reads what a window keeps of an execution.
func readPlace(r *db.Row) *memory.Execution {
	return &memory.Execution{Key: r.Key(memory.KindExecution), At: r.Time(), Quality: r.Float()}
}

func (w write) SaveProfiles(c *profiles.Changes) error {
	ids := map[string]int64{}
	id := func(p *memory.LearningProfile) int64 {
		key := memory.ProfileKey(p.AgentKey, p.TaskType)
		if ids[key] == 0 {
			ids[key] = graph.NodeID(w.Tx, memory.KindLearningProfile, key)
		}
		return ids[key]
	}
	for _, p := range c.Made {
		agent := graph.EnsureAgent(w.Tx, p.AgentKey, nil)
		if id(p) == 0 {
			key := memory.ProfileKey(p.AgentKey, p.TaskType)
			ids[key] = graph.AddNode(w.Tx, memory.KindLearningProfile, key)
			graph.AddEdge(w.Tx, ids[key], graph.EdgeOf, agent, time.UnixMilli(p.Window.At[0]))
		}
		w.Put(insertingProfile, profileFields(p), db.Arg("id", id(p)), db.Arg("agent", agent))
	}
	for _, p := range c.Changed {
		w.Put(updatingProfile, profileFields(p), db.Arg("id", id(p)))
	}
	for i := range c.Executions {
		e := &c.Executions[i].Execution
		w.addExecution(e, id(&memory.LearningProfile{AgentKey: e.AgentKey, TaskType: e.TaskType}), c.Executions[i].InputHash)
	}
	for _, key := range c.Emptied {
		graph.DeleteNodes(w.Tx, []int64{graph.NodeID(w.Tx, memory.KindLearningProfile, key)})
	}
	return w.Err()
}

func (w write) addExecution(e *memory.Execution, profile int64, hash []byte) {
	id := graph.AddNode(w.Tx, memory.KindExecution, e.Key)
	w.Put(insertingExecution, fields.Execution(e), db.Arg("id", id), db.Arg("profile", profile), db.Arg("key", e.Key), db.Arg("input_hash", hash))
	graph.AddEdge(w.Tx, id, graph.EdgeOf, profile, e.At)
	if episode := e.EpisodeKey(); episode != nil {
		graph.AddEdge(w.Tx, id, graph.EdgeFrom, graph.NodeID(w.Tx, memory.KindEpisode, *episode), e.At)
	}
	graph.Notice(w.Tx, memory.KindExecution, id)
}

// pending are the executions that a write of many records counts when it is at its end.
type pending struct {
	executions []store.ExecutionRecord
	hashes     map[string][]byte
}

// Count counts executions that are new.
func Count(tx *db.Tx, executions ...store.ExecutionRecord) {
	p := db.Part[pending](tx)
	if p == nil {
		count(tx, executions)
		return
	}
	p.executions = append(p.executions, executions...)
	for i := range executions {
		if p.hashes == nil {
			p.hashes = map[string][]byte{}
		}
		p.hashes[executions[i].Key] = executions[i].InputHash
	}
}

// Pending says whether an execution is to be counted yet, with ErrConflict where that has other content.
func Pending(tx *db.Tx, e *store.ExecutionRecord) (known bool, err error) {
	p := db.Part[pending](tx)
	if p == nil {
		return false, nil
	}
	hash, known := p.hashes[e.Key]
	if known && !bytes.Equal(hash, e.InputHash) {
		err = store.ErrConflict
	}
	return known, err
}

// CountPending counts what is pending.
func CountPending(tx *db.Tx) { count(tx, db.Part[pending](tx).executions) }

func count(tx *db.Tx, executions []store.ExecutionRecord) {
	if tx.Err() != nil || len(executions) == 0 {
		return
	}
	w, err := profiles.LockFor(write{tx}, executions)
	if tx.Fail(err); err == nil {
		tx.Fail(w.CountIn(executions))
	}
}

// CountEpisodes counts those of some episodes that are executions and can be read.
func CountEpisodes(tx *db.Tx, ids []int64) {
	const find = `SELECT n.key, a.key, e.task_type, e.outcome, e.started_at, e.ended_at, e.quality
		FROM episodes e JOIN nodes n ON n.id = e.id JOIN nodes a ON a.id = e.agent WHERE e.id IN (SELECT value FROM json_each(:ids))`
	var episodes []*memory.Episode
	tx.Each(find, func(r *db.Row) {
		e := &memory.Episode{
			Key: r.Key(memory.KindEpisode), AgentKey: r.Text(), TaskType: r.OptionalText(), Outcome: memory.Outcome(r.Text()),
			StartedAt: r.Time(), EndedAt: r.OptionalTime(), Quality: r.OptionalFloat(),
		}
		if !r.Unreadable() {
			episodes = append(episodes, e)
		}
	}, db.List("ids", ids))
	Count(tx, profiles.Of(episodes...)...)
}

// ProfilesOf are the profiles of executions.
func ProfilesOf(tx *db.Tx, executions []string) []string {
	const find = `SELECT DISTINCT o.key FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'execution' AND n.key = w.value
		LEFT JOIN executions x ON x.id = n.id JOIN nodes o ON o.id = ` + profileOf
	return db.Rows(tx, find, (*db.Row).Text, db.List("keys", executions))
}

// Uncounted are episodes e that are executions, and that no profile counts.
const Uncounted = `FROM episodes e WHERE e.task_type IS NOT NULL AND e.outcome IN ('SUCCESS', 'FAILURE')
	AND NOT EXISTS (SELECT 1 FROM edges f WHERE f.target = e.id AND f.type = 'FROM')`

// SumUp sums up a profile anew; see profiles.SumUp.
func SumUp(tx *db.Tx, key string, lossy bool) {
	if tx.Err() == nil {
		tx.Fail(profiles.SumUp(write{tx}, key, lossy))
	}
}

// Rebuild sums up anew the profiles that disagree with their executions, and counts episodes that no profile counts.
func Rebuild(tx *db.Tx) {
	for _, key := range db.Ask(tx, func(c *db.Conn) ([]string, error) { return Missummed(tx.Context, c) }) {
		tx.Fail(tx.Context.Err())
		SumUp(tx, key, false)
	}
	tx.Fail(CountMissing(tx))
}

// CountMissing counts the episodes that no profile counts.
func CountMissing(tx *db.Tx) error {
	const together = 1000
	for part := range slices.Chunk(tx.IDs(`SELECT e.id `+Uncounted), together) {
		CountEpisodes(tx, part)
	}
	return tx.Err()
}
