package neo4j

import (
	"cmp"
	"context"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

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

// The bounds of time, for queries that ask for no other: an index gives its order only for a range.
var (
	earliest = time.Date(-1, time.January, 1, 0, 0, 0, 0, time.UTC)
	latest   = time.Date(10_000, time.January, 1, 0, 0, 0, 0, time.UTC)
)

// sessionTime is a time in a session, for which an episode is to be picked.
type sessionTime struct {
	session string
	at      time.Time
}

// near gives the episodes of their sessions that linking.Pick chooses from for records, by record.
func (t *transaction) near(times map[string]sessionTime) (map[string][]linking.Span, error) {
	if len(times) == 0 {
		return nil, nil
	}
	rows := make([]parameters, 0, len(times))
	for record, time := range times {
		rows = append(rows, parameters{"record": record, "session": time.session, "at": instant(time.at)})
	}
	episodes := map[string][]linking.Span{}
	return episodes, t.run(named("near"), parameters{"times": rows}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		record := f.text("record")
		for _, episode := range list[map[string]any](f, "episodes") {
			e := fieldsOf(episode)
			episodes[record] = append(episodes[record], linking.Span{
				Key: e.text("key"), StartedAt: e.instant("startedAt"), EndedAt: e.optionalInstant("endedAt"),
			})
			f.err = cmp.Or(f.err, e.err)
		}
		return f.err
	})
}

// pick gives records one of the episodes near them, by a rule; those that get none are missing from the answer.
func (t *transaction) pick(times map[string]sessionTime, rule func(time.Time, []linking.Span) *linking.Span) (map[string]string, error) {
	episodes, err := t.near(times)
	picked := map[string]string{}
	for record, near := range episodes {
		if episode := rule(times[record].at, near); episode != nil {
			picked[record] = episode.Key
		}
	}
	return picked, err
}
