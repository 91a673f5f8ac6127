package graph

import (
	"maps"

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

// LockEnds locks records of any kind, there or not, and tells which are there.
func LockEnds(t *bolt.Transaction, keys map[memory.Kind]linking.KeySet) (Ends, error) {
	known, wanted := Ends{}, map[memory.Kind]string{}
	for kind, set := range keys {
		if len(set) > 0 {
			wanted[kind] = Labels[kind]
		}
	}
	if len(wanted) == 0 {
		return known, nil
	}
	// for these kinds only: it takes long to plan for all
	return known, t.Rows(cypher.Rendered("lock_ends", wanted), cypher.Parameters{"keys": KeyLists(keys)}, func(f *bolt.Fields) {
		maps.Copy(known, f.Pairs("ends"))
		raceIfGone(f)
	})
}
