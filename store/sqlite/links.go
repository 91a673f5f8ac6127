package sqlite

import (
	"database/sql/driver"
	"fmt"
	"time"

	"mneme/memory"
)

// moveCanvas makes an episode the canvas's own, or none where it is 0, with the episodes' counts and
// the feedback that follows the canvas. It answers how much feedback got an episode.
func moveCanvas(c *conn, canvas, episode int64) (followers int, err error) {
	before, err := sourceOf(c, edgePresented, canvas)
	if err != nil || before == episode {
		return 0, err
	}
	var createdAt time.Time
	actions := 0
	const read = `SELECT created_at, (SELECT count(*) FROM canvas_actions WHERE canvas = :id) FROM canvases WHERE id = :id`
	if _, err := c.one(read, func(r *row) { createdAt, actions = r.anyTime(), r.int() }, arg("id", canvas)); err != nil {
		return 0, err
	}
	if before != 0 {
		if err := removeEdge(c, before, edgePresented, canvas); err != nil {
			return 0, err
		}
		if err := c.count(before, sums{actions: -actions}); err != nil {
			return 0, err
		}
	}
	if err := present(c, canvas, episode, createdAt, actions); err != nil {
		return 0, err
	}
	return moveFollowers(c, canvas, episode)
}

// present gives a canvas that has none its episode, or says that it has none where that is 0.
func present(c *conn, canvas, episode int64, createdAt time.Time, actions int) error {
	if episode != 0 {
		if err := addEdge(c, episode, edgePresented, canvas, createdAt); err != nil {
			return err
		}
		if err := c.count(episode, sums{actions: actions}); err != nil {
			return err
		}
	}
	return ownCanvas(c, canvas, episode)
}

// ownCanvas makes the episode's agent the canvas's.
func ownCanvas(c *conn, canvas, episode int64) error {
	const own = `UPDATE canvases SET agent = (SELECT agent FROM episodes WHERE id = :episode) WHERE id = :id`
	return c.exec(own, arg("id", canvas), arg("episode", episode))
}

// moveFollowers moves the feedback that has its episode through a canvas.
func moveFollowers(c *conn, canvas, episode int64) (linked int, err error) {
	const find = `SELECT f.id FROM edges e JOIN feedback f ON f.id = e.source
		WHERE e.target = :node AND e.type = :type AND f.leads_by = 'canvas'`
	followers, err := ids(c, find, canvas, edgeOn)
	if err != nil {
		return 0, err
	}
	for _, feedback := range followers {
		got, err := moveFeedback(c, feedback, episode)
		if err != nil {
			return 0, err
		}
		if got {
			linked++
		}
	}
	return linked, nil
}

// moveFeedback makes an episode the feedback's own, or none where it is 0, with the episodes'
// aggregates. It says whether the feedback got an episode that it did not have.
func moveFeedback(c *conn, feedback, episode int64) (got bool, err error) {
	before, err := sourceOf(c, edgeReceived, feedback)
	if err != nil || before == episode {
		return false, err
	}
	var createdAt time.Time
	score := 0.0
	const read = `SELECT created_at, score FROM feedback WHERE id = :id`
	if _, err := c.one(read, func(r *row) { createdAt, score = r.anyTime(), r.sum() }, arg("id", feedback)); err != nil {
		return false, err
	}
	if before != 0 {
		if err := removeEdge(c, before, edgeReceived, feedback); err != nil {
			return false, err
		}
		if err := c.count(before, sums{score: -score, feedback: -1}); err != nil {
			return false, err
		}
	}
	if episode == 0 {
		return false, nil
	}
	return true, receive(c, feedback, episode, createdAt, score)
}

// receive gives feedback that has none its episode.
func receive(c *conn, feedback, episode int64, createdAt time.Time, score float64) error {
	if err := addEdge(c, episode, edgeReceived, feedback, createdAt); err != nil {
		return err
	}
	return c.count(episode, sums{score: score, feedback: 1})
}

// added sets a column to more than it is. One that cannot be a sum begins anew, until the doctor sums it up; what is
// added to it might not fit.
func added(column, more string) string {
	return fmt.Sprintf(`%[1]s = iif(%[1]s BETWEEN -9007199254740992 AND 9007199254740992, %[1]s, 0) + :%[2]s`, column, more)
}

// place is the rule of Backfill: the episode of a session to which a time belongs, 0 where the session
// has none.
func place(c *conn, session int64, at time.Time) (episode int64, err error) {
	const find = `SELECT coalesce(
		(SELECT e.id FROM episodes e JOIN nodes n ON n.id = e.id
		 WHERE e.session = :session AND e.started_at <= :at AND e.ended_at >= :at ORDER BY e.started_at DESC, n.key LIMIT 1),
		(SELECT e.id FROM episodes e JOIN nodes n ON n.id = e.id
		 WHERE e.session = :session AND e.started_at <= :at ORDER BY e.started_at DESC, n.key LIMIT 1),
		(SELECT e.id FROM episodes e JOIN nodes n ON n.id = e.id
		 WHERE e.session = :session ORDER BY e.started_at, n.key LIMIT 1),
		0)`
	_, err = c.one(find, func(r *row) { episode = r.integer() }, arg("session", session), arg("at", at))
	return episode, err
}

// placed is a node that waits for an episode of its session, with its time.
type placed struct {
	waiter
	session int64
	at      time.Time
}

const waitingInSessions = `SELECT w.node, n.kind, s.id, coalesce(v.created_at, f.created_at)
	FROM waiting w
	JOIN nodes n ON n.id = w.node
	JOIN nodes s ON s.kind = 'session' AND s.key = w.key
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
	if waits, err := c.anyWaits(); !waits || err != nil {
		return nil, err
	}
	err = c.query(sql, func(r *row) error {
		found = append(found, placed{
			waiter: waiter{node: r.integer(), kind: memory.Kind(r.text())}, session: r.integer(), at: r.anyTime(),
		})
		return nil
	}, args...)
	return found, err
}

// settle gives an episode to a node that waited for one, and answers how many canvases and feedback
// got it.
func settle(c *conn, w waiter, episode int64) (canvases, feedback int, err error) {
	if err := leaveSession(c, w.node); err != nil {
		return 0, 0, err
	}
	if w.kind == memory.KindCanvas {
		feedback, err = moveCanvas(c, w.node, episode)
		return 1, feedback, err
	}
	_, err = moveFeedback(c, w.node, episode)
	return 0, 1, err
}
