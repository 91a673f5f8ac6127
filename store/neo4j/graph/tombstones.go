package graph

import (
	"encoding/hex"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
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

// AddTombstones leaves tombstones of records that are deleted. It waits for those who were admitted without them.
func AddTombstones(t *bolt.Transaction, inputKey []byte, ids ...string) error {
	return t.Run(cypher.Named("add_tombstones"), cypher.Parameters{"keys": SetOf(TombstoneKeys(inputKey, ids)...).Sorted()}, nil)
}

// AdmitItems tells, of items by their index, those that tombstones keep out; with force it removes the
// tombstones instead. Items whose records are there already are not kept out.
func AdmitItems(t *bolt.Transaction, inputKey []byte, items []store.Item, force bool) (map[int]bool, error) {
	if force {
		return nil, clearTombstones(t, inputKey, items)
	}
	keys, all := make([][]string, len(items)), KeySet{}
	for i, item := range items {
		keys[i] = TombstoneKeys(inputKey, guardsOf(item))
		all.Add(keys[i]...)
	}
	if len(all) == 0 {
		return nil, nil
	}
	forgotten, err := LockTombstones(t, all)
	if err != nil || len(forgotten) == 0 {
		return nil, err
	}
	// Where there are tombstones a deletion may be under way, so what is there has to stay until it is looked at again.
	known, err := LockEnds(t, KeysByKind(ownIDs(items)))
	if err != nil {
		return nil, err
	}
	keptOut, left := map[int]bool{}, []string{}
	for i, item := range items {
		if _, guarded := item.(*store.Guarded); !guarded && known.Has(item.ID()) || !slices.ContainsFunc(keys[i], forgotten.Has) {
			continue
		}
		keptOut[i] = true
		if id := store.Leaves(item); id != "" {
			left = append(left, id)
			forgotten.Add(TombstoneKeys(inputKey, []string{id})...)
		}
	}
	if len(left) == 0 {
		return keptOut, nil
	}
	return keptOut, AddTombstones(t, inputKey, left...)
}

// clearTombstones removes the tombstones that would keep items out.
func clearTombstones(t *bolt.Transaction, inputKey []byte, items []store.Item) error {
	known, err := Existing(t, ownIDs(items))
	if err != nil {
		return err
	}
	all := KeySet{}
	for _, item := range items {
		if _, guarded := item.(*store.Guarded); guarded || !known.Has(item.ID()) {
			all.Add(TombstoneKeys(inputKey, guardsOf(item))...)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return t.Run(cypher.Named("exhume"), cypher.Parameters{"keys": all.Sorted()}, nil)
}

// guardsOf are the ids whose tombstones keep an item out.
func guardsOf(item store.Item) []string {
	if guarded, ok := item.(*store.Guarded); ok {
		return guarded.Unless
	}
	ids := store.Owners(item)
	if own := item.ID(); own != "" {
		ids = append(ids, own)
	}
	return ids
}

// ownIDs are the ids of the records of items, of those that are records.
func ownIDs(items []store.Item) []string {
	var ids []string
	for _, item := range items {
		if own := item.ID(); own != "" {
			ids = append(ids, own)
		}
	}
	return ids
}

// LockTombstones locks tombstones, there or not, and gives those that are there.
func LockTombstones(t *bolt.Transaction, keys KeySet) (KeySet, error) {
	found := KeySet{}
	return found, t.Run(cypher.Named("lock_tombstones"), cypher.Parameters{"keys": keys.Sorted()}, func(row *neo4j.Record) error {
		f := bolt.FieldsOf(row.AsMap())
		found.Add(bolt.List[string](f, "keys")...)
		if f.Integer("gone") > 0 {
			return &bolt.Raced{Cause: ErrGone}
		}
		return f.Err
	})
}

// Existing are those of ids whose records are there.
func Existing(t *bolt.Transaction, ids []string) (KeySet, error) {
	if len(ids) == 0 {
		return KeySet{}, nil
	}
	found, err := bolt.RowsOf(t, WhichExist, cypher.Parameters{"keys": KeyLists(KeysByKind(ids))}, bolt.Column[string]("id"))
	return SetOf(found...), err
}
