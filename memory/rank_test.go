package memory_test

import (
	"fmt"
	"slices"
	"sort"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
)

func keysOf(ranked []memory.Ranked) []string {
	keys := []string{}
	for _, r := range ranked {
		keys = append(keys, r.Key)
	}
	return keys
}

func TestRankOrder(t *testing.T) {
	all := memory.Unseen{Exhausted: true}
	for name, test := range map[string]struct {
		candidates []memory.Candidate
		want       []string
	}{
		"none": {nil, []string{}},
		"by total": {[]memory.Candidate{
			{Key: "weak", Lexical: 0.2, StartedAt: day(-1)},
			{Key: "strong", Lexical: 0.9, StartedAt: day(-1)},
		}, []string{"strong", "weak"}},
		"a disliked match falls behind": {[]memory.Candidate{
			{Key: "disliked", Lexical: 0.9, StartedAt: day(-1), FeedbackSum: -1, FeedbackCount: 1},
			{Key: "plain", Lexical: 0.6, StartedAt: day(-1)},
		}, []string{"plain", "disliked"}},
		"what does not match is left out": {[]memory.Candidate{
			{Key: "recent", StartedAt: day(0), CanvasActionCount: 9, FeedbackSum: 1, FeedbackCount: 1},
			{Key: "match", Lexical: 0.01, StartedAt: day(-900)},
		}, []string{"match"}},
		"an opposite meaning is no match": {[]memory.Candidate{
			{Key: "opposite", Cosine: -0.9, StartedAt: day(0)},
			{Key: "similar", Cosine: 0.3, StartedAt: day(-40)},
		}, []string{"similar"}},
		"the most recent where nothing matches": {[]memory.Candidate{
			{Key: "old", StartedAt: day(-3)}, {Key: "new", StartedAt: day(-1)}, {Key: "middle", StartedAt: day(-2)},
		}, []string{"new", "middle", "old"}},
		"ties: newer, then key": {[]memory.Candidate{
			{Key: "b", Lexical: 0.5, StartedAt: day(1)}, {Key: "c", Lexical: 0.5, StartedAt: day(2)},
			{Key: "a", Lexical: 0.5, StartedAt: day(1)},
		}, []string{"c", "a", "b"}}, // all in the future, so of one age
	} {
		t.Run(name, func(t *testing.T) {
			top, certain := memory.Rank(test.candidates, all, memory.DefaultWeights, day(0), 10)
			assert.Equal(t, test.want, keysOf(top))
			assert.True(t, certain)
		})
	}
}

func TestRankKeepsTheBestK(t *testing.T) {
	candidates := []memory.Candidate{{Key: "a", Lexical: 0.1}, {Key: "b", Lexical: 0.9}, {Key: "c", Lexical: 0.5}}
	for k, want := range map[int][]string{-1: {}, 0: {}, 1: {"b"}, 2: {"b", "c"}, 9: {"b", "c", "a"}} {
		top, _ := memory.Rank(candidates, memory.Unseen{Exhausted: true}, memory.DefaultWeights, day(0), k)
		assert.Equal(t, want, keysOf(top), "k = %d", k)
	}
}

