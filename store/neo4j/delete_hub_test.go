package neo4j

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// What a transaction deletes it holds in memory, links as well: a record with more links than that takes goes too.
func TestARecordWithVeryManyLinksIsDeleted(t *testing.T) {
	const links = 24_000
	s := storeOf(freshStore(t, mustConnect(t)))
	clearAfter(t, s)
	mustRecord(t, s, draft("e")) // with the tenant's settings
	const popular = `MERGE (p:Concept {tenant: $tenant, key: 'popular'})
WITH p UNWIND range($first, $last) AS i
CREATE (c:Concept {tenant: $tenant, key: toString(i)})
CREATE (c)-[:PART_OF {tenant: $tenant, from: 'concept:' + i, to: 'concept:popular'}]->(p)`
	const part = 2_000
	for first := 1; first <= links; first += part {
		require.NoError(t, s.Command(t.Context(), bolt.Query{
			Statement: cypher.Statement{Name: "popular", Text: popular}, Write: true,
			Parameters: cypher.Parameters{"tenant": s.TenantID, "first": first, "last": first + part - 1},
		}))
	}
	near := store.AdjacencyQuery{Of: []string{"concept:8"}, Limit: 9}
	ids, err := s.Neighbours(t.Context(), near)
	require.NoError(t, err)
	require.Equal(t, []string{"concept:popular"}, ids)

	deleted, err := s.Delete(t.Context(), memory.KindConcept, []string{"popular"})
	require.NoError(t, err)
	require.Equal(t, 1, deleted)
	ids, err = s.Neighbours(t.Context(), near)
	require.NoError(t, err)
	require.Empty(t, ids)
}
