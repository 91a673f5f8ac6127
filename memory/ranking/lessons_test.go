package ranking_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/memorytest"
	"mneme/memory/ranking"
)

func refund() *memory.Episode {
	return &memory.Episode{
		StartedAt: memorytest.Day(0), Observation: "Refund a basic\n economy ticket", Outcome: memory.OutcomeFailure,
		Actions: []memory.Action{{StepName: "get_user"}, {StepName: "cancel"}, {StepName: "cancel"}},
		Result:  new("The fare cannot be refunded"), Insight: "Fare rules were not read.",
		FeedbackSum: -1, FeedbackCount: 1,
		Context: &memory.EpisodeContext{Feedback: []*memory.Feedback{{Reaction: memory.Reaction{Score: -1, Corrections: new("Read the fare rules first")}}}},
	}
}

func TestLessonsInFull(t *testing.T) {
	booking := &memory.Episode{StartedAt: memorytest.Day(1), Observation: "Book a flight", Outcome: memory.OutcomeUnknown, Insight: "Ask for the date."}
	assert.Equal(t, `Lessons from past similar situations:

Episode from 2025-03-01T12:00:00Z (failure)
Observation: Refund a basic economy ticket
Actions: get_user → cancel ×2
Result: The fare cannot be refunded
Key insight: Fare rules were not read.
⚠️ User correction: Read the fare rules first

Episode from 2025-03-02T12:00:00Z
Observation: Book a flight
Key insight: Ask for the date.`, ranking.Lessons([]*memory.Episode{refund(), booking}, 1000))
}

func TestLessonsWarnOfNegativeReactionsOnly(t *testing.T) {
	correction := new("Say the price")
	for name, test := range map[string]struct {
		sum   float64
		count int
		score float64
		want  bool
	}{
		"a negative reaction":                                {-1, 1, -1, true},
		"a negative one to an episode that was liked":        {1, 3, -1, true},
		"a neutral one to an episode that was not":           {-1, 2, 0, true},
		"a positive one to an episode that was liked":        {1, 1, 1, false},
		"a neutral one to an episode on which people differ": {0, 3, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			e := &memory.Episode{
				Observation: "x", FeedbackSum: test.sum, FeedbackCount: test.count,
				Context: &memory.EpisodeContext{Feedback: []*memory.Feedback{{Reaction: memory.Reaction{Score: test.score, Corrections: correction}}, {Reaction: memory.Reaction{Score: -1}}}},
			}
			warned := strings.Contains(ranking.Lessons([]*memory.Episode{e}, 500), "⚠️ User correction: Say the price")
			assert.Equal(t, test.want, warned)
		})
	}
}

func TestLessonsSayWhatPeopleLikedAndDisliked(t *testing.T) {
	said := func(score float64, comment string) *memory.Feedback {
		return &memory.Feedback{Reaction: memory.Reaction{Score: score, Comment: &comment}}
	}
	both := said(-0.5, "Too slow")
	both.Corrections = new("Cache the fares")
	e := &memory.Episode{
		StartedAt: memorytest.Day(0), Observation: "Quote a fare", Outcome: memory.OutcomeUnknown, FeedbackSum: 1, FeedbackCount: 5,
		Context: &memory.EpisodeContext{Feedback: []*memory.Feedback{
			said(1, "Friendly,\n\tand clear"), said(0.5, "Complete"), said(0, "It works"), both, said(-1, " \n"),
		}},
	}
	assert.Equal(t, `Lessons from past similar situations:

Episode from 2025-03-01T12:00:00Z
Observation: Quote a fare
User liked: Friendly, and clear
User liked: Complete
User comment: It works
⚠️ User disliked: Too slow
⚠️ User correction: Cache the fares`, ranking.Lessons([]*memory.Episode{e}, 1000))
}

func TestLessonsWithoutRoom(t *testing.T) {
	hits := []*memory.Episode{refund()}
	for _, tokens := range []int{-1, 0, 1, 10, 20} {
		assert.Empty(t, ranking.Lessons(hits, tokens), "%d tokens", tokens)
	}
	assert.Empty(t, ranking.Lessons(nil, 1000), "no hits, no header")
	assert.NotEmpty(t, ranking.Lessons(hits, int(^uint(0)>>1)), "any number is a budget")
}

func TestLessonsCutTheLongestTextsFirst(t *testing.T) {
	long := refund()
	long.Result = new(strings.Repeat("as the policy says ", 5000))
	lessons := ranking.Lessons([]*memory.Episode{long, refund()}, 300)
	assert.LessOrEqual(t, memory.EstimateTokens(lessons), 300)
	assert.GreaterOrEqual(t, memory.EstimateTokens(lessons), 290, "what fits is used")
	assert.Contains(t, lessons, "Result: as the policy says as")
	assert.Contains(t, lessons, "…\n")
	assert.Equal(t, 2, strings.Count(lessons, "Key insight: Fare rules were not read."), "short texts stay whole")
}

func TestLessonsLeaveOutTheLastHitsWhereTooLittleWouldBeLeft(t *testing.T) {
	hits := []*memory.Episode{}
	for range 5 {
		e := refund()
		e.Observation = strings.Repeat("word ", 200)
		hits = append(hits, e)
	}
	lessons := ranking.Lessons(hits, 250)
	assert.Equal(t, 2, strings.Count(lessons, "Episode from"))
	one := ranking.Lessons(hits, 60)
	assert.Equal(t, 1, strings.Count(one, "Episode from"), "at least one, cut further")
}

func TestLessonsNeverExceedTheBudget(t *testing.T) {
	text := rapid.OneOf(rapid.String(), rapid.Just(strings.Repeat("ein Überfluss an Wörtern ", 40)))
	rapid.Check(t, func(t *rapid.T) {
		hits := []*memory.Episode{}
		for range rapid.IntRange(0, 6).Draw(t, "hits") {
			hits = append(hits, &memory.Episode{
				StartedAt: memorytest.Day(0), Observation: text.Draw(t, "observation"), Insight: text.Draw(t, "insight"),
				Result: new(text.Draw(t, "result")), Actions: []memory.Action{{StepName: text.Draw(t, "step")}},
				Context: &memory.EpisodeContext{Feedback: []*memory.Feedback{{Reaction: memory.Reaction{Score: 1, Comment: new(text.Draw(t, "comment"))}}}},
			})
		}
		budget := rapid.IntRange(-5, 2000).Draw(t, "budget")
		lessons := ranking.Lessons(hits, budget)
		assert.LessOrEqual(t, memory.EstimateTokens(lessons), max(budget, 0))
		assert.True(t, utf8.ValidString(lessons))
	})
}
