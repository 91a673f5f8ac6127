package neo4j_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// A batch of verdicts takes as many round trips as one, and so do the completion of a long run and the
// reading of several.
func TestJudgedWorkTakesAFewRoundTrips(t *testing.T) {
	trips := &roundTrips{}
	tenant := freshTenant(t, open(t, trips.note))
	for _, size := range []int{1, 100} {
		run, batch := fmt.Sprint(size), make([]store.VerdictRecord, size)
		for i := range batch {
			key := fmt.Sprintf("%d of %s", i, run)
			batch[i] = store.VerdictRecord{Verdict: memory.Verdict{Judgement: memory.Judgement{
				Key: key, RunKey: run, SectionKey: memory.SectionKey(run, key), SectionType: "verse", Status: memory.VerdictApprove, Patterns: []string{key}, At: day,
			}}}
		}
		require.Equal(t, []string{"lock_ends", "create_verdicts"}, trips.during(func() {
			_, err := store.Record(t.Context(), tenant, batch)
			require.NoError(t, err)
		}))
		require.Equal(t, []string{
			"lock_run", "judgements_of", "fold_sections", "lock_ends", "patterns", "fold_patterns", "complete_run",
		}, trips.during(func() {
			completed, err := tenant.CompleteRun(t.Context(), store.RunCompletion{Run: run, At: day})
			require.NoError(t, err)
			require.Equal(t, store.CompletedRun{Sections: size, Patterns: size}, completed)
		}))
	}
	require.Len(t, trips.during(func() {
		sections, err := store.All(t.Context(), tenant, store.SectionsOf{Runs: []string{"1", "100", "none"}})
		require.NoError(t, err)
		require.Len(t, sections, 101)
	}), 1)
}
