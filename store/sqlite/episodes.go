package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

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
	tx.Fail(linking.EpisodesArrived(l, one, affectedBy(tx, &record.Episode)))
}

// AmendEpisode replaces what an episode says.
func (t *Tenant) AmendEpisode(ctx context.Context, amendment store.EpisodeAmendment) error {
	return t.file.Write(ctx, func(tx *db.Tx) error { return amend(tx, &amendment) })
}

func amend(tx *db.Tx, amendment *store.EpisodeAmendment) error {
	id, err := checkAmendment(tx, amendment)
	if err != nil {
		return err
	}
	redecide(tx, amendment.Episode.Key, func() {
		if amendment.Logged > 0 {
			beginAsLogged(tx, id, amendment.Episode.StartedAt)
		}
		tx.Put(amendEnding, fields.Ending(&amendment.Episode), db.Arg("id", id), db.Arg("input_hash", amendment.InputHash))
	})
	tx.Exec(`DELETE FROM contents WHERE episode = :id`, db.Arg("id", id))
	tx.Put(insertingContents, fields.Contents(&amendment.Episode), db.Arg("episode", id))
	if amendment.Logged == 0 { // else the log came in parts, and stays
		tx.Exec(`DELETE FROM events WHERE episode = :id`, db.Arg("id", id))
		insertEvents(tx, id, amendment.Events)
	}
	graph.SaveEmbedding(tx, id, amendment.Episode.Embedding)
	passages.Index(tx, memory.KindEpisode, id)
	if !amendment.WasConcluded && amendment.Episode.Concluded { // else counted already, or not to be counted yet
		learning.CountEpisodes(tx, []int64{id})
	}
	return nil
}

// redecide changes an episode whose place in its session may become another.
func redecide(tx *db.Tx, episode string, change func()) {
	tx.Fail(linking.Reassign(linkerOf(tx), episode, func() error {
		change()
		return tx.Err()
	}))
}

// checkAmendment answers the id of an episode that is still as its amender saw it, and takes over into the
// amendment what stays.
func checkAmendment(tx *db.Tx, amendment *store.EpisodeAmendment) (id int64, err error) {
	var hash []byte
	var was memory.Episode
	e := &amendment.Episode
	read := `SELECT e.id, e.input_hash, e.started_at, t.execution_ids, ` + endingColumns + `
		FROM nodes n JOIN episodes e ON e.id = n.id JOIN contents t ON t.episode = e.id WHERE n.kind = :kind AND n.key = :key`
	found := tx.One(read, func(r *db.Row) {
		id, hash, was.StartedAt, was.ExecutionIDs = r.Integer(), r.Blob(), r.Time(), db.ListOf[string](r)
		endingScanner.Scan(&was, r)
	}, db.Arg("kind", string(memory.KindEpisode)), db.Arg("key", e.Key))
	switch {
	case !found:
		return 0, store.ErrNotFound
	case !bytes.Equal(hash, amendment.WasHash) || was.Concluded != amendment.WasConcluded:
		return 0, store.ErrConflict
	case e.EndedAt != nil && e.EndedAt.Before(amendment.Start(was.StartedAt)):
		return 0, store.ErrInvalid
	}
	e.ExecutionIDs = was.ExecutionIDs
	if was.Concluded {
		e.EndAs(&was)
	}
	return id, cmp.Or(checkLogged(tx, id, amendment.Logged), graph.CheckVectorLength(tx, e.Embedding))
}

var (
	endingColumns = db.Selected("e", fields.Ending(&memory.Episode{}))
	endingScanner = db.ScannerOf(fields.Ending)
	amendEnding   = db.Updating("episodes", fields.Ending(&memory.Episode{}), `id = :id`,
		`concluded_later = iif(concluded, concluded_later, :concluded)`, `input_hash = :input_hash`)
	concludeEnding = db.Filling("episodes", fields.Ending(&memory.Episode{}), `id = :id`, `concluded_later = 1`)
)

// ConcludeEpisode sets the outcome of an episode, once.
func (t *Tenant) ConcludeEpisode(ctx context.Context, conclusion store.EpisodeConclusion) error {
	return t.file.Write(ctx, func(tx *db.Tx) error {
		id, err := checkConclusion(tx, &conclusion)
		if err != nil {
			return err
		}
		redecide(tx, conclusion.Key, func() { updateConcluded(tx, id, &conclusion) })
		graph.SaveEmbedding(tx, id, conclusion.Embedding)
		passages.Index(tx, memory.KindEpisode, id)
		learning.CountEpisodes(tx, []int64{id})
		return nil
	})
}

