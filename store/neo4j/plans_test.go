package neo4j

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/store"
)

// spokes is how many neighbours the hub of these tests has. What is read does not grow with them.
const spokes = 4000

// hub is a memoir of very many concepts.
func hub(t *testing.T) *tenantStore {
	t.Helper()
	server := testneo4j.Reach(t)
	b, err := Open(t.Context(), Options{URL: server.URL, User: server.User, Password: server.Password})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close(context.WithoutCancel(t.Context()))) })
	bound, err := b.Tenant(t.Context(), "t-"+strings.ToLower(rand.Text()))
	require.NoError(t, err)
	s, ok := bound.(*tenantStore)
	require.True(t, ok)
	const fill = `CREATE (m:Memoir {tenant: $tenant, key: 'hub'})
WITH m UNWIND range(1, $spokes) AS i
CREATE (c:Concept {tenant: $tenant, key: toString(i)})
CREATE (m)-[:CONTAINS {tenant: $tenant, from: 'memoir:hub', to: 'concept:' + i}]->(c)`
	require.NoError(t, b.command(t.Context(), query{
		name: "fill", text: fill, write: true, parameters: parameters{"tenant": s.tenant, "spokes": spokes},
	}))
	return s
}

// hits profiles a query: how often it touches the database in all, and that it finds something.
func (s *tenantStore) hits(t *testing.T, text string, values parameters) int64 {
	t.Helper()
	all := parameters{"tenant": s.tenant}
	maps.Copy(all, values)
	result, err := neo4j.ExecuteQuery(t.Context(), s.backend.driver, "PROFILE "+text, all, neo4j.EagerResultTransformer,
		neo4j.ExecuteQueryWithDatabase(s.backend.database))
	require.NoError(t, err)
	require.NotEmpty(t, result.Records)
	var total func(plan neo4j.ProfiledPlan) int64
	total = func(plan neo4j.ProfiledPlan) int64 {
		sum := plan.DbHits()
		for _, child := range plan.Children() {
			sum += total(child)
		}
		return sum
	}
	return total(result.Summary.Profile())
}

func TestNeighboursOfAHubAreReadUpToTheLimit(t *testing.T) {
	s := hub(t)
	text, err := neighboursText()
	require.NoError(t, err)
	for _, direction := range []store.Direction{store.Both, store.Out} {
		out, in := linkEnds([]string{"memoir:hub"}, nil, direction)
		hits := s.hits(t, text, parameters{"out": out, "in": in, "after": "concept:3", "limit": 21})
		t.Logf("%d hits for 21 of %d neighbours", hits, spokes)
		require.LessOrEqual(t, hits, int64(50))
	}
	ids, err := s.Neighbours(t.Context(), store.AdjacencyQuery{Of: []string{"memoir:hub"}, After: "concept:3", Limit: 21})
	require.NoError(t, err)
	require.Len(t, ids, 21)
	require.Equal(t, "concept:30", ids[0])
}

func TestLinksToAFewAreNotSoughtAmongAllOfAHub(t *testing.T) {
	s := hub(t)
	a, b := []string{"memoir:hub"}, []string{"concept:7", "concept:3999", "concept:none"}
	for _, sets := range [][2][]string{{a, b}, {b, a}} {
		links, err := s.LinksBetween(t.Context(), sets[0], sets[1], nil, 10)
		require.NoError(t, err)
		require.Equal(t, []store.Link{
			{Source: "memoir:hub", Target: "concept:3999", Type: "CONTAINS"},
			{Source: "memoir:hub", Target: "concept:7", Type: "CONTAINS"},
		}, links)
	}
	text, values, err := linksQuery(a, b, nil, 10)
	require.NoError(t, err)
	hits := s.hits(t, text, values)
	t.Logf("%d hits for 2 of %d links", hits, spokes)
	require.LessOrEqual(t, hits, int64(3*fewLinks))
}

func TestRelationsComeFromIndexes(t *testing.T) {
	s := hub(t)
	for i := range 3 {
		_, err := s.LinkConcepts(t.Context(), relation(fmt.Sprint(i+1), "9"))
		require.NoError(t, err)
	}
	text, err := expandOnce("relations", sortedRelationTypes())
	require.NoError(t, err)
	out, in := linkEnds([]string{"concept:9"}, relationNames(nil), store.Both)
	hits := s.hits(t, text, parameters{"out": out, "in": in, "limit": mostRelations})
	t.Logf("%d hits for 3 relations", hits)
	require.LessOrEqual(t, hits, int64(60))
}

// A weight is computed from the index alone: one touch for each observation.
func TestWeightsAreReadFromAnIndex(t *testing.T) {
	s := hub(t)
	const count = 1000
	records := make([]store.ObservationRecord, count)
	for i := range records {
		records[i] = observation(fmt.Sprint(i))
	}
	for part := range slices.Chunk(records, 500) {
		_, err := s.RecordObservations(t.Context(), part)
		require.NoError(t, err)
	}
	q, err := s.observationQuery(store.ObservationQuery{MinWeight: new(0.1)}, true)
	require.NoError(t, err)
	hits := s.hits(t, q.text, q.parameters)
	t.Logf("%d hits for the weights of %d observations", hits, count)
	require.LessOrEqual(t, hits, int64(count+10))
}
