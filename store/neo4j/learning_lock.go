package neo4j

import (
	"fmt"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
)

// lessons are the profiles that a write has locked, and what it does to them and to their executions.
type lessons struct {
	profiles map[string]*lockedProfile // by key, those that are not there yet too
	nodes    map[string]*fields        // executions that were there, by key
	// placed are the executions that are new or that moved between window and archive, by key.
	placed map[string]*placedExecution
}

// lockedProfile is a profile that no other write changes meanwhile.
type lockedProfile struct {
	*memory.LearningProfile
	known, changed bool
}

// placedExecution is an execution where it is now.
type placedExecution struct {
	memory.Execution
	inputHash string
	known     bool
}

// lockProfiles locks profiles, there or not, and then reads them and what is there of executions.
func (t *transaction) lockProfiles(profiles, executions keySet) (*lessons, error) {
	l := &lessons{
		profiles: map[string]*lockedProfile{}, nodes: map[string]*fields{}, placed: map[string]*placedExecution{},
	}
	for key := range profiles {
		agent, taskType, ok := memory.SplitProfileKey(key)
		if !ok {
			return nil, fmt.Errorf("neo4j: %q is no key of a profile", key)
		}
		l.profiles[key] = &lockedProfile{LearningProfile: &memory.LearningProfile{AgentKey: agent, TaskType: taskType}}
	}
	return l, t.run(named("lock_profiles"), parameters{
		"profiles": profiles.sorted(), "executions": executions.sorted(),
	}, l.decode)
}

func (l *lessons) decode(row *neo4j.Record) error {
	gone, err := column[int64]("gone")(row)
	if err != nil {
		return err
	}
	if gone > 0 {
		return &raced{cause: errGone}
	}
	profiles, err := nodeList(row, "profiles", (*fields).wholeProfile)
	var left []*leftOut
	if err = collectLeftOut(err, &left); err == nil && len(left) > 0 {
		err = left[0].Damaged // it is locked, so nobody is writing it
	}
	if err != nil {
		return err
	}
	for _, p := range profiles {
		l.profiles[memory.ProfileKey(p.AgentKey, p.TaskType)] = &lockedProfile{LearningProfile: p, known: true}
	}
	_, err = nodeList(row, "executions", func(f *fields) string {
		key := f.key(memory.KindExecution)
		l.nodes[key] = f
		return key
	})
	return err
}

// hashes are those of the inputs of the executions that were there.
func (l *lessons) hashes() (map[string]string, error) {
	hashes := map[string]string{}
	for key, f := range l.nodes {
		if hashes[key] = f.text("inputHash"); f.err != nil {
			return nil, f.err
		}
	}
	return hashes, nil
}

// profileOf is the locked profile of an execution.
func (l *lessons) profileOf(e *memory.Execution) *lockedProfile {
	return l.profiles[memory.ProfileKey(e.AgentKey, e.TaskType)]
}

// add counts a new execution.
func (l *lessons) add(e memory.Execution, inputHash string) {
	p := l.profileOf(&e)
	p.changed = true
	l.placed[e.Key] = &placedExecution{Execution: e, inputHash: inputHash}
	if archived := p.Add(e); archived != nil {
		l.place(*archived)
	}
}

// place notes that an execution moved to the archive, or back into the window.
func (l *lessons) place(e memory.Execution) {
	if placed := l.placed[e.Key]; placed != nil {
		placed.Execution = e
		return
	}
	l.placed[e.Key] = &placedExecution{Execution: e, known: true}
}

// lockExecutions locks the profiles of the executions that episodes are; nil where none is.
func (t *transaction) lockExecutions(profiles keySet, episodes []string) (*lessons, error) {
	if len(profiles) == 0 {
		return nil, nil
	}
	return t.lockProfiles(profiles, setOf(texts(episodes, memory.EpisodeExecutionKey)...))
}
