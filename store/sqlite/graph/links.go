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
func ExecutedBy(tx *db.Tx, execution string) (episode int64) {
	const find = `SELECT e.id FROM episode_executions x JOIN episodes e ON e.id = x.episode JOIN nodes n ON n.id = e.id
		WHERE x.key = :key ORDER BY e.started_at, n.key LIMIT 1`
	tx.One(find, func(r *db.Row) { episode = r.Integer() }, db.Arg("key", execution))
	return episode
}

// MoveCanvas makes an episode the canvas's own, or none where it is 0, with the episodes' counts and
// the feedback that follows the canvas.
func MoveCanvas(tx *db.Tx, canvas, episode int64) {
	before := SourceOf(tx, EdgePresented, canvas)
	if before == episode {
		return
	}
	var createdAt time.Time
	actions := 0
	const read = `SELECT created_at, (SELECT count(*) FROM canvas_actions WHERE canvas = :id) FROM canvases WHERE id = :id`
	tx.One(read, func(r *db.Row) { createdAt, actions = r.AnyTime(), r.Int() }, db.Arg("id", canvas))
	if before != 0 {
		RemoveEdge(tx, before, EdgePresented, canvas)
	}
	Present(tx, canvas, before, episode, createdAt, actions)
	MoveFollowers(tx, canvas, episode)
}

// Present gives a canvas its episode, or none where that is 0, and the episode's agent.
func Present(tx *db.Tx, canvas, before, episode int64, createdAt time.Time, actions int) {
	if episode != 0 {
		AddEdge(tx, episode, EdgePresented, canvas, createdAt)
	}
	Move(tx, func(m *linking.Moves[int64]) { m.Canvas(before, actions, episode, actions) })
	const own = `UPDATE canvases SET agent = (SELECT agent FROM episodes WHERE id = :episode) WHERE id = :id`
	tx.Exec(own, db.Arg("id", canvas), db.Arg("episode", episode))
}

// MoveFollowers moves the feedback that has its episode through a canvas.
func MoveFollowers(tx *db.Tx, canvas, episode int64) {
	const find = `SELECT f.id FROM edges e JOIN feedback f ON f.id = e.source
		WHERE e.target = :node AND e.type = ` + GivenType + ` AND f.leads_by = 'canvas'`
	for _, feedback := range tx.IDs(find, db.Arg("node", canvas), db.Arg("type", EdgeOn)) {
		MoveFeedback(tx, feedback, episode)
	}
}

// MoveFeedback makes an episode the feedback's own, or none where it is 0, with the episodes'
// aggregates.
func MoveFeedback(tx *db.Tx, feedback, episode int64) {
	before := SourceOf(tx, EdgeReceived, feedback)
	if before == episode {
		return
	}
	var f memory.Feedback
	const read = `SELECT created_at, score, replaced_at IS NOT NULL FROM feedback WHERE id = :id`
	tx.One(read, func(r *db.Row) {
		if f.CreatedAt, f.Score = r.AnyTime(), r.Sum(); r.Bool() {
			f.ReplacedAt = &f.CreatedAt // whenever that was: a damaged time is in nobody's way
		}
	}, db.Arg("id", feedback))
	if before != 0 {
		RemoveEdge(tx, before, EdgeReceived, feedback)
	}
	Receive(tx, feedback, before, episode, &f)
}

// Receive gives feedback its episode, or none where that is 0; of f it reads the times and the score.
func Receive(tx *db.Tx, feedback, before, episode int64, f *memory.Feedback) {
	if waits := episode == 0; waits != (before == 0) {
		tx.Exec(`UPDATE feedback SET waiting = :waits WHERE id = :id`, db.Arg("waits", waits), db.Arg("id", feedback))
	}
	if episode != 0 {
		AddEdge(tx, episode, EdgeReceived, feedback, f.CreatedAt)
	}
	if f.ReplacedAt == nil {
		Move(tx, func(m *linking.Moves[int64]) { m.Feedback(before, episode, f.Score) })
	}
}

// LeadTo is the episode that a record of a kind and time is led to, 0 where that is not there.
func LeadTo(tx *db.Tx, by linking.Awaited, kind memory.Kind, at time.Time) (episode int64) {
	switch by.Kind {
	case memory.KindEpisode:
		return NodeID(tx, by.Kind, by.Key)
	case linking.Execution:
		return ExecutedBy(tx, by.Key)
	case memory.KindCanvas:
		const find = `SELECT e.source FROM nodes n JOIN edges e ON e.target = n.id AND e.type = 'PRESENTED' WHERE n.kind = 'canvas' AND n.key = :key`
		tx.One(find, func(r *db.Row) { episode = r.Integer() }, db.Arg("key", by.Key))
	case linking.Session:
		return PickIn(tx, linking.Pick, by.Key, kind, at)
	}
	return episode
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
func LinkAbout(tx *db.Tx, annotation int64, ids []string, at time.Time) {
	for _, id := range ids {
		if node := FindNode(tx, id); node == 0 {
			Wait(tx, WaitAbout, id, annotation)
		} else {
			AddEdge(tx, annotation, edgeAbout, node, at)
		}
	}
}

// FindNode is the node of a global id, 0 where there is none.
func FindNode(tx *db.Tx, id string) int64 {
	kind, key, ok := memory.SplitID(id)
	if !ok {
		return 0
	}
	return NodeID(tx, kind, key)
}

// LinkWaitingAnnotations links a new node with the annotations that waited to be about it.
func LinkWaitingAnnotations(tx *db.Tx, node int64, id string) {
	waiters := WaitersFor(tx, WaitAbout, id)
	for _, w := range waiters {
		const read = `SELECT created_at FROM observations WHERE id = :id UNION ALL SELECT created_at FROM corrections WHERE id = :id`
		var at time.Time
		tx.One(read, func(r *db.Row) { at = r.AnyTime() }, db.Arg("id", w.Node))
		AddEdge(tx, w.Node, edgeAbout, node, at)
	}
	if len(waiters) > 0 {
		EndWait(tx, WaitAbout, id)
	}
}

// AboutOf is a column that lists what a record x is about, in the order of the ids' bytes.
const AboutOf = `(SELECT json_group_array(target_ref) FROM
	(SELECT target_ref FROM edges WHERE source = x.id AND type = 'ABOUT' ORDER BY target_ref))`
