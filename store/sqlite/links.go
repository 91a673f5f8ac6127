package sqlite

import (
	"database/sql/driver"
	"fmt"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
)

// moveCanvas makes an episode the canvas's own, or none where it is 0, with the episodes' counts and
// the feedback that follows the canvas.
func moveCanvas(c *conn, canvas, episode int64) error {
	before, err := sourceOf(c, edgePresented, canvas)
	if err != nil || before == episode {
		return err
	}
	var createdAt time.Time
	actions := 0
	const read = `SELECT created_at, (SELECT count(*) FROM canvas_actions WHERE canvas = :id) FROM canvases WHERE id = :id`
	if _, err := c.one(read, func(r *row) { createdAt, actions = r.anyTime(), r.int() }, arg("id", canvas)); err != nil {
		return err
	}
	if before != 0 {
		if err := removeEdge(c, before, edgePresented, canvas); err != nil {
			return err
		}
	}
	if err := present(c, canvas, before, episode, createdAt, actions); err != nil {
		return err
	}
	return moveFollowers(c, canvas, episode)
}

// present gives a canvas its episode, or none where that is 0, and the episode's agent.
func present(c *conn, canvas, before, episode int64, createdAt time.Time, actions int) error {
	if episode != 0 {
		if err := addEdge(c, episode, edgePresented, canvas, createdAt); err != nil {
			return err
		}
	}
	if err := count(c, func(m *linking.Moves[int64]) { m.Canvas(before, actions, episode, actions) }); err != nil {
		return err
	}
	const own = `UPDATE canvases SET agent = (SELECT agent FROM episodes WHERE id = :episode) WHERE id = :id`
	return c.exec(own, arg("id", canvas), arg("episode", episode))
}

// moveFollowers moves the feedback that has its episode through a canvas.
func moveFollowers(c *conn, canvas, episode int64) error {
	const find = `SELECT f.id FROM edges e JOIN feedback f ON f.id = e.source
		WHERE e.target = :node AND e.type = :type AND f.leads_by = 'canvas'`
	followers, err := ids(c, find, canvas, edgeOn)
	if err != nil {
		return err
	}
	for _, feedback := range followers {
		if err := moveFeedback(c, feedback, episode); err != nil {
			return err
		}
	}
	return nil
}

// moveFeedback makes an episode the feedback's own, or none where it is 0, with the episodes'
// aggregates.
func moveFeedback(c *conn, feedback, episode int64) error {
	before, err := sourceOf(c, edgeReceived, feedback)
	if err != nil || before == episode {
		return err
	}
	var createdAt time.Time
	score := 0.0
	const read = `SELECT created_at, score FROM feedback WHERE id = :id`
	if _, err := c.one(read, func(r *row) { createdAt, score = r.anyTime(), r.sum() }, arg("id", feedback)); err != nil {
		return err
	}
	if before != 0 {
		if err := removeEdge(c, before, edgeReceived, feedback); err != nil {
			return err
		}
	}
	return receive(c, feedback, before, episode, createdAt, score)
}

// receive gives feedback its episode, or none where that is 0.
func receive(c *conn, feedback, before, episode int64, createdAt time.Time, score float64) error {
	if episode != 0 {
		if err := addEdge(c, episode, edgeReceived, feedback, createdAt); err != nil {
			return err
		}
	}
	return count(c, func(m *linking.Moves[int64]) { m.Feedback(before, episode, score) })
}

// leadTo is the episode that a record of a time is led to, 0 where that is not there.
func leadTo(c *conn, by linking.Awaited, at time.Time) (episode int64, err error) {
	switch by.Kind {
	case memory.KindEpisode:
		return nodeID(c, by.Kind, by.Key)
	case linking.Execution:
		return executedBy(c, by.Key)
	case memory.KindCanvas:
		const find = `SELECT e.source FROM nodes n JOIN edges e ON e.target = n.id AND e.type = 'PRESENTED' WHERE n.kind = 'canvas' AND n.key = :key`
		_, err = c.one(find, func(r *row) { episode = r.integer() }, arg("key", by.Key))
		return episode, err
	case linking.Session:
		near, err := near(c, by.Key, at)
		if picked := linking.Pick(at, near); picked != nil {
			episode = picked.ID
		}
		return episode, err
	}
	return 0, nil
}

