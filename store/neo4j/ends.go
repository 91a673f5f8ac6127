package neo4j

import (
	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
)

// ends are records that are there, by global id, with the hashes of their inputs, "" for those that have
// none. They stay there until the transaction ends.
type ends map[string]string

func (e ends) has(id string) bool {
	_, found := e[id]
	return found
}

// add notes a record that is created.
func (e ends) add(kind memory.Kind, key string) { e[memory.NodeID(kind, key)] = "" }

// of are the keys of one kind.
func (e ends) of(kind memory.Kind) keySet { return setOf(sortedKeys(e.hashes(kind))...) }

// hashes are the hashes of one kind by key.
func (e ends) hashes(kind memory.Kind) map[string]string {
	hashes := map[string]string{}
	for id, hash := range e {
		if k, key, ok := memory.SplitID(id); ok && k == kind {
			hashes[key] = hash
		}
	}
	return hashes
}

// lockEnds locks records of any kind, there or not, and tells which are there.
func (t *transaction) lockEnds(keys map[memory.Kind]keySet) (ends, error) {
	known, wanted := ends{}, map[memory.Kind]string{}
	for kind, set := range keys {
		if len(set) > 0 {
			wanted[kind] = labels[kind]
		}
	}
	if len(wanted) == 0 {
		return known, nil
	}
	// for these kinds only: it takes long to plan for all
	return known, t.run(rendered("lock_ends", wanted), parameters{"keys": keyLists(keys)}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		for id, hash := range f.pairs("ends") {
			known[id] = hash
		}
		if f.integer("gone") > 0 {
			return &raced{cause: errGone}
		}
		return f.err
	})
}
