package capture

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
)

// A span that names no call carries out the one with its arguments, and else none that was wanted after it began.
func TestCallsOfSpansThatNameNone(t *testing.T) {
	t.Parallel()
	const rejected, done = `{"q":"rejected"}`, `{"n":1,"q":"done"}`
	own := spanAt("2", "1", SpanTool, "search", 1, 2) // of the program, before it asks the model
	model := spanAt("3", "1", SpanModel, "m", 3, 5)
	model.Calls = []SpanCall{{ID: "a", Name: "search", Arguments: memory.JSON(rejected)}, {ID: "b", Name: "search", Arguments: memory.JSON(done)}}
	early := spanAt("4", "1", SpanTool, "search", 4, 6) // begun while the model goes on
	late := spanAt("5", "1", SpanTool, "search", 5, 6)
	next := spanAt("6", "1", SpanModel, "m", 7, 8)
	next.Answers = []SpanCall{{ID: "b", Result: words("answer")}}
	given := func(span Span, given memory.JSON) Span {
		span.Given, span.Gave = given, words("x")
		return span
	}
	named := func(span Span, call string) Span {
		span.CallID = call
		return span
	}
	const toldRejected, toldDone = `{"arguments":` + rejected + `}`, `{"arguments":` + done + `,"result":"answer"}`
	tests := map[string]struct {
		tool Span
		want []string
	}{
		"a name of its own":      {named(given(late, memory.JSON(done)), "adk-1"), []string{toldRejected, `{"arguments":` + done + `,"result":"x"}`}},
		"its arguments":          {given(late, memory.JSON(done)), []string{toldRejected, `{"arguments":` + done + `,"result":"x"}`}},
		"as Python writes them":  {given(late, words(`{'n': 1, 'q': 'done'}`)), []string{toldRejected, `{"arguments":"{'n': 1, 'q': 'done'}","result":"x"}`}},
		"before the end":         {given(early, memory.JSON(done)), []string{toldRejected, `{"arguments":` + done + `,"result":"x"}`}},
		"none, at the end":       {given(late, nil), []string{toldDone, `{"result":"x"}`}},
		"none, before the end":   {given(early, nil), []string{toldRejected, toldDone, `{"result":"x"}`}},
		"none, before the model": {given(own, nil), []string{`{"result":"x"}`, toldRejected, toldDone}},
		"before the model":       {given(own, memory.JSON(done)), []string{`{"arguments":` + done + `,"result":"x"}`, toldRejected, toldDone}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			e := EpisodeFromSpans(MergeSpans(nil, []Span{spanAt("1", "", SpanAgent, "lead", 0, 9), model, test.tool, next}))
			require.Len(t, e.Actions, len(test.want))
			for i, want := range test.want {
				assert.JSONEq(t, want, string(e.Actions[i].Result))
			}
		})
	}
}

// What an earlier call could be is not taken from a later one that it has the arguments of.
func TestLaterCallsKeepTheirSpans(t *testing.T) {
	t.Parallel()
	first, second := spanAt("2", "1", SpanModel, "m", 1, 2), spanAt("3", "1", SpanModel, "m", 3, 4)
	first.Calls = []SpanCall{{ID: "a", Name: "search", Arguments: words("one")}}
	second.Calls = []SpanCall{{ID: "b", Name: "search", Arguments: words("two")}}
	tool := spanAt("4", "1", SpanTool, "search", 5, 6)
	tool.Given, tool.Gave = words("two"), words("x")
	e := EpisodeFromSpans(MergeSpans(nil, []Span{spanAt("1", "", SpanAgent, "lead", 0, 9), first, second, tool}))
	require.Len(t, e.Actions, 2)
	assert.JSONEq(t, `{"arguments":"one"}`, string(e.Actions[0].Result))
	assert.JSONEq(t, `{"arguments":"two","result":"x"}`, string(e.Actions[1].Result))
}
