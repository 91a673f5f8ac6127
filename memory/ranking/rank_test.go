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

	"mneme/memory/matching"
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
			{Key: "weak", Match: words(0.2), StartedAt: memorytest.Day(-1)},
			{Key: "strong", Match: words(0.9), StartedAt: memorytest.Day(-1)},
		}, []string{"strong", "weak"}},
		"a disliked match falls behind": {[]ranking.Candidate{
			{Key: "disliked", Match: words(0.9), StartedAt: memorytest.Day(-1), FeedbackSum: -1, FeedbackCount: 1},
			{Key: "plain", Match: words(0.8), StartedAt: memorytest.Day(-1)},
		}, []string{"plain", "disliked"}},
		"what does not match is left out": {[]ranking.Candidate{
			{Key: "recent", StartedAt: memorytest.Day(0), CanvasActionCount: 9, FeedbackSum: 1, FeedbackCount: 1},
			{Key: "match", Match: words(0.01), StartedAt: memorytest.Day(-900)},
		}, []string{"match"}},
		"an opposite meaning is no match": {[]ranking.Candidate{
			{Key: "opposite", Match: meaning(-0.9), StartedAt: memorytest.Day(0)},
			{Key: "similar", Match: meaning(0.3), StartedAt: memorytest.Day(-40)},
		}, []string{"similar"}},
		"the most recent where nothing matches": {[]ranking.Candidate{
			{Key: "old", StartedAt: memorytest.Day(-3)}, {Key: "new", StartedAt: memorytest.Day(-1)}, {Key: "middle", StartedAt: memorytest.Day(-2)},
		}, []string{"new", "middle", "old"}},
		"ties: newer, then key": {[]ranking.Candidate{
			{Key: "b", Match: words(0.5), StartedAt: memorytest.Day(1)}, {Key: "c", Match: words(0.5), StartedAt: memorytest.Day(2)},
			{Key: "a", Match: words(0.5), StartedAt: memorytest.Day(1)},
		}, []string{"c", "a", "b"}}, // all in the future, so of one age
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, keysOf(ranking.Rank(test.candidates, ranking.DefaultWeights, memorytest.Day(0), 10)))
		})
	}
}

func TestFaint(t *testing.T) {
	t.Parallel()
	near, far, worded := ranking.Candidate{Key: "near", Match: both(0, 0.5)}, ranking.Candidate{Key: "far", Match: both(0, 0.35)}, ranking.Candidate{Key: "worded", Match: both(0.2, 0.1)}
	left := func(all ...ranking.Candidate) []ranking.Candidate {
		return slices.DeleteFunc(all, ranking.Faint(slices.Values(all)))
	}
	assert.Equal(t, []ranking.Candidate{near, worded}, left(far, near, worded))
	assert.Equal(t, []ranking.Candidate{far, worded}, left(far, worded), "nothing is nearer")
	assert.Empty(t, left())
}

func TestLikeness(t *testing.T) {
	t.Parallel()
	for want, matches := range map[ranking.Likeness][]matching.Parts{
		ranking.Unlike:       {{}, both(0, -0.2)},
		ranking.PerhapsAlike: {both(0, 0.49), both(0.04, 0.3), {Date: 0.2}},
		ranking.Alike:        {both(0, 0.5), words(0.2), meaning(0.1), {Date: 1}},
	} {
		for _, match := range matches {
			assert.Equal(t, want, ranking.Candidate{Match: match}.Likeness(), "%+v", match)
		}
	}
	assert.Less(t, ranking.Unlike, ranking.PerhapsAlike)
	assert.Less(t, ranking.PerhapsAlike, ranking.Alike)
}

func TestRankKeepsTheBestK(t *testing.T) {
	t.Parallel()
	candidates := []ranking.Candidate{{Key: "a", Match: words(0.1)}, {Key: "b", Match: words(0.9)}, {Key: "c", Match: words(0.5)}}
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
			Match: both(rapid.SampledFrom([]float64{0, 0, 0.1, 0.5, 0.51, 0.9, 1}).Draw(t, "words"),
				rapid.SampledFrom([]float64{0, -1, -0.2, 0.1, 0.5, 0.7, 1}).Draw(t, "meaning")),
			CanvasActionCount: rapid.IntRange(0, 2).Draw(t, "actions"),
			FeedbackCount:     votes, FeedbackSum: float64(rapid.IntRange(-votes, votes).Draw(t, "sum")),
		}
	})
}

// bruteForce is the rule spelled out: score all, drop what does not match where anything does, sort.
func bruteForce(all []ranking.Candidate, w ranking.Weights, k int) []string {
	matched := slices.ContainsFunc(all, func(c ranking.Candidate) bool { return c.Match.Words > 0 || c.Match.Meaning > 0 })
	kept := []ranking.Candidate{}
	for _, c := range all {
		if !matched || c.Match.Words > 0 || c.Match.Meaning > 0 {
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
	best := ranking.Candidate{Key: "best", Match: meaning(1), StartedAt: memorytest.Day(-30)}
	half := ranking.Candidate{Key: "half", Match: meaning(0.5), StartedAt: memorytest.Day(0), CanvasActionCount: 1, FeedbackSum: 1, FeedbackCount: 1}
	disliked := ranking.Candidate{Key: "disliked", Match: meaning(0.5), StartedAt: memorytest.Day(0), FeedbackSum: -1, FeedbackCount: 1}
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
				all[i].Match = both(0, min(all[i].Match.Meaning, 0))
			}
		}
		w, k := genWeights().Draw(t, "weights"), rapid.IntRange(1, 8).Draw(t, "k")
		require.Equal(t, bruteForce(all, w, k), keysOf(ranking.Rank(all, w, memorytest.Day(0), k)))
	})
}

func TestRankLeavesItsInputAlone(t *testing.T) {
	t.Parallel()
	candidates := []ranking.Candidate{{Key: "a", Match: words(0.1)}, {Key: "b", Match: words(0.9)}}
	before := slices.Clone(candidates)
	ranking.Rank(candidates, ranking.DefaultWeights, memorytest.Day(0), 1)
	assert.Equal(t, before, candidates)
}

// words are the parts of what matches as well by its words alone.
func words(semantic float64) matching.Parts {
	return matching.Parts{Match: matching.Match{Words: semantic / 1.3, Own: semantic / 1.3}}
}

// meaning are the parts of what is compared with a vector alone.
func meaning(cosine float64) matching.Parts {
	return matching.Parts{Meaning: cosine, Compared: true, Wordless: true}
}

func both(words, cosine float64) matching.Parts {
	return matching.Parts{Match: matching.Match{Words: words, Own: words}, Meaning: cosine, Compared: true}
}
