package neo4j

import (
	"crypto/rand"
	"fmt"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// connect opens the shared server with a version node of the test's own.
func connect(t testing.TB, schema string) (*Backend, error) {
	t.Helper()
	server := testneo4j.Reach(t)
	return Open(t.Context(), Options{URL: server.URL, User: server.User, Password: server.Password, schema: schema})
}

func mustConnect(t testing.TB) *Backend {
	t.Helper()
	backend, err := connect(t, "")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(t.Context())) })
	return backend
}

// runCypher runs a statement of a test and gives its column.
func runCypher[T any](t testing.TB, b *Backend, text string, values cypher.Parameters) []T {
	t.Helper()
	found, err := bolt.Read(t.Context(), b.connection, bolt.Query{Statement: cypher.Statement{Name: "test", Text: text}, Parameters: values, Write: true}, func(row *bolt.Fields) (value T) {
		require.Len(t, row.Node.Props, 1)
		for _, column := range row.Node.Props {
			value, _ = column.(T)
			require.Equal(t, column, any(value))
		}
		return value
	})
	require.NoError(t, err)
	return found
}

func TestSchemaVersion(t *testing.T) {
	keeper := mustConnect(t)
	name := "test-" + rand.Text()
	defer func() {
		runCypher[any](t, keeper, "MATCH (s:MnemeSchema {name: $name}) DELETE s", cypher.Parameters{"name": name})
	}()
	version := func() []int64 {
		return runCypher[int64](t, keeper, "MATCH (s:MnemeSchema {name: $name}) RETURN s.version", cypher.Parameters{"name": name})
	}

	require.Empty(t, version())
	for range 2 { // the second time there is nothing to do
		backend, err := connect(t, name)
		require.NoError(t, err)
		require.Equal(t, []int64{schemaVersion}, version())
		require.NoError(t, backend.Check(t.Context()))
		require.NoError(t, backend.Close(t.Context()))
	}

	const earlier = "export it with that one, import it here"
	for other, remedy := range map[any]string{int64(schemaVersion + 1): "it needs a later version than this one", int64(schemaVersion - 1): earlier, "1": earlier, true: earlier} {
		runCypher[any](t, keeper, "MATCH (s:MnemeSchema {name: $name}) SET s.version = $version", cypher.Parameters{"name": name, "version": other})
		_, err := connect(t, name)
		require.ErrorIs(t, err, store.ErrSchemaVersion)
		require.ErrorContains(t, err, fmt.Sprintf("made by another version: %s (its schema has the number %v, that of this mneme %d)", remedy, other, schemaVersion))
		require.Equal(t, []any{other}, runCypher[any](t, keeper, "MATCH (s:MnemeSchema {name: $name}) RETURN s.version", cypher.Parameters{"name": name}), "it is left as it is")
	}

	mustRecord(t, storeOf(freshStore(t, keeper)), draft("e1"))
	runCypher[any](t, keeper, "MATCH (s:MnemeSchema {name: $name}) REMOVE s.version", cypher.Parameters{"name": name})
	_, err := connect(t, name)
	require.ErrorIs(t, err, store.ErrSchemaVersion, "a lost number is not that of a new database")
	require.ErrorContains(t, err, "the number none")
}

func TestLostSchemaIsNotInOrder(t *testing.T) {
	name := "test-" + rand.Text()
	backend, err := connect(t, name)
	require.NoError(t, err)
	runCypher[any](t, backend, "MATCH (s:MnemeSchema {name: $name}) DELETE s", cypher.Parameters{"name": name})
	require.ErrorIs(t, backend.Check(t.Context()), store.ErrUnavailable)
	require.NoError(t, backend.Close(t.Context()))
}

func TestSupportedServers(t *testing.T) {
	for agent, want := range map[string]bool{
		"Neo4j/5.26.30": true, "Neo4j/5.26.0": true, "Neo4j/2025.06.0": true, "Neo4j/6.0": true, "Other/1.0": true,
		"Neo4j/5.25.1": false, "Neo4j/4.4.40": false,
	} {
		require.Equal(t, want, supported(agent), agent)
	}
}

func TestScriptSplitsStatements(t *testing.T) {
	statements := definitions()
	require.NotEmpty(t, statements)
	for _, text := range statements {
		require.Regexp(t, `^CREATE `, text)
		require.Contains(t, text, "IF NOT EXISTS", "a migration that was interrupted begins again")
		require.NotContains(t, text, ";")
	}
}

func TestVectorsHaveOneLength(t *testing.T) {
	backend := mustConnect(t)
	tenant := freshStore(t, backend)
	record := func(key string, vector ...float32) store.Recorded {
		recorded, err := store.Record(t.Context(), tenant, []store.EpisodeRecord{draft(key, func(r *store.EpisodeRecord) {
			r.Episode.Embedding = vector
		})})
		require.NoError(t, err)
		return recorded[0]
	}
	require.NoError(t, record("e1", 1, 2, 3, 4, 5, 6, 7).Err)
	tenant, err := mustConnect(t).Tenant(t.Context(), storeOf(tenant).TenantID)
	require.NoError(t, err)
	odd := make([]float32, 2999)
	odd[0] = 1
	require.ErrorIs(t, record("e2", odd...).Err, store.ErrVectorLength)
}

// Two who open a new database at once both make its indexes.
func TestAnIndexThatAnotherMadeIsThere(t *testing.T) {
	there := &neo4j.Neo4jError{Code: "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists"}
	require.True(t, definedMeanwhile(fmt.Errorf("schema: %w", there)))
	require.False(t, definedMeanwhile(&neo4j.Neo4jError{Code: "Neo.ClientError.Schema.IndexWithNameAlreadyExists"}))
	require.False(t, definedMeanwhile(nil))
}
