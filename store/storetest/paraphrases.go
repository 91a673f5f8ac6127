package storetest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/memory/ranking"
	"mneme/memory/summary"
	"mneme/store"
)

// RunParaphrases records a hundred things that agents did among the airline runs, and asks for each in other words: half of
// them share some with it, half few. It compares who comes first by words alone and with what they mean.
func RunParaphrases(t *testing.T, open func(t *testing.T) store.Backend) {
	m := bind(t, open(t), randomTenant())
	recordNoisyRuns(m, airlineRuns(t), 1)
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
	m.NoError(fault(m.RecordEpisodes(m.ctx(), records)))
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
		found := m.recall(store.RecallQuery{Text: p.question, Limit: 256, Weights: weights, Now: CrowdNow}).Items
		count(found, p.key, p.kind+" with meaning")
		for i := range found {
			found[i].Match = matching.Parts{Match: found[i].Match.Match}
		}
		count(found, p.key, p.kind+" by words")
	}
	t.Logf("right one first, of 50 each: %v; among the first five: %v", first, fifth)
	require.GreaterOrEqual(t, first["far with meaning"], 2*first["far by words"])
	require.GreaterOrEqual(t, fifth["far with meaning"], 20)
	require.GreaterOrEqual(t, first["near with meaning"], first["near by words"])
}
