package neo4j

import (
	"context"
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
	counts, err := read(ctx, s.backend, q, decodeCorrectionCount)
	if err != nil {
		return memory.CorrectionStats{}, err
	}
	return memory.CountCorrections(counts), nil
}

func decodeCorrectionCount(row *neo4j.Record) (memory.CorrectionCount, error) {
	f := fieldsOf(row.AsMap())
	count := memory.CorrectionCount{Topic: f.text("topic"), Importance: word[memory.Importance](f, "importance")}
	if f.err == nil { // else reading the corrections tells of it
		count.Count = f.integer("n")
	}
	return count, nil
}
