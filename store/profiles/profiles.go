// Package profiles counts executions in learning profiles and out of them, lists them, and sums them up anew, in the
// same way in each store.
package profiles

import (
	"maps"
	"slices"

	"mneme/memory"
	"mneme/store"
)

// Tx is what the write of a store does for this package. Each verb is for many records at once.
type Tx interface {
	// LockProfiles locks profiles, there or not, and reads those that are there and, of some executions, those that are.
	LockProfiles(profiles, executions []string) (*Locked, error)
	// ExecutionsOf reads all executions of a profile that is locked.
	ExecutionsOf(profile string) ([]*Found, error)
	// DeleteExecutions deletes executions and then reads the latest memory.WindowSize of some profiles, the latest first.
	DeleteExecutions(executions, profiles []string) (map[string][]*memory.Execution, error)
	// SaveProfiles writes profiles, and executions that are new.
	SaveProfiles(*Changes) error
}

// Locked is what is there of profiles and executions, by key. A profile that cannot be read is nil.
type Locked struct {
	Profiles   map[string]*memory.LearningProfile
	Executions map[string]*Found
}

// Found is an execution that is there. Where it cannot be read, only its key and its profile are known.
type Found struct {
	memory.Execution
	InputHash string // as the store keeps it, where it tells that
	Unread    error
	Orphan    bool // of an episode that it is not linked with
}

// Profile is the key of its profile.
func (f *Found) Profile() string { return memory.ProfileKey(f.AgentKey, f.TaskType) }

// Changes are what a write saves. Made may include profiles so damaged that nothing of them is worth keeping.
type Changes struct {
	Made, Changed []*memory.LearningProfile
	Emptied       []string
	Executions    []store.ExecutionRecord
}

// Write counts executions in profiles that it has locked.
type Write struct {
	Found    map[string]*Found // the executions that were there, by key
	tx       Tx
	profiles map[string]*profile
}

// profile is a locked profile. It is stale where its window is to be read anew, and lost where all of it is.
type profile struct {
	*memory.LearningProfile
	there, changed, stale, lost bool
}

// Lock locks profiles and reads what is there of executions. Without profiles it does nothing.
func Lock(tx Tx, profiles, executions []string) (*Write, error) {
	w := &Write{Found: map[string]*Found{}, tx: tx, profiles: map[string]*profile{}}
	if len(profiles) == 0 {
		return w, nil
	}
	locked, err := tx.LockProfiles(distinct(profiles), distinct(executions))
	if err != nil {
		return nil, err
	}
	w.Found = locked.Executions
	for _, key := range profiles {
		p, there := locked.Profiles[key]
		w.profiles[key] = &profile{LearningProfile: p, there: p != nil, lost: there && p == nil}
		if p == nil {
			w.profiles[key].LearningProfile = &memory.LearningProfile{}
			w.profiles[key].AgentKey, w.profiles[key].TaskType, _ = memory.SplitProfileKey(key)
		}
	}
	return w, nil
}

func distinct(keys []string) []string { return slices.Compact(slices.Sorted(slices.Values(keys))) }

// LockFor locks the profiles of executions.
func LockFor(tx Tx, executions []store.ExecutionRecord) (*Write, error) {
	profiles, keys := make([]string, len(executions)), make([]string, len(executions))
	for i := range executions {
		e := &executions[i].Execution
		profiles[i], keys[i] = memory.ProfileKey(e.AgentKey, e.TaskType), e.Key
	}
	return Lock(tx, profiles, keys)
}

// Of are the executions that episodes are. The hashes of their inputs are the episodes'.
func Of(episodes ...*memory.Episode) (executions []store.ExecutionRecord) {
	for _, episode := range episodes {
		if e := memory.ExecutionOf(episode); e != nil {
			executions = append(executions, store.ExecutionRecord{Execution: *e})
		}
	}
	return executions
}

// CountEpisodes counts the executions that episodes are.
func CountEpisodes(tx Tx, episodes ...*memory.Episode) error {
	executions := Of(episodes...)
	w, err := LockFor(tx, executions)
	if err != nil {
		return err
	}
	return w.CountIn(executions)
}

