package sqlite

import (
	"bytes"
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
	"mneme/store/sqlite/passages"
)

// AmendEpisode replaces what an episode says.
func (t *Tenant) AmendEpisode(ctx context.Context, amendment store.EpisodeAmendment) error {
	return t.file.Write(ctx, func(c *db.Conn) error { return amend(c, &amendment) })
}

func amend(c *db.Conn, amendment *store.EpisodeAmendment) error {
	id, err := checkAmendment(c, amendment)
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return graph.Redecide(c, id, func() error { return updateAmended(c, id, amendment) }) },
		func() error { return c.Exec(`DELETE FROM contents WHERE episode = :id`, db.Arg("id", id)) },
		func() error { return insertContents(c, id, &amendment.Episode) },
		func() error { return amendLog(c, id, amendment) },
		func() error { return graph.SaveEmbedding(c, id, amendment.Episode.Embedding) },
		func() error { return passages.Index(c, memory.KindEpisode, id) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if amendment.WasConcluded || !amendment.Episode.Concluded {
		return nil // counted already, or not to be counted yet
	}
	return learning.CountEpisode(c, id)
}

// amendLog replaces the log, unless it came in parts and stays.
func amendLog(c *db.Conn, id int64, amendment *store.EpisodeAmendment) error {
	if amendment.Logged > 0 {
		return nil
	}
	if err := c.Exec(`DELETE FROM events WHERE episode = :id`, db.Arg("id", id)); err != nil {
		return err
	}
	return insertEvents(c, id, amendment.Events)
}

// checkAmendment answers the id of an episode that is still as its amender saw it, and takes over into the
// amendment what stays.
func checkAmendment(c *db.Conn, amendment *store.EpisodeAmendment) (id int64, err error) {
	var hash []byte
	var was memory.Episode
	e := &amendment.Episode
	const read = `SELECT e.id, e.input_hash, e.outcome, e.concluded, e.started_at, e.ended_at, e.quality, t.execution_ids
		FROM nodes n JOIN episodes e ON e.id = n.id JOIN contents t ON t.episode = e.id WHERE n.kind = :kind AND n.key = :key`
	found, err := c.One(read, func(r *db.Row) {
		id, hash, was.Outcome, was.Concluded = r.Integer(), r.Blob(), memory.Outcome(r.Text()), r.Bool()
		was.StartedAt, was.EndedAt, was.Quality, was.ExecutionIDs = r.Time(), r.OptionalTime(), r.OptionalFloat(), db.ListOf[string](r)
	}, db.Arg("kind", string(memory.KindEpisode)), db.Arg("key", e.Key))
	switch {
	case err != nil:
		return 0, err
	case !found:
		return 0, store.ErrNotFound
	case !bytes.Equal(hash, amendment.WasHash) || was.Concluded != amendment.WasConcluded:
		return 0, store.ErrConflict
	case e.EndedAt != nil && e.EndedAt.Before(amendment.Start(was.StartedAt)):
		return 0, store.ErrInvalid
	}
	e.ExecutionIDs = was.ExecutionIDs
	if was.Concluded {
		e.Outcome, e.Concluded, e.EndedAt, e.Quality = was.Outcome, true, was.EndedAt, was.Quality
	}
	return id, graph.CheckVectorLength(c, e.Embedding)
}

func updateAmended(c *db.Conn, id int64, amendment *store.EpisodeAmendment) error {
	if amendment.Logged > 0 {
		if err := beginAsLogged(c, id, amendment); err != nil {
			return err
		}
	}
	const update = `UPDATE episodes SET outcome = :outcome, concluded = :concluded, ended_at = :ended_at, quality = :quality,
		concluded_later = iif(concluded, concluded_later, :concluded), input_hash = :input_hash WHERE id = :id`
	e := &amendment.Episode
	return c.Exec(update, db.Arg("id", id), db.Arg("outcome", string(e.Outcome)), db.Arg("concluded", e.Concluded),
		db.Arg("ended_at", e.EndedAt), db.Arg("quality", e.Quality), db.Arg("input_hash", db.Bytes(amendment.InputHash)))
}

// ConcludeEpisode sets the outcome of an episode, once.
func (t *Tenant) ConcludeEpisode(ctx context.Context, conclusion store.EpisodeConclusion) error {
	return t.file.Write(ctx, func(c *db.Conn) error { return conclude(c, &conclusion) })
}

func conclude(c *db.Conn, conclusion *store.EpisodeConclusion) error {
	id, err := checkConclusion(c, conclusion)
	if err != nil {
		return err
	}
	if err := graph.Redecide(c, id, func() error { return updateConcluded(c, id, conclusion) }); err != nil {
		return err
	}
	if err := graph.SaveEmbedding(c, id, conclusion.Embedding); err != nil {
		return err
	}
	if err := passages.Index(c, memory.KindEpisode, id); err != nil {
		return err
	}
	return learning.CountEpisode(c, id)
}

