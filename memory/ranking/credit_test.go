package ranking_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/memorytest"
	"mneme/memory/ranking"
)

func TestEvidence(t *testing.T) {
	t.Parallel()
	var none, e ranking.Evidence
	assert.Zero(t, none.Usefulness())
	assert.Equal(t, none, none.With(memory.OutcomeUnknown, 0, 0), "what is not known does not count")
	e = e.With(memory.OutcomeSuccess, 0, 0)  // 1
	e = e.With(memory.OutcomeFailure, 0, 0)  // -1
	e = e.With(memory.OutcomeUnknown, 1, 2)  // 0.5
	e = e.With(memory.OutcomeSuccess, 1, 2)  // (1 + 0.5) / 2
	e = e.With(memory.OutcomeFailure, 1, 1)  // 0
	e = e.With(memory.OutcomeSuccess, -1, 1) // 0
	assert.Equal(t, ranking.Evidence{Runs: 6, Helped: 3, Sum: 1.25}, e)
	assert.InDelta(t, 1.25/11, e.Usefulness(), 1e-12)
}

func TestCreditLiftsAndLowers(t *testing.T) {
	t.Parallel()
	w, now := ranking.DefaultWeights, memorytest.Seconds(0)
	helped := ranking.Evidence{Runs: 6, Helped: 5, Sum: 4}
	misled := ranking.Evidence{Runs: 5, Sum: -5}
	ranked := ranking.Rank([]ranking.Candidate{
		{Key: "misled", Match: 1, StartedAt: now, Informed: misled}, {Key: "plain", Match: 1, StartedAt: now},
		{Key: "helped", Match: 1, StartedAt: now, Informed: helped}, {Key: "half", Match: 0.5, StartedAt: now, Informed: helped},
	}, w, now, 9)
	credits := map[string]float64{"helped": 0.1 * 4 / 11, "plain": 0, "misled": -0.05, "half": 0.1 * 4 / 11 / 4}
	var order []string
	for _, r := range ranked {
		order = append(order, r.Key)
		assert.InDelta(t, credits[r.Key], r.Score.Credit, 1e-12, r.Key)
	}
	assert.Equal(t, []string{"helped", "plain", "misled", "half"}, order)
	assert.Contains(t, ranking.Reasons(ranked[0], w, true, nil, now), "helped 5 of 6 runs (+0.04)")
	w.Credit = -1
	memorytest.RequireInvalid(t, "ranking.creditWeight", w.Check())
}
