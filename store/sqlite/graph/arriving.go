package graph

import (
	"time"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
)

// LinkWaitingMentions links a new concept with the episodes that mentioned it before.
func LinkWaitingMentions(c *db.Conn, id int64, key string) error {
	waiters, err := WaitersFor(c, memory.KindConcept, key)
	if err != nil || len(waiters) == 0 {
		return err
	}
	for _, w := range waiters {
		startedAt, err := startOf(c, w.Node)
		if err != nil {
			return err
		}
		if err := AddEdge(c, w.Node, EdgeMentions, id, startedAt); err != nil {
			return err
		}
	}
	return EndWait(c, memory.KindConcept, key)
}

// LinkWaiting links a new episode with what has been waiting for it, and with what of its session belongs to it.
func LinkWaiting(c *db.Conn, id int64, e *memory.Episode) error {
	for _, awaited := range linking.Episode(e) {
		var err error
		if awaited.Kind == linking.Session {
			var stretch linking.Stretch
			if stretch, err = decidedBy(c, awaited.Key, new(linking.SpanOf(e, id))); err == nil {
				err = decideAnew(c, awaited.Key, stretch)
			}
		} else {
			err = LinkWaitingFor(c, awaited.Kind, awaited.Key, id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// LinkWaitingFor links those that named the episode, or an execution of it.
func LinkWaitingFor(c *db.Conn, kind memory.Kind, key string, id int64) error {
	waiters, err := WaitersFor(c, kind, key)
	if err != nil || len(waiters) == 0 {
		return err
	}
	for _, w := range waiters {
		switch w.Kind {
		case memory.KindCanvas:
			err = MoveCanvas(c, w.Node, id)
		case memory.KindFeedback:
			err = MoveFeedback(c, w.Node, id)
		case memory.KindEpisode:
			err = addEffect(c, w.Node, id)
		}
		if err != nil {
			return err
		}
	}
	return EndWait(c, kind, key)
}

// addEffect links an episode with a cause that came after it.
func addEffect(c *db.Conn, effect, cause int64) error {
	startedAt, err := startOf(c, effect)
	if err != nil {
		return err
	}
	return AddEdge(c, effect, EdgeCausedBy, cause, startedAt)
}

// startOf is when an episode started.
func startOf(c *db.Conn, episode int64) (startedAt time.Time, err error) {
	const read = `SELECT started_at FROM episodes WHERE id = :id`
	_, err = c.One(read, func(r *db.Row) { startedAt = r.AnyTime() }, db.Arg("id", episode))
	return startedAt, err
}
