package sqlite

import (
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

// linkEpisode links a new episode with what it names.
func linkEpisode(c *conn, id, agent, session int64, record *store.EpisodeRecord) error {
	e := &record.Episode
	if err := addEdge(c, agent, edgeRan, id, e.StartedAt); err != nil {
		return err
	}
	if session != 0 {
		if err := addEdge(c, id, edgeInSession, session, e.StartedAt); err != nil {
			return err
		}
	}
	const cover = `INSERT INTO episode_executions (key, episode) VALUES (:key, :episode) ON CONFLICT DO NOTHING`
	for _, execution := range e.ExecutionIDs {
		if err := c.exec(cover, arg("key", execution), arg("episode", id)); err != nil {
			return err
		}
	}
	for _, key := range record.CausedBy {
		if err := linkNamed(c, id, edgeCausedBy, memory.KindEpisode, key, e.StartedAt); err != nil {
			return err
		}
	}
	for _, key := range record.Mentions {
		if err := linkNamed(c, id, edgeMentions, memory.KindConcept, key, e.StartedAt); err != nil {
			return err
		}
	}
	return nil
}

// linkNamed links a node with a record that it names, or lets it wait for it.
func linkNamed(c *conn, id int64, edge string, kind memory.Kind, key string, at time.Time) error {
	named, err := nodeID(c, kind, key)
	if err != nil {
		return err
	}
	if named == 0 {
		return wait(c, kind, key, id)
	}
	return addEdge(c, id, edge, named, at)
}

// linkWaiting links a new episode with what has been waiting for it.
func linkWaiting(c *conn, id int64, e *memory.Episode) error {
	for _, awaited := range linking.Episode(e) {
		link := linkWaitingFor
		if awaited.Kind == linking.Session {
			link = func(c *conn, _ memory.Kind, session string, id int64) error {
				return linkWaitingInSession(c, session, linking.Since(e.StartedAt), id)
			}
		}
		if err := link(c, awaited.Kind, awaited.Key, id); err != nil {
			return err
		}
	}
	return nil
}

// linkWaitingInSession gives the episode what it takes of that which waits in its session.
func linkWaitingInSession(c *conn, session string, since time.Time, id int64) error {
	waiting, err := inSession(c, session, since)
	if err != nil {
		return err
	}
	for _, w := range waiting {
		near, err := near(c, session, w.at)
		if err != nil {
			return err
		}
		if picked := linking.PickArrived(w.at, near); picked == nil || picked.ID != id {
			continue
		}
		if err := assignEpisode(c, w.waiter, id); err != nil {
			return err
		}
	}
	return nil
}

// linkWaitingFor links those that named the episode, or an execution of it.
func linkWaitingFor(c *conn, kind memory.Kind, key string, id int64) error {
	waiters, err := waitersFor(c, kind, key)
	if err != nil || len(waiters) == 0 {
		return err
	}
	for _, w := range waiters {
		switch w.kind {
		case memory.KindCanvas:
			err = moveCanvas(c, w.node, id)
		case memory.KindFeedback:
			err = moveFeedback(c, w.node, id)
		case memory.KindEpisode:
			err = addEffect(c, w.node, id)
		}
		if err != nil {
			return err
		}
	}
	return endWait(c, kind, key)
}

// addEffect links an episode with a cause that came after it.
func addEffect(c *conn, effect, cause int64) error {
	startedAt, err := startOf(c, effect)
	if err != nil {
		return err
	}
	return addEdge(c, effect, edgeCausedBy, cause, startedAt)
}

// startOf is when an episode started.
func startOf(c *conn, episode int64) (startedAt time.Time, err error) {
	const read = `SELECT started_at FROM episodes WHERE id = :id`
	_, err = c.one(read, func(r *row) { startedAt = r.anyTime() }, arg("id", episode))
	return startedAt, err
}
