package neo4j

import (
	"context"
	"fmt"

	"mneme/memory"
	"mneme/store"
)

// RecordExecutions writes executions and counts them; see store.ExecutionStore.
func (s *tenantStore) RecordExecutions(
	ctx context.Context, records []store.ExecutionRecord,
) ([]store.Recorded, error) {
	var recorded []store.Recorded
	if len(records) == 0 {
		return []store.Recorded{}, nil
	}
	return recorded, s.write(ctx, func(t *transaction) (err error) {
		recorded, err = t.recordExecutions(records)
		return err
	})
}

func (t *transaction) recordExecutions(records []store.ExecutionRecord) ([]store.Recorded, error) {
	executions := make([]*memory.Execution, len(records))
	for i := range records {
		executions[i] = &records[i].Execution
	}
	known, err := t.lockProfiles(profilesOf(executions), setOf(texts(executions, executionKey)...))
	if err != nil {
		return nil, err
	}
	hashes, err := known.hashes()
	if err != nil {
		return nil, err
	}
	recorded := make([]store.Recorded, len(records))
	for i := range records {
		recorded[i] = compare(hashes, executions[i].Key, records[i].InputHash, &records[i].Former)
		if recorded[i].Created {
			known.add(*executions[i], hashText(records[i].InputHash))
		}
	}
	return recorded, t.learn(known)
}

func executionKey(e *memory.Execution) string { return e.Key }

func profilesOf(executions []*memory.Execution) keySet {
	keys := keySet{}
	for _, e := range executions {
		keys.add(memory.ProfileKey(e.AgentKey, e.TaskType))
	}
	return keys
}

// lockLessons locks the profiles of episodes that are executions; nil where none is.
func (t *transaction) lockLessons(episodes []*memory.Episode) (*lessons, error) {
	executions := executionsOf(episodes)
	if len(executions) == 0 {
		return nil, nil
	}
	return t.lockProfiles(profilesOf(executions), setOf(texts(executions, executionKey)...))
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

// learnEpisodes counts the executions that episodes are.
func (t *transaction) learnEpisodes(episodes []*memory.Episode) error {
	known, err := t.lockLessons(episodes)
	if err != nil {
		return err
	}
	return t.learnFrom(known, episodes)
}

// learnFrom is learnEpisodes for profiles that lockLessons has locked before.
func (t *transaction) learnFrom(known *lessons, episodes []*memory.Episode) error {
	if known == nil {
		return nil
	}
	for _, e := range executionsOf(episodes) {
		if known.nodes[e.Key] == nil { // the hash is the episode's matter
			known.add(*e, "")
		}
	}
	return t.learn(known)
}

// unlearn takes the executions that were found out of the profiles that were locked for them.
func (t *transaction) unlearn(known *lessons) error {
	if known == nil {
		return nil
	}
	gone := sortedKeys(known.nodes)
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
	if err := t.run(named("delete_executions"), parameters{"keys": gone}, nil); err != nil {
		return err
	}
	for _, key := range sortedKeys(known.profiles) {
		if err := t.refill(known, known.profiles[key]); err != nil {
			return err
		}
	}
	return t.learn(known)
}

// refill takes the latest archived executions into the places of a window that are free.
func (t *transaction) refill(known *lessons, p *lockedProfile) error {
	missing := min(p.Total, memory.WindowSize) - len(p.Window.Keys)
	if !p.changed || missing <= 0 {
		return nil
	}
	key := memory.ProfileKey(p.AgentKey, p.TaskType)
	latest, err := rowsOf(t, named("list_archived"), archiveParameters(key, nil, missing), archivedDecoder(p.AgentKey, p.TaskType))
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
func (l *lessons) execution(key string) (*memory.Execution, error) {
	f := l.nodes[key]
	if f == nil {
		return nil, &raced{cause: errGone}
	}
	p := l.profiles[f.text("profile")]
	if p == nil || !p.known {
		return nil, &raced{cause: errGone}
	}
	if f.node.Props["at"] != nil {
		return f.archived(p.AgentKey, p.TaskType), f.err
	}
	for _, e := range p.Executions() {
		if e.Key == key {
			return e, nil
		}
	}
	return nil, &store.Damaged{Kind: memory.KindLearningProfile, Key: f.text("profile"), Cause: fmt.Errorf("the window lacks %q", key)}
}

// learn writes the profiles that changed and what became of executions, and links what has been waiting
// for them.
func (t *transaction) learn(l *lessons) error {
	written := parameters{}
	created, updated, emptied := []parameters{}, []parameters{}, []string{}
	arrived := arrivals{}
	for _, key := range sortedKeys(l.profiles) {
		switch p := l.profiles[key]; {
		case !p.changed:
		case p.Total == 0:
			emptied = append(emptied, key)
		case p.known:
			updated = append(updated, profileProperties(t.tenant, p.LearningProfile))
		default:
			created = append(created, profileProperties(t.tenant, p.LearningProfile))
			arrived.add(memory.KindLearningProfile, key)
			arrived.add(memory.KindAgent, p.AgentKey)
		}
	}
	if len(created)+len(updated)+len(emptied) == 0 {
		return nil
	}
	written["created"], written["updated"], written["emptied"] = created, updated, emptied
	written["executions"], written["moved"] = l.rows(arrived)
	c := newChanges()
	if err := t.create(c, named("learn"), written, arrived); err != nil {
		return err
	}
	return c.apply(t)
}

// rows are the executions that are new, and those that moved.
func (l *lessons) rows(arrived arrivals) (created, moved []parameters) {
	created, moved = []parameters{}, []parameters{}
	for _, key := range sortedKeys(l.placed) {
		e := l.placed[key]
		row := parameters{"key": key, "archived": archivedProperties(&e.Execution)}
		if e.known {
			moved = append(moved, row)
			continue
		}
		row["profile"], row["inputHash"] = memory.ProfileKey(e.AgentKey, e.TaskType), e.inputHash
		row["episode"] = e.EpisodeKey()
		created = append(created, row)
		arrived.add(memory.KindExecution, key)
	}
	return created, moved
}
