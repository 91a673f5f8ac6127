package sqlite

import (
	"context"
	"time"

	"mneme/store"
	"mneme/store/linking"
)

// always is a time before all times.
var always = time.UnixMilli(-1 << 62)

// Backfill links what waits for an episode of its session.
func (t *Tenant) Backfill(ctx context.Context, session *string) (done store.Backfilled, err error) {
	err = t.writeTogether(ctx, func(c *conn) error {
		done, err = backfill(ctx, c, session)
		return err
	})
	if err != nil {
		return store.Backfilled{}, err
	}
	return done, nil
}

func backfill(ctx context.Context, c *conn, session *string) (done store.Backfilled, err error) {
	var waiting []placed
	if session == nil {
		waiting, err = inSessions(c)
	} else {
		waiting, err = inSession(c, *session, always)
	}
	if err != nil {
		return done, err
	}
	for _, w := range waiting {
		if err := ctx.Err(); err != nil {
			return done, err
		}
		episode, err := leadTo(c, linking.Awaited{Kind: linking.Session, Key: w.session}, w.at)
		if err != nil {
			return done, err
		}
		if episode == 0 {
			continue
		}
		if err := assignEpisode(c, w.waiter, episode); err != nil {
			return done, err
		}
	}
	return backfilled(c), nil
}
