package sqlite

import (
	"bytes"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/profiles"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
	"mneme/store/sqlite/passages"
)

// recordNewEpisode is recordEpisode for what a client says now, and no export did before.
func recordNewEpisode(tx *db.Tx, record *store.EpisodeRecord) (created bool, err error) {
	scope := linking.NewScope()
	scope.Episodes.Add(record.CausedBy...)
	known, err := linkerOf(tx).Lock(scope)
	tx.Fail(err)
	if fault := known.CheckCauses(record); fault != nil && graph.NodeID(tx, memory.KindEpisode, record.Episode.Key) == 0 {
		return false, fault
	}
	return recordEpisode(tx, record)
}

// recordEpisode writes an episode that is not there yet.
func recordEpisode(tx *db.Tx, record *store.EpisodeRecord) (created bool, err error) {
	e := &record.Episode
	if known, err := sameAsRecorded(tx, memory.KindEpisode, e.Key, record.InputHash); known || err != nil {
		return false, err
	}
	if err := graph.CheckVectorLength(tx, e.Embedding); err != nil {
		return false, err
	}
	agent, session := graph.EnsureAgent(tx, e.AgentKey, record.AgentName), graph.EnsureSession(tx, e.SessionKey)
	id := graph.AddNode(tx, memory.KindEpisode, e.Key)
	tx.Put(insertingEpisode, slices.Concat(fields.Episode(e), fields.Ending(e)), db.Arg("id", id), db.Arg("agent", agent), db.Arg("session", graph.IDOrNull(session)),
		db.Arg("input_hash", record.InputHash))
	tx.Put(insertingContents, fields.Contents(e), db.Arg("episode", id))
	graph.SaveEmbedding(tx, id, e.Embedding)
	insertEvents(tx, id, record.Events)
	passages.Index(tx, memory.KindEpisode, id)
	graph.AddEdge(tx, agent, graph.EdgeRan, id, e.StartedAt)
	graph.JoinSession(tx, id, session, e.StartedAt)
	linkEpisode(tx, id, record)
	graph.Notice(tx, memory.KindEpisode, id)
	learning.Count(tx, profiles.Of(e)...)
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
func sameAsRecorded(tx *db.Tx, kind memory.Kind, key string, hash []byte) (known bool, err error) {
	var recorded []byte
	known = tx.One(hashOf[kind], func(r *db.Row) { recorded = r.Blob() }, db.Arg("kind", string(kind)), db.Arg("key", key))
	if known && !bytes.Equal(recorded, hash) {
		err = store.ErrConflict
	}
	return known, err
}

func insertEvents(tx *db.Tx, id int64, events []memory.Event) {
	for seq := range events {
		tx.Put(insertingEvent, fields.Event(&events[seq]), db.Arg("episode", id), db.Arg("seq", seq))
	}
}

// linkEpisode links a new episode with what it names, and with what has been waiting for it.
func linkEpisode(tx *db.Tx, id int64, record *store.EpisodeRecord) {
	const cover = `INSERT INTO episode_executions (key, episode) VALUES (:key, :episode) ON CONFLICT DO NOTHING`
	for _, execution := range record.ExecutionIDs {
		tx.Exec(cover, db.Arg("key", execution), db.Arg("episode", id))
	}
	l, scope := linkerOf(tx), linking.NewScope()
	l.ids[memory.NodeID(memory.KindEpisode, record.Episode.Key)] = id
	scope.Episodes.Add(slices.Concat(record.CausedBy, record.InformedBy)...)
	known, err := l.Lock(scope)
	tx.Fail(err)
	one := []*store.EpisodeRecord{record}
	tx.Fail(linking.LinkEpisodes(l, one, known, func(key string) bool { return l.id(memory.KindConcept, key) != 0 }))
	tx.Fail(linking.EpisodesArrived(l, one, decidedBy(tx, &record.Episode)))
}
