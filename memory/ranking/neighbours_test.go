package ranking_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory/ranking"
)

func TestLend(t *testing.T) {
	for name, test := range map[string]struct {
		scores     map[string]float64
		neighbours map[string][2]string
		want       []ranking.Scored
	}{
		"nothing matches": {nil, nil, []ranking.Scored{}},
		"no neighbours":   {map[string]float64{"a": 0.5}, nil, []ranking.Scored{{"a", 0.5}}},
		"neighbours that do not match enter": {
			map[string]float64{"b": 1}, map[string][2]string{"b": {"a", "c"}},
			[]ranking.Scored{{"b", 1}, {"a", 0.3}, {"c", 0.3}},
		},
		"at the ends of a session": {
			map[string]float64{"a": 1, "z": 0.5}, map[string][2]string{"a": {"", "b"}, "z": {"y", ""}},
			[]ranking.Scored{{"a", 1}, {"z", 0.5}, {"b", 0.3}, {"y", 0.15}},
		},
		"neighbours that match lend each other": {
			map[string]float64{"a": 0.8, "b": 0.4}, map[string][2]string{"a": {"", "b"}, "b": {"a", ""}},
			[]ranking.Scored{{"a", 0.8 + 0.3*0.4}, {"b", 0.4 + 0.3*0.8}},
		},
		"a record between two matches": {
			map[string]float64{"a": 0.5, "c": 1}, map[string][2]string{"a": {"", "b"}, "c": {"b", ""}},
			[]ranking.Scored{{"c", 1}, {"a", 0.5}, {"b", 0.3 * 1.5}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			ranked := ranking.WithNeighbours(test.scores, test.neighbours)
			assert.Len(t, ranked, len(test.want))
			for i, want := range test.want {
				assert.Equal(t, want.Key, ranked[i].Key)
				assert.InDelta(t, want.Score, ranked[i].Score, 1e-12)
			}
		})
	}
}

// Over whole sessions, of which only the matches and their neighbours are handed over, the rule is what
// it says of every record.
func TestLendIsTheRuleOverWholeSessions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		session := rapid.SliceOf(rapid.SampledFrom([]float64{0, 0, 0, 0.25, 0.5, 1})).Draw(t, "scores")
		at := func(i int) float64 {
			if i < 0 || i >= len(session) {
				return 0
			}
			return session[i]
		}
		name := func(i int) string {
			if i < 0 || i >= len(session) {
				return ""
			}
			return strconv.Itoa(i)
		}
		scores, neighbours := map[string]float64{}, map[string][2]string{}
		want := []ranking.Scored{}
		for i, own := range session {
			if own > 0 {
				scores[name(i)], neighbours[name(i)] = own, [2]string{name(i - 1), name(i + 1)}
			}
			if score := own + 0.3*(at(i-1)+at(i+1)); score > 0 {
				want = append(want, ranking.Scored{Key: name(i), Score: score})
			}
		}
		ranked := ranking.WithNeighbours(scores, neighbours)
		assert.ElementsMatch(t, want, ranked)
		assert.True(t, slices.IsSortedFunc(ranked, func(a, b ranking.Scored) int {
			if a.Score > b.Score || a.Score == b.Score && a.Key < b.Key {
				return -1
			}
			return 1
		}))
	})
}
