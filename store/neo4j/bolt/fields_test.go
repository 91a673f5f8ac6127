package bolt

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/store/neo4j/cypher"
)

// A property of another type than expected is an error that names it, never a panic.
func TestFieldsAreChecked(t *testing.T) {
	wrong := cypher.Parameters{
		"text": int64(1), "number": "1", "time": "2025-03-01", "texts": []any{"a", int64(2)}, "list": "a", "two": []any{"a", "b"},
		"executions": []any{[]any{"only one"}}, "pairs": []any{"no pair"},
	}
	for name, read := range map[string]func(f *Fields){
		"text":       func(f *Fields) { f.Text("text") },
		"number":     func(f *Fields) { f.Integer("number") },
		"time":       func(f *Fields) { f.Instant("time") },
		"missing":    func(f *Fields) { f.Text("missing") },
		"texts":      func(f *Fields) { List[string](f, "texts") },
		"list":       func(f *Fields) { List[string](f, "list") },
		"two":        func(f *Fields) { Parallel[string](f, "two", 3) },
		"executions": func(f *Fields) { f.Pairs("executions") },
		"pairs":      func(f *Fields) { f.Pairs("pairs") },
	} {
		f := FieldsOf(wrong)
		require.NotPanics(t, func() { read(f) }, name)
		require.ErrorContains(t, f.Err, name)
	}
}

// What is damaged is told of where its record is read.
func TestTimesAreThoseThatCanBeRead(t *testing.T) {
	at := time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)
	f := FieldsOf(cypher.Parameters{"times": []any{[]any{"a", at}, []any{"b", "soon"}, []any{int64(1), at}, []any{nil, nil}}, "none": []any{[]any{"a"}}})
	require.Equal(t, map[string]time.Time{"a": at}, f.Times("times"))
	require.NoError(t, f.Err)
	f.Times("none")
	require.ErrorContains(t, f.Err, "none")
}

func TestNullsAreRead(t *testing.T) {
	f := FieldsOf(cypher.Parameters{"null": nil})
	for _, name := range []string{"null", "missing"} {
		require.Nil(t, f.OptionalText(name))
		require.Nil(t, f.OptionalInstant(name))
		require.Nil(t, f.JSON(name))
		require.Equal(t, []string{}, List[string](f, name))
	}
	require.NoError(t, f.Err)
}

func TestFirstFaultIsKept(t *testing.T) {
	f := FieldsOf(nil)
	f.Text("first")
	f.Text("second")
	require.ErrorContains(t, f.Err, "first")
}

// Neo4j tells the zone "UTC" from the offset "Z"; an analyst's datetime('…Z') has the offset.
func TestInstantsHaveAnOffset(t *testing.T) {
	at := time.Date(2025, 3, 1, 12, 0, 0, 5e6, time.FixedZone("CET", 3600))
	zone, offset := Instant(at).Zone()
	require.Equal(t, "Offset", zone)
	require.Zero(t, offset)
	require.True(t, Instant(at).Equal(at))
	require.Nil(t, OptionalInstant(nil))
}