// checkConclusion answers the id of an episode that may be concluded so.
func checkConclusion(tx *db.Tx, conclusion *store.EpisodeConclusion) (id int64, err error) {
	var concluded bool
	var startedAt time.Time
	var was memory.Receipt
	const read = `SELECT e.id, e.concluded, e.started_at, t.tokens_before, t.tokens_after FROM nodes n JOIN episodes e ON e.id = n.id
		JOIN contents t ON t.episode = e.id WHERE n.kind = :kind AND n.key = :key`
	found := tx.One(read, func(r *db.Row) {
		id, concluded, startedAt, was.TokensBefore, was.TokensAfter = r.Integer(), r.Bool(), r.Time(), r.Int(), r.Int()
	}, db.Arg("kind", string(memory.KindEpisode)), db.Arg("key", conclusion.Key))
	switch {
	case !found:
		return 0, store.ErrNotFound
	case concluded, was.TokensBefore != conclusion.Was.TokensBefore, was.TokensAfter != conclusion.Was.TokensAfter:
		return 0, store.ErrConflict
	case conclusion.EndedAt != nil && conclusion.EndedAt.Before(startedAt):
		return 0, store.ErrInvalid
	}
	return id, graph.CheckVectorLength(tx, conclusion.Embedding)
}

func updateConcluded(tx *db.Tx, id int64, conclusion *store.EpisodeConclusion) {
	tx.Put(concludeEnding, fields.Ending(conclusion.Ending()), db.Arg("id", id))
	var segments *string
	if conclusion.Segments != nil {
		text, err := fields.EncodeList(conclusion.Segments)
		tx.Fail(err)
		segments = &text
	}
	const say = `UPDATE contents SET result = coalesce(:result, result), insight = coalesce(:insight, insight),
		segments = coalesce(:segments, segments) WHERE episode = :id`
	tx.Exec(say, db.Arg("id", id), db.Arg("result", conclusion.Result), db.Arg("insight", conclusion.Insight), db.Arg("segments", segments))
	saveReceipt(tx, id, conclusion.Was.Plus(conclusion.Receipt))
}

// wholeEpisodes reads episodes with their whole logs.
func (t *Tenant) wholeEpisodes(ctx context.Context, keys []string) ([]*store.WholeEpisode, error) {
	var damage store.Damage
	found, err := answer(store.WithDamage(ctx, damage.Note), t.file.Snapshot, func(c *db.Conn) (found []*store.WholeEpisode, err error) {
		for i := 0; i < len(keys) && err == nil; i++ {
			var episode *store.WholeEpisode
			episode, err = wholeEpisode(ctx, c, keys[i])
			found = append(found, episode)
		}
		return found, err
	})
	if damaged := damage.Found(); err == nil && len(damaged) > 0 {
		err = damaged[0]
	}
	return found, err
}

func wholeEpisode(ctx context.Context, c *db.Conn, key string) (*store.WholeEpisode, error) {
	const hash = `SELECT e.input_hash, EXISTS (SELECT 1 FROM logs l WHERE l.episode = e.id) FROM nodes n LEFT JOIN episodes e ON e.id = n.id WHERE n.kind = 'episode' AND n.key = :key`
	log := `SELECT ` + eventColumns + ` FROM events WHERE ` + inEpisode + ` ORDER BY seq`
	var found store.WholeEpisode
	there, err := c.One(hash, func(r *db.Row) { found.InputHash, found.Parts = r.Blob(), r.Bool() }, db.Arg("key", key))
	if err != nil || !there {
		return nil, err
	}
	episodes, err := queryEpisodes(c, &store.EpisodesByKey{Keys: []string{key}})
	if err != nil {
		return nil, err
	}
	if len(episodes) > 0 {
		found.Episode = episodes[0]
	} else {
		store.NoteDamage(c.Reads, gone(memory.KindEpisode, key))
	}
	found.Events, err = db.AllWithin(ctx, c, log, func(r *db.Row) memory.Event { return readEvent(r, key) }, db.Arg("episode", key))
	return &found, err
}
