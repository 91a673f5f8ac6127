package sqlite

import (
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
)

// The ways from the episodes whose nodes are q to others, whose ids are e's.
var ways = map[store.EpisodeLink]string{
	store.LinkCausedBy: ` JOIN edges l ON l.source = q.id AND l.type = 'CAUSED_BY' JOIN episodes e ON e.id = l.target`,
	store.LinkCauses:   ` JOIN edges l ON l.target = q.id AND l.type = 'CAUSED_BY' JOIN episodes e ON e.id = l.source`,
	store.LinkPrevious: ` JOIN episodes h ON h.id = q.id JOIN episodes e ON e.id = (
		SELECT b.id FROM episodes b JOIN nodes k ON k.id = b.id
		WHERE b.session = h.session AND b.started_at <= h.started_at AND (b.started_at < h.started_at OR k.key < q.key)
		ORDER BY b.started_at DESC, k.key DESC LIMIT 1)`,
	store.LinkNext: ` JOIN episodes h ON h.id = q.id JOIN episodes e ON e.id = (
		SELECT b.id FROM episodes b JOIN nodes k ON k.id = b.id
		WHERE b.session = h.session AND b.started_at >= h.started_at AND (b.started_at > h.started_at OR k.key > q.key)
		ORDER BY b.started_at, k.key LIMIT 1)`,
}

// Linked reads the episodes that others have a link to.
func (t *Tenant) Linked(ctx context.Context, episodes []string, link store.EpisodeLink) (map[string][]*memory.Episode, error) {
	list, err := jsonOf(distinct(episodes))
	if err != nil {
		return nil, err
	}
	find := `SELECT q.key, ` + episodeColumns + aggregatesNow + `
		FROM json_each(:episodes) w CROSS JOIN nodes q ON q.kind = 'episode' AND q.key = w.value` + ways[link] +
		` JOIN nodes n ON n.id = e.id` + episodeTables
	linked := make(map[string][]*memory.Episode, len(episodes))
	err = t.read(ctx, func(c *conn) error {
		return c.search(ctx, find, func(r *row) error {
			key := r.text()
			linked[key] = append(linked[key], readEpisode(r, 0))
			return nil
		}, arg("episodes", list))
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
