package neo4j

import (
	"context"

	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/graph"
)

// Backfill links what waits in sessions, in parts of a transaction each; see store.EpisodeWriter.
func (s *tenantStore) Backfill(ctx context.Context, session *string) (store.Backfilled, error) {
	var sum linking.Backfill[string]
	var part []graph.Waiter
	for after, more := (graph.Waiter{}), true; more; more = len(part) == linking.LinkedTogether {
		var moves linking.Moves[string]
		err := s.write(ctx, func(t *transaction) (err error) {
			part, moves, err = t.backfill(session, after)
			return err
		})
		if err != nil {
			return sum.Done(), err
		}
		sum.Add(&moves)
		if len(part) > 0 {
			after = part[len(part)-1]
		}
	}
	return sum.Done(), nil
}

// backfill links the part of what waits that comes after one of it, and gives that part.
func (t *transaction) backfill(session *string, after graph.Waiter) ([]graph.Waiter, linking.Moves[string], error) {
	c := graph.NewChanges()
	waiting, err := graph.InSessions(t.Transaction, session, after, linking.LinkedTogether)
	if err != nil || len(waiting) == 0 {
		return nil, c.Moves, err
	}
	waited := graph.NewScope()
	for _, w := range waiting {
		waited.Sessions.Add(w.Awaited.Key)
	}
	if _, err := graph.Lock(t.Transaction, waited); err != nil {
		return nil, c.Moves, err
	}
	picked, err := graph.Pick(t.Transaction, graph.TimesOf(waiting), linking.PickLate)
	if err != nil {
		return nil, c.Moves, err
	}
	if err := graph.LinkWaiters(t.Transaction, c, waiting, func(w graph.Waiter) string { return picked[w.ID()] }, nil); err != nil {
		return nil, c.Moves, err
	}
	return waiting, c.Moves, c.Apply(t.Transaction)
}
