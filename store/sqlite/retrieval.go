package sqlite

import (
	"context"
	"time"

	"mneme/memory/nextsteps"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/search"
)

var _ store.Passages = (*Tenant)(nil)

// Rarities counts in the index, and remembers it.
func (t *Tenant) Rarities(ctx context.Context, stems []string) ([]float64, error) {
	ctx = store.Unmetered(ctx) // as all that has bounds of its own
	return answer(ctx, t.file.Read, func(c *db.Conn) ([]float64, error) { return search.Rarities(ctx, c, stems) })
}

// PassagesByWords asks the index of words.
func (t *Tenant) PassagesByWords(ctx context.Context, stems []string, among store.Among) ([]store.FoundPassage, bool, error) {
	return t.lookFor(ctx, func(ctx context.Context, c *db.Conn) ([]store.FoundPassage, bool, error) {
		return search.ByWords(ctx, c, stems, &among)
	})
}

// PassagesByMeaning compares the vectors in memory.
func (t *Tenant) PassagesByMeaning(ctx context.Context, question store.Question, among store.Among) ([]store.FoundPassage, bool, error) {
	return t.lookFor(ctx, func(ctx context.Context, c *db.Conn) ([]store.FoundPassage, bool, error) {
		return search.ByMeaning(ctx, c, question, &among)
	})
}

// lookFor finds passages in one state of the file.
func (t *Tenant) lookFor(
	ctx context.Context, look func(context.Context, *db.Conn) ([]store.FoundPassage, bool, error),
) (found []store.FoundPassage, more bool, err error) {
	ctx = store.Unmetered(ctx)
	err = t.file.Snapshot(ctx, func(c *db.Conn) (err error) {
		found, more, err = look(ctx, c)
		return err
	})
	return found, more, err
}

// PassagesBeside reads the passages beside some.
func (t *Tenant) PassagesBeside(ctx context.Context, of []store.FoundPassage, reach int, users store.UserFilter) ([]store.FoundPassage, error) {
	ctx = store.Unmetered(ctx)
	return answer(ctx, t.file.Snapshot, func(c *db.Conn) ([]store.FoundPassage, error) { return search.Beside(ctx, c, of, reach, users) })
}

// EpisodesToRank reads by key.
func (t *Tenant) EpisodesToRank(ctx context.Context, keys []string, among store.Among) ([]ranking.Candidate, error) {
	ctx = store.Unmetered(ctx)
	return answer(ctx, t.file.Read, func(c *db.Conn) ([]ranking.Candidate, error) { return search.EpisodesToRank(ctx, c, keys, &among) })
}

// Informed follows links back.
func (t *Tenant) Informed(ctx context.Context, keys []string, asOf *time.Time) (map[string]ranking.Evidence, error) {
	ctx = store.Unmetered(ctx)
	return answer(ctx, t.file.Read, func(c *db.Conn) (map[string]ranking.Evidence, error) { return search.Informed(ctx, c, keys, asOf) })
}

// NewestAndBoosted goes back in time.
func (t *Tenant) NewestAndBoosted(ctx context.Context, among store.Among) (found []ranking.Candidate, more bool, err error) {
	ctx = store.Unmetered(ctx)
	err = t.file.Snapshot(ctx, func(c *db.Conn) (err error) {
		found, more, err = search.NewestAndBoosted(ctx, c, &among)
		return err
	})
	return found, more, err
}

// Trajectories reads names and numbers, not what the episodes say.
func (t *Tenant) Trajectories(ctx context.Context, of []store.TrajectoryOf) ([]nextsteps.Trajectory, error) {
	ctx = store.Unmetered(ctx)
	return answer(ctx, t.file.Read, func(c *db.Conn) ([]nextsteps.Trajectory, error) { return search.Trajectories(ctx, c, of) })
}
