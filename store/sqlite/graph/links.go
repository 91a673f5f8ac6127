package graph

import (
	"fmt"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
)

// ExecutedBy is the episode that covers an execution, the first started of several; 0 where none does.
func ExecutedBy(c *db.Conn, execution string) (episode int64, err error) {
	const find = `SELECT e.id FROM episode_executions x JOIN episodes e ON e.id = x.episode JOIN nodes n ON n.id = e.id
		WHERE x.key = :key ORDER BY e.started_at, n.key LIMIT 1`
	_, err = c.One(find, func(r *db.Row) { episode = r.Integer() }, db.Arg("key", execution))
	return episode, err
}

// MoveCanvas makes an episode the canvas's own, or none where it is 0, with the episodes' counts and
// the feedback that follows the canvas.
func MoveCanvas(c *db.Conn, canvas, episode int64) error {
	before, err := SourceOf(c, EdgePresented, canvas)
	if err != nil || before == episode {
		return err
	}
	var createdAt time.Time
	actions := 0
	const read = `SELECT created_at, (SELECT count(*) FROM canvas_actions WHERE canvas = :id) FROM canvases WHERE id = :id`
	if _, err := c.One(read, func(r *db.Row) { createdAt, actions = r.AnyTime(), r.Int() }, db.Arg("id", canvas)); err != nil {
		return err
	}
	if before != 0 {
		if err := RemoveEdge(c, before, EdgePresented, canvas); err != nil {
			return err
		}
	}
	if err := Present(c, canvas, before, episode, createdAt, actions); err != nil {
		return err
	}
	return MoveFollowers(c, canvas, episode)
}

// Present gives a canvas its episode, or none where that is 0, and the episode's agent.
func Present(c *db.Conn, canvas, before, episode int64, createdAt time.Time, actions int) error {
	if episode != 0 {
		if err := AddEdge(c, episode, EdgePresented, canvas, createdAt); err != nil {
			return err
		}
	}
	if err := Move(c, func(m *linking.Moves[int64]) { m.Canvas(before, actions, episode, actions) }); err != nil {
		return err
	}
	const own = `UPDATE canvases SET agent = (SELECT agent FROM episodes WHERE id = :episode) WHERE id = :id`
	return c.Exec(own, db.Arg("id", canvas), db.Arg("episode", episode))
}

// MoveFollowers moves the feedback that has its episode through a canvas.
func MoveFollowers(c *db.Conn, canvas, episode int64) error {
	const find = `SELECT f.id FROM edges e JOIN feedback f ON f.id = e.source
		WHERE e.target = :node AND e.type = ` + GivenType + ` AND f.leads_by = 'canvas'`
	followers, err := db.All(c, find, (*db.Row).Integer, db.Arg("node", canvas), db.Arg("type", EdgeOn))
	if err != nil {
		return err
	}
	for _, feedback := range followers {
		if err := MoveFeedback(c, feedback, episode); err != nil {
			return err
		}
	}
	return nil
}

// MoveFeedback makes an episode the feedback's own, or none where it is 0, with the episodes'
// aggregates.
func MoveFeedback(c *db.Conn, feedback, episode int64) error {
	before, err := SourceOf(c, EdgeReceived, feedback)
	if err != nil || before == episode {
		return err
	}
	var f memory.Feedback
	const read = `SELECT created_at, score, replaced_at IS NOT NULL FROM feedback WHERE id = :id`
	_, err = c.One(read, func(r *db.Row) {
		if f.CreatedAt, f.Score = r.AnyTime(), r.Sum(); r.Bool() {
			f.ReplacedAt = &f.CreatedAt // whenever that was: a damaged time is in nobody's way
		}
	}, db.Arg("id", feedback))
	if err != nil {
		return err
	}
	if before != 0 {
		if err := RemoveEdge(c, before, EdgeReceived, feedback); err != nil {
			return err
		}
	}
	return Receive(c, feedback, before, episode, &f)
}

