package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// inputKey is what tombstones are made with.
type inputKey []byte

// inputKeyOf reads it, a write of many records once.
func inputKeyOf(tx *db.Tx) []byte {
	known := db.Part[inputKey](tx)
	if known != nil && *known != nil {
		return *known
	}
	key := db.Ask(tx, schema.EnsureInputKey)
	if known != nil {
		*known = key
	}
	return key
}

func restoreTombstone(tx *db.Tx, hash store.Tombstone) {
	tx.Adds(`tombstones`)
	tx.Exec(`INSERT INTO tombstones (hash) VALUES (:hash) ON CONFLICT DO NOTHING`, db.Arg("hash", []byte(hash)))
}

const ofTombstone = ` FROM tombstones WHERE hash = :hash`

// tombstonesOfIDs reads the tombstones of ids.
func (t *Tenant) tombstonesOfIDs(ctx context.Context, ids []string) ([]*store.Tombstone, error) {
	found := make([]*store.Tombstone, len(ids))
	return found, t.file.Read(ctx, func(c *db.Conn) error {
		key, err := schema.InputKey(c)
		for i := 0; i < len(ids) && err == nil; i++ {
			hash := memory.Tombstone(key, ids[i])
			_, err = c.One(`SELECT 1`+ofTombstone, func(*db.Row) { found[i] = new(store.Tombstone(hash)) }, db.Arg("hash", hash))
		}
		return err
	})
}
