package neo4j

import (
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// some is how many neighbours most hubs of these tests have. What is read does not grow with them.
const some = 4000

// hub is a memoir of very many concepts.
func hub(t *testing.T, spokes int) *tenantStore {
	t.Helper()
	server := testneo4j.Reach(t)
	b, err := Open(t.Context(), Options{URL: server.URL, User: server.User, Password: server.Password})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close(context.WithoutCancel(t.Context()))) })
	bound, err := b.Tenant(t.Context(), "t-"+strings.ToLower(rand.Text()))
	require.NoError(t, err)
	s, ok := bound.(*tenantStore)
	require.True(t, ok)
	clearAfter(t, s)
	const fill = `MERGE (m:Memoir {tenant: $tenant, key: 'hub'})
WITH m UNWIND range($first, $last) AS i
CREATE (c:Concept {tenant: $tenant, key: toString(i)})
CREATE (m)-[:CONTAINS {tenant: $tenant, from: 'memoir:hub', to: 'concept:' + i}]->(c)`
	const part = 2_000 // more is too much for one transaction
	for first := 1; first <= spokes; first += part {
		require.NoError(t, b.connection.Command(t.Context(), bolt.Query{
			Statement: cypher.Statement{Name: "fill", Text: fill}, Write: true,
			Parameters: cypher.Parameters{"tenant": s.TenantID, "first": first, "last": min(first+part-1, spokes)},
		}))
	}
	return s
}

// clearAfter removes a large tenant after the test: those that look at all tenants take longer for it.
func clearAfter(t *testing.T, s *tenantStore) {
	t.Helper()
	t.Cleanup(func() {
		for _, which := range []string{"NOT n:Memoir", "true"} { // hubs last, when they have few links
			require.NoError(t, s.backend.connection.Command(context.WithoutCancel(t.Context()), bolt.Query{
				Statement:  cypher.Statement{Name: "clear", Text: "MATCH (n) WHERE n.tenant = $tenant AND " + which + " CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 2000 ROWS"},
				Write:      true,
				Parameters: cypher.Parameters{"tenant": s.TenantID},
			}))
		}
	})
}

// hits profiles a query: how often it touches the database in all, and that it finds something.
func (s *tenantStore) hits(t *testing.T, asked cypher.Statement, values cypher.Parameters) int64 {
	t.Helper()
	all := cypher.Parameters{"tenant": s.TenantID}
	maps.Copy(all, values)
	text, all := cypher.Sendable(asked, all)
	result, err := neo4j.ExecuteQuery(t.Context(), s.backend.connection.Driver, "PROFILE "+text, all, neo4j.EagerResultTransformer,
		neo4j.ExecuteQueryWithDatabase(s.backend.connection.Database))
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
	const spokes = 10_000
	s := hub(t, spokes)
	all := wantedLinks(nil)
	hits := s.hits(t, nearNeighbours, cypher.Parameters{
		"keys": cypher.Parameters{"memoir": []string{"hub"}}, "out": all, "in": all, "few": fewLinks, "limit": 21, "after": "concept:3",
	})
	t.Logf("%d hits to see that it is a hub", hits)
	require.LessOrEqual(t, hits, int64(100))
	hits = s.hits(t, cypher.Rendered("neighbours_of_hubs", linkWay{"CONTAINS", "from", "to"}), cypher.Parameters{"ids": []string{"memoir:hub"}, "after": "concept:3", "limit": 21})
	t.Logf("%d hits for 21 of %d neighbours", hits, spokes)
	require.LessOrEqual(t, hits, int64(30))

	ids, err := s.Neighbours(t.Context(), store.AdjacencyQuery{Of: []string{"memoir:hub", "concept:8"}, After: "concept:3", Limit: 21})
	require.NoError(t, err)
	require.Len(t, ids, 21)
	require.Equal(t, []string{"concept:30", "concept:300"}, ids[:2])
	ids, err = s.Neighbours(t.Context(), store.AdjacencyQuery{Of: []string{"memoir:hub", "concept:8"}, After: "concept:9998", Limit: 21})
	require.NoError(t, err)
	require.Equal(t, []string{"concept:9999", "memoir:hub"}, ids)
	for _, none := range []store.AdjacencyQuery{
		{Of: []string{"memoir:hub"}, Limit: 9, Direction: memory.DirectionIn},
		{Of: []string{"memoir:hub"}, Limit: 9, Relations: []string{"RAN", "NO_SUCH"}},
		{Of: []string{"memoir:hub"}, Limit: 9, Relations: []string{}},
		{Of: []string{"concept:8"}, Limit: 9, Direction: memory.DirectionOut},
		{Of: []string{"memoir:none", "planet:hub"}, Limit: 9},
	} {
		ids, err := s.Neighbours(t.Context(), none)
		require.NoError(t, err)
		require.Empty(t, ids)
	}
}

