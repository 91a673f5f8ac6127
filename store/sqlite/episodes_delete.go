package sqlite

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
)

// DeleteEpisode removes an episode with what only it owns. Where that is much, it goes before the episode, in parts.
func (t *Tenant) DeleteEpisode(ctx context.Context, key string) error {
	parts := -1 // how many there are before the last; others may add to the episode meanwhile
	return t.inParts(ctx, func(c *conn) (done bool, err error) {
		id, err := nodeID(c, memory.KindEpisode, key)
		if err != nil {
			return false, err
		}
		if id == 0 && parts < 0 {
			return false, store.ErrNotFound
		}
		if parts < 0 {
			if parts, err = partsOfEpisode(c, id); err != nil {
				return false, err
			}
		}
		if parts--; parts >= 0 && id != 0 {
			return false, deleteOwned(ctx, c, id)
		}
		return true, deleteEpisode(c, id, key)
	})
}

// partsOfEpisode is how many parts what an episode owns is to be deleted in before it.
func partsOfEpisode(c *conn, id int64) (parts int, err error) {
	const count = `SELECT count(*) FROM edges WHERE source = :id AND type IN ('PRESENTED', 'RECEIVED')`
	_, err = c.one(count, func(r *row) { parts = r.int() / mostInPart }, arg("id", id))
	return parts, err
}

// deleteOwned deletes some of what an episode owns.
func deleteOwned(ctx context.Context, c *conn, id int64) error {
	owned, err := ownedNodes(ctx, c, id, mostInPart)
	if err != nil {
		return err
	}
	if err := awaitCanvases(c, owned); err != nil {
		return err
	}
	if err := removeFromEpisode(c, owned); err != nil {
		return err
	}
	return rewriteWords(c, len(owned), func() error { return deleteNodes(c, owned) })
}

// deleteEpisode deletes an episode with what it owns still, if it is there.
func deleteEpisode(c *conn, id int64, key string) error {
	if id == 0 {
		return nil
	}
	if err := c.exec(`DELETE FROM spans WHERE trace = :key`, arg("key", key)); err != nil {
		return err
	}
	canvases, err := targetsOf(c, id, edgePresented)
	if err != nil {
		return err
	}
	feedback, err := targetsOf(c, id, edgeReceived)
	if err != nil {
		return err
	}
	if err := awaitCanvases(c, canvases); err != nil {
		return err
	}
	executions, anew, err := discountEpisode(c, id)
	if err != nil {
		return err
	}
	if err := deleteNodes(c, slices.Concat([]int64{id}, canvases, feedback, executions)); err != nil {
		return err
	}
	for _, profile := range anew {
		if err := rebuildProfile(c, profile); err != nil {
			return err
		}
	}
	return nil
}

// awaitCanvases lets the feedback of others on canvases of an episode wait for those again.
func awaitCanvases(c *conn, canvases []int64) error {
	const add = `INSERT INTO waiting (kind, key, node)
		SELECT v.kind, v.key, o.source FROM json_each(:canvases) w
			JOIN nodes v ON v.id = w.value
			JOIN edges p ON p.target = v.id AND p.type = 'PRESENTED'
			JOIN edges o ON o.target = v.id AND o.type = 'ON'
		WHERE NOT EXISTS (SELECT 1 FROM edges r WHERE r.target = o.source AND r.type = 'RECEIVED' AND r.source = p.source)
		ON CONFLICT DO NOTHING`
	list, err := jsonOf(canvases)
	if err != nil {
		return err
	}
	return c.exec(add, arg("canvases", list))
}

// ownedNodes are what an episode owns: feedback first, which may be on its canvases. There is no more of it
// than a limit.
func ownedNodes(ctx context.Context, c *conn, episode int64, limit int) (owned []int64, err error) {
	const find = `SELECT target FROM edges WHERE source = :episode AND type IN ('PRESENTED', 'RECEIVED')
		ORDER BY type DESC, at, target LIMIT :limit`
	err = c.search(ctx, find, func(r *row) error {
		owned = append(owned, r.integer())
		return nil
	}, arg("episode", episode), arg("limit", limit))
	return owned, err
}

// removeFromEpisode takes nodes out of the aggregates of the episode that owns them, before they are deleted.
func removeFromEpisode(c *conn, owned []int64) error {
	for _, id := range owned {
		if err := moveFeedback(c, id, 0); err != nil {
			return err
		}
		if err := moveCanvas(c, id, 0); err != nil {
			return err
		}
	}
	return nil
}
