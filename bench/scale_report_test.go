package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A run writes its own sections anew and leaves those of other stores, sizes and parts.
func TestSectionsAreReplacedAndSorted(t *testing.T) {
	p := scalePlan{results: filepath.Join(t.TempDir(), "SCALE.md")}
	inSQLite, inNeo4j := &scaled{title: "SQLite", size: 20_000}, &scaled{title: "Neo4j", size: 20_000}
	large := &scaled{title: "SQLite", size: 1_000_000}
	for _, section := range []struct {
		of   *scaled
		part int
		text string
	}{
		{inNeo4j, 1, "| a |"}, {large, 1, "| b |"}, {inSQLite, 3, "| c |"}, {inSQLite, 1, "| old |"}, {inSQLite, 1, "| new |"},
	} {
		require.NoError(t, p.write(t.Context(), section.of, scaleParts[section.part], section.text+"\n"))
	}
	text, err := os.ReadFile(p.results)
	require.NoError(t, err)
	require.NotContains(t, string(text), "old")
	at := -1
	for _, want := range []string{
		"# Measured at scale",
		"## SQLite, 20000 episodes: recall by words\n\n| new |", "## SQLite, 1000000 episodes: recall by words\n\n| b |",
		"## SQLite, 20000 episodes: other reads\n\n| c |", "## Neo4j, 20000 episodes: recall by words\n\n| a |",
	} {
		require.Equal(t, 1, strings.Count(string(text), want), want)
		next := strings.Index(string(text), want)
		require.Greater(t, next, at, want)
		at = next
	}
}

// What one run writes for another to find must stay what it is.
func TestLinksFollowAPowerLaw(t *testing.T) {
	const links = 10_000
	degrees := make([]int, links/hubShare+1)
	for i := range links {
		source, target := linkOf(i, links/hubShare)
		require.NotEqual(t, source, target)
		degrees[source]++
		degrees[target]++
	}
	require.Equal(t, links/hubShare, degrees[0])
	require.Greater(t, degrees[1], 10*degrees[len(degrees)-1])
}
