package learning

import (
	"fmt"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// RecordExecutions writes executions within a transaction and counts them, and answers for each.
func RecordExecutions(t *bolt.Transaction, records []store.ExecutionRecord) ([]store.Recorded, error) {
	executions := make([]*memory.Execution, len(records))
	for i := range records {
		executions[i] = &records[i].Execution
	}
	known, err := lockProfilesOf(t, executions)
	if err != nil {
		return nil, err
	}
	hashes, err := known.hashes()
	if err != nil {
		return nil, err
	}
	recorded, fresh := graph.Fresh(records, hashes, func(r *store.ExecutionRecord) (string, []byte) { return r.Execution.Key, r.InputHash })
	for _, record := range fresh {
		known.Add(record.Execution, graph.HashText(record.InputHash))
	}
	return recorded, Save(t, known)
}

func lockProfilesOf(t *bolt.Transaction, executions []*memory.Execution) (*LockedProfiles, error) {
	profiles, keys := graph.KeySet{}, graph.KeySet{}
	for _, e := range executions {
		profiles.Add(memory.ProfileKey(e.AgentKey, e.TaskType))
		keys.Add(e.Key)
	}
	return LockProfiles(t, profiles, keys)
}

// LockProfilesOf locks the profiles of episodes that are executions.
func LockProfilesOf(t *bolt.Transaction, episodes []*memory.Episode) (*LockedProfiles, error) {
	return lockProfilesOf(t, executionsOf(episodes))
}

func executionsOf(episodes []*memory.Episode) []*memory.Execution {
	var executions []*memory.Execution
	for _, episode := range episodes {
		if e := memory.ExecutionOf(episode); e != nil {
			executions = append(executions, e)
		}
	}
	return executions
}

// CountEpisodes counts the executions that episodes are.
func CountEpisodes(t *bolt.Transaction, episodes []*memory.Episode) error {
	known, err := LockProfilesOf(t, episodes)
	if err != nil {
		return err
	}
	return CountIn(t, known, episodes)
}

// CountIn is CountEpisodes for profiles that LockProfilesOf has locked before.
func CountIn(t *bolt.Transaction, known *LockedProfiles, episodes []*memory.Episode) error {
	for _, e := range executionsOf(episodes) {
		if known.Nodes[e.Key] == nil { // the hash is the episode's matter
			known.Add(*e, "")
		}
	}
	return Save(t, known)
}

// CountOut takes the executions that were found out of the profiles that were locked for them.
func CountOut(t *bolt.Transaction, known *LockedProfiles) error {
	gone := graph.SortedKeys(known.Nodes)
	if len(gone) == 0 {
		return nil
	}
	for _, key := range gone {
		e, err := known.execution(key)
		if err != nil {
			return err
		}
		p := known.profileOf(e)
		p.changed = true
		p.Remove(*e)
	}
	// They go before the archives are read, which may hold them too.
	if err := t.Run(cypher.Named("delete_executions"), cypher.Parameters{"keys": gone}, nil); err != nil {
		return err
	}
	for _, key := range graph.SortedKeys(known.Profiles) {
		if err := refill(t, known, known.Profiles[key]); err != nil {
			return err
		}
	}
	return Save(t, known)
}

// refill takes the latest archived executions into the places of a window that are free.
func refill(t *bolt.Transaction, known *LockedProfiles, p *LockedProfile) error {
	missing := min(p.Total, memory.WindowSize) - len(p.Window.Keys)
	if !p.changed || missing <= 0 {
		return nil
	}
	key := memory.ProfileKey(p.AgentKey, p.TaskType)
	latest, err := bolt.RowsOf(t, cypher.Named("list_archived"), archiveParameters(key, nil, missing), archivedDecoder(p.AgentKey, p.TaskType))
	if err == nil && len(latest) != missing {
		err = &store.Damaged{Kind: memory.KindLearningProfile, Key: key, Cause: fmt.Errorf("the archive lacks %d executions", missing-len(latest))}
	}
	for _, e := range latest {
		e.Archived = false
		p.Refill(*e)
		known.place(*e)
	}
	return err
}

// execution gives one that was there, from the archive or from the window of its profile.
func (l *LockedProfiles) execution(key string) (*memory.Execution, error) {
	f := l.Nodes[key]
	if f == nil {
		return nil, &bolt.Raced{Cause: graph.ErrGone}
	}
	p := l.Profiles[f.Text("profile")]
	if p == nil || !p.known {
		return nil, &bolt.Raced{Cause: graph.ErrGone}
	}
	if f.Node.Props["at"] != nil {
		return ArchivedOf(f, p.AgentKey, p.TaskType), f.Err
	}
	for _, e := range p.Executions() {
		if e.Key == key {
			return e, nil
		}
	}
	return nil, &store.Damaged{Kind: memory.KindLearningProfile, Key: f.Text("profile"), Cause: fmt.Errorf("the window lacks %q", key)}
}

// Save writes the profiles that changed and what became of executions, and links what has been waiting
// for them.
func Save(t *bolt.Transaction, l *LockedProfiles) error {
	written := cypher.Parameters{}
	created, updated, emptied := []cypher.Parameters{}, []cypher.Parameters{}, []string{}
	c := linking.NewChanges()
	for _, key := range graph.SortedKeys(l.Profiles) {
		switch p := l.Profiles[key]; {
		case !p.changed:
		case p.Total == 0:
			emptied = append(emptied, key)
		case p.known:
			updated = append(updated, profileProperties(t.TenantID, p.LearningProfile))
		default:
			created = append(created, profileProperties(t.TenantID, p.LearningProfile))
			c.Arrive(memory.KindLearningProfile, key)
			c.Arrive(memory.KindAgent, p.AgentKey)
		}
	}
	if len(created)+len(updated)+len(emptied) == 0 {
		return nil
	}
	written["created"], written["updated"], written["emptied"] = created, updated, emptied
	executions, moved := l.rows(c)
	written["executions"], written["moved"], written["notice"] = executions, moved, graph.Noticed(memory.KindExecution, executions)
	return graph.Links{Transaction: t}.Create(c, cypher.Named("learn"), written)
}

// rows are the executions that are new, and those that moved.
func (l *LockedProfiles) rows(c *linking.Changes) (created, moved []cypher.Parameters) {
	created, moved = []cypher.Parameters{}, []cypher.Parameters{}
	for _, key := range graph.SortedKeys(l.Placed) {
		e := l.Placed[key]
		row := cypher.Parameters{"key": key, "archived": archivedProperties(&e.Execution)}
		if e.known {
			moved = append(moved, row)
			continue
		}
		row["profile"], row["inputHash"] = memory.ProfileKey(e.AgentKey, e.TaskType), e.inputHash
		row["episode"] = e.EpisodeKey()
		created = append(created, row)
		c.Arrive(memory.KindExecution, key)
	}
	return created, moved
}
