package neo4j

import (
	"encoding/hex"
	"slices"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// labelTombstone is the store's own: what stays of what was deleted for good.
const labelTombstone = "Tombstone"

// tombstoneKeys are the keys of the tombstones of global ids: hexadecimal, which sorts as the bytes do.
func tombstoneKeys(inputKey []byte, ids []string) []string {
	keys := make([]string, len(ids))
	for i, id := range ids {
		keys[i] = hex.EncodeToString(memory.Tombstone(inputKey, id))
	}
	return keys
}

// addTombstones leaves tombstones of records that are deleted. It waits for those who were admitted without them.
func (t *transaction) addTombstones(inputKey []byte, ids ...string) error {
	return t.run(named("add_tombstones"), parameters{"keys": setOf(tombstoneKeys(inputKey, ids)...).sorted()}, nil)
}

// admitItems tells, of items by their index, those that tombstones keep out; with force it removes the
// tombstones instead. Items whose records are there already are not kept out.
func (t *transaction) admitItems(inputKey []byte, items []store.Item, force bool) (map[int]bool, error) {
	if force {
		return nil, t.exhumeItems(inputKey, items)
	}
	keys, all := make([][]string, len(items)), keySet{}
	for i, item := range items {
		keys[i] = tombstoneKeys(inputKey, guardsOf(item))
		all.add(keys[i]...)
	}
	if len(all) == 0 {
		return nil, nil
	}
	forgotten, err := t.lockTombstones(all)
	if err != nil || len(forgotten) == 0 {
		return nil, err
	}
	// Where there are tombstones a deletion may be under way, so what is there has to stay until it is looked at again.
	known, err := t.lockEnds(keysByKind(ownIDs(items)))
	if err != nil {
		return nil, err
	}
	keptOut, left := map[int]bool{}, []string{}
	for i, item := range items {
		if _, guarded := item.(*store.Guarded); !guarded && known.has(item.ID()) || !slices.ContainsFunc(keys[i], forgotten.has) {
			continue
		}
		keptOut[i] = true
		if id := store.Leaves(item); id != "" {
			left = append(left, id)
			forgotten.add(tombstoneKeys(inputKey, []string{id})...)
		}
	}
	if len(left) == 0 {
		return keptOut, nil
	}
	return keptOut, t.addTombstones(inputKey, left...)
}

// exhumeItems removes the tombstones that would keep items out.
func (t *transaction) exhumeItems(inputKey []byte, items []store.Item) error {
	known, err := t.existing(ownIDs(items))
	if err != nil {
		return err
	}
	all := keySet{}
	for _, item := range items {
		if _, guarded := item.(*store.Guarded); guarded || !known.has(item.ID()) {
			all.add(tombstoneKeys(inputKey, guardsOf(item))...)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return t.run(named("exhume"), parameters{"keys": all.sorted()}, nil)
}

// guardsOf are the ids whose tombstones keep an item out.
func guardsOf(item store.Item) []string {
	if guarded, is := item.(*store.Guarded); is {
		return guarded.Unless
	}
	ids := item.Owners()
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

// lockTombstones locks tombstones, there or not, and gives those that are there.
func (t *transaction) lockTombstones(keys keySet) (keySet, error) {
	found := keySet{}
	return found, t.run(named("lock_tombstones"), parameters{"keys": keys.sorted()}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		found.add(list[string](f, "keys")...)
		if f.integer("gone") > 0 {
			return &raced{cause: errGone}
		}
		return f.err
	})
}

// existing are those of ids whose records are there.
func (t *transaction) existing(ids []string) (keySet, error) {
	if len(ids) == 0 {
		return keySet{}, nil
	}
	found, err := rowsOf(t, whichExist, parameters{"keys": keyLists(keysByKind(ids))}, column[string]("id"))
	return setOf(found...), err
}
