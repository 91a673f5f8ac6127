package graph

import (
	"encoding/hex"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// TombstoneKeys are the keys of the tombstones of global ids: hexadecimal, which sorts as the bytes do.
func TombstoneKeys(inputKey []byte, ids []string) []string {
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = hex.EncodeToString(memory.Tombstone(inputKey, id))
	}
	return keys
}

// LockTombstones locks tombstones, there or not, and gives those that are there.
func LockTombstones(t *bolt.Transaction, keys linking.KeySet) (linking.KeySet, error) {
	found := linking.KeySet{}
	return found, t.Rows(cypher.Named("lock_tombstones"), cypher.Parameters{"keys": keys.Sorted()}, func(f *bolt.Fields) {
		found.Add(bolt.List[string](f, "keys")...)
		raceIfGone(f)
	})
}

// Existing are those of ids whose records are there.
func Existing(t *bolt.Transaction, ids []string) (linking.KeySet, error) {
	if len(ids) == 0 {
		return linking.KeySet{}, nil
	}
	found, err := bolt.RowsOf(t, WhichExist, cypher.Parameters{"keys": KeyLists(KeysByKind(ids))}, bolt.Column[string]("id"))
	return linking.SetOf(found...), err
}
