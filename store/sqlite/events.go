package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

const inLogOf = ` FROM events WHERE episode = (SELECT id FROM nodes WHERE kind = 'episode' AND key = :episode)`

// Events reads a page of an episode's log.
func (t *Tenant) Events(ctx context.Context, episode string, page store.Page) ([]memory.Event, bool, error) {
	find := `SELECT ` + eventColumns + inLogOf + ` AND seq > :after ORDER BY seq LIMIT :limit`
	after := -1
	if page.After != nil {
		after = page.After.Sequence
	}
	return wholePage(ctx, t.read, page.Limit, func(c *conn, most int) (read []memory.Event, err error) {
		err = c.query(find, func(r *row) error {
			read = keep(r, read, readEvent(r, episode))
			return nil
		}, arg("episode", episode), arg("after", after), arg("limit", most))
		return read, err
	})
}

func eventFields(e *memory.Event) []column {
	return []column{{"type", &e.Type}, {"data", &e.Data}, {"at", &e.At}}
}

var (
	eventColumns   = `seq, ` + selected("events", eventFields(&memory.Event{}))
	eventScanner   = scannerOf(eventFields)
	insertingEvent = inserting("events", eventFields(&memory.Event{}), "episode", "seq")
)

// readEvent reads an entry of an episode's log.
func readEvent(r *row, episode string) memory.Event {
	r.of(memory.KindEpisode, episode)
	event := memory.Event{Sequence: r.int()}
	eventScanner.scan(&event, r)
	return event
}

// CountEvents counts the entries of an episode's log.
func (t *Tenant) CountEvents(ctx context.Context, episode string) (count int, err error) {
	err = t.read(ctx, func(c *conn) error {
		_, err := c.one(`SELECT count(*)`+inLogOf, func(r *row) { count = r.int() }, arg("episode", episode))
		return err
	})
	return count, err
}
