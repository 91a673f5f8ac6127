package graph

import (
	"errors"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// Ends are records that are there, by global id, with the hashes of their inputs, "" for those that have
// none. They stay there until the transaction ends.
type Ends map[string]string

// Has says whether the record of a global id is there.
func (e Ends) Has(id string) bool {
	_, found := e[id]
	return found
}

// Add notes a record that is created.
func (e Ends) Add(kind memory.Kind, key string) { e[memory.NodeID(kind, key)] = "" }

// Hashes are the hashes of one kind by key.
func (e Ends) Hashes(kind memory.Kind) linking.Hashes {
	hashes := linking.Hashes{}
	for id, hash := range e {
		if k, key, ok := memory.SplitID(id); ok && k == kind {
			hashes[key] = HashOf(hash)
		}
	}
	return hashes
}

// LockEnds locks records by their global ids, there or not, and tells which are there.
func LockEnds(t *bolt.Transaction, ids []string) (Ends, error) {
	known, keys := Ends{}, KeyLists(ids)
	if len(keys) == 0 {
		return known, nil
	}
	// for these kinds only: it takes long to plan for all
	return known, t.Run(cypher.Rendered("lock_ends", slices.Sorted(maps.Keys(keys))), cypher.Parameters{"keys": keys}, func(f *bolt.Fields) {
		maps.Copy(known, f.Pairs("ends"))
		RaceIfGone(f)
	})
}

// Links is a transaction as package linking has it, but for what writes canvases and feedback.
type Links struct{ *bolt.Transaction }

// Lock locks a scope and reads it.
func (t Links) Lock(s linking.Scope) (*linking.Known, error) {
	known := &linking.Known{Canvases: map[string]*linking.CanvasState{}}
	return known, t.lock(s, known)
}

// LockToDelete is Lock without a look at what canvases hold, which may be unreadable. It tells which episodes exist.
func (t Links) LockToDelete(s linking.Scope) (linking.KeySet, error) {
	known := &linking.Known{}
	err := t.lock(s, known)
	return known.Episodes, err
}

func (t Links) lock(s linking.Scope, known *linking.Known) error {
	return t.Run(cypher.Named("lock"), cypher.Parameters{
		"sessions": s.Sessions.Sorted(), "people": s.People.Sorted(), "executions": s.Executions.Sorted(),
		"canvases": s.Canvases.Sorted(), "episodes": s.Episodes.Sorted(),
		"newEpisodes": s.NewEpisodes, "newFeedback": s.NewFeedback,
	}, func(row *bolt.Fields) { readLocked(row, known) })
}

// ErrGone says that a record that was read of is there no more, or is another's now: the transaction that met it runs
// again.
var ErrGone = errors.New("a record went away")

// RaceIfGone makes a race of what went away before it was locked, as the column gone counts.
func RaceIfGone(f *bolt.Fields) {
	if f.Integer("gone") > 0 {
		f.Err = &bolt.Raced{Cause: ErrGone}
	}
}

func readLocked(f *bolt.Fields, known *linking.Known) {
	RaceIfGone(f)
	known.Users = f.Pairs("users")
	if known.Canvases != nil {
		for _, state := range bolt.All(f, "canvases", CanvasStateOf) {
			state.EpisodeUser = known.Users[memory.OrZero(state.EpisodeKey)]
			known.Canvases[state.Key] = state
		}
	}
	known.Episodes, known.Starts = linking.SetOf(bolt.List[string](f, "episodes")...), f.Times("starts")
	known.Executions, known.Hashes = f.Pairs("executions"), linking.Hashes{}
	for key, hash := range f.Pairs("hashes") {
		known.Hashes[key] = HashOf(hash)
	}
}
