package ranking_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"mneme/memory/memorytest"
	"mneme/memory/ranking"
)

func reasonsFor(c ranking.Candidate, w ranking.Weights) []string {
	top := ranking.Rank([]ranking.Candidate{c}, w, memorytest.Day(0), 1)
	return ranking.Reasons(top[0], w, true, []string{"step 14 (cancel_reservation) says it: .81"}, memorytest.Day(0))
}

func TestReasons(t *testing.T) {
	t.Parallel()
	smoothed := ranking.DefaultWeights
	smoothed.Feedback = ranking.FeedbackSmoothed
	full := ranking.Candidate{
		StartedAt: memorytest.Day(-3), Match: 0.82, CanvasActionCount: 4, FeedbackSum: 1.5, FeedbackCount: 2,
	}
	for name, test := range map[string]struct {
		candidate ranking.Candidate
		weights   ranking.Weights
		want      []string
	}{
		"everything": {full, ranking.DefaultWeights, []string{
			"step 14 (cancel_reservation) says it: .81", "3 days ago",
			"had 4 canvas interactions (+0.10)", "people rated it +0.75 over 2 (+0.20)",
		}},
		"what does not count is no reason": {full, ranking.DefaultWeights.WithoutContext(), []string{
			"step 14 (cancel_reservation) says it: .81", "3 days ago",
		}},
		"disliked": {
			ranking.Candidate{StartedAt: memorytest.Day(-1), Match: 1, CanvasActionCount: 1, FeedbackSum: -1, FeedbackCount: 1},
			ranking.DefaultWeights,
			[]string{
				"step 14 (cancel_reservation) says it: .81", "1 day ago",
				"had 1 canvas interaction (+0.10)", "people rated it -1.00 over 1 (-0.30)",
			},
		},
		"smoothed": {
			ranking.Candidate{StartedAt: memorytest.Day(-1), Match: 0.5, FeedbackSum: 5, FeedbackCount: 5}, smoothed,
			[]string{"step 14 (cancel_reservation) says it: .81", "1 day ago", "people rated it +1.00 over 5 (+0.10, smoothed)"},
		},
		"too long": {
			ranking.Candidate{StartedAt: memorytest.Day(-1), Match: 1, LeftOut: 1}, ranking.DefaultWeights,
			[]string{"step 14 (cancel_reservation) says it: .81", "1 day ago", "not searched: 1 passage from its middle"},
		},
		"nothing matched": {
			ranking.Candidate{StartedAt: memorytest.Day(-1), Match: -0.4}, ranking.DefaultWeights,
			[]string{"no experience matches the words; ranked by age and reactions", "1 day ago"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, reasonsFor(test.candidate, test.weights))
		})
	}
}

func TestReasonsWithoutASituation(t *testing.T) {
	t.Parallel()
	top := ranking.Rank([]ranking.Candidate{{StartedAt: memorytest.Day(-1)}}, ranking.DefaultWeights, memorytest.Day(0), 1)
	assert.Equal(t, []string{"no situation was given; ranked by age and reactions", "1 day ago"},
		ranking.Reasons(top[0], ranking.DefaultWeights, false, nil, memorytest.Day(0)))
}

func TestReasonsSayTheAge(t *testing.T) {
	t.Parallel()
	for want, age := range map[string]time.Duration{
		"just now":                               59 * time.Second,
		"1 minute ago":                           time.Minute,
		"59 minutes ago":                         59*time.Minute + 59*time.Second,
		"1 hour ago":                             time.Hour,
		"23 hours ago":                           24*time.Hour - 1,
		"1 day ago":                              24 * time.Hour,
		"400 days ago":                           400 * 24 * time.Hour,
		"dated in the future, so counted as now": -time.Hour,
	} {
		c := ranking.Candidate{StartedAt: memorytest.Day(0).Add(-age), Match: 1}
		assert.Equal(t, want, reasonsFor(c, ranking.DefaultWeights)[1])
	}
}
