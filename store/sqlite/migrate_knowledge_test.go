package sqlite

import (
	_ "embed"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/sqlite/graph"
	"mneme/store/storetest"
)

//go:embed testdata/before_knowledge.sql
var beforeKnowledge string

// openFromBeforeKnowledge opens a tenant whose file was written before there was knowledge.
func openFromBeforeKnowledge(t *testing.T) *Tenant {
	t.Helper()
	dir := t.TempDir()
	writeOld(t, dir, 2, strings.Replace(beforeKnowledge, ":analysis", strconv.Itoa(lexical.Version), 1))
	return openTenant(t, dir)
}

func TestMigrateToKnowledgeKeepsWhatEpisodesAreFoundBy(t *testing.T) {
	tenant := openFromBeforeKnowledge(t)
	requireWordsAgree(t, tenant)
	recalled, err := tenant.Candidates(t.Context(), store.RecallQuery{Text: "another flight", Limit: 9})
	require.NoError(t, err)
	require.Len(t, recalled.Items, 1)
	assert.Equal(t, "first", recalled.Items[0].Key)
	found, err := tenant.Search(t.Context(), store.SearchQuery{
		Text: "missing", Kinds: []memory.Kind{memory.KindEpisode, memory.KindFeedback}, Limit: 9,
	})
	require.NoError(t, err)
	require.Len(t, found, 2, "also what was said with a reaction, which no index had before")
	episodes, err := tenant.Episodes(t.Context(), store.EpisodesByKey{Keys: []string{"first", "second"}})
	require.NoError(t, err)
	require.NotNil(t, episodes[0])
	assert.Equal(t, "s", *episodes[0].SessionKey)
	require.NotNil(t, episodes[0].AggregateFeedbackScore())
	assert.InDelta(t, -0.5, *episodes[0].AggregateFeedbackScore(), 1e-12)
	require.NotNil(t, episodes[1])
}

func TestMigrateToKnowledgeKeepsTheLinks(t *testing.T) {
	tenant := openFromBeforeKnowledge(t)
	assert.Equal(t, 9, tenant.number(t, `SELECT count(*) FROM edges WHERE type NOT IN ('OF', 'FROM')`))
	assert.Zero(t, tenant.number(t, `SELECT count(*) FROM pragma_foreign_key_check`))
	assert.Equal(t, 1, tenant.number(t, `SELECT count(*) FROM edges WHERE type = 'RECEIVED' AND at = 1772370000000`))
	links, err := tenant.LinksBetween(t.Context(), []string{"episode:first"}, []string{"episode:second", "canvas:form"}, nil, 9)
	require.NoError(t, err)
	assert.Equal(t, []store.Link{
		{Source: "episode:first", Target: "canvas:form", Type: graph.EdgePresented},
		{Source: "episode:second", Target: "episode:first", Type: graph.EdgeCausedBy},
	}, links)
	around, err := tenant.Neighbours(t.Context(), store.AdjacencyQuery{Of: []string{"episode:first"}, Limit: 9})
	require.NoError(t, err)
	assert.Equal(t, []string{
		"agent:ada", "canvas:form", "episode:second", "execution:episode:first", "feedback:rated", "session:s",
	}, around)
	following, err := tenant.Neighbours(t.Context(), store.AdjacencyQuery{Of: []string{"session:s"}, Relations: []string{graph.EdgeInSession}, After: "canvas:form", Limit: 9})
	require.NoError(t, err)
	assert.Equal(t, []string{"episode:first", "episode:second"}, following)
}

func TestMigratedTenantGoesOn(t *testing.T) {
	tenant := openFromBeforeKnowledge(t)
	tenant.mustRecord(t, record("third", "Another flight was late."))
	assert.Equal(t, 1, tenant.number(t, `SELECT count(*) FROM edges WHERE source_ref = 'episode:third' AND target_ref = 'feedback:early'`),
		"what waited since before is linked")
	tenant.mustObserve(t, notice("o", "Flights are late in winter.", "episode:first"))
	around, err := tenant.Neighbours(t.Context(), store.AdjacencyQuery{Of: []string{"observation:o"}, Limit: 9})
	require.NoError(t, err)
	assert.Equal(t, []string{"episode:first"}, around)
	require.NoError(t, storetest.Delete(t.Context(), tenant, memory.KindEpisode, "first"))
	requireWordsAgree(t, tenant)
}