// checkConclusion answers the id of an episode that may be concluded so.
func checkConclusion(c *db.Conn, conclusion *store.EpisodeConclusion) (id int64, err error) {
	var concluded bool
	var startedAt time.Time
	var was memory.Receipt
	const read = `SELECT e.id, e.concluded, e.started_at, t.tokens_before, t.tokens_after FROM nodes n JOIN episodes e ON e.id = n.id
		JOIN contents t ON t.episode = e.id WHERE n.kind = :kind AND n.key = :key`
	found, err := c.One(read, func(r *db.Row) {
		id, concluded, startedAt, was.TokensBefore, was.TokensAfter = r.Integer(), r.Bool(), r.Time(), r.Int(), r.Int()
	}, db.Arg("kind", string(memory.KindEpisode)), db.Arg("key", conclusion.Key))
	switch {
	case err != nil:
		return 0, err
	case !found:
		return 0, store.ErrNotFound
	case concluded, was.TokensBefore != conclusion.Was.TokensBefore, was.TokensAfter != conclusion.Was.TokensAfter:
		return 0, store.ErrConflict
	case conclusion.EndedAt != nil && conclusion.EndedAt.Before(startedAt):
		return 0, store.ErrInvalid
	}
	return id, graph.CheckVectorLength(c, conclusion.Embedding)
}

func updateConcluded(c *db.Conn, id int64, conclusion *store.EpisodeConclusion) error {
	const end = `UPDATE episodes SET outcome = :outcome, concluded = 1, concluded_later = 1,
		quality = coalesce(:quality, quality), ended_at = coalesce(:ended_at, ended_at) WHERE id = :id`
	if err := c.Exec(end, db.Arg("id", id), db.Arg("outcome", string(conclusion.Outcome)),
		db.Arg("quality", conclusion.Quality), db.Arg("ended_at", conclusion.EndedAt)); err != nil {
		return err
	}
	receipt := conclusion.Was.Plus(conclusion.Receipt)
	redactions, err := db.EncodeList(receipt.Redactions)
	if err != nil {
		return err
	}
	segments, err := db.EncodeOptional(conclusion.Segments)
	if err != nil {
		return err
	}
	const say = `UPDATE contents SET result = coalesce(:result, result), insight = coalesce(:insight, insight),
		segments = coalesce(:segments, segments), tokens_before = :tokens_before, tokens_after = :tokens_after, redactions = :redactions WHERE episode = :id`
	return c.Exec(say, db.Arg("id", id), db.Arg("result", conclusion.Result), db.Arg("insight", conclusion.Insight),
		db.Arg("segments", segments), db.Arg("tokens_before", receipt.TokensBefore),
		db.Arg("tokens_after", receipt.TokensAfter), db.Arg("redactions", redactions))
}

// TraceEpisode reads the episode that has a trace as its key, with its whole log.
func (t *Tenant) TraceEpisode(ctx context.Context, trace string) (*store.TraceEpisode, error) {
	var damage store.Damage
	found, err := answer(store.WithDamage(ctx, damage.Note), t.file.Snapshot, func(c *db.Conn) (*store.TraceEpisode, error) {
		return traceEpisode(ctx, c, trace)
	})
	if damaged := damage.Found(); err == nil && len(damaged) > 0 {
		err = damaged[0]
	}
	if err != nil || found == nil || found.Episode == nil {
		return nil, err
	}
	return found, nil
}

func traceEpisode(ctx context.Context, c *db.Conn, trace string) (*store.TraceEpisode, error) {
	const hash = `SELECT e.input_hash, EXISTS (SELECT 1 FROM logs l WHERE l.episode = e.id) FROM nodes n LEFT JOIN episodes e ON e.id = n.id WHERE n.kind = 'episode' AND n.key = :key`
	log := `SELECT ` + eventColumns + inLogOf + ` ORDER BY seq`
	var found store.TraceEpisode
	there, err := c.One(hash, func(r *db.Row) { found.InputHash, found.Parts = r.Blob(), r.Bool() }, db.Arg("key", trace))
	if err != nil || !there {
		return nil, err
	}
	episodes, err := queryEpisodes(c, &store.EpisodesByKey{Keys: []string{trace}})
	if err != nil {
		return nil, err
	}
	if len(episodes) > 0 {
		found.Episode = episodes[0]
	} else {
		store.NoteDamage(c.Reads, gone(memory.KindEpisode, trace))
	}
	found.Events, err = db.AllWithin(ctx, c, log, func(r *db.Row) memory.Event { return readEvent(r, trace) }, db.Arg("episode", trace))
	return &found, err
}
