package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

const inLogOf = ` FROM events WHERE episode = (SELECT id FROM nodes WHERE kind = 'episode' AND key = :episode)`

// Events reads a page of an episode's log.
func (t *Tenant) Events(ctx context.Context, episode string, page store.Page) ([]memory.Event, bool, error) {
	const find = `SELECT seq, type, data, at` + inLogOf + ` AND seq > :after ORDER BY seq LIMIT :limit`
	after := -1
	if page.After != nil {
		after = page.After.Sequence
	}
	var read []memory.Event
	err := t.read(ctx, func(c *conn) error {
		return c.query(find, func(r *row) error {
			read = append(read, memory.Event{Sequence: r.int(), Type: r.text(), Data: r.json(), At: r.time()})
			return nil
		}, arg("episode", episode), arg("after", after), arg("limit", page.Limit+1))
	})
	if err != nil {
		return nil, false, err
	}
	events, more := cut(read, page.Limit)
	return events, more, nil
}

// CountEvents counts the entries of an episode's log.
func (t *Tenant) CountEvents(ctx context.Context, episode string) (count int, err error) {
	err = t.read(ctx, func(c *conn) error {
		_, err := c.one(`SELECT count(*)`+inLogOf, func(r *row) { count = r.int() }, arg("episode", episode))
		return err
	})
	return count, err
}
