package neo4j

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
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
		decayShape: decayOf(q.Policy), LatestFirst: q.Order == store.LatestFirst, LightestFirst: q.Order == store.LightestFirst,
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

// correctionList is a query for corrections, newest first.
type correctionList struct{ Topic, After, Count bool }

func (s *tenantStore) correctionQuery(q store.CorrectionsOf, p store.Page, count bool) bolt.Query {
	values := ownedParameters(nil, p)
	values["topic"] = q.Topic
	return s.Query(cypher.Rendered("list_corrections", correctionList{Topic: q.Topic != nil, After: p.After != nil, Count: count}), values)
}

// CorrectionStats counts corrections by topic and importance; see store.Annotations.
func (s *tenantStore) CorrectionStats(ctx context.Context, since *time.Time) (memory.CorrectionStats, error) {
	from := graph.Earliest
	if since != nil {
		from = *since
	}
	q := s.Query(cypher.Named("correction_stats"), cypher.Parameters{"since": bolt.Instant(from)})
	counts, err := bolt.Read(ctx, s.Connection, q, bolt.Decoded(func(f *bolt.Fields) memory.CorrectionCount {
		count := memory.CorrectionCount{Topic: f.Text("topic"), Importance: bolt.Word[memory.Importance](f, "importance")}
		if f.Err == nil {
			count.Count = f.Integer("n")
		}
		f.Err = nil // reading the corrections tells of it
		return count
	}))
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
