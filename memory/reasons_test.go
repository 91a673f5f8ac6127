package memory_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
)

func reasonsFor(c memory.Candidate, w memory.Weights) []string {
	top := memory.Rank([]memory.Candidate{c}, w, day(0), 1)
	return memory.Reasons(top[0], w, day(0))
}

func TestReasons(t *testing.T) {
	smoothed := memory.DefaultWeights
	smoothed.Feedback = memory.FeedbackSmoothed
	full := memory.Candidate{
		StartedAt: day(-3), Lexical: 0.82, Cosine: 0.77, CanvasActionCount: 4, FeedbackSum: 1.5, FeedbackCount: 2,
	}
	for name, test := range map[string]struct {
		candidate memory.Candidate
		weights   memory.Weights
		want      []string
	}{
		"everything": {full, memory.DefaultWeights, []string{
			"matches the situation (lexical 0.82)", "similar in meaning (cosine 0.77)", "3 days ago",
			"had 4 canvas interactions (+0.10)", "people rated it +0.75 over 2 (+0.20)",
		}},
		"what does not count is no reason": {full, memory.DefaultWeights.WithoutContext(), []string{
			"matches the situation (lexical 0.82)", "similar in meaning (cosine 0.77)", "3 days ago",
		}},
		"disliked": {
			memory.Candidate{StartedAt: day(-1), Lexical: 1, CanvasActionCount: 1, FeedbackSum: -1, FeedbackCount: 1},
			memory.DefaultWeights,
			[]string{
				"matches the situation (lexical 1.00)", "1 day ago",
				"had 1 canvas interaction (+0.10)", "people rated it -1.00 over 1 (-0.30)",
			},
		},
		"smoothed": {
			memory.Candidate{StartedAt: day(-1), Cosine: 0.5, FeedbackSum: 5, FeedbackCount: 5}, smoothed,
			[]string{"similar in meaning (cosine 0.50)", "1 day ago", "people rated it +1.00 over 5 (+0.10, smoothed)"},
		},
		"nothing matched": {
			memory.Candidate{StartedAt: day(-1), Cosine: -0.4}, memory.DefaultWeights,
			[]string{"no experience matches the words; most recent first", "1 day ago"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, reasonsFor(test.candidate, test.weights))
		})
	}
}

func TestReasonsSayTheAge(t *testing.T) {
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
		c := memory.Candidate{StartedAt: day(0).Add(-age), Lexical: 1}
		assert.Equal(t, want, reasonsFor(c, memory.DefaultWeights)[1])
	}
}
