package learning

import (
	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/profiles"
)

// Write is a write as package profiles asks for it.
type Write struct{ graph.Links }

// LockProfiles locks profiles, there or not, and reads them.
func (w Write) LockProfiles(keys, executions []string) (*profiles.Locked, error) {
	l := &profiles.Locked{Profiles: map[string]*memory.LearningProfile{}, Executions: map[string]*profiles.Found{}}
	return l, w.Run(cypher.Named("lock_profiles"), cypher.Parameters{"profiles": keys, "executions": executions}, func(row *bolt.Fields) {
		graph.RaceIfGone(row)
		bolt.All(row, "profiles", func(f *bolt.Fields) string {
			p, key := ProfileOf(f), f.Subject
			if l.Profiles[key] = nil; f.Err == nil {
				l.Profiles[key] = p
			}
			f.Err = nil
			return key
		})
		for _, e := range bolt.All(row, "executions", foundOf) {
			l.Executions[e.Key] = e
		}
	})
}

func foundOf(f *bolt.Fields) *profiles.Found {
	e := &profiles.Found{Execution: *ExecutionOf(f)}
	e.Unread, f.Err = f.Err, nil
	e.InputHash, _ = f.Node.Props["inputHash"].(string)
	return e
}

// ExecutionsOf reads the executions of a profile.
func (w Write) ExecutionsOf(profile string) (all []*profiles.Found, err error) {
	err = w.Run(cypher.Named("executions_of"), cypher.Parameters{"profile": profile}, func(row *bolt.Fields) {
		orphans := linking.SetOf(bolt.List[string](row, "orphans")...)
		all = bolt.All(row, "executions", foundOf)
		for _, e := range all {
			e.Orphan = orphans.Has(e.Key)
		}
	})
	return all, err
}

// DeleteExecutions deletes executions and reads windows.
func (w Write) DeleteExecutions(executions, of []string) (map[string][]*memory.Execution, error) {
	latest := map[string][]*memory.Execution{}
	if len(executions)+len(of) == 0 {
		return latest, nil
	}
	values := cypher.Parameters{"keys": executions, "profiles": of, "until": bolt.Instant(graph.Latest), "windowSize": memory.WindowSize}
	return latest, w.Run(cypher.Named("delete_executions"), values, func(f *bolt.Fields) {
		latest[f.Text("profile")] = windowOf(f)
	})
}

// RecordExecutions writes executions and counts them, and answers for each.
func (w Write) RecordExecutions(records []store.ExecutionRecord) ([]store.Recorded, error) {
	known, err := profiles.LockFor(w, records)
	if err != nil {
		return nil, err
	}
	hashes := linking.Hashes{}
	for key, e := range known.Found {
		hashes[key] = graph.HashOf(e.InputHash)
	}
	recorded, fresh := linking.Fresh(hashes, records, func(r *store.ExecutionRecord) (string, []byte) { return r.Execution.Key, r.InputHash })
	return recorded, known.CountIn(memory.Mapped(fresh, func(r *store.ExecutionRecord) store.ExecutionRecord { return *r }))
}

// SaveProfiles writes profiles and executions, and links what has been waiting for them.
func (w Write) SaveProfiles(c *profiles.Changes) error {
	executions, changes := make([]cypher.Parameters, len(c.Executions)), linking.NewChanges()
	for i := range c.Executions {
		e := &c.Executions[i]
		executions[i] = cypher.Parameters{"properties": executionProperties(e), "episode": e.EpisodeKey()}
		changes.Arrive(memory.KindExecution, e.Key)
	}
	for _, p := range c.Made {
		changes.Arrive(memory.KindLearningProfile, memory.ProfileKey(p.AgentKey, p.TaskType))
		changes.Arrive(memory.KindAgent, p.AgentKey)
	}
	return w.Create(changes, cypher.Named("learn"), cypher.Parameters{
		"made": w.rows(c.Made), "changed": w.rows(c.Changed), "emptied": append([]string{}, c.Emptied...),
		"executions": executions, "notice": graph.Noticed(memory.KindExecution, executions),
	})
}

func (w Write) rows(profiles []*memory.LearningProfile) []cypher.Parameters {
	return memory.Mapped(profiles, func(p *memory.LearningProfile) cypher.Parameters { return profileProperties(w.TenantID, p) })
}
