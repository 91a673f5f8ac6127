package sqlite

import (
	"cmp"
	"context"
	"slices"
	"time"

	"mneme/memory"
)

// CorrectionStats counts corrections by topic and by importance.
func (t *Tenant) CorrectionStats(ctx context.Context, since *time.Time) (memory.CorrectionStats, error) {
	topics, importances := map[string]int{}, map[memory.Importance]int{}
	var w conditions
	if since != nil {
		w.add(`x.created_at >= :since`, arg("since", since))
	}
	find := `SELECT x.topic, x.importance, count(*) FROM corrections x WHERE ` + w.sql() + ` GROUP BY x.topic, x.importance`
	err := t.read(ctx, func(c *conn) error {
		return c.search(ctx, find, func(r *row) error {
			topic, importance, count := r.text(), memory.Importance(r.text()), r.int()
			if r.unreadable() {
				return nil
			}
			topics[topic] += count
			importances[importance] += count
			return nil
		}, w.args...)
	})
	if err != nil {
		return memory.CorrectionStats{}, err
	}
	return correctionStats(topics, importances), nil
}

func correctionStats(topics map[string]int, importances map[memory.Importance]int) memory.CorrectionStats {
	stats := memory.CorrectionStats{ByTopic: []memory.TopicCount{}, ByImportance: []memory.ImportanceCount{}}
	for topic, count := range topics {
		stats.Total += count
		stats.ByTopic = append(stats.ByTopic, memory.TopicCount{Topic: topic, Count: count})
	}
	slices.SortFunc(stats.ByTopic, func(a, b memory.TopicCount) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Topic, b.Topic))
	})
	for _, importance := range memory.Importances {
		if count := importances[importance]; count > 0 {
			stats.ByImportance = append(stats.ByImportance, memory.ImportanceCount{Importance: importance, Count: count})
		}
	}
	return stats
}
