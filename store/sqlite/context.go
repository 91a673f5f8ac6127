package sqlite

import (
	"context"
	"database/sql/driver"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// owned reads what episodes own, by an edge of a type, a bounded number of each episode.
type owned struct {
	all, newest string // the latter for episodes that own more than come along
}

// ownedBy builds the queries around the columns and tables that a kind of record is read from, where the edge is p, and
// the order of its rows.
func ownedBy(edge, selected, counting, order string) owned {
	// The condition on time has no effect now, and keeps what came later out of an earlier view.
	known := `p.source IN (SELECT id FROM nodes WHERE kind = 'episode' AND key IN (SELECT value FROM json_each(:episodes)))
		AND p.type = '` + edge + `' AND p.at <= :as_of` + counting
	return owned{all: selected + ` WHERE ` + known + order, newest: selected + ` WHERE p.type = '` + edge + `' AND (p.source, p.target) IN (
		SELECT source, target FROM (
			SELECT p.source, p.target, row_number() OVER (PARTITION BY p.source ORDER BY p.at DESC, k.key) AS place
			FROM edges p JOIN nodes k ON k.id = p.target WHERE ` + known + `)
		WHERE place <= :most)` + order}
}

// read runs the query that fits. Count says how much an episode owns at most; those without anything are not asked for.
func (o *owned) read(
	c *db.Conn, episodes []*memory.Episode, asOf *time.Time, count func(*memory.Episode) int, each func(*db.Row),
) error {
	keys := make([]string, 0, len(episodes))
	most := 0
	for _, e := range episodes {
		if n := count(e); n > 0 {
			keys = append(keys, e.Key)
			most = max(most, n)
		}
	}
	if len(keys) == 0 {
		return nil
	}
	args := append(make([]driver.NamedValue, 0, 3), db.Arg("as_of", graph.AsOfOrEver(asOf)), db.List("episodes", keys))
	if most > memory.ContextLimit {
		return c.Query(o.newest, each, append(args, db.Arg("most", memory.ContextLimit))...)
	}
	return c.Query(o.all, each, args...)
}

// byKey finds episodes again for what was read for them.
func byKey(episodes []*memory.Episode) map[string]*memory.Episode {
	found := make(map[string]*memory.Episode, len(episodes))
	for _, e := range episodes {
		found[e.Key] = e
	}
	return found
}

const inEpisode = `episode = (SELECT id FROM nodes WHERE kind = 'episode' AND key = :episode)`

// eventsOf says where the log of an episode is.
func eventsOf(query *store.EventsOf) (from string, w db.Conditions) {
	w.Add(inEpisode, db.Arg("episode", query.Episode))
	return ` FROM events`, w
}

// listEvents reads a page of an episode's log.
func (t *Tenant) listEvents(ctx context.Context, query *store.EventsOf, page store.Page) ([]*memory.Event, bool, error) {
	from, w := eventsOf(query)
	if page.After != nil {
		w.Add(`seq > :after`, db.Arg("after", page.After.Sequence))
	}
	find := `SELECT ` + eventColumns + from + ` WHERE ` + w.SQL() + ` ORDER BY seq LIMIT :limit`
	return listPage(ctx, t, page.Limit, func(r *db.Row) *memory.Event { return new(readEvent(r, query.Episode)) }, find, w)
}

var (
	eventColumns   = `seq, ` + db.Selected("events", fields.Event(&memory.Event{}))
	eventScanner   = db.ScannerOf(fields.Event)
	insertingEvent = db.Inserting("events", fields.Event(&memory.Event{}), "episode", "seq")
)

// readEvent reads an entry of an episode's log.
func readEvent(r *db.Row, episode string) memory.Event {
	r.Of(memory.KindEpisode, episode)
	event := memory.Event{Sequence: r.Int()}
	eventScanner.Scan(&event, r)
	return event
}
