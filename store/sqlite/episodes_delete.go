package sqlite

import (
	"context"

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
	return deleteNodes(c, append(append([]int64{id}, canvases...), feedback...))
}
