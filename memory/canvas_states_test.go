package memory_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
)

// One table for what follows from a canvas's actions: states, dwell (−1 stands for never closed), reward.
func TestCanvasActionsSay(t *testing.T) {
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
		"presented":          {[]memory.CanvasAction{action(present, 0)}, states{presented}, -1, 0},
		"closed at once":     {[]memory.CanvasAction{action(present, 0), action(closed, 0)}, states{presented, quickly}, 0, -0.2},
		"closed after 4.999": {[]memory.CanvasAction{action(present, 0), action(closed, 4.999)}, states{presented, quickly}, 4.999, -0.2},
		"exactly 5 is slow":  {[]memory.CanvasAction{action(present, 0), action(closed, 5)}, states{presented, slowly}, 5, 0.1},
		"submitted, then closed slowly": {
			[]memory.CanvasAction{action(present, 0), action(submit, 30), action(closed, 60)},
			states{presented, submitted, slowly}, 60, 0.6},
		"updates and commands say nothing": {
			[]memory.CanvasAction{action(present, 0), action(update, 1), action(execute, 2)}, states{presented}, -1, 0},
		"an error shown": {
			[]memory.CanvasAction{action(present, 0), action(execute, 1, `{"error":"timeout"}`), action(closed, 9)},
			states{presented, failed, slowly}, 9, 0.1},
		"an error that is null": {
			[]memory.CanvasAction{action(present, 0), action(execute, 1, `{"error":null}`)}, states{presented}, -1, 0},
		"an error deeper down": {
			[]memory.CanvasAction{action(present, 0), action(execute, 1, `{"result":{"error":"x"}}`)}, states{presented}, -1, 0},
		"a submission that failed": {
			[]memory.CanvasAction{action(submit, 1, `{"error":{"code":500}}`)}, states{submitted, failed}, -1, 0.5},
		"presented twice, closed twice": {
			[]memory.CanvasAction{action(present, 0), action(closed, 2), action(present, 10), action(closed, 13)},
			states{presented, quickly, presented, quickly}, 5, -0.4},
		"presented again before it was closed": {
			[]memory.CanvasAction{action(present, 0), action(present, 100), action(closed, 102)},
			states{presented, presented, quickly}, 2, -0.2},
		"closed twice": {
			[]memory.CanvasAction{action(present, 0), action(closed, 8), action(closed, 9)},
			states{presented, slowly}, 8, 0.1},
		"closed, never presented": {[]memory.CanvasAction{action(closed, 1)}, states{}, -1, 0},
		"an unknown action":       {[]memory.CanvasAction{action("WAVE", 0)}, states{}, -1, 0},
		"metadata that is no object": {
			[]memory.CanvasAction{action(present, 0, `["error"]`), action(update, 1, `"error"`)}, states{presented}, -1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			c := canvas("sheets", test.actions...)
			assert.Equal(t, test.states, c.States())
			assert.Equal(t, test.reward, c.Reward())
			if test.dwell < 0 {
				assert.Nil(t, c.DwellSeconds())
			} else {
				assert.Equal(t, ptr(test.dwell), c.DwellSeconds())
			}
		})
	}
}
