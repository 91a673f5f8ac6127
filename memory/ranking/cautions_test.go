package ranking_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/memorytest"
	"mneme/memory/ranking"
	"mneme/memory/summary"
)

func TestCautionsAreWhatWentWrongByMatchAlone(t *testing.T) {
	t.Parallel()
	candidate := func(key string, match float64) ranking.Candidate {
		return ranking.Candidate{Key: key, Match: match, StartedAt: memorytest.Day(0), Outcome: memory.OutcomeSuccess}
	}
	failed, disliked, corrected, remote := candidate("failed", 0.7), candidate("disliked", 0.9), candidate("corrected", 0.8), candidate("remote", 0.5)
	failed.Outcome, remote.Outcome = memory.OutcomeFailure, memory.OutcomeFailure
	disliked.FeedbackSum, disliked.FeedbackCount, disliked.StartedAt = -0.5, 1, memorytest.Day(-90)
	corrected.Corrected, corrected.FeedbackSum, corrected.FeedbackCount = true, 1, 3
	all := []ranking.Candidate{candidate("best", 1), candidate("good", 0.75), failed, disliked, corrected, remote}
	now, w := memorytest.Day(1), ranking.DefaultWeights
	for name, test := range map[string]struct {
		topK  int
		w     ranking.Weights
		wants []string
	}{
		"all that match as well as a hit": {6, w, []string{"disliked", "corrected", "failed", "remote"}},
		"none is remoter than every hit":  {1, w, []string{}},
		"feedback that does not count":    {6, w.WithoutContext(), []string{"failed", "remote"}},
		"one that failed may be a hit":    {2, w, []string{"disliked", "corrected"}},
	} {
		t.Run(name, func(t *testing.T) {
			hits := ranking.Rank(all, test.w, now, test.topK)
			assert.Equal(t, test.wants, keysOf(ranking.Cautions(all, hits, test.w, now)), keysOf(hits))
		})
	}
	assert.Empty(t, ranking.Cautions([]ranking.Candidate{candidate("unlike", 0)}, nil, w, now))

	hits := ranking.Rank(all, w, now, 1)
	others := ranking.Others(all, hits, ranking.Cautions(all, ranking.Rank(all, w, now, 6), w, now), w)
	assert.Equal(t, []string{"good", "good"}, []string{others[0].Key, others[1].Key}, "it succeeded and matches as they do")
}

func TestLessonsSayWhatNobodyKnows(t *testing.T) {
	t.Parallel()
	failed := &memory.Episode{Key: "failed", Observation: "Book a flight", Outcome: memory.OutcomeFailure, Result: new("Booked."), Actions: []memory.Action{{StepName: "book"}}}
	failed.Insight = summary.Insight(failed)
	corrected := &memory.Episode{
		Key: "corrected", Observation: "Book a flight", Outcome: memory.OutcomeSuccess, Actions: []memory.Action{{StepName: "ask"}, {StepName: "book"}},
		Context: &memory.EpisodeContext{Feedback: []*memory.Feedback{{Reaction: memory.Reaction{Score: 1, Corrections: new("Ask first")}}}},
	}
	told := ranking.Recalled{Hits: []*memory.Episode{failed}, Others: []*memory.Episode{corrected}, Wrong: map[string]bool{"failed": true}, Likeness: ranking.Alike}
	lessons := ranking.Lessons(told, memorytest.Rules, 1000)
	assert.Contains(t, lessons, "\nWhy: nobody but the run itself said why it failed")
	assert.NotContains(t, lessons, "Instead:", "what people had to put right is no example")
	told.Hits, told.Wrong = []*memory.Episode{corrected}, map[string]bool{"corrected": true}
	assert.Contains(t, ranking.Lessons(told, memorytest.Rules, 1000), " (success, but people put it right or disliked it), episode:corrected\n")
}

func TestLessonsTellWhatWentWrong(t *testing.T) {
	t.Parallel()
	good := &memory.Episode{
		Key: "good", StartedAt: memorytest.Day(1), Observation: "Refund an economy ticket", Outcome: memory.OutcomeSuccess,
		Actions: []memory.Action{{StepName: "get_user"}, {StepName: "read_rules"}, {StepName: "refuse"}}, Insight: "The rules decide.",
	}
	other := &memory.Episode{Key: "other", Observation: "Book", Outcome: memory.OutcomeSuccess, Actions: []memory.Action{{StepName: "book"}}}
	wrong := refund()
	wrong.Key = "wrong"
	wrong.Actions[2].Result = memory.JSON(`{"error": "fare rules"}`)
	told := ranking.Recalled{
		Hits: []*memory.Episode{good}, Cautions: []*memory.Episode{wrong}, Others: []*memory.Episode{other},
		Wrong: map[string]bool{"wrong": true}, Likeness: ranking.Alike,
	}
	want := `Lessons from past similar situations:

Episode from 2025-03-02T12:00:00Z (success), episode:good
Observation: Refund an economy ticket
Actions: get_user → read_rules → refuse
Key insight: The rules decide.

What went wrong in similar situations:

Episode from 2025-03-01T12:00:00Z (failure), episode:wrong
Observation: Refund a basic economy ticket
Actions: get_user → cancel ×2
Result: The fare cannot be refunded
Key insight: Fare rules were not read.
⚠️ User correction: Read the fare rules first
Failed step: cancel (step 3): fare rules.
Instead: episode:good, which succeeded, after get_user did read_rules → refuse instead of cancel`
	assert.Equal(t, want, ranking.Lessons(told, memorytest.Rules, 1000))
	told.Hits = append(told.Hits, wrong)
	assert.Equal(t, want, ranking.Lessons(told, memorytest.Rules, 1000), "a hit that is a caution, too, is told once")
	second := *good
	second.Key, second.Insight = "second", "Another one."
	told.Hits = []*memory.Episode{good, &second, wrong}
	for tokens := 100; tokens < 250; tokens++ {
		short := ranking.Lessons(told, memorytest.Rules, tokens)
		if strings.Contains(short, "Another one.") {
			assert.Contains(t, short, "What went wrong", "it has room before the second hit")
		}
	}
}
