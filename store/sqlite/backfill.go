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
		err := t.writeTogether(ctx, func(tx *db.Tx) error {
			part, moves = backfill(tx, session, after), graph.Moves(tx)
			return nil
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
func backfill(tx *db.Tx, session *string, after graph.Placed) []graph.Placed {
	waiting := graph.InSessions(tx, session, after, linking.LinkedTogether)
	for _, w := range waiting {
		tx.Fail(tx.Context.Err())
		if episode := graph.PickIn(tx, linking.PickLate, w.Session, w.Kind, w.At); episode != 0 {
			graph.AssignEpisode(tx, w.Waiter, episode)
		}
	}
	return waiting
}
