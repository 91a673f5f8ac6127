package sqlite

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
)

// ConcludeEpisode sets the outcome of an episode, once.
func (t *Tenant) ConcludeEpisode(ctx context.Context, conclusion store.EpisodeConclusion) error {
	return t.write(ctx, func(c *conn) error { return conclude(c, &conclusion) })
}

func conclude(c *conn, conclusion *store.EpisodeConclusion) error {
	id, err := checkConclusion(c, conclusion)
	if err != nil {
		return err
	}
	before, err := indexedWords(c, memory.KindEpisode, id)
	if err != nil {
		return err
	}
	if err := updateConcluded(c, id, conclusion); err != nil {
		return err
	}
	if err := saveEmbedding(c, id, conclusion.Embedding); err != nil {
		return err
	}
	if err := reword(c, id, before); err != nil {
		return err
	}
	return countEpisode(c, id)
}

// checkConclusion answers the id of an episode that may be concluded so.
func checkConclusion(c *conn, conclusion *store.EpisodeConclusion) (id int64, err error) {
	var concluded bool
	var startedAt time.Time
	const read = `SELECT e.id, e.concluded, e.started_at FROM nodes n JOIN episodes e ON e.id = n.id
		WHERE n.kind = :kind AND n.key = :key`
	found, err := c.one(read, func(r *row) { id, concluded, startedAt = r.integer(), r.bool(), r.time() },
		arg("kind", string(memory.KindEpisode)), arg("key", conclusion.Key))
	switch {
	case err != nil:
		return 0, err
	case !found:
		return 0, store.ErrNotFound
	case concluded:
		return 0, store.ErrConflict
	case conclusion.EndedAt != nil && conclusion.EndedAt.Before(startedAt):
		return 0, store.ErrInvalid
	}
	return id, checkVectorLength(c, conclusion.Embedding)
}

func updateConcluded(c *conn, id int64, conclusion *store.EpisodeConclusion) error {
	const end = `UPDATE episodes SET outcome = :outcome, concluded = 1,
		quality = coalesce(:quality, quality), ended_at = coalesce(:ended_at, ended_at) WHERE id = :id`
	if err := c.exec(end, arg("id", id), arg("outcome", string(conclusion.Outcome)),
		arg("quality", conclusion.Quality), arg("ended_at", conclusion.EndedAt)); err != nil {
		return err
	}
	redactions, err := encodeList(conclusion.Receipt.Redactions)
	if err != nil {
		return err
	}
	segments, err := encodeOptional(conclusion.Segments)
	if err != nil {
		return err
	}
	const say = `UPDATE contents SET result = coalesce(:result, result), insight = coalesce(:insight, insight),
		segments = coalesce(:segments, segments), tokens_before = :tokens_before, tokens_after = :tokens_after, redactions = :redactions WHERE episode = :id`
	return c.exec(say, arg("id", id), arg("result", conclusion.Result), arg("insight", conclusion.Insight),
		arg("segments", segments), arg("tokens_before", conclusion.Receipt.TokensBefore),
		arg("tokens_after", conclusion.Receipt.TokensAfter), arg("redactions", redactions))
}
