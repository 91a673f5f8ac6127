package engagement_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/memory/memorytest"
)

// shown is a canvas presented n days before memorytest.Day(0) and closed after some seconds.
func shown(key, canvasType string, component *string, days, dwell float64) *memory.Canvas {
	at := memorytest.Day(-days)
	return &memory.Canvas{Key: key, CanvasType: canvasType, ComponentType: component, Actions: []memory.CanvasAction{
		{Action: memorytest.Present, At: at}, {Action: memorytest.Closed, At: at.Add(time.Duration(dwell * float64(time.Second)))},
	}}
}

func TestInsightsOfNothing(t *testing.T) {
	t.Parallel()
	empty := engagement.Insights{
		ClosesQuickly: []string{}, Engages: []string{}, Submits: []string{}, ByType: []engagement.TypeInsight{},
	}
	assert.Equal(t, empty, engagement.Of(nil, nil, memorytest.Rules, memorytest.Day(0)))
	orphan := &memory.Feedback{CanvasKey: new("gone"), Reaction: memory.Reaction{Score: 1}}
	assert.Equal(t, empty, engagement.Of([]*memory.Canvas{memorytest.Canvas("sheets")}, []*memory.Feedback{orphan, {Reaction: memory.Reaction{Score: 1}}}, memorytest.Rules, memorytest.Day(0)))
}

// Weights: today 1, thirty days ago 0.5. Dwell (12·1 + 3·0.5)/1.5 = 9, reward (0.1·1 − 0.2·0.5)/1.5 = 0,
// feedback (1·0.5 − 1·1)/1.5 = −1/3.
func TestInsightsWeighTheRecentMore(t *testing.T) {
	t.Parallel()
	canvases := []*memory.Canvas{shown("new", "sheets", nil, 0, 12), shown("old", "sheets", nil, 30, 3)}
	feedback := []*memory.Feedback{
		{CanvasKey: new("new"), Reaction: memory.Reaction{Score: 1, CreatedAt: memorytest.Day(-30)}}, {CanvasKey: new("old"), Reaction: memory.Reaction{Score: -1, CreatedAt: memorytest.Day(0)}},
	}
	got := engagement.Of(canvases, feedback, memorytest.Rules, memorytest.Day(0)).ByType
	require.Len(t, got, 1)
	assert.Equal(t, 2, got[0].Presentations, "counts are plain")
	assert.InDelta(t, 9, *got[0].MeanDwellSeconds, 1e-9)
	assert.InDelta(t, 0, got[0].MeanReward, 1e-9)
	assert.InDelta(t, -1.0/3, *got[0].MeanFeedback, 1e-8)
}

func TestInsightsGroupAndList(t *testing.T) {
	t.Parallel()
	form := memorytest.Canvas("forms", memorytest.Action(memorytest.Present, -100), memorytest.Action(memorytest.Submit, -60), memorytest.Action(memorytest.Present, -50))
	empty := new("")
	canvases := []*memory.Canvas{
		shown("1", "charts", new("line"), 1, 4.9), shown("2", "charts", new("bar"), 1, 5),
		shown("3", "charts", nil, 1, 5), shown("4", "charts", empty, 1, 7),
		shown("5", "sheets", nil, 1, 2), form, memorytest.Canvas("terminal", memorytest.Action(memorytest.Execute, -9)),
	}
	got := engagement.Of(canvases, nil, memorytest.Rules, memorytest.Day(0))
	assert.Equal(t, []string{"charts/line", "sheets"}, got.ClosesQuickly)
	assert.Equal(t, []string{"forms", "charts", "charts/bar"}, got.Engages)
	assert.Equal(t, []string{"forms"}, got.Submits)

	names, presentations := []string{}, []int{}
	for _, i := range got.ByType {
		name := i.CanvasType
		if i.ComponentType != nil {
			name += "/" + *i.ComponentType
		}
		names, presentations = append(names, name), append(presentations, i.Presentations)
	}
	assert.Equal(t, []string{"forms", "charts", "charts/bar", "terminal", "charts/line", "sheets"}, names,
		"best mean reward first, then by name")
	assert.Equal(t, []int{2, 2, 1, 0, 1, 1}, presentations)
	assert.Equal(t, 40.0, *got.ByType[0].MeanDwellSeconds, "from −100 to its submission at −60")
	assert.Nil(t, got.ByType[3].MeanDwellSeconds, "a terminal never closed has no dwell")
	assert.Nil(t, got.ByType[0].MeanFeedback)
	assert.Equal(t, 1, got.ByType[0].Submits)
}

