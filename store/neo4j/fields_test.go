package neo4j

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A property of another type than expected is an error that names it, never a panic.
func TestFieldsAreChecked(t *testing.T) {
	wrong := parameters{
		"text": int64(1), "number": "1", "time": "2025-03-01", "texts": []any{"a", int64(2)}, "list": "a", "two": []any{"a", "b"},
		"segments": "no JSON", "issues": "no JSON", "executions": []any{[]any{"only one"}}, "pairs": []any{"no pair"},
	}
	for name, read := range map[string]func(f *fields){
		"text":       func(f *fields) { f.text("text") },
		"number":     func(f *fields) { f.integer("number") },
		"time":       func(f *fields) { f.instant("time") },
		"missing":    func(f *fields) { f.text("missing") },
		"texts":      func(f *fields) { list[string](f, "texts") },
		"list":       func(f *fields) { list[string](f, "list") },
		"two":        func(f *fields) { parallel[string](f, "two", 3) },
		"segments":   func(f *fields) { f.segments() },
		"issues":     func(f *fields) { f.issues() },
		"executions": func(f *fields) { f.pairs("executions") },
		"pairs":      func(f *fields) { f.pairs("pairs") },
	} {
		f := fieldsOf(wrong)
		require.NotPanics(t, func() { read(f) }, name)
		require.ErrorContains(t, f.err, name)
	}
}

func TestNullsAreRead(t *testing.T) {
	f := fieldsOf(parameters{"null": nil})
	for _, name := range []string{"null", "missing"} {
		require.Nil(t, f.optionalText(name))
		require.Nil(t, f.optionalInstant(name))
		require.Nil(t, f.json(name))
		require.Equal(t, []string{}, list[string](f, name))
	}
	require.NoError(t, f.err)
}

func TestFirstFaultIsKept(t *testing.T) {
	f := fieldsOf(nil)
	f.text("first")
	f.text("second")
	require.ErrorContains(t, f.err, "first")
}

// Neo4j tells the zone "UTC" from the offset "Z"; an analyst's datetime('…Z') has the offset.
func TestInstantsHaveAnOffset(t *testing.T) {
	at := time.Date(2025, 3, 1, 12, 0, 0, 5e6, time.FixedZone("CET", 3600))
	zone, offset := instant(at).Zone()
	require.Equal(t, "Offset", zone)
	require.Zero(t, offset)
	require.True(t, instant(at).Equal(at))
	require.Nil(t, optionalInstant(nil))
}

func TestAnalystsFindEpisodesByTime(t *testing.T) {
	tenant := freshStore(t, mustConnect(t))
	mustRecord(t, tenant, draft("e1"))
	s := storeOf(tenant)
	found := cypher[string](t, s.backend,
		"MATCH (a:Agent)-[:RAN]->(e:Episode) WHERE e.tenant = $tenant AND e.startedAt = datetime('2025-03-01T00:00:00Z') RETURN e.key",
		parameters{"tenant": s.tenant})
	require.Equal(t, []string{"e1"}, found)
}

func TestVectorsThatTheIndexCannotTake(t *testing.T) {
	require.NoError(t, checkVector([]float32{0, 1e-3}))
	require.NoError(t, checkVector(append(make([]float32, longestVector-1), 1)))
	for name, vector := range map[string][]float32{
		"none": nil, "empty": {}, "zero": {0, 0}, "next to zero": {1e-20}, "endless": {1e30}, "too many": make([]float32, longestVector+1),
	} {
		require.Error(t, checkVector(vector), name)
	}
}
