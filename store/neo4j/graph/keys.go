package graph

import (
	"maps"
	"slices"

	"mneme/store/neo4j/cypher"
)

// LookUp gives a value of a map, nil where there is none.
func LookUp(values map[string]string, key string) *string {
	if value, found := values[key]; found {
		return &value
	}
	return nil
}

// KeySet is a set of keys of one kind, of records that are there or are not.
type KeySet map[string]struct{}

// Add puts keys into the set.
func (s KeySet) Add(keys ...string) {
	for _, key := range keys {
		s[key] = struct{}{}
	}
}

// AddOptional puts a key into the set where there is one.
func (s KeySet) AddOptional(key *string) {
	if key != nil {
		s.Add(*key)
	}
}

// Has says whether a key is in the set.
func (s KeySet) Has(key string) bool {
	_, found := s[key]
	return found
}

// Sorted gives the keys in the order in which every writer locks them.
func (s KeySet) Sorted() []string {
	if len(s) == 0 {
		return []string{}
	}
	return slices.Sorted(maps.Keys(s))
}

// SetOf is the set of some keys.
func SetOf(keys ...string) KeySet {
	set := KeySet{}
	set.Add(keys...)
	return set
}

// After is a position as a parameter. Neo4j plans a query anew for texts of very different lengths,
// unless they are in a map.
func After(id string) cypher.Parameters { return cypher.Parameters{"after": id} }

// SortedKeys are the keys of a map in order, so that a write does the same whenever it runs again.
func SortedKeys[T any](values map[string]T) []string {
	return slices.Sorted(maps.Keys(values))
}
