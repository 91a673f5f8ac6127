package sqlite

import (
	"mneme/memory"
	"mneme/store"
)

// tombstones is the tombstones of a tenant.
type tombstones struct {
	*conn
	inputKey []byte
}

// once is what a write of many records asks once: what tombstones are made with, and whether there are any.
type once struct {
	tombstones *tombstones
	any        *bool
}

// tombstonesOf reads what tombstones are made with; nil where the tenant has never had an input key, and so none.
func tombstonesOf(c *conn) (tombstones, error) {
	once := partOf[once](c)
	if once != nil && once.tombstones != nil {
		return *once.tombstones, nil
	}
	key, err := inputKey(c)
	g := tombstones{conn: c, inputKey: key}
	if once != nil && err == nil {
		once.tombstones = &g
	}
	return g, err
}

// anyTombstones says whether there may be tombstones.
func anyTombstones(c *conn) (bool, error) {
	once := partOf[once](c)
	if once == nil {
		return true, nil
	}
	return c.askOnce(&once.any, `SELECT 1 FROM tombstones LIMIT 1`)
}

// add leaves a tombstone for each id.
func (g tombstones) add(ids ...string) error {
	for _, id := range ids {
		if err := addTombstone(g.conn, memory.Tombstone(g.inputKey, id)); err != nil {
			return err
		}
	}
	return nil
}

func restoreTombstone(c *conn, tombstone store.Tombstone) error { return addTombstone(c, tombstone) }

func addTombstone(c *conn, hash []byte) error {
	if once := partOf[once](c); once != nil {
		once.any = new(true)
	}
	return c.exec(`INSERT INTO tombstones (hash) VALUES (:hash) ON CONFLICT DO NOTHING`, arg("hash", hash))
}

// forgotten says whether any of the ids has a tombstone.
func (g tombstones) forgotten(ids ...string) (found bool, err error) {
	for _, id := range ids {
		const find = `SELECT 1 FROM tombstones WHERE hash = :hash`
		found, err = g.one(find, func(*row) {}, arg("hash", memory.Tombstone(g.inputKey, id)))
		if found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// exhume removes the tombstones of ids.
func (g tombstones) exhume(ids ...string) error {
	for _, id := range ids {
		if err := g.exec(`DELETE FROM tombstones WHERE hash = :hash`, arg("hash", memory.Tombstone(g.inputKey, id))); err != nil {
			return err
		}
	}
	return nil
}
