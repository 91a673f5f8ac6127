package sqlite

import (
	"context"
	"time"
)

// mostBuried bounds how many nodes a part of a deletion deletes, but for a few.
const mostBuried = 1000

// Another process that waits to write asks every 100 ms whether it can.
const (
	restAfter = 100 * time.Millisecond
	rest      = 120 * time.Millisecond
)

// inParts deletes in parts, each a transaction, until one says that it is the last, so that others can write in
// between.
func (t *Tenant) inParts(ctx context.Context, part func(c *conn) (done bool, err error)) error {
	for rested, done := time.Now(), false; !done; {
		if time.Since(rested) > restAfter {
			time.Sleep(rest)
			rested = time.Now()
		}
		err := t.erase(ctx, func(c *conn) (err error) {
			done, err = part(c)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ownedNodes are what an episode owns: feedback first, which may be on its canvases. There is no more of it
// than a limit.
func ownedNodes(ctx context.Context, c *conn, episode int64, limit int) (owned []int64, err error) {
	const find = `SELECT target FROM edges WHERE source = :episode AND type IN ('PRESENTED', 'RECEIVED')
		ORDER BY type DESC, at, target LIMIT :limit`
	err = c.search(ctx, find, func(r *row) error {
		owned = append(owned, r.integer())
		return nil
	}, arg("episode", episode), arg("limit", limit))
	return owned, err
}

// disown takes nodes out of the aggregates of the episode that owns them, before they are deleted.
func disown(c *conn, owned []int64) error {
	for _, id := range owned {
		if err := moveFeedback(c, id, 0); err != nil {
			return err
		}
		if err := moveCanvas(c, id, 0); err != nil {
			return err
		}
	}
	return nil
}
