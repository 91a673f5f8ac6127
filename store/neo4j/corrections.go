package neo4j

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// Corrections reads known corrections; see store.CorrectionStore.
func (s *tenantStore) Corrections(ctx context.Context, keys []string) ([]*memory.Correction, error) {
	return readByKey(ctx, s, named("corrections"), keys, decodeCorrection, func(c *memory.Correction) string { return c.Key })
}

// correctionList is a query for corrections, newest first.
type correctionList struct{ Topic, After, Count bool }

func (s *tenantStore) correctionQuery(topic *string, p store.Page, count bool) query {
	values := ownedParameters(nil, p)
	values["topic"] = topic
	return s.query(rendered("list_corrections", correctionList{Topic: topic != nil, After: p.After != nil, Count: count}), values)
}

// ListCorrections reads a page of corrections; see store.CorrectionStore.
func (s *tenantStore) ListCorrections(
	ctx context.Context, topic *string, p store.Page,
) ([]*memory.Correction, bool, error) {
	list := func(ctx context.Context, p store.Page) ([]*memory.Correction, error) {
		return read(ctx, s.backend, s.correctionQuery(topic, p, false), decodeCorrection)
	}
	return pageInBytes(ctx, p, list, func(c *memory.Correction) store.Position {
		return store.Position{At: c.CreatedAt, Key: c.Key}
	})
}

// CountCorrections counts corrections; see store.CorrectionStore.
func (s *tenantStore) CountCorrections(ctx context.Context, topic *string) (int, error) {
	return s.count(ctx, s.correctionQuery(topic, store.Page{}, true))
}

// CorrectionStats counts corrections by topic and importance; see store.CorrectionStore.
func (s *tenantStore) CorrectionStats(ctx context.Context, since *time.Time) (memory.CorrectionStats, error) {
	from := earliest
	if since != nil {
		from = *since
	}
	q := s.query(named("correction_stats"), parameters{"since": instant(from)})
	groups, err := read(ctx, s.backend, q, decodeCorrectionGroup)
	if err != nil {
		return memory.CorrectionStats{}, err
	}
	return statsOf(groups), nil
}

// correctionGroup counts corrections of one topic and importance.
type correctionGroup struct {
	topic      string
	importance memory.Importance
	count      int
}

func decodeCorrectionGroup(row *neo4j.Record) (correctionGroup, error) {
	f := fieldsOf(row.AsMap())
	group := correctionGroup{topic: f.text("topic"), importance: word[memory.Importance](f, "importance")}
	if f.err == nil { // else reading the corrections tells of it
		group.count = f.integer("n")
	}
	return group, nil
}

func statsOf(groups []correctionGroup) memory.CorrectionStats {
	stats := memory.CorrectionStats{ByTopic: []memory.TopicCount{}, ByImportance: []memory.ImportanceCount{}}
	topics, importances := map[string]int{}, map[memory.Importance]int{}
	for _, group := range groups {
		if group.count == 0 {
			continue
		}
		stats.Total += group.count
		topics[group.topic] += group.count
		importances[group.importance] += group.count
	}
	for topic, count := range topics {
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
