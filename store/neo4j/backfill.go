package neo4j

import (
	"context"

	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
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
	sessions, err := bolt.RowsOf(t.Transaction, cypher.Named("pending_sessions"), cypher.Parameters{"session": session}, bolt.Column[string]("session"))
	if err != nil || len(sessions) == 0 {
		return store.Backfilled{}, err
	}
	waited := graph.NewScope()
	waited.Sessions.Add(sessions...)
	if _, err := graph.Lock(t.Transaction, waited); err != nil {
		return store.Backfilled{}, err
	}
	waiting, err := graph.WaitingFor(t.Transaction, func(yield func(linking.Awaited) bool) {
		for session := range waited.Sessions {
			if !yield(linking.Awaited{Kind: linking.Session, Key: session}) {
				return
			}
		}
	})
	if err != nil {
		return store.Backfilled{}, err
	}
	picked, err := graph.Pick(t.Transaction, graph.TimesOf(waiting), linking.PickLate)
	if err != nil {
		return store.Backfilled{}, err
	}
	c := graph.NewChanges()
	if err := graph.LinkWaiters(t.Transaction, c, waiting, func(w graph.Waiter) string { return picked[w.ID()] }, nil); err != nil {
		return store.Backfilled{}, err
	}
	return c.Moves.Backfilled(), c.Apply(t.Transaction)
}
