package ranking_test

import (
	"fmt"
	"slices"
	"sort"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory/memorytest"
	"mneme/memory/ranking"
)

func keysOf(ranked []ranking.Ranked) []string {
	keys := []string{}
	for _, r := range ranked {
		keys = append(keys, r.Key)
	}
	return keys
}

func TestRankOrder(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		candidates []ranking.Candidate
		want       []string
	}{
		"none": {nil, []string{}},
		"by total": {[]ranking.Candidate{
			{Key: "weak", Match: 0.2, StartedAt: memorytest.Day(-1)},
			{Key: "strong", Match: 0.9, StartedAt: memorytest.Day(-1)},
		}, []string{"strong", "weak"}},
		"a disliked match falls behind": {[]ranking.Candidate{
			{Key: "disliked", Match: 0.9, StartedAt: memorytest.Day(-1), FeedbackSum: -1, FeedbackCount: 1},
			{Key: "plain", Match: 0.8, StartedAt: memorytest.Day(-1)},
		}, []string{"plain", "disliked"}},
		"what does not match is left out": {[]ranking.Candidate{
			{Key: "recent", StartedAt: memorytest.Day(0), CanvasActionCount: 9, FeedbackSum: 1, FeedbackCount: 1},
			{Key: "match", Match: 0.01, StartedAt: memorytest.Day(-900)},
		}, []string{"match"}},
		"an opposite meaning is no match": {[]ranking.Candidate{
			{Key: "opposite", Match: -0.9, StartedAt: memorytest.Day(0)},
			{Key: "similar", Match: 0.3, StartedAt: memorytest.Day(-40)},
		}, []string{"similar"}},
		"the most recent where nothing matches": {[]ranking.Candidate{
			{Key: "old", StartedAt: memorytest.Day(-3)}, {Key: "new", StartedAt: memorytest.Day(-1)}, {Key: "middle", StartedAt: memorytest.Day(-2)},
		}, []string{"new", "middle", "old"}},
		"ties: newer, then key": {[]ranking.Candidate{
			{Key: "b", Match: 0.5, StartedAt: memorytest.Day(1)}, {Key: "c", Match: 0.5, StartedAt: memorytest.Day(2)},
			{Key: "a", Match: 0.5, StartedAt: memorytest.Day(1)},
		}, []string{"c", "a", "b"}}, // all in the future, so of one age
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, keysOf(ranking.Rank(test.candidates, ranking.DefaultWeights, memorytest.Day(0), 10)))
		})
	}
}

func TestRankKeepsTheBestK(t *testing.T) {
	t.Parallel()
	candidates := []ranking.Candidate{{Key: "a", Match: 0.1}, {Key: "b", Match: 0.9}, {Key: "c", Match: 0.5}}
	for k, want := range map[int][]string{-1: {}, 0: {}, 1: {"b"}, 2: {"b", "c"}, 9: {"b", "c", "a"}} {
		assert.Equal(t, want, keysOf(ranking.Rank(candidates, ranking.DefaultWeights, memorytest.Day(0), k)), "k = %d", k)
	}
}

func genWeights() *rapid.Generator[ranking.Weights] {
	weight := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, 1))
	return rapid.Custom(func(t *rapid.T) ranking.Weights {
		return ranking.Weights{
			Semantic: weight.Draw(t, "semantic"), Temporal: weight.Draw(t, "temporal"),
			HalfLifeDays: rapid.Float64Range(0.1, 100).Draw(t, "halfLife"),
			CanvasBoost:  weight.Draw(t, "canvas"), PositiveBoost: weight.Draw(t, "positive"),
			NegativePenalty: weight.Draw(t, "penalty"),
			Feedback: rapid.SampledFrom([]ranking.FeedbackMode{
				ranking.FeedbackFixed, ranking.FeedbackSmoothed, ranking.FeedbackOff,
			}).Draw(t, "mode"),
		}
	})
}

