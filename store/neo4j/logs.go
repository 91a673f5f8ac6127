package neo4j

import (
	"bytes"
	"context"
	"errors"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/passages"
)

// AppendEvents adds a part to the log of an episode; see store.EpisodeWriter. Events that come so are nodes of their
// own, which no link ties to the episode: it would become a hub.
func (s *tenantStore) AppendEvents(ctx context.Context, part store.LogPart) (log store.Log, err error) {
	err = s.write(ctx, func(t *transaction) (err error) {
		log, _, err = t.appendEvents(&part)
		return err
	})
	return log, err
}

// appendEvents gives the events that are new, too.
func (t *transaction) appendEvents(part *store.LogPart) (store.Log, []store.LoggedEvent, error) {
	numbers := make([]int, len(part.Events))
	for i := range part.Events {
		numbers[i] = part.Events[i].Sequence
	}
	said := passages.OfEvents(part.Events, nil)
	texts := memory.Mapped(said.Said, func(p memory.Passage) string { return p.Text })
	values := cypher.Parameters{"key": part.Episode, "numbers": numbers, "texts": texts}
	opened, err := bolt.FirstOf(t.Transaction, cypher.Named("open_log"), values, func(row *bolt.Fields) *openLog { return decodeOpenLog(row, part.Episode) })
	switch {
	case err != nil:
		return store.Log{}, nil, err
	case opened == nil:
		return store.Log{}, nil, store.ErrNotFound
	case !bytes.Equal(opened.hash, part.InputHash):
		return store.Log{}, nil, store.ErrConflict
	}
	log := opened.log
	fresh, receipt, err := linking.Append(&log, opened.known, part)
	if err != nil || len(fresh) == 0 {
		return log, nil, err
	}
	if err := linking.CheckLogCauses(part, fresh, opened.causes); err != nil {
		return store.Log{}, nil, err
	}
	properties := cypher.Parameters{"logEvents": log.Events, "logBytes": log.Bytes, "logLast": log.Last}
	if !part.Kept { // whose receipt was kept with it
		sum := opened.receipt.Plus(receipt)
		bolt.Encode(properties, fields.Receipt(&sum))
	}
	rows := make([]cypher.Parameters, len(fresh))
	for i := range fresh {
		rows[i] = bolt.Encode(cypher.Parameters{"sequence": fresh[i].Sequence}, fields.Event(&fresh[i].Event))
	}
	values = cypher.Parameters{"key": part.Episode, "properties": properties, "rows": rows}
	passages.Adding(values, passages.OfEvents(fresh, opened.said), opened.passages, t.store.making())
	return log, fresh, t.Run(cypher.Named("append_events"), values, nil)
}

// openLog is what is known of a log that is locked.
type openLog struct {
	log      store.Log
	hash     []byte
	said     map[string]any   // by which its episode's passages are found
	passages []map[string]any // those that there are, with their texts where the part says the same
	receipt  memory.Receipt
	known    map[int]memory.Event
	causes   map[string]time.Time // when the causes of its episode began, where its first event is asked for
}

func decodeOpenLog(f *bolt.Fields, episode string) *openLog {
	f.Of(memory.KindEpisode, episode)
	open := &openLog{
		said: bolt.In(f, "said", bolt.Whole), passages: bolt.List[map[string]any](f, "passages"),
		log: store.Log{
			Events: f.Integer("events"), Bytes: f.Integer("bytes"), Last: f.Integer("last"), LastType: f.Text("lastType"),
			Concluded: bolt.Required[bool](f, "concluded"),
		},
		hash: hashOf(f, "hash"), known: map[int]memory.Event{}, causes: f.Times("causes"),
	}
	f.Scan(fields.Receipt(&open.receipt))
	for _, event := range bolt.All(f, "known", func(f *bolt.Fields) memory.Event { return loggedEventOf(f, episode) }) {
		open.known[event.Sequence] = event
	}
	return open
}

// loggedEventOf reads an event of a log that came in parts.
func loggedEventOf(f *bolt.Fields, episode string) memory.Event {
	f.OfEvent(episode)
	return memory.Event{Sequence: f.Integer("sequence"), Type: f.Text("type"), Data: f.JSON("data"), At: f.Instant("at")}
}

// restoreEvents takes back events of logs that came in parts: those of a log together, and one by one where some of
// them are refused.
func (t *transaction) restoreEvents(items []*store.EventItem) ([]store.Recorded, error) {
	recorded := make([]store.Recorded, 0, len(items))
	for len(items) > 0 {
		end := 1
		for end < len(items) && items[end].Episode == items[0].Episode && bytes.Equal(items[end].InputHash, items[0].InputHash) {
			end++
		}
		created, err := t.restoreLog(items[:end])
		if end > 1 && refused(err) {
			end = 1
			created, err = t.restoreLog(items[:end])
		}
		if err != nil && !refused(err) {
			return nil, err
		}
		for _, item := range items[:end] {
			recorded = append(recorded, store.Recorded{Created: created[item.Sequence], Err: err})
		}
		items = items[end:]
	}
	return recorded, nil
}

// restoreLog takes back events of one log, and tells the numbers of those that are new.
func (t *transaction) restoreLog(items []*store.EventItem) (created map[int]bool, err error) {
	part := store.LogPart{Episode: items[0].Episode, InputHash: items[0].InputHash, Kept: true}
	for _, item := range items {
		part.Events = append(part.Events, store.LoggedEvent{Event: item.Event})
	}
	_, fresh, err := t.appendEvents(&part)
	created = make(map[int]bool, len(fresh))
	for i := range fresh {
		created[fresh[i].Sequence] = true
	}
	return created, err
}

// refused tells what is wrong with events from the faults of the database.
func refused(err error) bool {
	return errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNotFound) || errors.Is(err, store.ErrInvalid)
}

// readEvent reads a row of the statement export_events.
func readEvent(f *bolt.Fields) store.Item {
	item := &store.EventItem{Episode: f.Text("afterEpisode")}
	f.Of(memory.KindEpisode, item.Episode)
	item.InputHash = hashOf(f, "inputHash")
	item.Event = loggedEventOf(f, item.Episode)
	return item
}
