package graph

import (
	"maps"
	"slices"

	"mneme/store/neo4j/cypher"
)

// After is a position as a parameter. Neo4j plans a query anew for texts of very different lengths,
// unless they are in a map.
func After(id string) cypher.Parameters { return cypher.Parameters{"after": id} }

// SortedKeys are the keys of a map in order, so that a write does the same whenever it runs again.
func SortedKeys[T any](values map[string]T) []string {
	return slices.Sorted(maps.Keys(values))
}