// genCandidate draws from few values, so that ties and zeros are common.
func genCandidate(key string) *rapid.Generator[ranking.Candidate] {
	return rapid.Custom(func(t *rapid.T) ranking.Candidate {
		votes := rapid.IntRange(0, 4).Draw(t, "votes")
		return ranking.Candidate{
			Key: key, StartedAt: memorytest.Day(-rapid.Float64Range(-2, 90).Draw(t, "age")).Truncate(24 * time.Hour),
			Match:             rapid.SampledFrom([]float64{0, 0, 0.1, 0.5, 0.51, 0.9, 1}).Draw(t, "match"),
			CanvasActionCount: rapid.IntRange(0, 2).Draw(t, "actions"),
			FeedbackCount:     votes, FeedbackSum: float64(rapid.IntRange(-votes, votes).Draw(t, "sum")),
		}
	})
}

// bruteForce is the rule spelled out: score all, drop what does not match where anything does, sort.
func bruteForce(all []ranking.Candidate, w ranking.Weights, k int) []string {
	matched := slices.ContainsFunc(all, func(c ranking.Candidate) bool { return c.Match > 0 })
	kept := []ranking.Candidate{}
	for _, c := range all {
		if !matched || c.Match > 0 {
			kept = append(kept, c)
		}
	}
	best := 0.0
	for _, c := range kept {
		best = max(best, c.Semantic())
	}
	total := func(c ranking.Candidate) float64 {
		s, lift := w.Score(c, memorytest.Day(0)), 1.0
		if best > 0 {
			lift = (s.Semantic / best) * (s.Semantic / best)
		}
		feedback := s.Feedback
		if feedback > 0 {
			feedback *= lift
		}
		return float64(w.Semantic*s.Semantic) + float64(lift*float64(w.Temporal*s.Temporal)) + (float64(s.Canvas*lift) + feedback)
	}
	sort.Slice(kept, func(i, j int) bool {
		a, b := kept[i], kept[j]
		switch {
		case total(a) != total(b):
			return total(a) > total(b)
		case !a.StartedAt.Equal(b.StartedAt):
			return a.StartedAt.After(b.StartedAt)
		}
		return a.Key < b.Key
	})
	keys := []string{}
	for _, c := range kept[:min(k, len(kept))] {
		keys = append(keys, c.Key)
	}
	return keys
}

// What lifts a hit counts by the square of its match divided by the best.
func TestWhatLiftsCountsByTheMatch(t *testing.T) {
	t.Parallel()
	best := ranking.Candidate{Key: "best", Match: 1, StartedAt: memorytest.Day(-30)}
	half := ranking.Candidate{Key: "half", Match: 0.5, StartedAt: memorytest.Day(0), CanvasActionCount: 1, FeedbackSum: 1, FeedbackCount: 1}
	disliked := ranking.Candidate{Key: "disliked", Match: 0.5, StartedAt: memorytest.Day(0), FeedbackSum: -1, FeedbackCount: 1}
	totals := map[string]float64{}
	for _, r := range ranking.Rank([]ranking.Candidate{best, half, disliked}, ranking.DefaultWeights, memorytest.Day(0), 3) {
		totals[r.Key] = r.Score.Total
	}
	for key, want := range map[string]float64{
		"best":     0.7 + 0.15,
		"half":     0.35 + (0.3+0.1+0.2)/4,
		"disliked": 0.35 + 0.3/4 - 0.3,
	} {
		assert.InDelta(t, want, totals[key], 1e-9, key)
	}
}

func TestRankEqualsBruteForce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all := []ranking.Candidate{}
		for i := range rapid.IntRange(0, 60).Draw(t, "n") {
			all = append(all, genCandidate(fmt.Sprintf("k%02d", i)).Draw(t, "candidate"))
		}
		if rapid.IntRange(0, 4).Draw(t, "nothing matches") == 0 {
			for i := range all {
				all[i].Match = 0
			}
		}
		w, k := genWeights().Draw(t, "weights"), rapid.IntRange(1, 8).Draw(t, "k")
		require.Equal(t, bruteForce(all, w, k), keysOf(ranking.Rank(all, w, memorytest.Day(0), k)))
	})
}

func TestRankLeavesItsInputAlone(t *testing.T) {
	t.Parallel()
	candidates := []ranking.Candidate{{Key: "a", Match: 0.1}, {Key: "b", Match: 0.9}}
	before := slices.Clone(candidates)
	ranking.Rank(candidates, ranking.DefaultWeights, memorytest.Day(0), 1)
	assert.Equal(t, before, candidates)
}
