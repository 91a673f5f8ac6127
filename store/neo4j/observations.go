package neo4j

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// Observations reads known observations; see store.ObservationStore.
func (s *tenantStore) Observations(ctx context.Context, keys []string) ([]*memory.Observation, error) {
	return readByKey(ctx, s, named("observations"), keys, decodeObservation, func(o *memory.Observation) string { return o.Key })
}

// observationList is a query for observations.
type observationList struct {
	decayShape
	LatestFirst, LightestFirst bool
	MinWeight, MaxWeight       bool
	After, Count               bool
}

func (s *tenantStore) observationQuery(q store.ObservationQuery, count bool) query {
	form := observationList{
		decayShape: decayOf(q.Policy), LatestFirst: q.Order == store.LatestFirst, LightestFirst: q.Order == store.LightestFirst,
		MinWeight: q.MinWeight != nil, MaxWeight: q.MaxWeight != nil, After: q.Page.After != nil, Count: count,
	}
	values := decayParameters(q.Now)
	values["minWeight"], values["maxWeight"] = q.MinWeight, q.MaxWeight
	values["limit"], values["until"] = q.Page.Limit+1, instant(latest)
	if after := q.Page.After; after != nil {
		values["afterWeight"], values["afterAt"], values["afterKey"] = after.Value, instant(after.At), after.Key
		values["until"] = values["afterAt"]
	}
	return s.query(rendered("list_observations", form), values)
}

// ListObservations reads a page of observations; see store.ObservationStore.
func (s *tenantStore) ListObservations(
	ctx context.Context, q store.ObservationQuery,
) ([]*memory.Observation, bool, error) {
	list := func(ctx context.Context, p store.Page) ([]*memory.Observation, error) {
		q.Page = p
		return read(ctx, s.backend, s.observationQuery(q, false), decodeObservation)
	}
	return pageInBytes(ctx, q.Page, list, func(o *memory.Observation) store.Position {
		p := store.Position{At: o.CreatedAt, Key: o.Key}
		if q.Order != store.LatestFirst {
			p.Value = new(q.Policy.Weight(o, q.Now))
		}
		return p
	})
}

// CountObservations counts observations; see store.ObservationStore.
func (s *tenantStore) CountObservations(ctx context.Context, q store.ObservationQuery) (int, error) {
	q.Page = store.Page{}
	return s.count(ctx, s.observationQuery(q, true))
}

// SessionNeighbours reads who stands before and after observations; see store.ObservationStore.
func (s *tenantStore) SessionNeighbours(ctx context.Context, keys []string) (map[string][2]string, error) {
	neighbours := map[string][2]string{}
	if len(keys) == 0 {
		return neighbours, nil
	}
	values := parameters{"keys": setOf(keys...).sorted()}
	q := s.query(named("session_neighbours"), values)
	found, err := read(ctx, s.backend, q, decodeBetween)
	for _, between := range found {
		neighbours[between.key] = between.neighbours
	}
	return neighbours, err
}

// between is an observation with those before and after it.
type between struct {
	key        string
	neighbours [2]string
}

func decodeBetween(row *neo4j.Record) (between, error) {
	f := fieldsOf(row.AsMap())
	return between{key: f.text("key"), neighbours: [2]string{f.text("before"), f.text("after")}}, f.err
}
