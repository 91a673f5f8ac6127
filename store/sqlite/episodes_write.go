package sqlite

import (
	"context"
	"errors"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
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

// linkEpisode links a new episode with what it names.
func linkEpisode(c *conn, id, agent, session int64, record *store.EpisodeRecord) error {
	e := &record.Episode
	if err := addEdge(c, agent, edgeRan, id, e.StartedAt); err != nil {
		return err
	}
	if session != 0 {
		if err := addEdge(c, id, edgeInSession, session, e.StartedAt); err != nil {
			return err
		}
	}
	const cover = `INSERT INTO episode_executions (key, episode) VALUES (:key, :episode) ON CONFLICT DO NOTHING`
	for _, execution := range e.ExecutionIDs {
		if err := c.exec(cover, arg("key", execution), arg("episode", id)); err != nil {
			return err
		}
	}
	for _, key := range record.CausedBy {
		if err := linkNamed(c, id, edgeCausedBy, memory.KindEpisode, key, e.StartedAt); err != nil {
			return err
		}
	}
	for _, key := range record.Mentions {
		if err := linkNamed(c, id, edgeMentions, memory.KindConcept, key, e.StartedAt); err != nil {
			return err
		}
	}
	return nil
}

// linkNamed links a node with a record that it names, or lets it wait for it.
func linkNamed(c *conn, id int64, edge string, kind memory.Kind, key string, at time.Time) error {
	named, err := nodeID(c, kind, key)
	if err != nil {
		return err
	}
	if named == 0 {
		return wait(c, kind, key, id)
	}
	return addEdge(c, id, edge, named, at)
}

// linkWaiting links a new episode with what has been waiting for it.
func linkWaiting(c *conn, id int64, e *memory.Episode) error {
	for _, awaited := range linking.Episode(e) {
		link := linkWaitingFor
		if awaited.Kind == linking.Session {
			link = func(c *conn, _ memory.Kind, session string, id int64) error {
				return linkWaitingInSession(c, session, linking.Since(e.StartedAt), id)
			}
		}
		if err := link(c, awaited.Kind, awaited.Key, id); err != nil {
			return err
		}
	}
	return nil
}

// linkWaitingInSession gives the episode what it takes of that which waits in its session.
func linkWaitingInSession(c *conn, session string, since time.Time, id int64) error {
	waiting, err := inSession(c, session, since)
	if err != nil {
		return err
	}
	for _, w := range waiting {
		near, err := near(c, session, w.at)
		if err != nil {
			return err
		}
		if picked := linking.PickArrived(w.at, near); picked == nil || picked.ID != id {
			continue
		}
		if err := assignEpisode(c, w.waiter, id); err != nil {
			return err
		}
	}
	return nil
}

// linkWaitingFor links those that named the episode, or an execution of it.
func linkWaitingFor(c *conn, kind memory.Kind, key string, id int64) error {
	waiters, err := waitersFor(c, kind, key)
	if err != nil || len(waiters) == 0 {
		return err
	}
	for _, w := range waiters {
		switch w.kind {
		case memory.KindCanvas:
			err = moveCanvas(c, w.node, id)
		case memory.KindFeedback:
			err = moveFeedback(c, w.node, id)
		case memory.KindEpisode:
			err = addEffect(c, w.node, id)
		}
		if err != nil {
			return err
		}
	}
	return endWait(c, kind, key)
}

// addEffect links an episode with a cause that came after it.
func addEffect(c *conn, effect, cause int64) error {
	startedAt, err := startOf(c, effect)
	if err != nil {
		return err
	}
	return addEdge(c, effect, edgeCausedBy, cause, startedAt)
}

// startOf is when an episode started.
func startOf(c *conn, episode int64) (startedAt time.Time, err error) {
	const read = `SELECT started_at FROM episodes WHERE id = :id`
	_, err = c.one(read, func(r *row) { startedAt = r.anyTime() }, arg("id", episode))
	return startedAt, err
}
