package graph

import (
	"errors"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

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
	}, func(row *neo4j.Record) error { return decodeLocked(row, known) })
}

// ErrGone says that a record that was read of is there no more: the transaction that met it runs again.
var ErrGone = errors.New("a record went away")

// raceIfGone makes a race of what went away before it was locked, as the column gone counts.
func raceIfGone(f *bolt.Fields) {
	if f.Integer("gone") > 0 {
		f.Err = &bolt.Raced{Cause: ErrGone}
	}
}

func decodeLocked(row *neo4j.Record, known *linking.Known) error {
	f := bolt.FieldsOf(row.AsMap())
	if raceIfGone(f); f.Err != nil {
		return f.Err
	}
	known.Users = f.Pairs("users")
	if known.Canvases != nil {
		states, err := bolt.NodeList(row, "canvases", CanvasStateOf)
		if err != nil {
			return err
		}
		for _, state := range states {
			state.EpisodeUser = known.Users[linking.OrNone(state.EpisodeKey)]
			known.Canvases[state.Key] = state
		}
	}
	known.Episodes, known.Starts = linking.SetOf(bolt.List[string](f, "episodes")...), f.Times("starts")
	known.Executions, known.Hashes = f.Pairs("executions"), linking.Hashes{}
	for key, hash := range f.Pairs("hashes") {
		known.Hashes[key] = HashOf(hash)
	}
	return f.Err
}
