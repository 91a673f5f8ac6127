package neo4j

import (
	"context"

	"mneme/store"
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
	waiting, err := t.waitingFor(map[string][]string{anEpisodeOfASession: waited.sessions.sorted()})
	if err != nil {
		return store.Backfilled{}, err
	}
	times := map[string]sessionTime{}
	for _, w := range waiting {
		times[w.id()] = sessionTime{session: w.awaited.key, at: w.at}
	}
	picked, err := t.pick(times)
	if err != nil {
		return store.Backfilled{}, err
	}
	return t.linkPicked(waiting, picked)
}

// linkPicked links waiters to the episodes picked for them and counts.
func (t *transaction) linkPicked(waiting []waiter, picked map[string]string) (store.Backfilled, error) {
	canvases, feedback, c := map[string]string{}, map[string]string{}, newChanges()
	for _, w := range waiting {
		episode, found := picked[w.id()]
		if !found {
			continue
		}
		c.settle(w.awaited)
		if w.label == labelCanvas {
			canvases[w.key] = episode
		} else {
			feedback[w.key] = episode
		}
	}
	if err := t.linkFound(c, canvases, feedback); err != nil {
		return store.Backfilled{}, err
	}
	return store.Backfilled{
		Canvases: c.linkedCanvases, Feedback: c.linkedFeedback, Episodes: len(c.receivers),
	}, c.apply(t)
}