// The seen are two old matches that total 0.63 and 0.56; what can come is bounded by
// 0.7·lexical + 0.3·0.5^(age/30) + 0.1 + 0.2.
func TestRankCertainty(t *testing.T) {
	longAgo := day(-10_000)
	matches := []memory.Candidate{{Key: "a", Lexical: 0.9, StartedAt: longAgo}, {Key: "b", Lexical: 0.8, StartedAt: longAgo}}
	unmatched := []memory.Candidate{{Key: "a", StartedAt: day(0), CanvasActionCount: 1}, {Key: "b", StartedAt: day(-30), CanvasActionCount: 1}}
	off := memory.DefaultWeights.WithoutContext()
	for name, test := range map[string]struct {
		seen    []memory.Candidate
		unseen  memory.Unseen
		weights memory.Weights
		k       int
		want    bool
	}{
		"all seen":                         {matches, memory.Unseen{Exhausted: true, Lexical: 1}, memory.DefaultWeights, 5, true},
		"none wanted":                      {matches, memory.Unseen{Lexical: 1}, memory.DefaultWeights, 0, true},
		"too few, and matches may come":    {matches, memory.Unseen{Lexical: 0.01, StartedAt: longAgo}, memory.DefaultWeights, 3, false},
		"too few, but no match can come":   {matches, memory.Unseen{StartedAt: day(0)}, memory.DefaultWeights, 3, true},
		"only opposite meanings can come":  {matches, memory.Unseen{Cosine: -0.2, StartedAt: day(0)}, memory.DefaultWeights, 2, true},
		"boosts could lift 0.38 over 0.56": {matches, memory.Unseen{Lexical: 0.38, StartedAt: longAgo}, memory.DefaultWeights, 2, false},
		"boosts cannot lift 0.37":          {matches, memory.Unseen{Lexical: 0.37, StartedAt: longAgo}, memory.DefaultWeights, 2, true},
		"a cosine bounds too":              {matches, memory.Unseen{Cosine: 0.38, StartedAt: longAgo}, memory.DefaultWeights, 2, false},
		"without boosts 0.79 stays below":  {matches, memory.Unseen{Lexical: 0.79, StartedAt: longAgo}, off, 2, true},
		"a tie may still be newer":         {matches, memory.Unseen{Lexical: 0.8, StartedAt: longAgo}, off, 2, false},
		"recency could lift 0.79":          {matches, memory.Unseen{Lexical: 0.79, StartedAt: day(-30)}, off, 2, false},
		"no match: a newer one with a like": {
			unmatched, memory.Unseen{Lexical: 0, StartedAt: day(-31)}, memory.DefaultWeights, 1, false},
		"no match: canvas alone is not beaten": {
			unmatched, memory.Unseen{StartedAt: day(-31)}, off, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			_, certain := memory.Rank(test.seen, test.unseen, test.weights, day(0), test.k)
			assert.Equal(t, test.want, certain)
		})
	}
}

func genWeights() *rapid.Generator[memory.Weights] {
	weight := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, 1))
	return rapid.Custom(func(t *rapid.T) memory.Weights {
		return memory.Weights{
			Semantic: weight.Draw(t, "semantic"), Temporal: weight.Draw(t, "temporal"),
			HalfLifeDays: rapid.Float64Range(0.1, 100).Draw(t, "halfLife"),
			CanvasBoost:  weight.Draw(t, "canvas"), PositiveBoost: weight.Draw(t, "positive"),
			NegativePenalty: weight.Draw(t, "penalty"),
			Feedback: rapid.SampledFrom([]memory.FeedbackMode{
				memory.FeedbackFixed, memory.FeedbackSmoothed, memory.FeedbackOff,
			}).Draw(t, "mode"),
		}
	})
}

// genCandidate draws from few values, so that ties and zeros are common.
func genCandidate(key string) *rapid.Generator[memory.Candidate] {
	return rapid.Custom(func(t *rapid.T) memory.Candidate {
		votes := rapid.IntRange(0, 4).Draw(t, "votes")
		return memory.Candidate{
			Key: key, StartedAt: day(-rapid.Float64Range(-2, 90).Draw(t, "age")).Truncate(24 * time.Hour),
			Lexical:           rapid.SampledFrom([]float64{0, 0, 0.1, 0.5, 0.51, 0.9, 1}).Draw(t, "lexical"),
			Cosine:            rapid.SampledFrom([]float64{0, -1, -0.2, 0.1, 0.5, 0.7, 1}).Draw(t, "cosine"),
			CanvasActionCount: rapid.IntRange(0, 2).Draw(t, "actions"),
			FeedbackCount:     votes, FeedbackSum: float64(rapid.IntRange(-votes, votes).Draw(t, "sum")),
		}
	})
}

