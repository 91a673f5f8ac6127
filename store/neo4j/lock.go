package neo4j

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// keySet is a set of keys of one kind, of records that are there or are not.
type keySet map[string]struct{}

func (s keySet) add(keys ...string) {
	for _, key := range keys {
		s[key] = struct{}{}
	}
}

func (s keySet) addOptional(key *string) {
	if key != nil {
		s.add(*key)
	}
}

func (s keySet) has(key string) bool {
	_, found := s[key]
	return found
}

// sorted gives the keys in the order in which every writer locks them.
func (s keySet) sorted() []string {
	if len(s) == 0 {
		return []string{}
	}
	return slices.Sorted(maps.Keys(s))
}

func setOf(keys ...string) keySet {
	set := keySet{}
	set.add(keys...)
	return set
}

// scope is what a write decides upon, by kind.
type scope struct {
	sessions, executions, canvases, episodes keySet
	newEpisodes, newFeedback                 []string // the keys of what it would create
}

func newScope() scope {
	return scope{sessions: keySet{}, executions: keySet{}, canvases: keySet{}, episodes: keySet{}}
}

// locked is what is known of a scope, and stays so until the transaction ends.
type locked struct {
	pending    keySet                  // sessions that something waits in for an episode
	executions map[string]string       // the episode that covers an execution; the first where several do
	canvases   map[string]*canvasState // those that are there
	episodes   keySet                  // those that are there
	hashes     map[string]string       // of the inputs of those that have the key of a new record
}

// lock locks a scope and reads it.
func (t *transaction) lock(s scope) (*locked, error) {
	l := &locked{}
	return l, t.run(named("lock"), parameters{
		"sessions": s.sessions.sorted(), "executions": s.executions.sorted(),
		"canvases": s.canvases.sorted(), "episodes": s.episodes.sorted(),
		"newEpisodes": s.newEpisodes, "newFeedback": s.newFeedback,
	}, l.decode)
}

var errGone = errors.New("a record went away")

func (l *locked) decode(row *neo4j.Record) error {
	gone, err := column[int64]("gone")(row)
	if err != nil {
		return err
	}
	if gone > 0 {
		return &raced{cause: errGone}
	}
	states, err := nodeList(row, "canvases", (*fields).canvasState)
	if err != nil {
		return err
	}
	l.canvases = make(map[string]*canvasState, len(states))
	for _, state := range states {
		l.canvases[state.Key] = state
	}
	f := fieldsOf(row.AsMap())
	l.pending, l.episodes = setOf(list[string](f, "pending")...), setOf(list[string](f, "episodes")...)
	l.executions, l.hashes = f.pairs("executions"), f.pairs("hashes")
	return f.err
}

// pairs reads a list of pairs of texts as a map, the last of equals; pairs with a null are left out.
func (f *fields) pairs(name string) map[string]string {
	pairs := map[string]string{}
	for _, pair := range list[[]any](f, name) {
		if slices.Contains(pair, nil) {
			continue
		}
		texts := list[string](fieldsOf(parameters{name: pair}), name)
		if len(texts) != 2 {
			f.fail(name, fmt.Errorf("holds %v", pair))
			break
		}
		pairs[texts[0]] = texts[1]
	}
	return pairs
}
