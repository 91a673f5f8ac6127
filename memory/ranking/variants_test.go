package ranking_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/memorytest"
	"mneme/memory/ranking"
)

func TestNearIdenticalEpisodesAreOneHit(t *testing.T) {
	t.Parallel()
	candidate := func(key, about string, outcome memory.Outcome, match float64) ranking.Candidate {
		return ranking.Candidate{Key: key, About: about, TaskType: "support", Outcome: outcome, Match: match, StartedAt: memorytest.Day(0)}
	}
	const refund = "Mr Lindqvist got a parcel with one desk lamp missing, order "
	other := candidate("other type", refund+"A-1", memory.OutcomeSuccess, 0.5)
	other.TaskType = "sales"
	for name, test := range map[string]struct {
		failed         float64
		hits, siblings []string
	}{
		"the best match stands for its group":      {0.9, []string{"failed", "else", "other type"}, []string{"failed too", "succeeded", "open"}},
		"what succeeded, where it matches as well": {0.705, []string{"else", "succeeded", "other type"}, []string{"failed", "failed too", "open"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ranked := ranking.Rank([]ranking.Candidate{
				candidate("failed", refund+"A-1", memory.OutcomeFailure, test.failed),
				candidate("failed too", refund+"A-2", memory.OutcomeFailure, 0.702),
				candidate("else", "Mr Lindqvist asks where the desk lamp of his order is", memory.OutcomeSuccess, 0.85),
				candidate("succeeded", refund+"a-1", memory.OutcomeSuccess, 0.7),
				candidate("open", refund+"A-3", memory.OutcomeUnknown, 0.6),
				other,
			}, ranking.DefaultWeights, memorytest.Day(0), 10)
			groups := ranking.Grouped(ranked, ranking.DefaultWeights)
			assert.Equal(t, test.hits, keysOf(groups))
			at := slices.IndexFunc(groups, func(r ranking.Ranked) bool { return len(r.Siblings) > 0 })
			var siblings []string
			for _, s := range groups[at].Siblings {
				siblings = append(siblings, s.Key)
			}
			assert.Equal(t, test.siblings, siblings)
			assert.Equal(t, "4 times, 1 succeeded, 2 failed, 1 unknown", groups[at].Turned().Words())
			assert.Equal(t, ranking.Turned{Times: 1, Succeeded: 1}, groups[1-at].Turned())
		})
	}
	long := strings.Repeat("You are an agent of the desk. ", ranking.MaxAbout)[:ranking.MaxAbout]
	begun := []ranking.Ranked{{Candidate: ranking.Candidate{Key: "a", About: long}}, {Candidate: ranking.Candidate{Key: "b", About: long}}}
	assert.Len(t, ranking.Grouped(begun, ranking.DefaultWeights), 2, "they may only begin alike")
	byMatch := []ranking.Ranked{{Candidate: ranking.Candidate{Key: "near", About: "a"}}, {Candidate: ranking.Candidate{Key: "far", About: "b"}, Score: ranking.Score{Total: 1}}}
	assert.Equal(t, []string{"near", "far"}, keysOf(ranking.Grouped(byMatch, ranking.DefaultWeights)), "cautions are in the order of their match")

	none := []ranking.Ranked{{Candidate: ranking.Candidate{Key: "a"}}, {Candidate: ranking.Candidate{Key: "b"}}}
	assert.Len(t, ranking.Grouped(none, ranking.DefaultWeights), 2, "without words nothing is identical")
}
