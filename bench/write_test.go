package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A run on one store leaves what was measured on the other.
func TestWritesOfTheOtherStoreStay(t *testing.T) {
	results := filepath.Join(t.TempDir(), "WRITES.md")
	for _, run := range []struct{ store, rows string }{{"sqlite", "old rows"}, {"neo4j", "rows of Neo4j"}, {"sqlite", "new rows"}} {
		require.NoError(t, writePlan{store: run.store, results: results}.save(t.Context(), "Measured.", run.rows))
	}
	text, err := os.ReadFile(results)
	require.NoError(t, err)
	assert.Regexp(t, `(?s)^# Writes, measured.*\n## SQLite\n.*\nnew rows\n.*\n## Neo4j\n.*\nrows of Neo4j\n$`, string(text))
	assert.NotContains(t, string(text), "old rows")
}
