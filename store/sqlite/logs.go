package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/passages"
)

// AppendEvents adds a part to the log of an episode.
func (t *Tenant) AppendEvents(ctx context.Context, part store.LogPart) (store.Log, error) {
	return answer(ctx, t.file.Write, func(c *db.Conn) (store.Log, error) { return appendEvents(c, &part) })
}

func appendEvents(c *db.Conn, part *store.LogPart) (log store.Log, err error) {
	id, before, err := logOf(c, part, &log)
	if err != nil {
		return store.Log{}, err
	}
	known, err := knownEvents(c, id, part.Events)
	if err != nil {
		return store.Log{}, err
	}
	fresh, receipt, err := linking.Append(&log, known, part)
	if err != nil || len(fresh) == 0 {
		return log, err
	}
	if err := checkLogCauses(c, id, part, fresh); err != nil {
		return store.Log{}, err
	}
	events := make([]memory.Event, len(fresh))
	for i := range fresh {
		event := &fresh[i].Event
		events[i] = *event
		if err := c.Put(insertingEvent, eventFields(event), db.Arg("episode", id), db.Arg("seq", event.Sequence)); err != nil {
			return log, err
		}
	}
	const count = `INSERT INTO logs (episode, events, bytes, last) VALUES (:episode, :events, :bytes, :last)
		ON CONFLICT DO UPDATE SET events = excluded.events, bytes = excluded.bytes, last = excluded.last`
	err = c.Exec(count, db.Arg("episode", id), db.Arg("events", log.Events), db.Arg("bytes", log.Bytes), db.Arg("last", log.Last))
	if err == nil {
		err = passages.Append(c, id, events)
	}
	if err != nil || part.Kept { // whose receipt was kept with it
		return log, err
	}
	return log, saveReceipt(c, id, before.Plus(receipt))
}

// checkLogCauses looks at the causes of an episode that are there.
func checkLogCauses(c *db.Conn, episode int64, part *store.LogPart, fresh []store.LoggedEvent) error {
	const read = `SELECT n.key, e.started_at FROM edges l CROSS JOIN episodes e ON e.id = l.target JOIN nodes n ON n.id = e.id
		WHERE l.source = :id AND l.type = 'CAUSED_BY'`
	starts := map[string]time.Time{}
	err := c.Query(read, func(r *db.Row) error {
		starts[r.Text()] = r.AnyTime()
		return nil
	}, db.Arg("id", episode))
	return cmp.Or(err, linking.CheckLogCauses(part, fresh, starts))
}

// logOf finds the episode that a part is of, and how much there is of its log.
func logOf(c *db.Conn, part *store.LogPart, log *store.Log) (id int64, receipt memory.Receipt, err error) {
	const read = `SELECT e.id, e.input_hash, e.concluded, t.tokens_before, t.tokens_after, t.redactions,
			coalesce(l.events, 0), coalesce(l.bytes, 0), coalesce(l.last, -1),
			coalesce((SELECT v.type FROM events v WHERE v.episode = e.id AND v.seq = l.last), '')
		FROM nodes n JOIN episodes e ON e.id = n.id JOIN contents t ON t.episode = e.id LEFT JOIN logs l ON l.episode = e.id
		WHERE n.kind = 'episode' AND n.key = :key`
	var hash []byte
	found, err := c.One(read, func(r *db.Row) {
		id, hash, log.Concluded = r.Integer(), r.Blob(), r.Bool()
		receipt = memory.Receipt{TokensBefore: r.Int(), TokensAfter: r.Int(), Redactions: db.ListOf[memory.Redaction](r)}
		log.Events, log.Bytes, log.Last, log.LastType = r.Int(), r.Int(), r.Int(), r.Text()
	}, db.Arg("key", part.Episode))
	switch {
	case err != nil:
		return 0, receipt, err
	case !found:
		return 0, receipt, store.ErrNotFound
	case !bytes.Equal(hash, part.InputHash):
		return 0, receipt, store.ErrConflict
	}
	return id, receipt, nil
}

// knownEvents are those under the numbers of a part.
func knownEvents(c *db.Conn, episode int64, part []store.LoggedEvent) (map[int]memory.Event, error) {
	numbers := make([]int64, len(part))
	for i := range part {
		numbers[i] = int64(part[i].Sequence)
	}
	list := db.JSONOf(numbers)
	known := map[int]memory.Event{}
	find := `SELECT ` + eventColumns + ` FROM json_each(:numbers) w CROSS JOIN events ON episode = :episode AND seq = w.value`
	err := c.Query(find, func(r *db.Row) error {
		event := memory.Event{Sequence: r.Int()}
		eventScanner.Scan(&event, r)
		known[event.Sequence] = event
		return nil
	}, db.Arg("numbers", list), db.Arg("episode", episode))
	return known, err
}

// saveReceipt writes what the boundary did to an episode's texts.
func saveReceipt(c *db.Conn, episode int64, receipt memory.Receipt) error {
	redactions, err := db.EncodeList(receipt.Redactions)
	if err != nil {
		return err
	}
	const save = `UPDATE contents SET tokens_before = :before, tokens_after = :after, redactions = :redactions WHERE episode = :episode`
	return c.Exec(save, db.Arg("before", receipt.TokensBefore), db.Arg("after", receipt.TokensAfter), db.Arg("redactions", redactions), db.Arg("episode", episode))
}

// beginAsLogged checks that the log of an episode that came in parts is still as long as it was read, and lets the episode
// begin when that says.
func beginAsLogged(c *db.Conn, id int64, amendment *store.EpisodeAmendment) error {
	events := 0
	if _, err := c.One(`SELECT events FROM logs WHERE episode = :id`, func(r *db.Row) { events = r.Int() }, db.Arg("id", id)); err != nil {
		return err
	}
	if events != amendment.Logged {
		return store.ErrConflict
	}
	start := amendment.Episode.StartedAt
	if err := c.Exec(`UPDATE episodes SET started_at = :at WHERE id = :id`, db.Arg("at", start), db.Arg("id", id)); err != nil {
		return err
	}
	const links = `UPDATE edges SET at = :at WHERE source = :id AND type IN ('IN_SESSION', 'CAUSED_BY', 'INFORMED_BY', 'MENTIONS')`
	if err := c.Exec(links, db.Arg("at", start), db.Arg("id", id)); err != nil {
		return err
	}
	return c.Exec(`UPDATE edges SET at = :at WHERE target = :id AND type = 'RAN'`, db.Arg("at", start), db.Arg("id", id))
}

// restoreEvent takes back an event of a log that came in parts.
func restoreEvent(c *db.Conn, item *store.EventItem) (created bool, err error) {
	log, err := appendEvents(c, &store.LogPart{
		Episode: item.Episode, InputHash: item.InputHash, Events: []store.LoggedEvent{{Event: item.Event}}, Kept: true,
	})
	return log.Added > 0, err
}

// events hands over the logs that came in parts.
func (x *export) events() error {
	find := `SELECT n.key, e.input_hash, ` + eventColumns + ` FROM nodes n CROSS JOIN logs l ON l.episode = n.id
		JOIN episodes e ON e.id = n.id CROSS JOIN events ON events.episode = n.id WHERE n.kind = 'episode' ORDER BY n.key, seq`
	return x.stream(find, func(r *db.Row) (store.Item, error) {
		item := &store.EventItem{Episode: r.Key(memory.KindEpisode), InputHash: r.Hash()}
		r.OfEvent(item.Episode)
		item.Event = memory.Event{Sequence: r.Int()}
		eventScanner.Scan(&item.Event, r)
		return item, nil
	})
}
