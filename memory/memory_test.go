package memory_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
)

// day is the instant n days after the first day of these tests; a negative n lies before it.
func day(n float64) time.Time {
	return time.Date(2025, time.March, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(n * 24 * float64(time.Hour)))
}

// seconds is the instant n seconds after day(0).
func seconds(n float64) time.Time { return day(0).Add(time.Duration(n * float64(time.Second))) }

func ptr[T any](value T) *T { return &value }

func requireInvalid(t *testing.T, field string, err error) {
	t.Helper()
	var fault *memory.Error
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, memory.CodeInvalidInput, fault.Code)
	assert.Equal(t, field, fault.Field)
	assert.NotEmpty(t, fault.Message)
}

// action is a canvas action at a second.
func action(kind memory.CanvasActionKind, second float64, metadata ...string) memory.CanvasAction {
	a := memory.CanvasAction{Action: kind, At: seconds(second)}
	if len(metadata) > 0 {
		a.Metadata = memory.JSON(metadata[0])
	}
	return a
}

func canvas(canvasType string, actions ...memory.CanvasAction) *memory.Canvas {
	return &memory.Canvas{Key: canvasType, CanvasType: canvasType, Actions: actions}
}

// The short names of the canvas actions, for tables.
const (
	present = memory.CanvasPresent
	closed  = memory.CanvasClose
	submit  = memory.CanvasSubmit
	update  = memory.CanvasUpdate
	execute = memory.CanvasExecute
)

// The worked examples of the project's first milestone, each in the words of its rule.

func TestExampleBaseWithCanvasAndPositiveFeedbackScoresOne(t *testing.T) {
	score := memory.DefaultWeights.Score(memory.Candidate{
		StartedAt: day(0).AddDate(-100, 0, 0), Lexical: 1, // base 0.7: a full match, too old for its age to count
		CanvasActionCount: 1, FeedbackSum: 1, FeedbackCount: 1,
	}, day(0))
	assert.Equal(t, 1.0, score.Total)
	assert.Equal(t, 0.1, score.Canvas)
	assert.Equal(t, 0.2, score.Feedback)
}

func TestExampleThumbsUpAndRatingFourAggregate(t *testing.T) {
	up, err := memory.FeedbackScore(memory.FeedbackThumbsUp, nil)
	require.NoError(t, err)
	four, err := memory.FeedbackScore(memory.FeedbackRating, ptr(4))
	require.NoError(t, err)
	episode := memory.Episode{FeedbackSum: up + four, FeedbackCount: 2}
	assert.Equal(t, 0.75, *episode.AggregateFeedbackScore())
}

func TestExampleSheetClosedAfterTwoSeconds(t *testing.T) {
	sheet := canvas(memory.CanvasSheets, action(present, 0), action(closed, 2))
	assert.Equal(t, []memory.CanvasState{memory.StatePresented, memory.StateClosedQuickly}, sheet.States())
	assert.Equal(t, -0.2, sheet.Reward())
}

func TestExampleLikedBarChartBeatsLineChart(t *testing.T) {
	line := canvas(memory.CanvasCharts, action(present, 0), action(closed, 3))
	line.Key, line.ComponentType = "line", ptr("line_chart")
	bar := canvas(memory.CanvasCharts, action(present, 60), action(closed, 90))
	bar.Key, bar.ComponentType = "bar", ptr("bar_chart")
	liked := &memory.Feedback{CanvasKey: ptr("bar"), Type: memory.FeedbackThumbsUp, Score: 1, CreatedAt: seconds(91)}

	insights := memory.InsightsOf([]*memory.Canvas{line, bar}, []*memory.Feedback{liked}, day(1))

	assert.Equal(t, []string{"charts/line_chart"}, insights.ClosesQuickly)
	assert.Equal(t, []string{"charts/bar_chart"}, insights.Engages)
	require.Len(t, insights.ByType, 2)
	assert.Equal(t, memory.CanvasTypeInsight{
		CanvasType: "charts", ComponentType: ptr("bar_chart"), Presentations: 1,
		MeanDwellSeconds: ptr(30.0), MeanReward: 0.1, MeanFeedback: ptr(1.0),
	}, insights.ByType[0], "the better comes first")
	assert.Equal(t, -0.2, insights.ByType[1].MeanReward)
}

func TestExampleSubmittedTaxFormKeepsItsMetadata(t *testing.T) {
	completed := `{"completed":["name","address"]}`
	form := canvas(memory.CanvasForms, action(present, 0, `{"form":"tax"}`), action(submit, 40, completed))
	assert.Equal(t, 0.5, form.Reward())
	assert.JSONEq(t, completed, string(form.Actions[1].Metadata))
	assert.JSONEq(t, completed, string(canvas(memory.CanvasForms, action(submit, 40, completed)).Metadata()))
}

func TestExampleCorrectionOfNegativeEpisodeIsAWarning(t *testing.T) {
	episode := &memory.Episode{
		StartedAt: day(0), Observation: "Refund a basic economy ticket", Insight: "Failed after 1 step.",
		FeedbackSum: -1, FeedbackCount: 1,
		Context: &memory.EpisodeContext{Feedback: []*memory.Feedback{{Score: -1, Corrections: ptr("Check the fare rules first")}}},
	}
	lessons := memory.Lessons([]*memory.Episode{episode}, 1000)
	assert.Contains(t, lessons, "⚠️ User correction: Check the fare rules first")
}