// Pages follow the bytes of the ids, where Neo4j itself compares some texts by UTF-16.
func TestNeighboursOfAHubAreInTheOrderOfBytes(t *testing.T) {
	s := hub(t, 2*fewLinks)
	const odd = `MATCH (m:Memoir {tenant: $tenant, key: 'hub'}) UNWIND $keys AS key
CREATE (c:Concept {tenant: $tenant, key: key}) CREATE (m)-[:CONTAINS {tenant: $tenant, from: 'memoir:hub', to: 'concept:' + key}]->(c)`
	keys := []string{"😀", "\ufffd", "ﬀ", "ﬀ1", "日本", "😀a", "\U0010fffd", "\ue000😀", "\ue000"}
	require.NoError(t, s.backend.connection.Command(t.Context(), bolt.Query{
		Statement: cypher.Statement{Name: "odd", Text: odd}, Write: true, Parameters: cypher.Parameters{"tenant": s.TenantID, "keys": keys},
	}))
	want := []string{}
	for i := range 2 * fewLinks {
		want = append(want, fmt.Sprint("concept:", i+1))
	}
	for _, key := range keys {
		want = append(want, "concept:"+key)
	}
	slices.Sort(want)
	var all []string
	for after := ""; ; after = all[len(all)-1] {
		ids, err := s.Neighbours(t.Context(), store.AdjacencyQuery{Of: []string{"memoir:hub"}, After: after, Limit: 2})
		require.NoError(t, err)
		if len(ids) == 0 {
			break
		}
		all = append(all, ids...)
	}
	require.Equal(t, want, all)
}

func TestLinksToAFewAreNotSoughtAmongAllOfAHub(t *testing.T) {
	s := hub(t, some)
	a, b := []string{"memoir:hub"}, []string{"concept:7", "concept:3999", "concept:none"}
	want := []store.Link{
		{Source: "memoir:hub", Target: "concept:3999", Type: "CONTAINS"},
		{Source: "memoir:hub", Target: "concept:7", Type: "CONTAINS"},
	}
	for _, sets := range [][2][]string{{a, b}, {b, a}} {
		links, err := s.LinksBetween(t.Context(), sets[0], sets[1], nil, 10)
		require.NoError(t, err)
		require.Equal(t, want, links)
		links, err = s.linksToHubs(t.Context(), sets[0], linking.SetOf(sets[0]...), linking.SetOf(sets[1]...), wantedLinks(nil), 10)
		require.NoError(t, err)
		require.Equal(t, want, links)
	}
	links, err := s.LinksBetween(t.Context(), a, b, []string{"ABOUT"}, 10)
	require.NoError(t, err)
	require.Empty(t, links)
	links, err = s.LinksBetween(t.Context(), a, b, nil, 1)
	require.NoError(t, err)
	require.Equal(t, want[:1], links)

	all := append(b, a...)
	hits := s.hits(t, cypher.Named("links_between"), cypher.Parameters{
		"keys": graph.KeyLists(all), "others": all, "relations": wantedLinks(nil), "few": someLinks, "limit": 10 + len(all),
	})
	t.Logf("%d hits for 2 of %d links", hits, some)
	require.LessOrEqual(t, hits, int64(40))
	hits = s.hits(t, cypher.Rendered("links_of_hubs", "CONTAINS"), cypher.Parameters{"sources": a, "targets": b, "limit": 10})
	t.Logf("%d hits for 2 of %d links, one by one", hits, some)
	require.LessOrEqual(t, hits, int64(20))
}

