package memory_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/memorytest"
)

// One table for what follows from a canvas's actions: states, dwell (−1: neither closed nor submitted), reward.
func TestCanvasActionsSay(t *testing.T) {
	t.Parallel()
	const (
		presented = memory.StatePresented
		quickly   = memory.StateClosedQuickly
		slowly    = memory.StateClosedSlowly
		submitted = memory.StateFormSubmitted
		failed    = memory.StateErrorShown
	)
	type states = []memory.CanvasState
	for name, test := range map[string]struct {
		actions []memory.CanvasAction
		states  states
		dwell   float64
		reward  float64
	}{
		"nothing":            {nil, states{}, -1, 0},
		"presented":          {[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0)}, states{presented}, -1, 0},
		"closed at once":     {[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Closed, 0)}, states{presented, quickly}, 0, -0.2},
		"closed after 4.999": {[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Closed, 4.999)}, states{presented, quickly}, 4.999, -0.2},
		"exactly 5 is slow":  {[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Closed, 5)}, states{presented, slowly}, 5, 0.1},
		"submitted, then closed slowly": {
			[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Submit, 30), memorytest.Action(memorytest.Closed, 60)},
			states{presented, submitted, slowly}, 30, 0.6},
		"a submission ends the dwell": {
			[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Submit, 30)},
			states{presented, submitted}, 30, 0.5},
		"submitted quickly, then closed": {
			[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Submit, 3), memorytest.Action(memorytest.Closed, 4)},
			states{presented, submitted}, 3, 0.5},
		"submitted twice": {
			[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Submit, 20), memorytest.Action(memorytest.Submit, 50)},
			states{presented, submitted, submitted}, 20, 1},
		"submitted, then presented again and closed quickly": {
			[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Submit, 20), memorytest.Action(memorytest.Present, 30), memorytest.Action(memorytest.Closed, 32)},
			states{presented, submitted, presented, quickly}, 22, 0.3},
		"submitted, never presented": {[]memory.CanvasAction{memorytest.Action(memorytest.Submit, 1)}, states{submitted}, -1, 0.5},
		"updates and commands say nothing": {
			[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Update, 1), memorytest.Action(memorytest.Execute, 2)}, states{presented}, -1, 0},
		"an error shown": {
			[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Execute, 1, `{"error":"timeout"}`), memorytest.Action(memorytest.Closed, 9)},
			states{presented, failed, slowly}, 9, 0.1},
		"an error that is null": {
			[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Execute, 1, `{"error":null}`)}, states{presented}, -1, 0},
		"an error deeper down": {
			[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Execute, 1, `{"result":{"error":"x"}}`)}, states{presented}, -1, 0},
		"a submission that failed": {
			[]memory.CanvasAction{memorytest.Action(memorytest.Submit, 1, `{"error":{"code":500}}`)}, states{submitted, failed}, -1, 0.5},
		"presented twice, closed twice": {
			[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Closed, 2), memorytest.Action(memorytest.Present, 10), memorytest.Action(memorytest.Closed, 13)},
			states{presented, quickly, presented, quickly}, 5, -0.4},
		"presented again before it was closed": {
			[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Present, 100), memorytest.Action(memorytest.Closed, 102)},
			states{presented, presented, quickly}, 2, -0.2},
		"closed twice": {
			[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Closed, 8), memorytest.Action(memorytest.Closed, 9)},
			states{presented, slowly}, 8, 0.1},
		"closed, never presented": {[]memory.CanvasAction{memorytest.Action(memorytest.Closed, 1)}, states{}, -1, 0},
		"an unknown action":       {[]memory.CanvasAction{memorytest.Action("WAVE", 0)}, states{}, -1, 0},
		"metadata that is no object": {
			[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0, `["error"]`), memorytest.Action(memorytest.Update, 1, `"error"`)}, states{presented}, -1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c := memorytest.Canvas("sheets", test.actions...)
			assert.Equal(t, test.states, c.States(memorytest.Rules))
			assert.Equal(t, test.reward, c.Reward(memorytest.Rules))
			if test.dwell < 0 {
				assert.Nil(t, c.DwellSeconds())
			} else {
				assert.Equal(t, new(test.dwell), c.DwellSeconds())
			}
		})
	}
}
