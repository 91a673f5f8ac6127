package sqlite

import (
	"bytes"
	"context"

	"mneme/memory"
	"mneme/store"
)

// AmendEpisode replaces what an episode says.
func (t *Tenant) AmendEpisode(ctx context.Context, amendment store.EpisodeAmendment) error {
	return t.write(ctx, func(c *conn) error { return amend(c, &amendment) })
}

func amend(c *conn, amendment *store.EpisodeAmendment) error {
	id, err := checkAmendment(c, amendment)
	if err != nil {
		return err
	}
	before, err := indexedWords(c, memory.KindEpisode, id)
	if err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return updateAmended(c, id, amendment) },
		func() error { return c.exec(`DELETE FROM contents WHERE episode = :id`, arg("id", id)) },
		func() error { return c.exec(`DELETE FROM events WHERE episode = :id`, arg("id", id)) },
		func() error { return insertContents(c, id, &amendment.Episode) },
		func() error { return insertEvents(c, id, amendment.Events) },
		func() error { return saveEmbedding(c, id, amendment.Episode.Embedding) },
		func() error { return reword(c, id, before) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	if amendment.WasConcluded || !amendment.Episode.Concluded {
		return nil // counted already, or not to be counted yet
	}
	return countEpisode(c, id)
}

// checkAmendment answers the id of an episode that is still as its amender saw it, and takes over into the
// amendment what stays.
func checkAmendment(c *conn, amendment *store.EpisodeAmendment) (id int64, err error) {
	var hash []byte
	var was memory.Episode
	e := &amendment.Episode
	const read = `SELECT e.id, e.input_hash, e.outcome, e.concluded, e.started_at, e.ended_at, e.quality, t.execution_ids
		FROM nodes n JOIN episodes e ON e.id = n.id JOIN contents t ON t.episode = e.id WHERE n.kind = :kind AND n.key = :key`
	found, err := c.one(read, func(r *row) {
		id, hash, was.Outcome, was.Concluded = r.integer(), r.blob(), memory.Outcome(r.text()), r.bool()
		was.StartedAt, was.EndedAt, was.Quality, was.ExecutionIDs = r.time(), r.optionalTime(), r.optionalFloat(), listOf[string](r)
	}, arg("kind", string(memory.KindEpisode)), arg("key", e.Key))
	switch {
	case err != nil:
		return 0, err
	case !found:
		return 0, store.ErrNotFound
	case !bytes.Equal(hash, amendment.WasHash) || was.Concluded != amendment.WasConcluded:
		return 0, store.ErrConflict
	case e.EndedAt != nil && e.EndedAt.Before(was.StartedAt):
		return 0, store.ErrInvalid
	}
	e.ExecutionIDs = was.ExecutionIDs
	if was.Concluded {
		e.Outcome, e.Concluded, e.EndedAt, e.Quality = was.Outcome, true, was.EndedAt, was.Quality
	}
	return id, checkVectorLength(c, e.Embedding)
}

func updateAmended(c *conn, id int64, amendment *store.EpisodeAmendment) error {
	const update = `UPDATE episodes SET outcome = :outcome, concluded = :concluded, ended_at = :ended_at, quality = :quality,
		input_hash = :input_hash WHERE id = :id`
	e := &amendment.Episode
	return c.exec(update, arg("id", id), arg("outcome", string(e.Outcome)), arg("concluded", e.Concluded),
		arg("ended_at", e.EndedAt), arg("quality", e.Quality), arg("input_hash", blob(amendment.InputHash)))
}
