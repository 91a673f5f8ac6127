package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// tombstones is a write with what the tombstones of a tenant are made with.
type tombstones struct {
	*db.Tx
	inputKey []byte
}

// once is what a write of many records asks once: what tombstones are made with, and whether there are any.
type once struct {
	inputKey []byte
	any      *bool
}

// tombstonesOf reads what tombstones are made with.
func tombstonesOf(tx *db.Tx) tombstones {
	once := db.Part[once](tx)
	if once != nil && once.inputKey != nil {
		return tombstones{tx, once.inputKey}
	}
	key := db.Ask(tx, schema.EnsureInputKey)
	if once != nil {
		once.inputKey = key
	}
	return tombstones{tx, key}
}

// anyTombstones says whether there may be tombstones.
func anyTombstones(tx *db.Tx) bool {
	once := db.Part[once](tx)
	return once == nil || tx.AskOnce(&once.any, `SELECT 1 FROM tombstones LIMIT 1`)
}

// add leaves a tombstone for an id.
func (g tombstones) add(id string) { restoreTombstone(g.Tx, memory.Tombstone(g.inputKey, id)) }

func restoreTombstone(tx *db.Tx, hash store.Tombstone) {
	if once := db.Part[once](tx); once != nil {
		once.any = new(true)
	}
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
