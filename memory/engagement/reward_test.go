package engagement_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/engagement"
	"mneme/memory/memorytest"
)

func TestFeedbackReward(t *testing.T) {
	t.Parallel()
	for score, want := range map[float64]float64{1: 0.3, -1: -0.3, 0.5: 0.15, 0: 0} {
		assert.Equal(t, want, engagement.EpisodeReward(nil, []*memory.Feedback{{Reaction: memory.Reaction{Score: score}}}, memorytest.Rules))
	}
}

func TestEpisodeReward(t *testing.T) {
	t.Parallel()
	sheet := memorytest.Canvas("sheets", memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Closed, 2))
	form := memorytest.Canvas("forms", memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Submit, 20))
	liked := &memory.Feedback{CanvasKey: new("forms"), Reaction: memory.Reaction{Score: 1}}
	disliked := &memory.Feedback{Reaction: memory.Reaction{Score: -1}}
	for name, test := range map[string]struct {
		canvases []*memory.Canvas
		feedback []*memory.Feedback
		want     float64
	}{
		"nothing":                        {nil, nil, 0},
		"a form submitted":               {[]*memory.Canvas{form}, nil, 0.5},
		"a like on the form counts once": {[]*memory.Canvas{form}, []*memory.Feedback{liked}, 0.8},
		"a quick close that was liked":   {[]*memory.Canvas{sheet}, []*memory.Feedback{liked}, 0.1},
		"all of it":                      {[]*memory.Canvas{sheet, form}, []*memory.Feedback{liked, disliked}, 0.3},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, engagement.EpisodeReward(test.canvases, test.feedback, memorytest.Rules))
		})
	}
}

func TestAnySequenceOfActionsHasItsStatesReward(t *testing.T) {
	t.Parallel()
	worth := map[memory.CanvasState]float64{
		memory.StateClosedQuickly: -0.2, memory.StateClosedSlowly: 0.1, memory.StateFormSubmitted: 0.5,
	}
	rapid.Check(t, func(t *rapid.T) {
		c, second := memorytest.Canvas("any"), 0.0
		for range rapid.IntRange(0, 20).Draw(t, "n") {
			second += rapid.Float64Range(0, 8).Draw(t, "pause")
			kind := rapid.SampledFrom([]memory.CanvasActionKind{memorytest.Present, memorytest.Closed, memorytest.Submit, memorytest.Update, memorytest.Execute}).Draw(t, "kind")
			c.Actions = append(c.Actions, memorytest.Action(kind, second))
		}
		want := 0.0
		for _, state := range c.States(memorytest.Rules) {
			want += worth[state]
		}
		assert.InDelta(t, want, c.Reward(memorytest.Rules), 1e-9)
		if dwell := c.DwellSeconds(); dwell != nil {
			assert.GreaterOrEqual(t, *dwell, 0.0)
			assert.LessOrEqual(t, *dwell, second)
		}
	})
}
