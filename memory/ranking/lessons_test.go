package ranking_test

import (
	"fmt"
	"maps"
	"slices"
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
	t.Parallel()
	booking := &memory.Episode{StartedAt: memorytest.Day(1), Observation: "Book a flight", Outcome: memory.OutcomeUnknown, Insight: "Ask for the date."}
	assert.Equal(t, `Lessons from past similar situations:

Episode from 2025-03-01T12:00:00Z (failure), episode:
Observation: Refund a basic economy ticket
Actions: get_user → cancel ×2
Result: The fare cannot be refunded
Key insight: Fare rules were not read.
⚠️ User correction: Read the fare rules first

Episode from 2025-03-02T12:00:00Z (outcome unknown), episode:
Observation: Book a flight
Key insight: Ask for the date.`, ranking.Lessons(ranking.Recalled{Hits: []*memory.Episode{refund(), booking}, Likeness: ranking.Alike}, memorytest.Rules, 1000))
}

func TestLessonsWarnOfNegativeReactionsOnly(t *testing.T) {
	t.Parallel()
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
			lessons := ranking.Lessons(ranking.Recalled{Hits: []*memory.Episode{e}, Likeness: ranking.Alike}, memorytest.Rules, 500)
			assert.Contains(t, lessons, "Say the price", "it is told all the same")
			warned := strings.Contains(lessons, "⚠️ User correction: Say the price")
			assert.Equal(t, test.want, warned)
		})
	}
}

