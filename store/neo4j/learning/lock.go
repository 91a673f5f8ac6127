package learning

import (
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// Learner reads and writes what agents learn by. It is safe for concurrent use.
type Learner struct{ *bolt.Tenant }

// LockedProfiles are the profiles that a write has locked, and what it does to them and to their executions.
type LockedProfiles struct {
	Profiles map[string]*LockedProfile // by key, those that are not there yet too
	Nodes    map[string]*bolt.Fields   // executions that were there, by key
	// Placed are the executions that are new or that moved between window and archive, by key.
	Placed map[string]*PlacedExecution
}

// LockedProfile is a profile that no other write changes meanwhile.
type LockedProfile struct {
	*memory.LearningProfile
	known, changed bool
}

// PlacedExecution is an execution where it is now.
type PlacedExecution struct {
	memory.Execution
	inputHash string
	known     bool
}

// LockProfiles locks profiles, there or not, and then reads them and what is there of executions. Without profiles it does nothing.
func LockProfiles(t *bolt.Transaction, profiles, executions graph.KeySet) (*LockedProfiles, error) {
	l := &LockedProfiles{
		Profiles: map[string]*LockedProfile{}, Nodes: map[string]*bolt.Fields{}, Placed: map[string]*PlacedExecution{},
	}
	if len(profiles) == 0 {
		return l, nil
	}
	for key := range profiles {
		agent, taskType, ok := memory.SplitProfileKey(key)
		if !ok {
			return nil, fmt.Errorf("neo4j: %q is no key of a profile", key)
		}
		l.Profiles[key] = &LockedProfile{LearningProfile: &memory.LearningProfile{AgentKey: agent, TaskType: taskType}}
	}
	return l, t.Run(cypher.Named("lock_profiles"), cypher.Parameters{
		"profiles": profiles.Sorted(), "executions": executions.Sorted(),
	}, l.decode)
}

func (l *LockedProfiles) decode(row *neo4j.Record) error {
	gone, err := bolt.Column[int64]("gone")(row)
	if err != nil {
		return err
	}
	if gone > 0 {
		return &bolt.Raced{Cause: graph.ErrGone}
	}
	profiles, err := bolt.NodeList(row, "profiles", WholeProfileOf)
	var left []*bolt.LeftOut
	if err = bolt.CollectLeftOut(err, &left); err == nil && len(left) > 0 {
		err = left[0].Damaged // it is locked, so nobody is writing it
	}
	if err != nil {
		return err
	}
	for _, p := range profiles {
		l.Profiles[memory.ProfileKey(p.AgentKey, p.TaskType)] = &LockedProfile{LearningProfile: p, known: true}
	}
	_, err = bolt.NodeList(row, "executions", func(f *bolt.Fields) string {
		key := f.Key(memory.KindExecution)
		l.Nodes[key] = f
		return key
	})
	return err
}

// hashes are those of the inputs of the executions that were there.
func (l *LockedProfiles) hashes() (map[string]string, error) {
	hashes := map[string]string{}
	for key, f := range l.Nodes {
		if hashes[key] = f.Text("inputHash"); f.Err != nil {
			return nil, f.Err
		}
	}
	return hashes, nil
}

// profileOf is the locked profile of an execution.
func (l *LockedProfiles) profileOf(e *memory.Execution) *LockedProfile {
	return l.Profiles[memory.ProfileKey(e.AgentKey, e.TaskType)]
}

// Add counts a new execution.
func (l *LockedProfiles) Add(e memory.Execution, inputHash string) {
	p := l.profileOf(&e)
	p.changed = true
	l.Placed[e.Key] = &PlacedExecution{Execution: e, inputHash: inputHash}
	if archived := p.Add(e); archived != nil {
		l.place(*archived)
	}
}

// place notes that an execution moved to the archive, or back into the window.
func (l *LockedProfiles) place(e memory.Execution) {
	if placed := l.Placed[e.Key]; placed != nil {
		placed.Execution = e
		return
	}
	l.Placed[e.Key] = &PlacedExecution{Execution: e, known: true}
}
