package learning

import (
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/profiles"
)

// Write is a write as package profiles asks for it.
type Write struct{ *bolt.Transaction }

// LockProfiles locks profiles, there or not, and reads them.
func (w Write) LockProfiles(keys, executions []string) (*profiles.Locked, error) {
	l := &profiles.Locked{Profiles: map[string]*memory.LearningProfile{}, Executions: map[string]*profiles.Found{}}
	return l, w.Run(cypher.Named("lock_profiles"), cypher.Parameters{"profiles": keys, "executions": executions}, func(row *neo4j.Record) error {
		if gone, err := bolt.Column[int64]("gone")(row); err != nil || gone > 0 {
			return &bolt.Raced{Cause: graph.ErrGone}
		}
		_, err := bolt.NodeList(row, "profiles", func(f *bolt.Fields) string {
			p, key := ProfileOf(f), f.Subject
			if l.Profiles[key] = nil; f.Err == nil {
				l.Profiles[key] = p
			}
			f.Err = nil
			return key
		})
		if err != nil {
			return err
		}
		found, err := bolt.NodeList(row, "executions", foundOf)
		for _, e := range found {
			l.Executions[e.Key] = e
		}
		return err
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
	return all, w.Run(cypher.Named("executions_of"), cypher.Parameters{"profile": profile}, func(row *neo4j.Record) error {
		f := bolt.FieldsOf(row.AsMap())
		orphans := linking.SetOf(bolt.List[string](f, "orphans")...)
		all, err = bolt.NodeList(row, "executions", foundOf)
		for _, e := range all {
			e.Orphan = orphans.Has(e.Key)
		}
		return err
	})
}

// DeleteExecutions deletes executions and reads windows.
func (w Write) DeleteExecutions(executions, of []string) (map[string][]*memory.Execution, error) {
	latest := map[string][]*memory.Execution{}
	if len(executions)+len(of) == 0 {
		return latest, nil
	}
	values := cypher.Parameters{"keys": executions, "profiles": of, "until": bolt.Instant(graph.Latest), "windowSize": memory.WindowSize}
	return latest, w.Rows(cypher.Named("delete_executions"), values, func(f *bolt.Fields) {
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
	executions := make([]store.ExecutionRecord, len(fresh))
	for i := range fresh {
		executions[i] = *fresh[i]
	}
	return recorded, known.CountIn(executions)
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
	return graph.Links{Transaction: w.Transaction}.Create(changes, cypher.Named("learn"), cypher.Parameters{
		"made": w.rows(c.Made), "changed": w.rows(c.Changed), "emptied": append([]string{}, c.Emptied...),
		"executions": executions, "notice": graph.Noticed(memory.KindExecution, executions),
	})
}

func (w Write) rows(profiles []*memory.LearningProfile) []cypher.Parameters {
	rows := make([]cypher.Parameters, len(profiles))
	for i, p := range profiles {
		rows[i] = profileProperties(w.TenantID, p)
	}
	return rows
}