// CountIn counts executions, but for those that were there.
func (w *Write) CountIn(executions []store.ExecutionRecord) error {
	var fresh []store.ExecutionRecord
	for i := range executions {
		e := &executions[i].Execution
		if w.Found[e.Key] != nil {
			continue
		}
		p := w.profiles[memory.ProfileKey(e.AgentKey, e.TaskType)]
		p.changed, p.stale = true, !p.Add(e) || p.stale
		fresh, w.Found[e.Key] = append(fresh, executions[i]), &Found{Execution: *e}
	}
	if err := w.save(fresh); err != nil {
		return err
	}
	unknown := false
	for _, p := range w.profiles {
		p.changed, p.there = p.stale || p.lost && p.changed, true
		unknown = unknown || p.changed
	}
	if !unknown {
		return nil
	}
	if err := w.refresh(nil); err != nil {
		return err
	}
	return w.save(nil)
}

// CountOut deletes the executions that were found, takes them out of their profiles, and says how many there were.
// Those of profiles that are not locked came meanwhile, and stay.
func (w *Write) CountOut() (gone int, err error) {
	var keys []string
	for key, e := range w.Found {
		p := w.profiles[e.Profile()]
		switch {
		case p == nil && e.Unread == nil:
			continue
		case p == nil: // nobody knows whose it was
		case e.Unread != nil:
			p.lost, p.changed = true, true
		default:
			p.stale, p.changed = !p.Remove(&e.Execution) || p.stale, true
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		return 0, nil
	}
	if err := w.refresh(distinct(keys)); err != nil {
		return 0, err
	}
	return len(keys), w.save(nil)
}

// Delete deletes executions of some profiles, takes them out of these, and says how many there were. Without profiles
// nobody knows whose they were.
func Delete(tx Tx, of, executions []string) (gone int, err error) {
	if len(of) == 0 && len(executions) > 0 {
		_, err := tx.DeleteExecutions(distinct(executions), nil)
		return len(executions), err
	}
	w, err := Lock(tx, of, executions)
	if err != nil {
		return 0, err
	}
	return w.CountOut()
}

// refresh deletes executions, and reads anew what is to be of the profiles that changed.
func (w *Write) refresh(gone []string) error {
	var stale []string
	for key, p := range w.profiles {
		if p.changed && p.stale && !p.lost {
			stale = append(stale, key)
		}
	}
	latest, err := w.tx.DeleteExecutions(gone, distinct(stale))
	if err != nil {
		return err
	}
	for key, p := range w.profiles {
		if window := memory.WindowOf(latest[key]); p.stale {
			p.Window = window
		}
		if !p.changed || !p.lost && p.Check() == nil {
			continue
		}
		all, err := w.tx.ExecutionsOf(key)
		if err != nil {
			return err
		}
		p.sumUp(all)
	}
	return nil
}

// sumUp sums up a profile anew, of those of its executions that can be read.
func (p *profile) sumUp(all []*Found) {
	var sound []*memory.Execution
	for _, e := range all {
		if e.Unread == nil {
			sound = append(sound, &e.Execution)
		}
	}
	p.LearningProfile, p.changed = memory.SumUp(p.AgentKey, p.TaskType, sound), true
}

// SumUp sums up a profile anew. Executions of episodes that are not linked with these, or that cannot be read, it
// deletes: the episodes are to be counted anew. Where others cannot be read it leaves all as it is, unless lossy.
func SumUp(tx Tx, key string, lossy bool) error {
	w, err := Lock(tx, []string{key}, nil)
	if err != nil {
		return err
	}
	all, err := tx.ExecutionsOf(key)
	if err != nil {
		return err
	}
	var own []*Found
	var gone []string
	for _, e := range all {
		switch {
		case e.EpisodeKey() != nil && (e.Orphan || e.Unread != nil):
			gone = append(gone, e.Key)
		case e.Unread != nil && !lossy:
			return nil
		default:
			own = append(own, e)
		}
	}
	if _, err := tx.DeleteExecutions(gone, nil); err != nil {
		return err
	}
	p := w.profiles[key]
	p.sumUp(own)
	p.there = false
	return w.save(nil)
}

// save writes the profiles that changed, and executions that are new.
func (w *Write) save(fresh []store.ExecutionRecord) error {
	c := Changes{Executions: fresh}
	for _, key := range slices.Sorted(maps.Keys(w.profiles)) {
		switch p := w.profiles[key]; {
		case !p.changed:
		case p.Total == 0:
			c.Emptied = append(c.Emptied, key)
		case p.there && !p.lost:
			c.Changed = append(c.Changed, p.LearningProfile)
		default:
			c.Made = append(c.Made, p.LearningProfile)
		}
	}
	if len(c.Made)+len(c.Changed)+len(c.Emptied) == 0 {
		return nil
	}
	return w.tx.SaveProfiles(&c)
}
