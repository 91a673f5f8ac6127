package graph

import (
	"slices"
	"time"

	"mneme/memory"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
)

// LinkWaitingMentions links a new concept with the episodes that mentioned it before.
func LinkWaitingMentions(tx *db.Tx, id int64, key string) {
	waiters := WaitersFor(tx, memory.KindConcept, key)
	for _, w := range waiters {
		AddEdge(tx, w.Node, EdgeMentions, id, startOf(tx, w.Node))
	}
	if len(waiters) > 0 {
		EndWait(tx, memory.KindConcept, key)
	}
}

// LinkWaitingFeedback puts feedback on the canvas that it named before, and says whether there was any.
func LinkWaitingFeedback(tx *db.Tx, canvas int64, key string, shown time.Time) (linked bool) {
	waiters := WaitersFor(tx, memory.KindCanvas, key)
	for _, w := range waiters {
		AddEdge(tx, w.Node, EdgeOn, canvas, shown)
	}
	if len(waiters) > 0 {
		EndWait(tx, memory.KindCanvas, key)
	}
	return len(waiters) > 0
}

// LinkWaiting links a new episode with what has been waiting for it, and with what of its session belongs to it.
func LinkWaiting(tx *db.Tx, id int64, e *memory.Episode) {
	for _, awaited := range linking.Episode(e) {
		if awaited.Kind == linking.Session {
			decideAnew(tx, awaited.Key, decidedBy(tx, awaited.Key, new(linking.SpanOf(e, id))))
		} else {
			LinkWaitingFor(tx, awaited.Kind, awaited.Key, id)
		}
	}
}

// LinkWaitingFor links those that named the episode, or an execution of it.
func LinkWaitingFor(tx *db.Tx, kind memory.Kind, key string, id int64) {
	waiters := WaitersFor(tx, kind, key)
	if len(waiters) == 0 {
		return
	}
	var canvases []int64
	for _, w := range waiters {
		switch w.Kind {
		case memory.KindCanvas:
			canvases = append(canvases, w.Node)
		case memory.KindFeedback:
			MoveFeedback(tx, w.Node, id)
		case memory.KindEpisode: // which named it as its cause, or as what informed it
			edge := EdgeCausedBy
			if kind == linking.Informed {
				edge = EdgeInformedBy
			}
			AddEdge(tx, w.Node, edge, id, startOf(tx, w.Node))
		}
	}
	for some := range slices.Chunk(canvases, linking.LinkedTogether) {
		presentAll(tx, some, id)
	}
	EndWait(tx, kind, key)
}

// presentAll is MoveCanvas for many that waited for an episode: those that have none yet, as most, are given it together, in a third of the time.
func presentAll(tx *db.Tx, canvases []int64, episode int64) {
	free, actions := withoutEpisode(tx, canvases)
	list := db.List("canvases", free)
	const link = `INSERT INTO edges (source, type, target_ref, target, source_ref, at)
		SELECT e.id, 'PRESENTED', n.ref, n.id, e.ref, v.created_at FROM nodes e CROSS JOIN json_each(:canvases) w
			CROSS JOIN canvases v ON v.id = w.value CROSS JOIN nodes n ON n.id = v.id WHERE e.id = :episode`
	const own = `UPDATE canvases SET agent = (SELECT agent FROM episodes WHERE id = :episode) WHERE id IN (SELECT value FROM json_each(:canvases))`
	tx.Exec(link, list, db.Arg("episode", episode))
	tx.Exec(own, list, db.Arg("episode", episode))
	Move(tx, func(m *linking.Moves[int64]) {
		for _, some := range actions {
			m.Canvas(0, some, episode, some)
		}
	})
	const follow = `SELECT f.id FROM json_each(:canvases) w CROSS JOIN edges o ON o.target = w.value AND o.type = 'ON'
		CROSS JOIN feedback f ON f.id = o.source WHERE f.leads_by = 'canvas'`
	for _, feedback := range tx.IDs(follow, list) {
		MoveFeedback(tx, feedback, episode)
	}
	for _, canvas := range canvases {
		if _, done := slices.BinarySearch(free, canvas); !done {
			MoveCanvas(tx, canvas, episode)
		}
	}
}

// withoutEpisode are the canvases that have no episode, by id, and how many actions each of these has.
func withoutEpisode(tx *db.Tx, canvases []int64) (free []int64, actions []int) {
	const read = `SELECT v.id, (SELECT count(*) FROM canvas_actions WHERE canvas = v.id) FROM json_each(:canvases) w CROSS JOIN canvases v ON v.id = w.value
		WHERE NOT EXISTS (SELECT 1 FROM edges WHERE target = v.id AND type = 'PRESENTED') ORDER BY v.id`
	tx.Each(read, func(r *db.Row) {
		free = append(free, r.Integer())
		actions = append(actions, r.Int())
	}, db.List("canvases", canvases))
	return free, actions
}

// startOf is when an episode started.
func startOf(tx *db.Tx, episode int64) (startedAt time.Time) {
	tx.One(`SELECT started_at FROM episodes WHERE id = :id`, func(r *db.Row) { startedAt = r.AnyTime() }, db.Arg("id", episode))
	return startedAt
}
