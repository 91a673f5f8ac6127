package sqlite

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
)

// DeleteEpisode removes an episode with what only it owns, also from the files' free space.
func (t *Tenant) DeleteEpisode(ctx context.Context, key string) error {
	return t.erase(ctx, func(c *conn) error {
		id, err := nodeID(c, memory.KindEpisode, key)
		if err != nil {
			return err
		}
		if id == 0 {
			return store.ErrNotFound
		}
		if err := c.exec(`DELETE FROM spans WHERE trace = :key`, arg("key", key)); err != nil {
			return err
		}
		return deleteEpisode(c, id)
	})
}

func deleteEpisode(c *conn, id int64) error {
	canvases, err := targetsOf(c, id, edgePresented)
	if err != nil {
		return err
	}
	feedback, err := targetsOf(c, id, edgeReceived)
	if err != nil {
		return err
	}
	if err := awaitCanvases(c, id); err != nil {
		return err
	}
	executions, err := discountEpisode(c, id)
	if err != nil {
		return err
	}
	return deleteNodes(c, slices.Concat([]int64{id}, canvases, feedback, executions))
}

// awaitCanvases lets the feedback of others on an episode's canvases wait for those again.
func awaitCanvases(c *conn, episode int64) error {
	const add = `INSERT INTO waiting (kind, key, node)
		SELECT v.kind, v.key, o.source FROM edges p
			JOIN nodes v ON v.id = p.target
			JOIN edges o ON o.target = v.id AND o.type = 'ON'
		WHERE p.source = :episode AND p.type = 'PRESENTED'
			AND NOT EXISTS (SELECT 1 FROM edges r WHERE r.target = o.source AND r.type = 'RECEIVED' AND r.source = p.source)
		ON CONFLICT DO NOTHING`
	return c.exec(add, arg("episode", episode))
}
