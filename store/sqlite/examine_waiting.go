package sqlite

import (
	"fmt"
	"time"

	"mneme/memory"
	"mneme/store/linking"
)

// arrived are the waits for something that is there: w.kind and w.key with the node n that was waited for.
const arrived = `FROM waiting w JOIN nodes n ON
	n.kind = CASE w.kind WHEN 'about' THEN substr(w.key, 1, instr(w.key, ':') - 1) WHEN 'execution' THEN 'episode' ELSE w.kind END
	AND CASE w.kind
		WHEN 'about' THEN n.key = substr(w.key, instr(w.key, ':') + 1)
		WHEN 'execution' THEN n.id IN (SELECT x.episode FROM episode_executions x WHERE x.key = w.key)
		ELSE n.key = w.key END
	WHERE w.kind IN ('episode', 'execution', 'canvas', 'concept', 'about')`

// waiting looks for records that wait for something that is there.
func (e *examiner) waiting() (diagnosis, error) {
	all, err := e.count(`SELECT count(*) FROM waiting`)
	if err != nil {
		return diagnosis{}, err
	}
	late, err := e.count(`SELECT count(DISTINCT w.kind || ' ' || w.key || ' ' || w.node) ` + arrived)
	if err != nil {
		return diagnosis{}, err
	}
	placeable, err := e.count(`SELECT count(*) FROM waiting w JOIN nodes s ON s.kind = 'session' AND s.key = w.key
		WHERE w.kind = 'session' AND EXISTS (SELECT 1 FROM episodes x WHERE x.session = s.id)`)
	if err != nil {
		return diagnosis{}, err
	}
	d := diagnosis{found: fmt.Sprintf("%d wait for a record to come", all)}
	if placeable > 0 {
		d.found += fmt.Sprintf("; a backfill would place %d of them", placeable)
	}
	if late > 0 {
		d.fault = fmt.Sprintf("%d of %d wait for a record that is there", late, all)
		d.remedy = "Link them with what they wait for."
		d.mend = linkAllWaiting
	}
	return d, nil
}

// linkAllWaiting links what waits for records that are there.
func linkAllWaiting(c *conn) error {
	type awaited struct {
		kind memory.Kind
		key  string
	}
	found := map[awaited]bool{}
	err := c.query(`SELECT DISTINCT w.kind, w.key `+arrived, func(r *row) error {
		found[awaited{memory.Kind(r.text()), r.text()}] = true
		return nil
	})
	if err != nil {
		return err
	}
	for a := range found {
		if err := linkWaitingForRecord(c, a.kind, a.key); err != nil {
			return err
		}
	}
	return nil
}

// linkWaitingForRecord links what waits for one record.
func linkWaitingForRecord(c *conn, kind memory.Kind, key string) error {
	switch kind {
	case waitAbout:
		id, err := findNode(c, key)
		if err != nil {
			return err
		}
		return linkWaitingAnnotations(c, id, key)
	case linking.Execution:
		id, err := executedBy(c, key)
		if err != nil {
			return err
		}
		return linkWaitingFor(c, kind, key, id)
	}
	id, err := nodeID(c, kind, key)
	if err != nil {
		return err
	}
	switch kind {
	case memory.KindConcept:
		return linkWaitingMentions(c, id, key)
	case memory.KindCanvas:
		return linkWaitingFeedback(c, id, key)
	default:
		return linkWaitingFor(c, kind, key, id)
	}
}

// linkWaitingFeedback puts feedback on the canvas that it named, whose episode it follows.
func linkWaitingFeedback(c *conn, canvas int64, key string) error {
	waiters, err := waitersFor(c, memory.KindCanvas, key)
	if err != nil {
		return err
	}
	shown, err := shownAt(c, canvas)
	if err != nil {
		return err
	}
	for _, w := range waiters {
		if err := addEdge(c, w.node, edgeOn, canvas, shown); err != nil {
			return err
		}
	}
	if err := endWait(c, memory.KindCanvas, key); err != nil {
		return err
	}
	episode, err := sourceOf(c, edgePresented, canvas)
	if err != nil || episode == 0 {
		return err
	}
	return moveFollowers(c, canvas, episode)
}

func shownAt(c *conn, canvas int64) (at time.Time, err error) {
	_, err = c.one(`SELECT created_at FROM canvases WHERE id = :id`, func(r *row) { at = r.anyTime() }, arg("id", canvas))
	return at, err
}