// Receive gives feedback its episode, or none where that is 0; of f it reads the times and the score.
func Receive(c *db.Conn, feedback, before, episode int64, f *memory.Feedback) error {
	if waits := episode == 0; waits != (before == 0) {
		if err := c.Exec(`UPDATE feedback SET waiting = :waits WHERE id = :id`, db.Arg("waits", waits), db.Arg("id", feedback)); err != nil {
			return err
		}
	}
	if episode != 0 {
		if err := AddEdge(c, episode, EdgeReceived, feedback, f.CreatedAt); err != nil {
			return err
		}
	}
	if f.ReplacedAt != nil {
		return nil
	}
	return Move(c, func(m *linking.Moves[int64]) { m.Feedback(before, episode, f.Score) })
}

// LeadTo is the episode that a record of a kind and time is led to, 0 where that is not there.
func LeadTo(c *db.Conn, by linking.Awaited, kind memory.Kind, at time.Time) (episode int64, err error) {
	switch by.Kind {
	case memory.KindEpisode:
		return NodeID(c, by.Kind, by.Key)
	case linking.Execution:
		return ExecutedBy(c, by.Key)
	case memory.KindCanvas:
		const find = `SELECT e.source FROM nodes n JOIN edges e ON e.target = n.id AND e.type = 'PRESENTED' WHERE n.kind = 'canvas' AND n.key = :key`
		_, err = c.One(find, func(r *db.Row) { episode = r.Integer() }, db.Arg("key", by.Key))
		return episode, err
	case linking.Session:
		return PickIn(c, linking.Pick, by.Key, kind, at)
	}
	return 0, nil
}

// CheckAbout refuses what names no record: nothing could ever come that it waits for.
func CheckAbout(ids []string) error {
	for i, id := range ids {
		if _, _, ok := memory.SplitID(id); !ok {
			return fmt.Errorf("%w: about %d is no id of a record", store.ErrInvalid, i)
		}
	}
	return nil
}

// LinkAbout links an annotation (an observation or a correction) with the records that it is about. Those
// that are not there yet it waits for.
func LinkAbout(c *db.Conn, annotation int64, ids []string, at time.Time) error {
	for _, id := range ids {
		node, err := FindNode(c, id)
		if err != nil {
			return err
		}
		if node == 0 {
			err = Wait(c, WaitAbout, id, annotation)
		} else {
			err = AddEdge(c, annotation, edgeAbout, node, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// FindNode is the node of a global id, 0 where there is none.
func FindNode(c *db.Conn, id string) (int64, error) {
	kind, key, ok := memory.SplitID(id)
	if !ok {
		return 0, nil
	}
	return NodeID(c, kind, key)
}

// LinkWaitingAnnotations links a new node with the annotations that waited to be about it.
func LinkWaitingAnnotations(c *db.Conn, node int64, id string) error {
	waiters, err := WaitersFor(c, WaitAbout, id)
	if err != nil || len(waiters) == 0 {
		return err
	}
	for _, w := range waiters {
		at, err := annotatedAt(c, w.Node)
		if err != nil {
			return err
		}
		if err := AddEdge(c, w.Node, edgeAbout, node, at); err != nil {
			return err
		}
	}
	return EndWait(c, WaitAbout, id)
}

func annotatedAt(c *db.Conn, annotation int64) (at time.Time, err error) {
	const read = `SELECT created_at FROM observations WHERE id = :id UNION ALL SELECT created_at FROM corrections WHERE id = :id`
	_, err = c.One(read, func(r *db.Row) { at = r.AnyTime() }, db.Arg("id", annotation))
	return at, err
}

// AboutOf is a column that lists what a record x is about, in the order of the ids' bytes.
const AboutOf = `(SELECT json_group_array(target_ref) FROM
	(SELECT target_ref FROM edges WHERE source = x.id AND type = 'ABOUT' ORDER BY target_ref))`
