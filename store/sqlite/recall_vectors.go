package sqlite

import (
	"context"

	"mneme/store"
)

// matchVectors scores all episodes with a vector that pass the filter, exactly.
func matchVectors(ctx context.Context, c *conn, query *store.RecallQuery) ([]*match, error) {
	if len(query.Embedding) == 0 {
		return nil, nil
	}
	if err := checkVectorLength(c, query.Embedding); err != nil {
		return nil, err
	}
	w := filtered(&query.Filter, query.AsOf)
	w.addKnown(query.AsOf)
	find := `SELECT v.episode, 1 - vec_distance_cosine(v.vector, :embedding), e.started_at
		FROM embeddings v JOIN episodes e ON e.id = v.episode WHERE ` + w.sql()
	var matches []*match
	err := c.search(ctx, find, func(r *row) error {
		m := &match{id: r.integer(), cosine: r.float(), startedAt: r.time(), passes: true}
		m.cosine = max(-1, min(1, m.cosine)) // rounding
		matches = append(matches, m)
		return nil
	}, append(w.args, arg("embedding", encodeVector(query.Embedding)))...)
	return matches, err
}
