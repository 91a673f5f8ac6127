package graph

import (
	"errors"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// LeadTo is the episode that a record is led to by what it names, nil where that is not there.
func (l *Locked) LeadTo(by linking.Awaited) *string {
	switch by.Kind {
	case memory.KindEpisode:
		if l.Episodes.Has(by.Key) {
			return &by.Key
		}
	case linking.Execution:
		return LookUp(l.executions, by.Key)
	case memory.KindCanvas:
		if canvas := l.Canvases[by.Key]; canvas != nil {
			return canvas.EpisodeKey
		}
	}
	return nil
}

// Scope is what a write decides upon, by kind.
type Scope struct {
	Sessions, People, Executions, Canvases, Episodes KeySet
	NewEpisodes, NewFeedback                         []string // the keys of what it would create
}

// NewScope is a scope with nothing in it.
func NewScope() Scope {
	return Scope{Sessions: KeySet{}, People: KeySet{}, Executions: KeySet{}, Canvases: KeySet{}, Episodes: KeySet{}}
}

// Locked is what is known of a scope, and stays so until the transaction ends.
type Locked struct {
	executions map[string]string       // the episode that covers an execution; the first where several do
	Canvases   map[string]*CanvasState // those that are there
	Episodes   KeySet                  // those that are there
	Starts     map[string]time.Time    // when those began
	Hashes     map[string]string       // of the inputs of those that have the key of a new record
}

// Lock locks a scope and reads it.
func Lock(t *bolt.Transaction, s Scope) (*Locked, error) {
	l := &Locked{Canvases: map[string]*CanvasState{}}
	return l, l.lock(t, s)
}

// LockToDelete is Lock without a look at what canvases hold, which need not be readable.
func LockToDelete(t *bolt.Transaction, s Scope) (*Locked, error) {
	l := &Locked{}
	return l, l.lock(t, s)
}

func (l *Locked) lock(t *bolt.Transaction, s Scope) error {
	return t.Run(cypher.Named("lock"), cypher.Parameters{
		"sessions": s.Sessions.Sorted(), "people": s.People.Sorted(), "executions": s.Executions.Sorted(),
		"canvases": s.Canvases.Sorted(), "episodes": s.Episodes.Sorted(),
		"newEpisodes": s.NewEpisodes, "newFeedback": s.NewFeedback,
	}, l.decode)
}

// ErrGone says that a record that was read of is there no more: the transaction that met it runs again.
var ErrGone = errors.New("a record went away")

func (l *Locked) decode(row *neo4j.Record) error {
	gone, err := bolt.Column[int64]("gone")(row)
	if err != nil {
		return err
	}
	if gone > 0 {
		return &bolt.Raced{Cause: ErrGone}
	}
	if l.Canvases != nil {
		states, err := bolt.NodeList(row, "canvases", CanvasStateOf)
		if err != nil {
			return err
		}
		for _, state := range states {
			l.Canvases[state.Key] = state
		}
	}
	f := bolt.FieldsOf(row.AsMap())
	l.Episodes = SetOf(bolt.List[string](f, "episodes")...)
	l.executions, l.Hashes = f.Pairs("executions"), f.Pairs("hashes")
	l.Starts = f.Times("starts")
	return f.Err
}
