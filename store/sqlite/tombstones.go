package sqlite

import (
	"mneme/memory"
	"mneme/store"
)

// graveyard is the tombstones of a tenant.
type graveyard struct {
	*conn
	inputKey []byte
}

// graves reads what tombstones are made with; nil where the tenant has never had an input key, and so none.
func graves(c *conn) (graveyard, error) {
	if c.batch != nil && c.batch.graves != nil {
		return *c.batch.graves, nil
	}
	key, err := inputKey(c)
	g := graveyard{conn: c, inputKey: key}
	if c.batch != nil && err == nil {
		c.batch.graves = &g
	}
	return g, err
}

// anyGraves says whether there may be tombstones.
func (c *conn) anyGraves() (bool, error) {
	if c.batch == nil {
		return true, nil
	}
	return c.askOnce(&c.batch.dead, `SELECT 1 FROM tombstones LIMIT 1`)
}

// bury leaves a tombstone for each id.
func (g graveyard) bury(ids ...string) error {
	for _, id := range ids {
		if err := addTombstone(g.conn, memory.Tombstone(g.inputKey, id)); err != nil {
			return err
		}
	}
	return nil
}

func restoreTombstone(c *conn, tombstone store.Tombstone) error { return addTombstone(c, tombstone) }

func addTombstone(c *conn, hash []byte) error {
	if c.batch != nil {
		c.batch.dead = new(true)
	}
	return c.exec(`INSERT INTO tombstones (hash) VALUES (:hash) ON CONFLICT DO NOTHING`, arg("hash", hash))
}

// forgotten says whether any of the ids has a tombstone.
func (g graveyard) forgotten(ids ...string) (found bool, err error) {
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
func (g graveyard) exhume(ids ...string) error {
	for _, id := range ids {
		if err := g.exec(`DELETE FROM tombstones WHERE hash = :hash`, arg("hash", memory.Tombstone(g.inputKey, id))); err != nil {
			return err
		}
	}
	return nil
}
