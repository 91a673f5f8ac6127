package sqlite

import (
	"context"

	"mneme/store"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// Backfill links what waits for an episode of its session, in parts, so that others write between them.
func (t *Tenant) Backfill(ctx context.Context, session *string) (store.Backfilled, error) {
	if t.file.IsNothing() {
		return store.Backfilled{}, ctx.Err()
	}
	var sum linking.Backfill[int64]
	var part []graph.Placed
	for after, more := (graph.Placed{}), true; more; more = len(part) == linking.LinkedTogether {
		var moves *linking.Moves[int64]
		err := t.writeTogether(ctx, func(c *db.Conn) (err error) {
			part, err = backfill(ctx, c, session, after)
			moves = graph.Moves(c)
			return err
		})
		if err != nil {
			return sum.Done(), err
		}
		sum.Add(moves)
		if len(part) > 0 {
			after = part[len(part)-1]
		}
	}
	return sum.Done(), nil
}

// backfill links the part of what waits that comes after one of it, and gives that part.
func backfill(ctx context.Context, c *db.Conn, session *string, after graph.Placed) ([]graph.Placed, error) {
	waiting, err := graph.InSessions(c, session, after, linking.LinkedTogether)
	if err != nil {
		return nil, err
	}
	for _, w := range waiting {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		episode, err := graph.PickIn(c, linking.PickLate, w.Session, w.Kind, w.At)
		if err != nil {
			return nil, err
		}
		if episode == 0 {
			continue
		}
		if err := graph.AssignEpisode(c, w.Waiter, episode); err != nil {
			return nil, err
		}
	}
	return waiting, nil
}
