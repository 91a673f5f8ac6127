package sqlite

import (
	"bytes"
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/passages"
)

// AppendEvents adds a part to the log of an episode.
func (t *Tenant) AppendEvents(ctx context.Context, part store.LogPart) (store.Log, error) {
	return answer(ctx, t.file.Write, func(tx *db.Tx) (store.Log, error) { return appendEvents(tx, &part) })
}

func appendEvents(tx *db.Tx, part *store.LogPart) (log store.Log, err error) {
	id, before, err := logOf(tx, part, &log)
	if err != nil {
		return store.Log{}, err
	}
	fresh, receipt, err := linking.Append(&log, knownEvents(tx, id, part.Events), part)
	if err != nil || len(fresh) == 0 {
		return log, err
	}
	if err := linking.CheckLogCauses(part, fresh, startsOfCauses(tx, id)); err != nil {
		return store.Log{}, err
	}
	events := make([]memory.Event, len(fresh))
	for i := range fresh {
		event := &fresh[i].Event
		events[i] = *event
		tx.Put(insertingEvent, fields.Event(event), db.Arg("episode", id), db.Arg("seq", event.Sequence))
	}
	const count = `INSERT INTO logs (episode, events, bytes, last) VALUES (:episode, :events, :bytes, :last)
		ON CONFLICT DO UPDATE SET events = excluded.events, bytes = excluded.bytes, last = excluded.last`
	tx.Exec(count, db.Arg("episode", id), db.Arg("events", log.Events), db.Arg("bytes", log.Bytes), db.Arg("last", log.Last))
	passages.Append(tx, id, events)
	if !part.Kept { // whose receipt was kept with it
		saveReceipt(tx, id, before.Plus(receipt))
	}
	return log, nil
}

// startsOfCauses is when the causes of an episode began that are there.
func startsOfCauses(tx *db.Tx, episode int64) map[string]time.Time {
	const read = `SELECT n.key, e.started_at FROM edges l CROSS JOIN episodes e ON e.id = l.target JOIN nodes n ON n.id = e.id
		WHERE l.source = :id AND l.type = 'CAUSED_BY'`
	starts := map[string]time.Time{}
	tx.Each(read, func(r *db.Row) { starts[r.Text()] = r.AnyTime() }, db.Arg("id", episode))
	return starts
}

// logOf finds the episode that a part is of, and how much there is of its log.
func logOf(tx *db.Tx, part *store.LogPart, log *store.Log) (id int64, receipt memory.Receipt, err error) {
	const read = `SELECT e.id, e.input_hash, e.concluded, t.tokens_before, t.tokens_after, t.redactions,
			coalesce(l.events, 0), coalesce(l.bytes, 0), coalesce(l.last, -1),
			coalesce((SELECT v.type FROM events v WHERE v.episode = e.id AND v.seq = l.last), '')
		FROM nodes n JOIN episodes e ON e.id = n.id JOIN contents t ON t.episode = e.id LEFT JOIN logs l ON l.episode = e.id
		WHERE n.kind = 'episode' AND n.key = :key`
	var hash []byte
	found := tx.One(read, func(r *db.Row) {
		id, hash, log.Concluded = r.Integer(), r.Blob(), r.Bool()
		receipt = memory.Receipt{TokensBefore: r.Int(), TokensAfter: r.Int(), Redactions: db.ListOf[memory.Redaction](r)}
		log.Events, log.Bytes, log.Last, log.LastType = r.Int(), r.Int(), r.Int(), r.Text()
	}, db.Arg("key", part.Episode))
	switch {
	case !found:
		return 0, receipt, store.ErrNotFound
	case !bytes.Equal(hash, part.InputHash):
		return 0, receipt, store.ErrConflict
	}
	return id, receipt, nil
}

// knownEvents are those under the numbers of a part.
func knownEvents(tx *db.Tx, episode int64, part []store.LoggedEvent) map[int]memory.Event {
	numbers := make([]int64, len(part))
	for i := range part {
		numbers[i] = int64(part[i].Sequence)
	}
	known := map[int]memory.Event{}
	find := `SELECT ` + eventColumns + ` FROM json_each(:numbers) w CROSS JOIN events ON episode = :episode AND seq = w.value`
	tx.Each(find, func(r *db.Row) {
		event := memory.Event{Sequence: r.Int()}
		eventScanner.Scan(&event, r)
		known[event.Sequence] = event
	}, db.List("numbers", numbers), db.Arg("episode", episode))
	return known
}

// saveReceipt writes what the boundary did to an episode's texts.
func saveReceipt(tx *db.Tx, episode int64, receipt memory.Receipt) {
	tx.Put(savingReceipt, fields.Receipt(&receipt), db.Arg("episode", episode))
}

var savingReceipt = db.Updating("contents", fields.Receipt(&memory.Receipt{}), `episode = :episode`)

// checkLogged is store.ErrConflict where the log of an episode in parts is no longer as long as it was when read.
func checkLogged(tx *db.Tx, id int64, read int) error {
	const same = `SELECT 1 FROM logs WHERE episode = :id AND events = :read`
	if read > 0 && !tx.Has(same, db.Arg("id", id), db.Arg("read", read)) {
		return store.ErrConflict
	}
	return nil
}

// beginAsLogged lets an episode begin when its log says.
func beginAsLogged(tx *db.Tx, id int64, start time.Time) {
	for _, sql := range []string{
		`UPDATE episodes SET started_at = :at WHERE id = :id`,
		`UPDATE edges SET at = :at WHERE source = :id AND type IN ('IN_SESSION', 'CAUSED_BY', 'INFORMED_BY', 'MENTIONS')`,
		`UPDATE edges SET at = :at WHERE target = :id AND type = 'RAN'`,
	} {
		tx.Exec(sql, db.Arg("at", start), db.Arg("id", id))
	}
}

// restoreEvent takes back an event of a log that came in parts.
func restoreEvent(tx *db.Tx, item *store.EventItem) (created bool, err error) {
	log, err := appendEvents(tx, &store.LogPart{
		Episode: item.Episode, InputHash: item.InputHash, Events: []store.LoggedEvent{{Event: item.Event}}, Kept: true,
	})
	return log.Added > 0, err
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