// streams reads candidates as a store does, see store.Candidates: the first of each best-first stream.
func streams(all []memory.Candidate, limit int) ([]memory.Candidate, memory.Unseen) {
	newest := func(c memory.Candidate) float64 { return float64(c.StartedAt.UnixMilli()) }
	either := func(c memory.Candidate) bool { return c.Lexical > 0 || c.Cosine > 0 }
	everyone := func(memory.Candidate) bool { return true }
	if slices.ContainsFunc(all, either) {
		everyone = either
	}
	seen := map[string]memory.Candidate{}
	first := func(keep func(memory.Candidate) bool, value func(memory.Candidate) float64) float64 {
		var stream []memory.Candidate
		for _, c := range all {
			if keep(c) {
				stream = append(stream, c)
			}
		}
		sort.SliceStable(stream, func(i, j int) bool { return value(stream[i]) > value(stream[j]) })
		for _, c := range stream[:min(limit, len(stream))] {
			seen[c.Key] = c
		}
		if len(stream) <= limit {
			return 0
		}
		return value(stream[limit-1])
	}
	lexical := func(c memory.Candidate) float64 { return c.Lexical }
	cosine := func(c memory.Candidate) float64 { return c.Cosine }
	unseen := memory.Unseen{
		Lexical: first(func(c memory.Candidate) bool { return c.Lexical > 0 }, lexical),
		Cosine:  first(func(c memory.Candidate) bool { return c.Cosine > 0 }, cosine),
	}
	unseen.StartedAt = time.UnixMilli(int64(first(everyone, newest)))
	unseen.Exhausted = len(seen) == len(all)
	items := []memory.Candidate{}
	for _, c := range seen {
		items = append(items, c)
	}
	return items, unseen
}

// bruteForce is the rule spelled out: score all, drop what does not match where anything does, sort.
func bruteForce(all []memory.Candidate, w memory.Weights, k int) []string {
	matched := slices.ContainsFunc(all, func(c memory.Candidate) bool { return c.Lexical > 0 || c.Cosine > 0 })
	kept := []memory.Candidate{}
	for _, c := range all {
		if !matched || c.Lexical > 0 || c.Cosine > 0 {
			kept = append(kept, c)
		}
	}
	total := func(c memory.Candidate) float64 { return w.Score(c, day(0)).Total }
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

func TestRankOfAPrefixEqualsBruteForceOnceCertain(t *testing.T) {
	early := 0
	rapid.Check(t, func(t *rapid.T) {
		all := []memory.Candidate{}
		for i := range rapid.IntRange(0, 60).Draw(t, "n") {
			all = append(all, genCandidate(fmt.Sprintf("k%02d", i)).Draw(t, "candidate"))
		}
		if rapid.IntRange(0, 4).Draw(t, "nothing matches") == 0 {
			for i := range all {
				all[i].Lexical, all[i].Cosine = 0, min(all[i].Cosine, 0)
			}
		}
		w, k := genWeights().Draw(t, "weights"), rapid.IntRange(1, 8).Draw(t, "k")
		want := bruteForce(all, w, k)
		for limit := 1; ; limit *= 2 {
			items, unseen := streams(all, limit)
			top, certain := memory.Rank(items, unseen, w, day(0), k)
			if certain {
				require.Equal(t, want, keysOf(top), "after %d of each stream", limit)
				if len(items) < len(all) {
					early++
				}
				return
			}
			if limit > len(all) {
				t.Fatalf("not certain although all %d were read", len(all))
			}
		}
	})
	assert.Positive(t, early, "some ranking must be certain before everything was read")
}

func TestRankLeavesItsInputAlone(t *testing.T) {
	candidates := []memory.Candidate{{Key: "a", Lexical: 0.1}, {Key: "b", Lexical: 0.9}}
	before := slices.Clone(candidates)
	memory.Rank(candidates, memory.Unseen{}, memory.DefaultWeights, day(0), 1)
	assert.Equal(t, before, candidates)
}
