package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
	"mneme/store/sqlite/passages"
)

// RecordEpisodes writes a batch in one transaction.
func (t *Tenant) RecordEpisodes(ctx context.Context, records []store.EpisodeRecord) ([]store.Recorded, error) {
	return recordAll(ctx, t, records, recordNewEpisode, func(r *store.EpisodeRecord) string { return r.Episode.Key })
}

// recordAll writes the items of a batch in order. What is at fault with one is found before it changes
// anything, so the others go on.
func recordAll[T any](
	ctx context.Context, t *Tenant, records []T, record func(*db.Conn, *T) (created bool, err error), key func(*T) string,
) ([]store.Recorded, error) {
	recorded := make([]store.Recorded, len(records))
	if len(records) == 0 {
		return recorded, nil
	}
	err := t.writeTogether(ctx, func(c *db.Conn) error {
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
	return recorded, err
}

// isItemFault tells what is wrong with an item from the faults of the database.
func isItemFault(err error) bool {
	if _, is := errors.AsType[*memory.Error](err); is {
		return true
	}
	return errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrVectorLength) || errors.Is(err, store.ErrNotFound) ||
		errors.Is(err, store.ErrInvalid)
}

// recordNewEpisode is recordEpisode for what a client says now, and no export did before.
func recordNewEpisode(c *db.Conn, record *store.EpisodeRecord) (created bool, err error) {
	starts, err := startsOf(c, record.CausedBy)
	if err != nil {
		return false, err
	}
	if fault := linking.CheckCauses(record, starts); fault != nil {
		known, err := graph.NodeID(c, memory.KindEpisode, record.Episode.Key)
		if known == 0 {
			return false, cmp.Or(err, fault)
		}
	}
	return recordEpisode(c, record)
}

// startsOf is when episodes began, of those that are there.
func startsOf(c *db.Conn, keys []string) (map[string]time.Time, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	list := db.JSONOf(keys)
	const read = `SELECT n.key, e.started_at FROM json_each(:keys) w CROSS JOIN nodes n ON n.kind = 'episode' AND n.key = w.value
		JOIN episodes e ON e.id = n.id`
	starts := make(map[string]time.Time, len(keys))
	err := c.Query(read, func(r *db.Row) error {
		starts[r.Text()] = r.AnyTime()
		return nil
	}, db.Arg("keys", list))
	return starts, err
}

// recordEpisode writes an episode that is not there yet.
func recordEpisode(c *db.Conn, record *store.EpisodeRecord) (created bool, err error) {
	e := &record.Episode
	if known, err := sameAsRecorded(c, memory.KindEpisode, e.Key, record.InputHash); known || err != nil {
		return false, err
	}
	if err := graph.CheckVectorLength(c, e.Embedding); err != nil {
		return false, err
	}
	agent, err := graph.EnsureAgent(c, e.AgentKey, record.AgentName)
	if err != nil {
		return false, err
	}
	session, err := graph.EnsureSession(c, e.SessionKey)
	if err != nil {
		return false, err
	}
	id, err := graph.AddNode(c, memory.KindEpisode, e.Key)
	if err != nil {
		return false, err
	}
	for _, step := range []func() error{
		func() error { return insertEpisode(c, id, agent, session, record) },
		func() error { return insertContents(c, id, e) },
		func() error { return graph.SaveEmbedding(c, id, e.Embedding) },
		func() error { return insertEvents(c, id, record.Events) },
		func() error { return passages.Index(c, memory.KindEpisode, id) },
		func() error { return linkEpisode(c, id, agent, session, record) },
		func() error { return graph.LinkWaiting(c, id, e) },
		func() error { return graph.Notice(c, memory.KindEpisode, id) },
		func() error { return learning.CountEpisode(c, id) },
	} {
		if err := step(); err != nil {
			return false, err
		}
	}
	return true, nil
}

// hashOf reads the hash of the input of a record, by its kind.
var hashOf = func() map[memory.Kind]string {
	statements := map[memory.Kind]string{}
	for kind, tables := range recordTables {
		statements[kind] = `SELECT x.input_hash FROM nodes n LEFT JOIN ` + tables[0] + ` x ON x.id = n.id WHERE n.kind = :kind AND n.key = :key`
	}
	return statements
}()

// sameAsRecorded says whether a record is there already, with ErrConflict where it has other content.
func sameAsRecorded(c *db.Conn, kind memory.Kind, key string, hash []byte) (known bool, err error) {
	var recorded []byte
	known, err = c.One(hashOf[kind], func(r *db.Row) { recorded = r.Blob() }, db.Arg("kind", string(kind)), db.Arg("key", key))
	if err == nil && known && !bytes.Equal(recorded, hash) {
		err = store.ErrConflict
	}
	return known, err
}

func insertEpisode(c *db.Conn, id, agent, session int64, record *store.EpisodeRecord) error {
	return c.Put(insertingEpisode, episodeFields(&record.Episode), db.Arg("id", id), db.Arg("agent", agent), db.Arg("session", graph.IDOrNull(session)),
		db.Arg("input_hash", db.Bytes(record.InputHash)))
}

func insertContents(c *db.Conn, id int64, e *memory.Episode) error {
	return c.Put(insertingContents, contentFields(e), db.Arg("episode", id))
}

func insertEvents(c *db.Conn, id int64, events []memory.Event) error {
	for seq := range events {
		if err := c.Put(insertingEvent, eventFields(&events[seq]), db.Arg("episode", id), db.Arg("seq", seq)); err != nil {
			return err
		}
	}
	return nil
}

// linkEpisode links a new episode with what it names.
func linkEpisode(c *db.Conn, id, agent, session int64, record *store.EpisodeRecord) error {
	e := &record.Episode
	if err := graph.AddEdge(c, agent, graph.EdgeRan, id, e.StartedAt); err != nil {
		return err
	}
	if session != 0 {
		if err := graph.AddEdge(c, id, graph.EdgeInSession, session, e.StartedAt); err != nil {
			return err
		}
	}
	const cover = `INSERT INTO episode_executions (key, episode) VALUES (:key, :episode) ON CONFLICT DO NOTHING`
	for _, execution := range e.ExecutionIDs {
		if err := c.Exec(cover, db.Arg("key", execution), db.Arg("episode", id)); err != nil {
			return err
		}
	}
	for _, key := range record.CausedBy {
		if err := linkNamed(c, id, graph.EdgeCausedBy, memory.KindEpisode, key, e.StartedAt); err != nil {
			return err
		}
	}
	for _, key := range record.InformedBy {
		if err := linkNamed(c, id, graph.EdgeInformedBy, memory.KindEpisode, key, e.StartedAt); err != nil {
			return err
		}
	}
	for _, key := range record.Mentions {
		if err := linkNamed(c, id, graph.EdgeMentions, memory.KindConcept, key, e.StartedAt); err != nil {
			return err
		}
	}
	return nil
}

// linkNamed links a node with a record that it names, or lets it wait for it.
func linkNamed(c *db.Conn, id int64, edge string, kind memory.Kind, key string, at time.Time) error {
	named, err := graph.NodeID(c, kind, key)
	if err != nil {
		return err
	}
	if named == 0 && edge == graph.EdgeInformedBy {
		kind = linking.Informed
	}
	if named == 0 {
		return graph.Wait(c, kind, key, id)
	}
	return graph.AddEdge(c, id, edge, named, at)
}
