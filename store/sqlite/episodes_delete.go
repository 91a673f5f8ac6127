package sqlite

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
)

// DeleteEpisode removes an episode with what only it owns. Where that is much, it goes before the episode, in parts.
func (t *Tenant) DeleteEpisode(ctx context.Context, key string) error {
	parts := -1 // how many there are before the last; others may add to the episode meanwhile
	return t.file.InParts(ctx, func(c *db.Conn) (done bool, err error) {
		id, err := graph.NodeID(c, memory.KindEpisode, key)
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
func partsOfEpisode(c *db.Conn, id int64) (parts int, err error) {
	const count = `SELECT count(*) FROM edges WHERE source = :id AND type IN ('PRESENTED', 'RECEIVED')`
	_, err = c.One(count, func(r *db.Row) { parts = r.Int() / mostInPart }, db.Arg("id", id))
	return parts, err
}

// deleteOwned deletes some of what an episode owns.
func deleteOwned(ctx context.Context, c *db.Conn, id int64) error {
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
	return rewriteWords(c, len(owned), func() error { return graph.DeleteNodes(c, owned) })
}

// deleteEpisode deletes an episode with what it owns still, if it is there.
func deleteEpisode(c *db.Conn, id int64, key string) error {
	if id == 0 {
		return nil
	}
	if err := c.Exec(`DELETE FROM spans WHERE trace = :key`, db.Arg("key", key)); err != nil {
		return err
	}
	canvases, err := graph.TargetsOf(c, id, graph.EdgePresented)
	if err != nil {
		return err
	}
	feedback, err := graph.TargetsOf(c, id, graph.EdgeReceived)
	if err != nil {
		return err
	}
	if err := awaitCanvases(c, canvases); err != nil {
		return err
	}
	executions, anew, err := learning.DiscountEpisode(c, id)
	if err != nil {
		return err
	}
	if err := graph.DeleteNodes(c, slices.Concat([]int64{id}, canvases, feedback, executions)); err != nil {
		return err
	}
	for _, profile := range anew {
		if err := learning.Rebuild(c, profile); err != nil {
			return err
		}
	}
	return nil
}

// awaitCanvases lets the feedback of others on canvases of an episode wait for those again.
func awaitCanvases(c *db.Conn, canvases []int64) error {
	const add = `INSERT INTO waiting (kind, key, node)
		SELECT v.kind, v.key, o.source FROM json_each(:canvases) w
			JOIN nodes v ON v.id = w.value
			JOIN edges p ON p.target = v.id AND p.type = 'PRESENTED'
			JOIN edges o ON o.target = v.id AND o.type = 'ON'
		WHERE NOT EXISTS (SELECT 1 FROM edges r WHERE r.target = o.source AND r.type = 'RECEIVED' AND r.source = p.source)
		ON CONFLICT DO NOTHING`
	list, err := db.JSONOf(canvases)
	if err != nil {
		return err
	}
	return c.Exec(add, db.Arg("canvases", list))
}

// ownedNodes are what an episode owns: feedback first, which may be on its canvases. There is no more of it
// than a limit.
func ownedNodes(ctx context.Context, c *db.Conn, episode int64, limit int) (owned []int64, err error) {
	const find = `SELECT target FROM edges WHERE source = :episode AND type IN ('PRESENTED', 'RECEIVED')
		ORDER BY type DESC, at, target LIMIT :limit`
	err = c.Search(ctx, find, func(r *db.Row) error {
		owned = append(owned, r.Integer())
		return nil
	}, db.Arg("episode", episode), db.Arg("limit", limit))
	return owned, err
}

// removeFromEpisode takes nodes out of the aggregates of the episode that owns them, before they are deleted.
func removeFromEpisode(c *db.Conn, owned []int64) error {
	for _, id := range owned {
		if err := graph.MoveFeedback(c, id, 0); err != nil {
			return err
		}
		if err := graph.MoveCanvas(c, id, 0); err != nil {
			return err
		}
	}
	return nil
}
