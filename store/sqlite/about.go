package sqlite

import (
	"fmt"
	"time"

	"mneme/memory"
	"mneme/store"
)

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
