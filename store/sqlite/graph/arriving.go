package graph

import (
	"slices"
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

// LinkWaitingFeedback puts feedback on the canvas that it named before, and says whether there was any.
func LinkWaitingFeedback(c *db.Conn, canvas int64, key string, shown time.Time) (linked bool, err error) {
	waiters, err := WaitersFor(c, memory.KindCanvas, key)
	if err != nil || len(waiters) == 0 {
		return false, err
	}
	for _, w := range waiters {
		if err := AddEdge(c, w.Node, EdgeOn, canvas, shown); err != nil {
			return true, err
		}
	}
	return true, EndWait(c, memory.KindCanvas, key)
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
	var canvases []int64
	for _, w := range waiters {
		switch w.Kind {
		case memory.KindCanvas:
			canvases = append(canvases, w.Node)
		case memory.KindFeedback:
			err = MoveFeedback(c, w.Node, id)
		case memory.KindEpisode:
			err = addEffect(c, w.Node, kind, id)
		}
		if err != nil {
			return err
		}
	}
	for some := range slices.Chunk(canvases, linking.LinkedTogether) {
		if err := presentAll(c, some, id); err != nil {
			return err
		}
	}
	return EndWait(c, kind, key)
}

// presentAll is MoveCanvas for many that waited for an episode: those that have none yet, as most, are given it together, in a third of the time.
func presentAll(c *db.Conn, canvases []int64, episode int64) error {
	free, actions, err := withoutEpisode(c, canvases)
	if err != nil {
		return err
	}
	list := db.JSONOf(free)
	const link = `INSERT INTO edges (source, type, target_ref, target, source_ref, at)
		SELECT e.id, 'PRESENTED', n.ref, n.id, e.ref, v.created_at FROM nodes e CROSS JOIN json_each(:canvases) w
			CROSS JOIN canvases v ON v.id = w.value CROSS JOIN nodes n ON n.id = v.id WHERE e.id = :episode`
	const own = `UPDATE canvases SET agent = (SELECT agent FROM episodes WHERE id = :episode) WHERE id IN (SELECT value FROM json_each(:canvases))`
	for _, sql := range []string{link, own} {
		if err := c.Exec(sql, db.Arg("canvases", list), db.Arg("episode", episode)); err != nil {
			return err
		}
	}
	err = Move(c, func(m *linking.Moves[int64]) {
		for _, some := range actions {
			m.Canvas(0, some, episode, some)
		}
	})
	if err != nil {
		return err
	}
	var followers []int64
	const follow = `SELECT f.id FROM json_each(:canvases) w CROSS JOIN edges o ON o.target = w.value AND o.type = 'ON'
		CROSS JOIN feedback f ON f.id = o.source WHERE f.leads_by = 'canvas'`
	followers, err = db.All(c, follow, (*db.Row).Integer, db.Arg("canvases", list))
	for _, feedback := range followers {
		if err == nil {
			err = MoveFeedback(c, feedback, episode)
		}
	}
	for _, canvas := range canvases {
		if _, done := slices.BinarySearch(free, canvas); err == nil && !done {
			err = MoveCanvas(c, canvas, episode)
		}
	}
	return err
}

// withoutEpisode are the canvases that have no episode, by id, and how many actions each of these has.
func withoutEpisode(c *db.Conn, canvases []int64) (free []int64, actions []int, err error) {
	list := db.JSONOf(canvases)
	const read = `SELECT v.id, (SELECT count(*) FROM canvas_actions WHERE canvas = v.id) FROM json_each(:canvases) w CROSS JOIN canvases v ON v.id = w.value
		WHERE NOT EXISTS (SELECT 1 FROM edges WHERE target = v.id AND type = 'PRESENTED') ORDER BY v.id`
	err = c.Query(read, func(r *db.Row) error {
		free = append(free, r.Integer())
		actions = append(actions, r.Int())
		return nil
	}, db.Arg("canvases", list))
	return free, actions, err
}

// addEffect links an episode with one that it named before that came, as its cause or as what informed it.
func addEffect(c *db.Conn, effect int64, as memory.Kind, cause int64) error {
	startedAt, err := startOf(c, effect)
	if err != nil {
		return err
	}
	edge := EdgeCausedBy
	if as == linking.Informed {
		edge = EdgeInformedBy
	}
	return AddEdge(c, effect, edge, cause, startedAt)
}

// startOf is when an episode started.
func startOf(c *db.Conn, episode int64) (startedAt time.Time, err error) {
	const read = `SELECT started_at FROM episodes WHERE id = :id`
	_, err = c.One(read, func(r *db.Row) { startedAt = r.AnyTime() }, db.Arg("id", episode))
	return startedAt, err
}
