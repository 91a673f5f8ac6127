package sqlite

import (
	"context"
	"errors"

	"mneme/memory"
	"mneme/store"
)

// RecordEpisodes writes a batch in one transaction.
func (t *Tenant) RecordEpisodes(ctx context.Context, records []store.EpisodeRecord) ([]store.Recorded, error) {
	return recordAll(ctx, t, records, recordEpisode, func(r *store.EpisodeRecord) string { return r.Episode.Key })
}

// recordAll writes the items of a batch in order. What is at fault with one is found before it changes
// anything, so the others go on.
func recordAll[T any](
	ctx context.Context, t *Tenant, records []T, record func(*conn, *T) (created bool, err error), key func(*T) string,
) ([]store.Recorded, error) {
	recorded := make([]store.Recorded, len(records))
	if len(records) == 0 {
		return recorded, nil
	}
	err := t.writeTogether(ctx, func(c *conn) error {
		for i := range records {
			if err := ctx.Err(); err != nil {
				return err
			}
			created, err := record(c, &records[i])
			if err != nil && !isItemFault(err) {
				return err
			}
			recorded[i] = store.Recorded{Key: key(&records[i]), Created: created, Err: err}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return recorded, nil
}

// isItemFault tells what is wrong with an item from the faults of the database.
func isItemFault(err error) bool {
	return errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrVectorLength) || errors.Is(err, store.ErrNotFound) ||
		errors.Is(err, store.ErrInvalid)
}

// recordEpisode writes an episode that is not there yet.
func recordEpisode(c *conn, record *store.EpisodeRecord) (created bool, err error) {
	e := &record.Episode
	if known, err := sameAsRecorded(c, memory.KindEpisode, e.Key, hashOfEpisode, record.InputHash, &record.Former); known || err != nil {
		return false, err
	}
	if err := checkVectorLength(c, e.Embedding); err != nil {
		return false, err
	}
	agent, err := ensureAgent(c, e.AgentKey, record.AgentName)
	if err != nil {
		return false, err
	}
	session, err := ensureSession(c, e.SessionKey)
	if err != nil {
		return false, err
	}
	id, err := addNode(c, memory.KindEpisode, e.Key)
	if err != nil {
		return false, err
	}
	for _, step := range []func() error{
		func() error { return insertEpisode(c, id, agent, session, record) },
		func() error { return insertContents(c, id, e) },
		func() error { return addWords(c, id, episodeWordsOf(e)) },
		func() error { return saveEmbedding(c, id, e.Embedding) },
		func() error { return insertEvents(c, id, record.Events) },
		func() error { return linkEpisode(c, id, agent, session, record) },
		func() error { return linkWaiting(c, id, e) },
		func() error { return countEpisode(c, id) },
	} {
		if err := step(); err != nil {
			return false, err
		}
	}
	return true, nil
}

const (
	hashOfEpisode  = `SELECT e.input_hash FROM nodes n LEFT JOIN episodes e ON e.id = n.id WHERE n.kind = :kind AND n.key = :key`
	hashOfFeedback = `SELECT f.input_hash FROM nodes n LEFT JOIN feedback f ON f.id = n.id WHERE n.kind = :kind AND n.key = :key`
)

// sameAsRecorded says whether a record is there already, with ErrConflict where it has other content.
func sameAsRecorded(c *conn, kind memory.Kind, key, sql string, hash []byte, former *store.Former) (known bool, err error) {
	var recorded []byte
	known, err = c.one(sql, func(r *row) { recorded = r.blob() }, arg("kind", string(kind)), arg("key", key))
	if err == nil && known && !store.SameInput(recorded, hash, former) {
		err = store.ErrConflict
	}
	return known, err
}

func insertEpisode(c *conn, id, agent, session int64, record *store.EpisodeRecord) error {
	return c.put(insertingEpisode, episodeFields(&record.Episode), arg("id", id), arg("agent", agent), arg("session", idOrNull(session)),
		arg("input_hash", blob(record.InputHash)))
}

func insertContents(c *conn, id int64, e *memory.Episode) error {
	return c.put(insertingContents, contentFields(e), arg("episode", id))
}

// episodeWordsOf are the words of an episode that is at hand.
func episodeWordsOf(e *memory.Episode) indexed {
	result := ""
	if e.Result != nil {
		result = *e.Result
	}
	return analyse(memory.KindEpisode, e.Title, e.Observation, result, e.Insight)
}

func insertEvents(c *conn, id int64, events []memory.Event) error {
	for seq := range events {
		if err := c.put(insertingEvent, eventFields(&events[seq]), arg("episode", id), arg("seq", seq)); err != nil {
			return err
		}
	}
	return nil
}

// blob is bytes as a parameter that is never null.
func blob(b []byte) []byte {
	if b == nil {
		return []byte{}
	}
	return b
}
