package memory_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
)

func TestCanvasMetadata(t *testing.T) {
	for name, test := range map[string]struct {
		actions []memory.CanvasAction
		want    string
	}{
		"none":             {[]memory.CanvasAction{action(present, 0)}, ""},
		"the presentation": {[]memory.CanvasAction{action(present, 0, `{"rows":3}`)}, `{"rows":3}`},
		"merged by updates": {[]memory.CanvasAction{
			action(present, 0, `{"rows":3,"title":"Q1"}`), action(update, 1, `{"rows":4}`), action(update, 2, `{"cols":2}`),
		}, `{"cols":2,"rows":4,"title":"Q1"}`},
		"not in depth": {[]memory.CanvasAction{
			action(present, 0, `{"axis":{"x":"t","y":"v"}}`), action(update, 1, `{"axis":{"x":"date"}}`),
		}, `{"axis":{"x":"date"}}`},
		"numbers and signs as they were written": {[]memory.CanvasAction{
			action(present, 0, `{"n":12345678901234567890}`), action(update, 1, `{"t":"<b> & ü"}`),
		}, `{"n":12345678901234567890,"t":"<b> & ü"}`},
		"a null field is a value": {[]memory.CanvasAction{
			action(present, 0, `{"a":1}`), action(update, 1, `{"a":null}`),
		}, `{"a":null}`},
		"a second presentation changes nothing": {[]memory.CanvasAction{
			action(present, 0, `{"rows":3}`), action(present, 9, `{"rows":9}`),
		}, `{"rows":3}`},
		"an update without metadata": {[]memory.CanvasAction{
			action(present, 0, `{"rows":3}`), action(update, 1),
		}, `{"rows":3}`},
		"an update before the presentation": {[]memory.CanvasAction{
			action(update, 0, `{"a":1,"b":1}`), action(present, 1, `{"b":2}`),
		}, `{"a":1,"b":2}`},
		"what is no object replaces": {[]memory.CanvasAction{
			action(present, 0, `{"rows":3}`), action(update, 1, `["a"]`),
		}, `["a"]`},
		"an object replaces what is none": {[]memory.CanvasAction{
			action(present, 0, `"plain"`), action(update, 1, `{"rows":1}`),
		}, `{"rows":1}`},
		"a submission is not merged": {[]memory.CanvasAction{
			action(present, 0, `{"form":"tax"}`), action(submit, 1, `{"completed":["name"]}`),
		}, `{"form":"tax"}`},
		"a submission counts where there is nothing else": {[]memory.CanvasAction{
			action(present, 0), action(submit, 1, `{"completed":["name"]}`), action(closed, 2, `{"by":"user"}`),
		}, `{"completed":["name"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, string(canvas("sheets", test.actions...).Metadata()))
		})
	}
}

func TestCanvasMetadataLeavesTheActionsAlone(t *testing.T) {
	c := canvas("sheets", action(present, 0, `{"a":1}`), action(update, 1, `{"a":2}`))
	c.Metadata()
	assert.Equal(t, `{"a":1}`, string(c.Actions[0].Metadata))
}

func TestActionsAsOf(t *testing.T) {
	c := canvas("sheets", action(present, 0), action(update, 5), action(update, 5), action(closed, 9))
	for second, want := range map[float64]int{-1: 0, 0: 1, 4.9: 1, 5: 3, 9: 4, 100: 4} {
		assert.Len(t, c.ActionsAsOf(seconds(second)), want, "as of second %v", second)
	}
	_ = append(c.ActionsAsOf(seconds(0)), action(execute, 1))
	assert.Equal(t, memory.CanvasUpdate, c.Actions[1].Action, "appending to the answer leaves the canvas alone")
	assert.Empty(t, canvas("sheets").ActionsAsOf(seconds(0)))
}
