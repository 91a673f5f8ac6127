package neo4j

import (
	"context"

	"mneme/store"
	"mneme/store/linking"
)

// Backfill links what waits in sessions; see store.EpisodeWriter.
func (s *tenantStore) Backfill(ctx context.Context, session *string) (store.Backfilled, error) {
	var done store.Backfilled
	return done, s.write(ctx, func(t *transaction) (err error) {
		done, err = t.backfill(session)
		return err
	})
}

func (t *transaction) backfill(session *string) (store.Backfilled, error) {
	sessions, err := rowsOf(t, named("pending_sessions"), parameters{"session": session}, column[string]("session"))
	if err != nil || len(sessions) == 0 {
		return store.Backfilled{}, err
	}
	waited := newScope()
	waited.sessions.add(sessions...)
	if _, err := t.lock(waited); err != nil {
		return store.Backfilled{}, err
	}
	waiting, err := t.waitingFor(func(yield func(linking.Awaited) bool) {
		for session := range waited.sessions {
			if !yield(linking.Awaited{Kind: linking.Session, Key: session}) {
				return
			}
		}
	})
	if err != nil {
		return store.Backfilled{}, err
	}
	picked, err := t.pick(timesOf(waiting), linking.Pick)
	if err != nil {
		return store.Backfilled{}, err
	}
	c := newChanges()
	if err := t.linkWaiters(c, waiting, func(w waiter) string { return picked[w.id()] }, nil); err != nil {
		return store.Backfilled{}, err
	}
	return c.moves.Backfilled(), c.apply(t)
}

// timesOf are the times of those that wait in sessions, by their ids.
func timesOf(waiting []waiter) map[string]sessionTime {
	times := map[string]sessionTime{}
	for _, w := range waiting {
		if w.awaited.Kind == linking.Session {
			times[w.id()] = sessionTime{session: w.awaited.Key, at: w.at}
		}
	}
	return times
}