func TestInsightsSayNothingClosesQuicklyThatIsSubmittedAsOften(t *testing.T) {
	t.Parallel()
	form := func(key string, end memory.CanvasActionKind, second float64) *memory.Canvas {
		c := memorytest.Canvas("forms", memorytest.Action(memorytest.Present, 0), memorytest.Action(end, second))
		c.Key = key
		return c
	}
	forms := []*memory.Canvas{form("1", memorytest.Submit, 3), form("2", memorytest.Closed, 2)}
	got := engagement.Of(forms, nil, memorytest.Rules, memorytest.Day(0))
	assert.Empty(t, got.ClosesQuickly)
	assert.Empty(t, got.Engages)
	assert.Equal(t, []string{"forms"}, got.Submits)
	assert.InDelta(t, 2.5, *got.ByType[0].MeanDwellSeconds, 1e-6)
	forms = append(forms, form("3", memorytest.Closed, 1))
	assert.Equal(t, []string{"forms"}, engagement.Of(forms, nil, memorytest.Rules, memorytest.Day(0)).ClosesQuickly)
}

func TestInsightsOfEqualRewardsGoByFeedback(t *testing.T) {
	t.Parallel()
	canvases := []*memory.Canvas{
		shown("a", "docs", nil, 1, 9), shown("b", "email", nil, 2, 9), shown("c", "sheets", nil, 3, 9),
	}
	feedback := []*memory.Feedback{
		{CanvasKey: new("c"), Reaction: memory.Reaction{Score: 1, CreatedAt: memorytest.Day(0)}}, {CanvasKey: new("a"), Reaction: memory.Reaction{Score: -1, CreatedAt: memorytest.Day(0)}},
	}
	assert.Equal(t, []string{"sheets", "email", "docs"}, engagement.Of(canvases, feedback, memorytest.Rules, memorytest.Day(0)).Engages)
}

func TestInsightsOfVeryOldCanvases(t *testing.T) {
	t.Parallel()
	ancient := shown("a", "docs", nil, 0, 20)
	for i := range ancient.Actions {
		ancient.Actions[i].At = ancient.Actions[i].At.AddDate(-250, 0, 0)
	}
	got := engagement.Of([]*memory.Canvas{ancient}, nil, memorytest.Rules, memorytest.Day(0)).ByType[0]
	assert.Equal(t, 20.0, *got.MeanDwellSeconds)
	assert.Equal(t, 0.1, got.MeanReward)
}

func TestInsightsDoNotDependOnTheOrderOfInput(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		canvases := []*memory.Canvas{}
		for range rapid.IntRange(0, 12).Draw(t, "n") {
			canvases = append(canvases, shown("k", rapid.SampledFrom([]string{"docs", "email", "sheets"}).Draw(t, "type"), nil,
				rapid.Float64Range(0, 90).Draw(t, "days"), rapid.Float64Range(0, 10).Draw(t, "dwell")))
		}
		shuffled := rapid.Permutation(canvases).Draw(t, "shuffled")
		a, b := engagement.Of(canvases, nil, memorytest.Rules, memorytest.Day(0)), engagement.Of(shuffled, nil, memorytest.Rules, memorytest.Day(0))
		require.Len(t, b.ByType, len(a.ByType))
		for i := range a.ByType {
			require.Equal(t, a.ByType[i].CanvasType, b.ByType[i].CanvasType)
			require.InDelta(t, *a.ByType[i].MeanDwellSeconds, *b.ByType[i].MeanDwellSeconds, 1e-6)
		}
	})
}