// nearest are the episodes of a session that linking.Pick chooses from: those that started when the last one did, the
// last one that holds the time, and the next.
const nearest = `SELECT n.key, e.id, e.started_at, e.ended_at FROM nodes s CROSS JOIN episodes e ON e.session = s.id JOIN nodes n ON n.id = e.id
	WHERE s.kind = 'session' AND s.key = :session AND e.started_at IN (
		(SELECT max(started_at) FROM episodes WHERE session = s.id AND started_at <= :at),
		(SELECT max(started_at) FROM episodes WHERE session = s.id AND started_at <= :at AND ended_at >= :at),
		(SELECT min(started_at) FROM episodes WHERE session = s.id AND started_at > :at))`

func near(c *conn, session string, at time.Time) (episodes []linking.Span, err error) {
	return episodes, c.query(nearest, func(r *row) error {
		episodes = append(episodes, linking.Span{Key: r.text(), ID: r.integer(), StartedAt: r.anyTime(), EndedAt: r.optionalTime()})
		return nil
	}, arg("session", session), arg("at", at))
}

// placed is a node that waits for an episode of its session, with its time.
type placed struct {
	waiter
	session string
	at      time.Time
}

const waitingInSessions = `SELECT w.node, n.kind, w.key, coalesce(v.created_at, f.created_at)
	FROM waiting w
	JOIN nodes n ON n.id = w.node
	LEFT JOIN canvases v ON v.id = w.node
	LEFT JOIN feedback f ON f.id = w.node
	WHERE w.kind = 'session'`

// inSessions are the canvases and feedback that wait for an episode of any session.
func inSessions(c *conn) ([]placed, error) {
	return placedNodes(c, waitingInSessions)
}

// inSession are those of one session that are no older than a time.
func inSession(c *conn, session string, since time.Time) ([]placed, error) {
	return placedNodes(c, waitingInSessions+` AND w.key = :session AND coalesce(v.created_at, f.created_at) >= :since`,
		arg("session", session), arg("since", since))
}

func placedNodes(c *conn, sql string, args ...driver.NamedValue) (found []placed, err error) {
	if waits, err := anyWaits(c); !waits || err != nil {
		return nil, err
	}
	err = c.query(sql, func(r *row) error {
		found = append(found, placed{
			waiter: waiter{node: r.integer(), kind: memory.Kind(r.text())}, session: r.text(), at: r.anyTime(),
		})
		return nil
	}, args...)
	return found, err
}

// assignEpisode gives an episode to a node that waited for one of its session.
func assignEpisode(c *conn, w waiter, episode int64) error {
	if err := leaveSession(c, w.node); err != nil {
		return err
	}
	if w.kind == memory.KindCanvas {
		return moveCanvas(c, w.node, episode)
	}
	return moveFeedback(c, w.node, episode)
}

// checkAbout refuses what names no record: nothing could ever come that it waits for.
func checkAbout(ids []string) error {
	for i, id := range ids {
		if _, _, ok := memory.SplitID(id); !ok {
			return fmt.Errorf("%w: about %d is no id of a record", store.ErrInvalid, i)
		}
	}
	return nil
}

// linkAbout links an annotation (an observation or a correction) with the records that it is about. Those
// that are not there yet it waits for.
func linkAbout(c *conn, annotation int64, ids []string, at time.Time) error {
	for _, id := range ids {
		node, err := findNode(c, id)
		if err != nil {
			return err
		}
		if node == 0 {
			err = wait(c, waitAbout, id, annotation)
		} else {
			err = addEdge(c, annotation, edgeAbout, node, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// findNode is the node of a global id, 0 where there is none.
func findNode(c *conn, id string) (int64, error) {
	kind, key, ok := memory.SplitID(id)
	if !ok {
		return 0, nil
	}
	return nodeID(c, kind, key)
}

// linkWaitingAnnotations links a new node with the annotations that waited to be about it.
func linkWaitingAnnotations(c *conn, node int64, id string) error {
	waiters, err := waitersFor(c, waitAbout, id)
	if err != nil || len(waiters) == 0 {
		return err
	}
	for _, w := range waiters {
		at, err := annotatedAt(c, w.node)
		if err != nil {
			return err
		}
		if err := addEdge(c, w.node, edgeAbout, node, at); err != nil {
			return err
		}
	}
	return endWait(c, waitAbout, id)
}

func annotatedAt(c *conn, annotation int64) (at time.Time, err error) {
	const read = `SELECT created_at FROM observations WHERE id = :id UNION ALL SELECT created_at FROM corrections WHERE id = :id`
	_, err = c.one(read, func(r *row) { at = r.anyTime() }, arg("id", annotation))
	return at, err
}

// aboutOf is a column that lists what a record x is about, in the order of the ids' bytes.
const aboutOf = `(SELECT json_group_array(target_ref) FROM
	(SELECT target_ref FROM edges WHERE source = x.id AND type = 'ABOUT' ORDER BY target_ref))`
