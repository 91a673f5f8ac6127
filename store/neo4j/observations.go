package neo4j

import (
	"cmp"
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/passages"
)

// observationList is a query for observations.
type observationList struct {
	decayShape
	LatestFirst, LightestFirst bool
	MinWeight, MaxWeight       bool
	After, Count, ByUser       bool
}

func (s *tenantStore) observationQuery(q store.ObservationQuery, p store.Page, count bool) bolt.Query {
	form := observationList{
		decayShape: decayOf(q.Policy), LatestFirst: q.Order == memory.LatestFirst, LightestFirst: q.Order == memory.LightestFirst,
		MinWeight: q.MinWeight != nil, MaxWeight: q.MaxWeight != nil, After: p.After != nil, Count: count, ByUser: q.User != nil,
	}
	values := decayParameters(q.Now)
	values["minWeight"], values["maxWeight"] = q.MinWeight, q.MaxWeight
	values["user"], values["shared"] = q.User, q.Shared
	values["limit"], values["until"] = p.Limit+1, bolt.Instant(graph.Latest)
	if after := p.After; after != nil {
		values["afterWeight"], values["afterAt"], values["afterKey"] = after.Value, bolt.Instant(after.At), after.Key
		values["until"] = values["afterAt"]
	}
	return s.Query(cypher.Rendered("list_observations", form), values)
}

// CorrectionStats counts corrections by topic and importance; see store.Annotations.
func (s *tenantStore) CorrectionStats(ctx context.Context, since *time.Time) (memory.CorrectionStats, error) {
	from := memory.ValueOr(since, graph.Earliest)
	q := s.Query(cypher.Named("correction_stats"), cypher.Parameters{"since": bolt.Instant(from)})
	counts, err := bolt.Read(ctx, s.Connection, q, func(f *bolt.Fields) memory.CorrectionCount {
		count := memory.CorrectionCount{Topic: f.Text("topic"), Importance: bolt.Word[memory.Importance](f, "importance")}
		if f.Err == nil {
			count.Count = f.Integer("n")
		}
		f.Err = nil // reading the corrections tells of it
		return count
	})
	if err != nil {
		return memory.CorrectionStats{}, err
	}
	return memory.CountCorrections(counts), nil
}

// decayShape is the part of a query that depends on the rule by which weights change.
type decayShape struct{ Weight string }

// decayOf gives what an observation weighs of an importance, read accesses times and last used at a time.
func decayOf(policy decay.Policy) decayShape {
	return decayShape{graph.Weight(policy, "importance", "accesses", "used")}
}

// decayParameters are the values of that weight, and of who is never pruned.
func decayParameters(now time.Time) cypher.Parameters {
	return cypher.Parameters{"pinned": decay.Pinned(), "now": now.UnixMilli(), "since": bolt.Instant(graph.Earliest)}
}

func observationOf(f *bolt.Fields) *memory.Observation {
	o := &memory.Observation{}
	f.Scan(fields.Observation(o), fields.ObservationUse(o))
	o.About = bolt.List[string](f, "about")
	return o
}

func correctionOf(f *bolt.Fields) *memory.Correction {
	c := &memory.Correction{}
	f.Scan(fields.Correction(c))
	c.About = bolt.List[string](f, "about")
	return c
}

func (t *transaction) recordObservations(records []store.ObservationRecord) ([]store.Recorded, error) {
	drafts := make([]newRecord, len(records))
	for i := range records {
		o := &records[i].Observation
		drafts[i] = t.draft(o.Key, records[i].InputHash, passages.Of(o), fields.Observation(o), fields.ObservationUse(o))
		if drafts[i].about = o.About; o.SessionKey != nil {
			drafts[i].brings = []string{memory.NodeID(memory.KindSession, *o.SessionKey)}
		}
		used := drafts[i].properties
		used["usedAt"] = cmp.Or(used["lastAccessedAt"], used["createdAt"]) // when it was last read, or else when it was made
	}
	return t.recordAnnotations(memory.KindObservation, drafts)
}

func (t *transaction) recordCorrections(records []store.CorrectionRecord) ([]store.Recorded, error) {
	drafts := make([]newRecord, len(records))
	for i := range records {
		c := &records[i].Correction
		drafts[i] = t.draft(c.Key, records[i].InputHash, passages.Of(c), fields.Correction(c))
		drafts[i].about = c.About
	}
	return t.recordAnnotations(memory.KindCorrection, drafts)
}

// recordAnnotations writes observations or corrections.
func (t *transaction) recordAnnotations(kind memory.Kind, drafts []newRecord) ([]store.Recorded, error) {
	return t.record(kind, drafts, cypher.Rendered("create_annotations", kind), func(i int, _ graph.Ends) error { return store.CheckAbout(drafts[i].about) })
}

// addAccesses adds to access counts.
func (t *transaction) addAccesses(accesses []store.Access) ([]store.Recorded, error) {
	rows := memory.Mapped(accesses, func(a store.Access) cypher.Parameters {
		return cypher.Parameters{"key": a.Key, "count": a.Count, "at": bolt.Instant(a.At)}
	})
	return make([]store.Recorded, len(accesses)), t.Run(cypher.Named("add_accesses"), cypher.Parameters{"rows": rows}, nil)
}
