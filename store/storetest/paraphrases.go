package storetest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/memory/summary"
	"mneme/store"
)

// RunParaphrases records a hundred things that agents did among the airline runs, and asks for each in other words: half of
// them share some with it, half few. It compares who comes first in a store without vectors and in one with them.
func RunParaphrases(t *testing.T, open func(t *testing.T, withoutVectors bool) store.Backend) {
	runs := airlineRuns(t)
	stores := map[string]*tenant{"by words": bind(t, open(t, true), randomTenant()), "with meaning": bind(t, open(t, false), randomTenant())}
	text, err := os.ReadFile("../meaning/testdata/paraphrases.txt")
	require.NoError(t, err)
	type pair struct{ kind, key, question string }
	var pairs []pair
	var records []store.EpisodeRecord
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if strings.HasPrefix(line, "#") {
			continue
		}
		require.Len(t, fields, 3)
		key := fmt.Sprintf("said-%03d", len(pairs))
		pairs = append(pairs, pair{fields[0], key, fields[2]})
		records = append(records, store.EpisodeRecord{InputHash: []byte(key), Episode: memory.Episode{
			Key: key, AgentKey: "agent", Title: summary.Title(fields[1]), Observation: fields[1], Outcome: memory.OutcomeUnknown,
			StartedAt: CrowdNow.Add(-time.Hour),
		}})
	}
	for _, m := range stores {
		recordNoisyRuns(m, runs, 1)
		m.NoError(fault(m.RecordEpisodes(m.ctx(), records)))
	}
	weights := ranking.Weights{Semantic: 1, HalfLifeDays: 1, Feedback: ranking.FeedbackOff}
	first, fifth := map[string]int{}, map[string]int{}
	count := func(found []ranking.Candidate, key, as string) {
		for i, top := range ranking.Rank(found, weights, CrowdNow, 5) {
			if top.Key != key || top.Score.Semantic == 0 {
				continue
			}
			fifth[as]++
			if i == 0 {
				first[as]++
			}
		}
	}
	for _, p := range pairs {
		for as, m := range stores {
			count(m.recall(store.RecallQuery{Text: p.question, Limit: 256, Weights: weights, Now: CrowdNow}).Items, p.key, p.kind+" "+as)
		}
	}
	t.Logf("right one first, of 50 each: %v; among the first five: %v", first, fifth)
	require.Positive(t, fifth["far by words"], "or nothing is compared")
	require.GreaterOrEqual(t, first["far with meaning"], 2*first["far by words"])
	require.GreaterOrEqual(t, first["far with meaning"], 6)
	require.GreaterOrEqual(t, fifth["far with meaning"], 20)
	share := func(which string) float64 { return float64(first[which]) / 50 }
	require.GreaterOrEqual(t, share("near with meaning"), share("near by words")-0.01)
}
