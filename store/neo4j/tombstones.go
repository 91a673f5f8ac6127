package neo4j

import (
	"context"
	"encoding/hex"

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

// Forgotten says which ids have a tombstone; see store.Transfer.
func (s *tenantStore) Forgotten(ctx context.Context, ids []string) ([]bool, error) {
	forgotten := make([]bool, len(ids))
	if len(ids) == 0 {
		return forgotten, nil
	}
	inputKey, err := s.InputKey(ctx)
	if err != nil {
		return nil, err
	}
	keys := tombstoneKeys(inputKey, ids)
	found, err := read(ctx, s.backend, s.query("tombstones", statement("tombstones"), parameters{"keys": keys}), column[string]("key"))
	known := setOf(found...)
	for i, key := range keys {
		forgotten[i] = known.has(key)
	}
	return forgotten, err
}

// Exhume removes tombstones; see store.Transfer.
func (s *tenantStore) Exhume(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	inputKey, err := s.InputKey(ctx)
	if err != nil {
		return err
	}
	keys := setOf(tombstoneKeys(inputKey, ids)...).sorted()
	return s.write(ctx, func(t *transaction) error { return t.run("exhume", parameters{"keys": keys}, nil) })
}

// bury leaves tombstones of records that are deleted.
func (t *transaction) bury(inputKey []byte, ids ...string) error {
	return t.run("bury", parameters{"keys": setOf(tombstoneKeys(inputKey, ids)...).sorted()}, nil)
}

// admitItems tells, of items by their index, those that tombstones keep out; with force it removes the
// tombstones instead. Items whose records are there already are not asked about.
func (t *transaction) admitItems(inputKey []byte, items []store.Item, force bool) (keptOut map[int]bool, err error) {
	known, err := t.there(items)
	if err != nil {
		return nil, err
	}
	keys := map[int][]string{}
	all := keySet{}
	for i, item := range items {
		ids := item.Owners()
		if own := item.ID(); known.has(own) {
			continue
		} else if own != "" {
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
	found, err := rowsOf(t, "tombstones", parameters{"keys": all.sorted()}, column[string]("key"))
	forgotten := setOf(found...)
	keptOut = map[int]bool{}
	for i, of := range keys {
		for _, key := range of {
			keptOut[i] = keptOut[i] || forgotten.has(key)
		}
	}
	return keptOut, err
}

// there are the ids of the items whose records are there.
func (t *transaction) there(items []store.Item) (keySet, error) {
	var ids []string
	for _, item := range items {
		if own := item.ID(); own != "" {
			ids = append(ids, own)
		}
	}
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
