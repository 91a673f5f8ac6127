package memory_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/memory/memorytest"
)

func TestCanvasMetadata(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		actions []memory.CanvasAction
		want    string
	}{
		"none":             {[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0)}, ""},
		"the presentation": {[]memory.CanvasAction{memorytest.Action(memorytest.Present, 0, `{"rows":3}`)}, `{"rows":3}`},
		"merged by updates": {[]memory.CanvasAction{
			memorytest.Action(memorytest.Present, 0, `{"rows":3,"title":"Q1"}`), memorytest.Action(memorytest.Update, 1, `{"rows":4}`), memorytest.Action(memorytest.Update, 2, `{"cols":2}`),
		}, `{"cols":2,"rows":4,"title":"Q1"}`},
		"not in depth": {[]memory.CanvasAction{
			memorytest.Action(memorytest.Present, 0, `{"axis":{"x":"t","y":"v"}}`), memorytest.Action(memorytest.Update, 1, `{"axis":{"x":"date"}}`),
		}, `{"axis":{"x":"date"}}`},
		"numbers and signs as they were written": {[]memory.CanvasAction{
			memorytest.Action(memorytest.Present, 0, `{"n":12345678901234567890}`), memorytest.Action(memorytest.Update, 1, `{"t":"<b> & ü"}`),
		}, `{"n":12345678901234567890,"t":"<b> & ü"}`},
		"a null field is a value": {[]memory.CanvasAction{
			memorytest.Action(memorytest.Present, 0, `{"a":1}`), memorytest.Action(memorytest.Update, 1, `{"a":null}`),
		}, `{"a":null}`},
		"a second presentation changes nothing": {[]memory.CanvasAction{
			memorytest.Action(memorytest.Present, 0, `{"rows":3}`), memorytest.Action(memorytest.Present, 9, `{"rows":9}`),
		}, `{"rows":3}`},
		"an update without metadata": {[]memory.CanvasAction{
			memorytest.Action(memorytest.Present, 0, `{"rows":3}`), memorytest.Action(memorytest.Update, 1),
		}, `{"rows":3}`},
		"an update before the presentation": {[]memory.CanvasAction{
			memorytest.Action(memorytest.Update, 0, `{"a":1,"b":1}`), memorytest.Action(memorytest.Present, 1, `{"b":2}`),
		}, `{"a":1,"b":2}`},
		"what is no object replaces": {[]memory.CanvasAction{
			memorytest.Action(memorytest.Present, 0, `{"rows":3}`), memorytest.Action(memorytest.Update, 1, `["a"]`),
		}, `["a"]`},
		"an object replaces what is none": {[]memory.CanvasAction{
			memorytest.Action(memorytest.Present, 0, `"plain"`), memorytest.Action(memorytest.Update, 1, `{"rows":1}`),
		}, `{"rows":1}`},
		"a submission is not merged": {[]memory.CanvasAction{
			memorytest.Action(memorytest.Present, 0, `{"form":"tax"}`), memorytest.Action(memorytest.Submit, 1, `{"completed":["name"]}`),
		}, `{"form":"tax"}`},
		"a submission counts where there is nothing else": {[]memory.CanvasAction{
			memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Submit, 1, `{"completed":["name"]}`), memorytest.Action(memorytest.Closed, 2, `{"by":"user"}`),
		}, `{"completed":["name"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, string(memorytest.Canvas("sheets", test.actions...).Metadata()))
		})
	}
}

func TestCanvasMetadataLeavesTheActionsAlone(t *testing.T) {
	t.Parallel()
	c := memorytest.Canvas("sheets", memorytest.Action(memorytest.Present, 0, `{"a":1}`), memorytest.Action(memorytest.Update, 1, `{"a":2}`))
	c.Metadata()
	assert.Equal(t, `{"a":1}`, string(c.Actions[0].Metadata))
}

// A canvas may have been changed a hundred thousand times. Its metadata are written once: written after each change,
// the work is the square of their number, and twice as many take four times as much.
func TestCanvasMetadataOfManyUpdates(t *testing.T) {
	allocated := func(updates int) float64 {
		c := memorytest.Canvas("sheets")
		for i := range updates {
			c.Actions = append(c.Actions, memorytest.Action(memorytest.Update, float64(i), fmt.Sprintf(`{"k%d":%d}`, i, i)))
		}
		fields, ok := memory.JSONFields(c.Metadata())
		assert.True(t, ok)
		assert.Len(t, fields, updates)
		return testing.AllocsPerRun(1, func() { c.Metadata() })
	}
	assert.Less(t, allocated(2000), 3*allocated(1000))
}

func TestActionsAsOf(t *testing.T) {
	t.Parallel()
	c := memorytest.Canvas("sheets", memorytest.Action(memorytest.Present, 0), memorytest.Action(memorytest.Update, 5), memorytest.Action(memorytest.Update, 5), memorytest.Action(memorytest.Closed, 9))
	for second, want := range map[float64]int{-1: 0, 0: 1, 4.9: 1, 5: 3, 9: 4, 100: 4} {
		assert.Len(t, c.ActionsAsOf(memorytest.Seconds(second)), want, "as of second %v", second)
	}
	_ = append(c.ActionsAsOf(memorytest.Seconds(0)), memorytest.Action(memorytest.Execute, 1))
	assert.Equal(t, memory.CanvasUpdate, c.Actions[1].Action, "appending to the answer leaves the canvas alone")
	assert.Empty(t, memorytest.Canvas("sheets").ActionsAsOf(memorytest.Seconds(0)))
}
