package neo4j

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store/fields"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// JSON of mneme's own that is none is an error that names the property.
func TestKeptJSONIsChecked(t *testing.T) {
	for name, at := range map[string]any{"segments": fields.JSONIn(new([]memory.Segment)), "issues": fields.JSONIn(new([]memory.Issue))} {
		f := bolt.FieldsOf(cypher.Parameters{name: "no JSON"})
		require.NotPanics(t, func() { f.Scan(fields.List{{Name: name, At: at}}) }, name)
		require.ErrorContains(t, f.Err, name)
	}
}

func TestAnalystsFindEpisodesByTime(t *testing.T) {
	tenant := freshStore(t, mustConnect(t))
	mustRecord(t, tenant, draft("e1"))
	s := storeOf(tenant)
	found := runCypher[string](t, s.backend,
		"MATCH (a:Agent)-[:RAN]->(e:Episode) WHERE e.tenant = $tenant AND e.startedAt = datetime('2025-03-01T00:00:00Z') RETURN e.key",
		cypher.Parameters{"tenant": s.TenantID})
	require.Equal(t, []string{"e1"}, found)
}
