package memorytest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/memory/memorytest"
	"mneme/memory/ranking"
)

// The worked examples of the project's first milestone, each in the words of its rule.

func TestExampleBaseWithCanvasAndPositiveFeedbackScoresOne(t *testing.T) {
	score := ranking.DefaultWeights.Score(ranking.Candidate{
		StartedAt: memorytest.Day(0).AddDate(-100, 0, 0), Match: 1, // base 0.7: a full match, too old for its age to count
		CanvasActionCount: 1, FeedbackSum: 1, FeedbackCount: 1,
	}, memorytest.Day(0))
	assert.Equal(t, 1.0, score.Total)
	assert.Equal(t, 0.1, score.Canvas)
	assert.Equal(t, 0.2, score.Feedback)
}

func TestExampleThumbsUpAndRatingFourAggregate(t *testing.T) {
	up, err := memory.FeedbackScore(memory.FeedbackThumbsUp, nil)
	require.NoError(t, err)
	four, err := memory.FeedbackScore(memory.FeedbackRating, new(4))
	require.NoError(t, err)
	episode := memory.Episode{FeedbackSum: up + four, FeedbackCount: 2}
	assert.Equal(t, 0.75, *episode.AggregateFeedbackScore())
}

func TestExampleSheetClosedAfterTwoSeconds(t *testing.T) {
	sheet := memorytest.Canvas(memory.CanvasSheets, memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Closed, 2))
	assert.Equal(t, []memory.CanvasState{memory.StatePresented, memory.StateClosedQuickly}, sheet.States(memorytest.Rules))
	assert.Equal(t, -0.2, sheet.Reward(memorytest.Rules))
}

func TestExampleLikedBarChartBeatsLineChart(t *testing.T) {
	line := memorytest.Canvas(memory.CanvasCharts, memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Closed, 3))
	line.Key, line.ComponentType = "line", new("line_chart")
	bar := memorytest.Canvas(memory.CanvasCharts, memorytest.Action(memorytest.Present, 60), memorytest.Action(memorytest.Closed, 90))
	bar.Key, bar.ComponentType = "bar", new("bar_chart")
	liked := &memory.Feedback{
		CanvasKey: new("bar"),
		Reaction:  memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, CreatedAt: memorytest.Seconds(91)},
	}

	insights := engagement.Of([]*memory.Canvas{line, bar}, []*memory.Feedback{liked}, memorytest.Rules, memorytest.Day(1))

	assert.Equal(t, []string{"charts/line_chart"}, insights.ClosesQuickly)
	assert.Equal(t, []string{"charts/bar_chart"}, insights.Engages)
	require.Len(t, insights.ByType, 2)
	assert.Equal(t, engagement.TypeInsight{
		CanvasType: "charts", ComponentType: new("bar_chart"), Presentations: 1,
		MeanDwellSeconds: new(30.0), MeanReward: 0.1, MeanFeedback: new(1.0),
	}, insights.ByType[0], "the better comes first")
	assert.Equal(t, -0.2, insights.ByType[1].MeanReward)
}

func TestExampleSubmittedTaxFormKeepsItsMetadata(t *testing.T) {
	completed := `{"completed":["name","address"]}`
	form := memorytest.Canvas(memory.CanvasForms, memorytest.Action(memorytest.Present, 0, `{"form":"tax"}`), memorytest.Action(memorytest.Submit, 40, completed))
	assert.Equal(t, 0.5, form.Reward(memorytest.Rules))
	assert.JSONEq(t, completed, string(form.Actions[1].Metadata))
	assert.JSONEq(t, completed, string(memorytest.Canvas(memory.CanvasForms, memorytest.Action(memorytest.Submit, 40, completed)).Metadata()))
}

func TestExampleCorrectionOfNegativeEpisodeIsAWarning(t *testing.T) {
	episode := &memory.Episode{
		StartedAt: memorytest.Day(0), Observation: "Refund a basic economy ticket", Insight: "Failed after 1 step.",
		FeedbackSum: -1, FeedbackCount: 1,
		Context: &memory.EpisodeContext{Feedback: []*memory.Feedback{{Reaction: memory.Reaction{Score: -1, Corrections: new("Check the fare rules first")}}}},
	}
	lessons := ranking.Lessons(ranking.Recalled{Hits: []*memory.Episode{episode}, Likeness: ranking.Alike}, memorytest.Rules, 1000)
	assert.Contains(t, lessons, "⚠️ User correction: Check the fare rules first")
}
