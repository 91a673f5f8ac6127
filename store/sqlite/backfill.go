package sqlite

import (
	"context"

	"mneme/store"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// Backfill links what waits for an episode of its session.
func (t *Tenant) Backfill(ctx context.Context, session *string) (done store.Backfilled, err error) {
	err = t.writeTogether(ctx, func(c *db.Conn) error {
		done, err = backfill(ctx, c, session)
		return err
	})
	if err != nil {
		return store.Backfilled{}, err
	}
	return done, nil
}

func backfill(ctx context.Context, c *db.Conn, session *string) (done store.Backfilled, err error) {
	waiting, err := graph.InSessions(c, session)
	if err != nil {
		return done, err
	}
	for _, w := range waiting {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		episode, err := graph.PickIn(c, linking.PickLate, w.Session, w.Kind, w.At)
		if err != nil {
			return done, err
		}
		if episode == 0 {
			continue
		}
		if err := graph.AssignEpisode(c, w.Waiter, episode); err != nil {
			return done, err
		}
	}
	return graph.Backfilled(c), nil
}