func TestLessonsSayWhatPeopleLikedAndDisliked(t *testing.T) {
	t.Parallel()
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

Episode from 2025-03-01T12:00:00Z (outcome unknown), episode:
Observation: Quote a fare
Reactions: disliked
⚠️ User correction: Cache the fares
User liked: Friendly, and clear
User liked: Complete
User comment: It works
⚠️ User disliked: Too slow`, ranking.Lessons(ranking.Recalled{Hits: []*memory.Episode{e}, Likeness: ranking.Alike}, memorytest.Rules, 1000))
}

func TestLessonsWithoutRoom(t *testing.T) {
	t.Parallel()
	hits := []*memory.Episode{refund()}
	for _, tokens := range []int{-1, 0, 1, 10, 20} {
		assert.Empty(t, ranking.Lessons(ranking.Recalled{Hits: hits, Likeness: ranking.Alike}, memorytest.Rules, tokens), "%d tokens", tokens)
	}
	assert.Empty(t, ranking.Lessons(ranking.Recalled{Hits: nil, Likeness: ranking.Alike}, memorytest.Rules, 1000), "no hits, no header")
	assert.NotEmpty(t, ranking.Lessons(ranking.Recalled{Hits: hits, Likeness: ranking.Alike}, memorytest.Rules, int(^uint(0)>>1)), "any number is a budget")
}

func TestLessonsCutTheLongestTextsFirst(t *testing.T) {
	t.Parallel()
	long := refund()
	long.Result = new(strings.Repeat("as the policy says ", 5000))
	lessons := ranking.Lessons(ranking.Recalled{Hits: []*memory.Episode{long, refund()}, Likeness: ranking.Alike}, memorytest.Rules, 300)
	assert.LessOrEqual(t, memory.EstimateTokens(lessons), 300)
	assert.GreaterOrEqual(t, memory.EstimateTokens(lessons), 290, "what fits is used")
	assert.Contains(t, lessons, "Result: as the policy says as")
	assert.Contains(t, lessons, "…\n")
	assert.Equal(t, 1, strings.Count(lessons, "Key insight: Fare rules were not read."), "short texts stay whole, and are said once")
	assert.Contains(t, lessons, "\nKey insight: that of episode:")
}

func TestLessonsLeaveOutTheLastHitsWhereTooLittleWouldBeLeft(t *testing.T) {
	t.Parallel()
	hits := []*memory.Episode{}
	for i := range 5 {
		e := refund()
		e.Insight = fmt.Sprintf("Fare rule %d was not read.", i)
		e.Observation = strings.Repeat("word ", 200)
		hits = append(hits, e)
	}
	lessons := ranking.Lessons(ranking.Recalled{Hits: hits, Likeness: ranking.Alike}, memorytest.Rules, 250)
	assert.Equal(t, 2, strings.Count(lessons, "Episode from"))
	one := ranking.Lessons(ranking.Recalled{Hits: hits, Likeness: ranking.Alike}, memorytest.Rules, 65)
	assert.Equal(t, 1, strings.Count(one, "Episode from"), "at least one, cut further")
}

func TestLessonsNeverExceedTheBudget(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.String(), rapid.Just(strings.Repeat("ein Überfluss an Wörtern ", 40)))
	rapid.Check(t, func(t *rapid.T) {
		hits := []*memory.Episode{}
		for range rapid.IntRange(0, 6).Draw(t, "hits") {
			dwell := rapid.Float64Range(0, 60).Draw(t, "dwell")
			hits = append(hits, &memory.Episode{
				StartedAt: memorytest.Day(0), Observation: text.Draw(t, "observation"), Insight: text.Draw(t, "insight"),
				Result: new(text.Draw(t, "result")), Actions: []memory.Action{{StepName: text.Draw(t, "step")}},
				Context: &memory.EpisodeContext{
					Feedback: []*memory.Feedback{{Reaction: memory.Reaction{Score: 1, Comment: new(text.Draw(t, "comment"))}}},
					Canvases: []*memory.Canvas{memorytest.Canvas(text.Draw(t, "canvas"), memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Closed, dwell))},
				},
			})
		}
		likeness := rapid.SampledFrom([]ranking.Likeness{ranking.Unlike, ranking.PerhapsAlike, ranking.Alike}).Draw(t, "likeness")
		budget := rapid.IntRange(-5, 2000).Draw(t, "budget")
		lessons := ranking.Lessons(ranking.Recalled{Hits: hits, Likeness: likeness}, memorytest.Rules, budget)
		assert.LessOrEqual(t, memory.EstimateTokens(lessons), max(budget, 0))
		assert.True(t, utf8.ValidString(lessons))
	})
}

// charted is an episode in which charts were shown, each closed after some seconds, and on which there is feedback.
func charted(insight string, dwells map[string]float64, liked ...string) *memory.Episode {
	e := &memory.Episode{
		StartedAt: memorytest.Day(0), Observation: "Show the revenue", Insight: insight, Outcome: memory.OutcomeSuccess,
		Actions: []memory.Action{{StepName: "draw"}}, Context: &memory.EpisodeContext{},
	}
	for i, kind := range slices.Sorted(maps.Keys(dwells)) {
		at := float64(100 * i)
		c := memorytest.Canvas("charts", memorytest.Action(memorytest.Present, at), memorytest.Action(memorytest.Closed, at+dwells[kind]))
		c.Key, c.ComponentType = insight+kind, &kind
		e.Context.Canvases = append([]*memory.Canvas{c}, e.Context.Canvases...) // the newest first
	}
	for _, kind := range liked {
		f := &memory.Feedback{Reaction: memory.Reaction{Score: 1}}
		if kind != "" {
			f.CanvasKey = new(insight + kind)
		}
		e.Context.Feedback = append(e.Context.Feedback, f)
	}
	return e
}

func TestLessonsSayWhatWasShownAndHowItWasTaken(t *testing.T) {
	t.Parallel()
	hits := []*memory.Episode{charted("Bars.", map[string]float64{"bar": 30}, "bar", "", ""), charted("Lines.", map[string]float64{"line": 3})}
	assert.Equal(t, `Lessons from past similar situations:

Episode from 2025-03-01T12:00:00Z (success), episode:
Observation: Show the revenue
Actions: draw
Key insight: Bars.
Shown: bar chart: 30 s, liked
Reactions: liked ×2

Episode from 2025-03-01T12:00:00Z (success), episode:
Observation: Show the revenue
Actions: draw
Key insight: Lines.
Shown: line chart: closed after 3 s

People here close line charts quickly and stay with bar charts.`, ranking.Lessons(ranking.Recalled{Hits: hits, Likeness: ranking.Alike}, memorytest.Rules, 1000))

	hits[0].Context.Canvases = nil // not wanted
	assert.Contains(t, ranking.Lessons(ranking.Recalled{Hits: hits, Likeness: ranking.Alike}, memorytest.Rules, 1000), "Reactions: liked ×3\n")
	assert.NotContains(t, ranking.Lessons(ranking.Recalled{Hits: hits, Likeness: ranking.Alike}, memorytest.Rules, 1000), "People here")
}

func TestLessonsSayWhatIsThereAgainOnce(t *testing.T) {
	t.Parallel()
	e := charted("Bars.", nil)
	e.Context.Feedback = []*memory.Feedback{
		{Reaction: memory.Reaction{Score: -1, Corrections: new("Name the axes")}}, {Reaction: memory.Reaction{Score: -1, Corrections: new("Name the axes")}},
	}
	e.Key = "bars"
	told := ranking.Recalled{
		Hits: []*memory.Episode{e}, Cautions: []*memory.Episode{e}, Likeness: ranking.Alike,
		Turned: map[string]string{"bars": "4 times, 1 succeeded, 3 failed"}, Contrasts: map[string]string{"bars": "after draw also did ask"},
	}
	assert.Equal(t, `Lessons from past similar situations:

Episode from 2025-03-01T12:00:00Z (success), episode:bars; done 4 times, 1 succeeded, 3 failed
Observation: Show the revenue
Actions: draw
Key insight: Bars.
What succeeded: after draw also did ask
⚠️ User correction: Name the axes (2 times)`, ranking.Lessons(told, memorytest.Rules, 1000))
}

func TestLessonsLeaveTheirEndWhole(t *testing.T) {
	t.Parallel()
	const end = "\n\nPeople here close line charts quickly and stay with bar charts."
	hits := []*memory.Episode{}
	for i, dwells := range []map[string]float64{{"bar": 30}, {"line": 3}, {"bar": 20}} {
		e := charted(fmt.Sprint("Insight ", i), dwells)
		e.Observation = strings.Repeat("word ", 200)
		hits = append(hits, e)
	}
	for tokens := 30; tokens < 600; tokens++ {
		lessons := ranking.Lessons(ranking.Recalled{Hits: hits, Likeness: ranking.Alike}, memorytest.Rules, tokens)
		told, told1 := strings.HasSuffix(lessons, end), strings.Count(lessons, "Episode from") == 1
		assert.True(t, told || told1 && !strings.Contains(lessons, "People here"), "%d: %s", tokens, lessons)
		assert.LessOrEqual(t, memory.EstimateTokens(lessons), tokens)
	}
	assert.Equal(t, "Lessons from past similar situations:"+end, ranking.Lessons(ranking.Recalled{Hits: hits, Likeness: ranking.Alike}, memorytest.Rules, 30))
	assert.Empty(t, ranking.Lessons(ranking.Recalled{Hits: hits, Likeness: ranking.Alike}, memorytest.Rules, 20))
}

func TestLessonsPutTheFirstLessonBeforeTheirEnd(t *testing.T) {
	t.Parallel()
	hits := []*memory.Episode{charted("Sum up first.", map[string]float64{"bar": 30, "pie": 40}), charted("Other.", map[string]float64{"line": 3})}
	assert.Contains(t, ranking.Lessons(ranking.Recalled{Hits: hits, Likeness: ranking.Alike}, memorytest.Rules, 1000), "People here")
	there := false
	for tokens := 1; tokens < 150; tokens++ {
		lessons, before := ranking.Lessons(ranking.Recalled{Hits: hits, Likeness: ranking.Alike}, memorytest.Rules, tokens), there
		there = strings.Contains(lessons, "Episode from")
		assert.True(t, there || !before, "%d: %s", tokens, lessons)
		if there && !before {
			assert.NotContains(t, lessons, "People here", "it comes where there is room for both")
		}
	}
	assert.True(t, there)
}

func TestLessonsOfOneEpisodeLeaveRoomForOthers(t *testing.T) {
	t.Parallel()
	loud := charted("Bars.", nil)
	for i := range 100 {
		loud.Context.Feedback = append(loud.Context.Feedback, &memory.Feedback{Reaction: memory.Reaction{Score: 1, Comment: new(fmt.Sprintf("Remark %02d %s", i, strings.Repeat("la ", 100)))}})
		c := memorytest.Canvas("charts", memorytest.Action(memorytest.Present, float64(i)), memorytest.Action(memorytest.Closed, float64(2*i)))
		loud.Context.Canvases = append(loud.Context.Canvases, c)
	}
	loud.Context.Feedback = append(loud.Context.Feedback, &memory.Feedback{Reaction: memory.Reaction{Score: -1, Corrections: new("Name the axes")}})
	lessons := ranking.Lessons(ranking.Recalled{Hits: []*memory.Episode{loud, refund()}, Likeness: ranking.Alike}, memorytest.Rules, 1000)
	assert.Equal(t, 2, strings.Count(lessons, "Episode from"))
	assert.Equal(t, 7, strings.Count(lessons, "Remark"), "the newest")
	assert.Contains(t, lessons, "Name the axes", "corrections come first")
	assert.Contains(t, lessons, "Shown: chart: 7 s; chart: 6 s; chart: 5 s; chart: closed after 4 s;")
}

func TestLessonsSayWhereNothingMatchesWell(t *testing.T) {
	t.Parallel()
	lessons := ranking.Lessons(ranking.Recalled{Hits: []*memory.Episode{refund()}, Likeness: ranking.Unlike}, memorytest.Rules, 1000)
	assert.True(t, strings.HasPrefix(lessons, "Lessons from the latest situations; none matches this one:\n\nEpisode from"), lessons)
	lessons = ranking.Lessons(ranking.Recalled{Hits: []*memory.Episode{refund()}, Likeness: ranking.PerhapsAlike}, memorytest.Rules, 1000)
	assert.True(t, strings.HasPrefix(lessons, "Lessons from past situations that may be like this one:\n\nEpisode from"), lessons)
	assert.Empty(t, ranking.Lessons(ranking.Recalled{Hits: nil, Likeness: ranking.Unlike}, memorytest.Rules, 1000))
}
