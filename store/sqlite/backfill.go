package sqlite

import (
	"context"
	"time"

	"mneme/store"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// always is a time before all times.
var always = time.UnixMilli(-1 << 62)

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
	var waiting []graph.Placed
	if session == nil {
		waiting, err = graph.InSessions(c)
	} else {
		waiting, err = graph.InSession(c, *session, always)
	}
	if err != nil {
		return done, err
	}
	for _, w := range waiting {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		episode, err := graph.LeadTo(c, linking.Awaited{Kind: linking.Session, Key: w.Session}, w.At)
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
