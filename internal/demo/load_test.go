package demo_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/demo"
	"mneme/internal/importer"
	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/servicetest"
	"mneme/store/sqlite"
)

func open(t *testing.T) *service.Tenant {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, backend.Close(context.Background())) })
	return servicetest.Bind(t.Context(), t, service.New(backend, service.WithClock(func() time.Time { return today })))
}

// snapshot is what there is, to compare before and after.
func snapshot(t *testing.T, svc *service.Tenant) []*memory.Episode {
	t.Helper()
	var all []*memory.Episode
	first := reading.MaxPage
	page := reading.PageInput{First: &first}
	for {
		got, err := svc.Episodes.List(t.Context(), boundary.EpisodeFilter{}, memory.OldestFirst, page, boundary.Include{Canvases: true, Feedback: true})
		require.NoError(t, err)
		all = append(all, got.Items...)
		if !got.HasNext {
			return all
		}
		page.After = &got.Cursors[len(got.Cursors)-1]
	}
}

func TestLoadTwiceAddsNothing(t *testing.T) {
	t.Parallel()
	svc := open(t)
	loaded, err := demo.Load(t.Context(), svc, today)
	require.NoError(t, err)
	assert.Equal(t, 5, loaded.Imported[memory.KindAgent])
	assert.Equal(t, 200, loaded.Imported[memory.KindEpisode])
	assert.Empty(t, loaded.Present)
	assert.Zero(t, loaded.Forgotten)
	before := snapshot(t, svc)
	require.Len(t, before, 200)

	for _, later := range []time.Time{today, today.Add(24 * time.Hour), today.AddDate(0, 3, 0)} {
		again, err := demo.Load(t.Context(), svc, later)
		require.NoError(t, err)
		assert.Equal(t, 200, again.Present[memory.KindEpisode])
		assert.Empty(t, again.Imported)
		assert.Zero(t, again.Forgotten)
	}
	assert.Equal(t, before, snapshot(t, svc), "the times stay those of the first load")
}

func TestLoadLeavesOutWhatWasDeletedForGood(t *testing.T) {
	t.Parallel()
	svc := open(t)
	_, err := demo.Load(t.Context(), svc, today)
	require.NoError(t, err)
	_, err = svc.Upkeep.DeleteAny(t.Context(), boundary.DeleteInput{ID: snapshot(t, svc)[0].ID()})
	require.NoError(t, err)
	_, err = svc.Upkeep.DeleteAny(t.Context(), boundary.DeleteInput{ID: "concept:demo-canary"})
	require.NoError(t, err)
	again, err := demo.Load(t.Context(), svc, today)
	require.NoError(t, err)
	assert.Empty(t, again.Imported)
	assert.Equal(t, 199, again.Present[memory.KindEpisode])
	assert.GreaterOrEqual(t, again.Forgotten, 2)
}

func TestLoadGoesOnWhereItBrokeOff(t *testing.T) {
	t.Parallel()
	svc := open(t)
	half := sampleOf(t).Episodes[:70]
	_, err := svc.Episodes.RecordEpisodes(t.Context(), boundary.RecordEpisodesInput{Episodes: half})
	require.NoError(t, err)

	loaded, err := demo.Load(t.Context(), svc, today.AddDate(0, 0, 5))
	require.NoError(t, err)
	assert.Equal(t, 70, loaded.Present[memory.KindEpisode])
	assert.Len(t, snapshot(t, svc), 200)
}

// The sample of a version whose episodes mentioned no concepts stays as it is.
func TestLoadLeavesTheSampleOfAnotherVersion(t *testing.T) {
	t.Parallel()
	svc := open(t)
	older := sampleOf(t).Episodes[:70]
	for i := range older {
		older[i].ConceptIDs = nil
	}
	_, err := svc.Episodes.RecordEpisodes(t.Context(), boundary.RecordEpisodesInput{Episodes: older})
	require.NoError(t, err)
	_, err = demo.Load(t.Context(), svc, today)
	require.NoError(t, err)
	assert.Len(t, snapshot(t, svc), 200)
	concept, err := svc.Knowledge.Concept(t.Context(), "demo-refund-policy")
	require.NoError(t, err)
	assert.NotNil(t, concept, "what is new comes")
}

func TestLoadedSampleAnswers(t *testing.T) {
	t.Parallel()
	svc := open(t)
	loaded, err := demo.Load(t.Context(), svc, today)
	require.NoError(t, err)

	all := snapshot(t, svc)
	shown, said := map[string]bool{}, map[string]bool{}
	for _, episode := range all {
		for _, canvas := range episode.Context.Canvases {
			shown[canvas.Key] = true
		}
		for _, feedback := range episode.Context.Feedback {
			said[feedback.Key] = true
		}
	}
	assert.Len(t, shown, loaded.Imported[memory.KindCanvas], "every canvas is linked")
	assert.Len(t, said, loaded.Imported[memory.KindFeedback], "every feedback is linked")

	insights, err := svc.Reactions.AgentCanvasInsights(t.Context(), "analyst", nil)
	require.NoError(t, err)
	assert.Contains(t, insights.Engages, "charts/bar")
	assert.Contains(t, insights.ClosesQuickly, "charts/line")
	insights, err = svc.Reactions.AgentCanvasInsights(t.Context(), "clerk", nil)
	require.NoError(t, err)
	assert.Contains(t, insights.Submits, "forms/tax")

	testKnowledge(t, svc, loaded)
	recall, err := svc.Retrieval.Recall(t.Context(), boundary.RecallInput{Situation: "a chart of quarterly revenue by product"}, boundary.Include{Canvases: true, Feedback: true})
	require.NoError(t, err)
	require.Len(t, recall.Hits, 5)
	for _, hit := range recall.Hits {
		assert.Equal(t, "sales_report", *hit.Episode.TaskType)
	}
	lessons, err := recall.Lessons(1000)
	require.NoError(t, err)
	assert.Contains(t, lessons, "Key insight:")
}

func testKnowledge(t *testing.T, svc *service.Tenant, loaded importer.Report) {
	t.Helper()
	hits, err := svc.Retrieval.SearchConcepts(t.Context(), boundary.ConceptSearch{Query: "refund policy"}, reading.PageInput{})
	require.NoError(t, err)
	require.NotEmpty(t, hits.Items)
	for _, hit := range hits.Items[:1] {
		assert.Contains(t, hit.Concept().Name, "Refund policy")
	}
	relations, err := svc.Knowledge.Relations(t.Context(), []string{"demo-refund-policy-2023"}, memory.DirectionOut, nil)
	require.NoError(t, err)
	assert.Equal(t, "demo-refund-policy", memory.SupersededBy("demo-refund-policy-2023", relations["demo-refund-policy-2023"]))
	canary, err := svc.Knowledge.Concept(t.Context(), "demo-canary")
	require.NoError(t, err)
	assert.Len(t, canary.Revisions, 1)
	stats, err := svc.Knowledge.CorrectionStats(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, loaded.Imported[memory.KindCorrection], stats.Total)
	around, err := svc.Retrieval.Neighbourhood(t.Context(), boundary.NeighbourhoodInput{ID: "concept:demo-refund-policy", Direction: memory.DirectionBoth}, boundary.Include{})
	require.NoError(t, err)
	assert.Greater(t, len(around.Nodes), 10, "episodes mention it")
	found, err := svc.Upkeep.Consolidate(t.Context(), boundary.ConsolidateInput{})
	require.NoError(t, err)
	assert.NotEmpty(t, found.Patterns, "there is something to sum up")
}