// relateToFirst makes a hub of concept 1, which most others are part of.
func relateToFirst(t *testing.T, s *tenantStore) {
	t.Helper()
	const relate = `MATCH (c:Concept {tenant: $tenant, key: '1'}) MATCH (d:Concept {tenant: $tenant}) WHERE d.key > '2'
CREATE (d)-[:PART_OF {tenant: $tenant, from: 'concept:' + d.key, to: 'concept:1', createdAt: datetime()}]->(c)`
	require.NoError(t, s.backend.connection.Command(t.Context(), bolt.Query{Statement: cypher.Statement{Name: "relate", Text: relate}, Write: true, Parameters: cypher.Parameters{"tenant": s.TenantID}}))
}

// Whichever of the two has many links, and in whichever set it is, a link is found.
func TestLinksOfHubsAreFoundFromEitherEnd(t *testing.T) {
	s := hub(t, some)
	relateToFirst(t, s)
	memoir, first, seven, nine := "memoir:hub", "concept:1", "concept:7", "concept:9"
	contains := func(target string) store.Link { return store.Link{Source: memoir, Target: target, Type: "CONTAINS"} }
	partOf := func(source string) store.Link { return store.Link{Source: source, Target: first, Type: "PART_OF"} }
	for name, test := range map[string]struct {
		a, b []string
		want []store.Link
	}{
		"hub and hub":       {[]string{memoir}, []string{first}, []store.Link{contains(first)}},
		"hub and few":       {[]string{memoir}, []string{seven, nine}, []store.Link{contains(seven), contains(nine)}},
		"few and hub":       {[]string{seven, nine}, []string{first}, []store.Link{partOf(seven), partOf(nine)}},
		"both and both":     {[]string{memoir, seven}, []string{first, nine}, []store.Link{partOf(seven), contains(first), contains(nine)}},
		"a hub in each":     {[]string{memoir, first, seven}, []string{first, seven}, []store.Link{partOf(seven), contains(first), contains(seven)}},
		"the same":          {[]string{memoir, first, seven}, []string{seven, first, memoir}, []store.Link{partOf(seven), contains(first), contains(seven)}},
		"few that are none": {[]string{seven}, []string{nine}, []store.Link{}},
	} {
		for _, sets := range [][2][]string{{test.a, test.b}, {test.b, test.a}} {
			links, err := s.LinksBetween(t.Context(), sets[0], sets[1], nil, 10)
			require.NoError(t, err)
			require.Equal(t, test.want, links, name)
		}
	}
}

func TestRelationsOfAHubAreReadUpToTheLimit(t *testing.T) {
	s := hub(t, some)
	relateToFirst(t, s)
	_, err := s.LinkConcepts(t.Context(), relation("1", "9"))
	require.NoError(t, err)
	relations, err := s.Relations(t.Context(), store.RelationsOf{Concepts: []string{"1", "9"}})
	require.NoError(t, err)
	require.Len(t, relations["1"], maxRelations)
	require.Equal(t, relation("1", "9"), relations["1"][0])
	require.Len(t, relations["9"], 2)
}

// A weight is computed from the index alone: one touch for each observation.
func TestWeightsAreReadFromAnIndex(t *testing.T) {
	s := hub(t, some)
	const count = 1000
	records := make([]store.ObservationRecord, count)
	for i := range records {
		records[i] = observation(fmt.Sprint(i))
		records[i].Observation.CreatedAt = noon.Add(time.Duration(i) * time.Second)
	}
	for part := range slices.Chunk(records, 500) {
		_, err := store.Record(t.Context(), s, part)
		require.NoError(t, err)
	}
	q := s.listing(store.ObservationQuery{MinWeight: new(0.1)}).ask(store.Page{}, true)
	hits := s.hits(t, q.Statement, q.Parameters)
	t.Logf("%d hits for the weights of %d observations", hits, count)
	require.LessOrEqual(t, hits, int64(count+10))
	page := store.Page{Limit: 20, After: &store.Position{At: noon.Add(500 * time.Second), Key: "5"}}
	q = s.listing(store.ObservationQuery{Order: memory.LatestFirst}).ask(page, false)
	hits = s.hits(t, q.Statement, q.Parameters)
	t.Logf("%d hits for the latest %d of them", hits, page.Limit)
	require.LessOrEqual(t, hits, int64(20*page.Limit))
}
