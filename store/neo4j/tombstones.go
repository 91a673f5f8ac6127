package neo4j

import (
	"encoding/hex"
	"slices"

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

// bury leaves tombstones of records that are deleted. It waits for those who were admitted without them.
func (t *transaction) bury(inputKey []byte, ids ...string) error {
	return t.run("bury", parameters{"keys": setOf(tombstoneKeys(inputKey, ids)...).sorted()}, nil)
}

// admitItems tells, of items by their index, those that tombstones keep out; with force it removes the
// tombstones instead. Items whose records are there already are not asked about.
func (t *transaction) admitItems(inputKey []byte, items []store.Item, force bool) (map[int]bool, error) {
	known, err := t.there(items)
	if err != nil {
		return nil, err
	}
	keys := map[int][]string{}
	all := keySet{}
	for i, item := range items {
		ids, own := item.Owners(), item.ID()
		guarded, is := item.(*store.Guarded)
		switch {
		case is:
			ids = guarded.Unless
		case known.has(own):
			continue
		case own != "":
			ids = append(ids, own)
		}
		keys[i] = tombstoneKeys(inputKey, ids)
		all.add(keys[i]...)
	}
	if len(all) == 0 {
		return nil, nil
	}
	if force {
		return nil, t.run("exhume", parameters{"keys": all.sorted()}, nil)
	}
	forgotten, err := t.lockTombstones(all)
	if err != nil {
		return nil, err
	}
	keptOut, left := map[int]bool{}, []string{}
	for i, item := range items {
		if keptOut[i] = slices.ContainsFunc(keys[i], forgotten.has); !keptOut[i] {
			continue
		}
		if id := store.Leaves(item); id != "" {
			left = append(left, id)
			forgotten.add(tombstoneKeys(inputKey, []string{id})...)
		}
	}
	if len(left) == 0 {
		return keptOut, nil
	}
	return keptOut, t.bury(inputKey, left...)
}

// lockTombstones locks tombstones, there or not, and gives those that are there.
func (t *transaction) lockTombstones(keys keySet) (keySet, error) {
	found, err := rowsOf(t, "lock_tombstones", parameters{"keys": keys.sorted()}, column[string]("key"))
	return setOf(found...), err
}

// there are the ids of the items whose records are there.
func (t *transaction) there(items []store.Item) (keySet, error) {
	var ids []string
	for _, item := range items {
		if own := item.ID(); own != "" {
			ids = append(ids, own)
		}
	}
	return t.existing(ids)
}

// existing are those of ids whose records are there.
func (t *transaction) existing(ids []string) (keySet, error) {
	if len(ids) == 0 {
		return keySet{}, nil
	}
	text, err := expandOnce("exist", labels)
	if err != nil {
		return nil, err
	}
	found, err := rowsOfText(t, "exist", text, parameters{"keys": keyLists(keysByKind(ids))}, column[string]("id"))
	return setOf(found...), err
}
