package sqlite

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
)

// The ways from the episodes whose nodes are q, and rows h, to others, whose ids are e's. The neighbours b
// in a session are those known at the instant, which is ever where none is given.
var ways = map[store.EpisodeLink]string{
	store.LinkCausedBy: ` JOIN edges l ON l.source = q.id AND l.type = 'CAUSED_BY' JOIN episodes e ON e.id = l.target`,
	store.LinkCauses:   ` JOIN edges l ON l.target = q.id AND l.type = 'CAUSED_BY' JOIN episodes e ON e.id = l.source`,
	store.LinkPrevious: ` JOIN episodes e ON e.id = (
		SELECT b.id FROM episodes b JOIN nodes k ON k.id = b.id
		WHERE b.session = h.session AND b.started_at <= h.started_at AND (b.started_at < h.started_at OR k.key < q.key)
		AND b.known_at <= :as_of ORDER BY b.started_at DESC, k.key DESC LIMIT 1)`,
	store.LinkNext: ` JOIN episodes e ON e.id = (
		SELECT b.id FROM episodes b JOIN nodes k ON k.id = b.id
		WHERE b.session = h.session AND b.started_at >= h.started_at AND (b.started_at > h.started_at OR k.key > q.key)
		AND b.known_at <= :as_of ORDER BY b.started_at, k.key LIMIT 1)`,
}

// Linked reads the episodes that others have a link to.
func (t *Tenant) Linked(ctx context.Context, query store.LinkedQuery) (map[string][]*memory.Episode, error) {
	list, err := jsonOf(distinct(query.Episodes))
	if err != nil {
		return nil, err
	}
	aggregates := aggregatesNow
	if query.AsOf != nil {
		aggregates = aggregatesThen
	}
	find := `SELECT q.key, ` + episodeColumns + aggregates + `
		FROM json_each(:episodes) w CROSS JOIN nodes q ON q.kind = 'episode' AND q.key = w.value
		JOIN episodes h ON h.id = q.id AND h.known_at <= :as_of` + ways[query.Link] + ` AND e.known_at <= :as_of
		JOIN nodes n ON n.id = e.id` + episodeTables
	linked := make(map[string][]*memory.Episode, len(query.Episodes))
	err = t.read(ctx, func(c *conn) error {
		return c.search(ctx, find, func(r *row) error {
			key := r.text()
			linked[key] = append(linked[key], readEpisode(r, 0))
			return nil
		}, arg("episodes", list), arg("as_of", asOfOrEver(query.AsOf)))
	})
	if err != nil {
		return nil, err
	}
	for _, others := range linked {
		slices.SortFunc(others, oldestFirst)
	}
	return linked, nil
}

// distinct sorts keys and keeps each once. It is never nil.
func distinct(keys []string) []string {
	sorted := append([]string{}, keys...)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}
