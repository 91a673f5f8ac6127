package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/schema"
)

// tombstones is the tombstones of a tenant.
type tombstones struct {
	*db.Conn
	inputKey []byte
}

// once is what a write of many records asks once: what tombstones are made with, and whether there are any.
type once struct {
	tombstones *tombstones
	any        *bool
}

// tombstonesOf reads what tombstones are made with; nil where the tenant has never had an input key, and so none.
func tombstonesOf(c *db.Conn) (tombstones, error) {
	once := db.Part[once](c)
	if once != nil && once.tombstones != nil {
		return *once.tombstones, nil
	}
	key, err := schema.InputKey(c)
	g := tombstones{Conn: c, inputKey: key}
	if once != nil && err == nil {
		once.tombstones = &g
	}
	return g, err
}

// anyTombstones says whether there may be tombstones.
func anyTombstones(c *db.Conn) (bool, error) {
	once := db.Part[once](c)
	if once == nil {
		return true, nil
	}
	return c.AskOnce(&once.any, `SELECT 1 FROM tombstones LIMIT 1`)
}

// add leaves a tombstone for each id.
func (g tombstones) add(ids ...string) error {
	for _, id := range ids {
		if err := addTombstone(g.Conn, memory.Tombstone(g.inputKey, id)); err != nil {
			return err
		}
	}
	return nil
}

func restoreTombstone(c *db.Conn, tombstone store.Tombstone) error { return addTombstone(c, tombstone) }

func addTombstone(c *db.Conn, hash []byte) error {
	if once := db.Part[once](c); once != nil {
		once.any = new(true)
	}
	return c.Exec(`INSERT INTO tombstones (hash) VALUES (:hash) ON CONFLICT DO NOTHING`, db.Arg("hash", hash))
}

// forgotten says whether any of the ids has a tombstone.
func (g tombstones) forgotten(ids ...string) (found bool, err error) {
	for _, id := range ids {
		const find = `SELECT 1 FROM tombstones WHERE hash = :hash`
		found, err = g.One(find, func(*db.Row) {}, db.Arg("hash", memory.Tombstone(g.inputKey, id)))
		if found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// Forgotten says of which ids there are tombstones.
func (t *Tenant) Forgotten(ctx context.Context, ids []string) ([]bool, error) {
	found := make([]bool, len(ids))
	return found, t.file.Read(ctx, func(c *db.Conn) error {
		g, err := tombstonesOf(c)
		for i := 0; i < len(ids) && err == nil; i++ {
			found[i], err = g.forgotten(ids[i])
		}
		return err
	})
}

// exhume removes the tombstones of ids.
func (g tombstones) exhume(ids ...string) error {
	for _, id := range ids {
		if err := g.Exec(`DELETE FROM tombstones WHERE hash = :hash`, db.Arg("hash", memory.Tombstone(g.inputKey, id))); err != nil {
			return err
		}
	}
	return nil
}
