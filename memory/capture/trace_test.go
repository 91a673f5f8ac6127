package capture

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
)

var traceStart = time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)

// spanAt is a span that lasts from one second of the trace to another.
func spanAt(id, parent string, kind SpanKind, name string, from, to int) Span {
	return Span{
		ID: id, Parent: parent, Kind: kind, Name: name,
		StartedAt: traceStart.Add(time.Duration(from) * time.Second), EndedAt: traceStart.Add(time.Duration(to) * time.Second),
	}
}

func words(text string) memory.JSON {
	j, err := memory.JSONOf(text)
	if err != nil {
		panic(err)
	}
	return j
}

// refundTrace is a run inside of a request: two answers of a model, and a tool between them.
func refundTrace() []Span {
	request := spanAt("1", "", SpanOther, "POST /chat", 0, 10)
	run := spanAt("2", "1", SpanAgent, "support", 1, 9)
	run.Agent, run.Session, run.Given, run.Gave = "support", "chat-7", words("Refund order 17"), words("Refunded.")
	asked := spanAt("3", "2", SpanModel, "gpt-5", 2, 3)
	request.Labels, asked.Labels = map[string]string{"service.name": "shop"}, map[string]string{"service.name": "model", "gen_ai.request.model": "gpt-5"}
	asked.Given, asked.Said = words("Refund order 17"), []string{"I look the order up."}
	asked.Calls = []SpanCall{{ID: "c1", Name: "get_order", Arguments: memory.JSON(`{"order":17}`)}}
	tool := spanAt("4", "2", SpanTool, "get_order", 4, 5)
	tool.CallID, tool.Given, tool.Gave = "c1", memory.JSON(`{"order":17}`), memory.JSON(`{"paid":true}`)
	told := spanAt("5", "2", SpanModel, "gpt-5", 6, 7)
	told.Given, told.Said = words("Refund order 17"), []string{"Refunded."}
	told.Answers = []SpanCall{{ID: "c1", Result: memory.JSON(`{"paid":true}`)}}
	return []Span{request, run, asked, tool, told}
}

func TestEpisodeFromSpans(t *testing.T) {
	t.Parallel()
	e := EpisodeFromSpans(MergeSpans(nil, refundTrace()))
	assert.Equal(t, "Refund order 17", e.Observation)
	assert.Equal(t, "support", e.AgentKey)
	assert.Equal(t, "chat-7", *e.SessionKey)
	assert.Nil(t, e.TaskType)
	assert.Equal(t, []string{"I look the order up."}, e.Thoughts, "the result is not told twice")
	require.Len(t, e.Actions, 1)
	assert.Equal(t, "get_order", e.Actions[0].StepName)
	assert.Equal(t, "c1", *e.Actions[0].StepID)
	assert.JSONEq(t, `{"arguments":{"order":17},"result":{"paid":true}}`, string(e.Actions[0].Result))
	assert.Equal(t, "Refunded.", *e.Result)
	assert.Equal(t, memory.OutcomeSuccess, e.Outcome)
	assert.True(t, e.Concluded)
	assert.Equal(t, traceStart, e.StartedAt)
	assert.Equal(t, traceStart.Add(9*time.Second), *e.EndedAt)
	assert.JSONEq(t, `{"service.name":"shop","gen_ai.request.model":"gpt-5"}`, string(e.Metadata))
	require.Len(t, e.Segments, 1)
	assert.Equal(t, memory.SegmentTask, e.Segments[0].Kind)
}

// The order in which spans arrive, and whether they arrive twice, changes nothing.
func TestEpisodeFromSpansInAnyOrder(t *testing.T) {
	t.Parallel()
	want := EpisodeFromSpans(MergeSpans(nil, refundTrace()))
	reversed := refundTrace()
	slices.Reverse(reversed)
	for cut := range reversed {
		assert.Equal(t, want, EpisodeFromSpans(MergeSpans(reversed[cut:], reversed)))
	}
}

func TestOutcomeOfSpans(t *testing.T) {
	t.Parallel()
	change := func(change func(spans []Span) []Span) []Span { return MergeSpans(nil, change(refundTrace())) }
	tests := map[string]struct {
		spans   []Span
		outcome memory.Outcome
		result  string
	}{
		"the run failed": {change(func(s []Span) []Span {
			s[1].Error = "timeout"
			return s
		}), memory.OutcomeFailure, "timeout"},
		"only a step failed": {change(func(s []Span) []Span {
			s[3].Error = "no such order"
			return s
		}), memory.OutcomeSuccess, "Refunded."},
		"the run has not arrived": {change(func(s []Span) []Span { return s[2:] }), memory.OutcomeUnknown, ""},
		"a root that is no run": {change(func(s []Span) []Span {
			return append(s[:1], s[2:]...)
		}), memory.OutcomeSuccess, "Refunded."},
		"the run gave nothing, so the last words count": {change(func(s []Span) []Span {
			s[1].Gave = nil
			return s
		}), memory.OutcomeSuccess, "Refunded."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := EpisodeFromSpans(tt.spans)
			assert.Equal(t, tt.outcome, e.Outcome)
			assert.Equal(t, tt.outcome != memory.OutcomeUnknown, e.Concluded)
			assert.Equal(t, e.Concluded, e.EndedAt != nil, "an end is not made up")
			if tt.outcome != memory.OutcomeSuccess {
				assert.Contains(t, e.Thoughts, "Refunded.", "the last words came to nothing, and are a thought")
			}
			if tt.result != "" {
				assert.Equal(t, tt.result, *e.Result)
			}
		})
	}
}

func TestStepsOfSpans(t *testing.T) {
	t.Parallel()
	run := spanAt("1", "", SpanAgent, "lead", 0, 20)
	model := spanAt("2", "1", SpanModel, "m", 1, 2)
	model.Calls = []SpanCall{{ID: "a", Name: "search", Arguments: memory.JSON(`"x"`)}, {ID: "b", Name: "book"}}
	next := spanAt("3", "1", SpanModel, "m", 5, 6)
	next.Answers = []SpanCall{{ID: "a", Result: words("found")}}
	booked := spanAt("4", "1", SpanTool, "book", 3, 4)
	booked.CallID, booked.Error = "b", "sold out"
	again := spanAt("5", "4", SpanTool, "book", 3, 4) // by the instrumentation of the protocol
	helper := spanAt("6", "1", SpanAgent, "helper", 7, 8)
	helper.Gave = words("helped")
	e := EpisodeFromSpans(MergeSpans(nil, []Span{run, model, next, booked, again, helper}))
	names := make([]string, len(e.Actions))
	for i, action := range e.Actions {
		names[i] = action.StepName
	}
	assert.Equal(t, []string{"search", "book", "invoke_agent helper"}, names)
	assert.JSONEq(t, `{"arguments":"x","result":"found"}`, string(e.Actions[0].Result), "a call without a span of its own, with what the model was told of it")
	assert.JSONEq(t, `{"error":"sold out"}`, string(e.Actions[1].Result))
	assert.JSONEq(t, `{"result":"helped"}`, string(e.Actions[2].Result))
	assert.Equal(t, "Unknown initial situation: lead", e.Observation)
}

// Spans of tools that do not say which call they carry out, as OpenInference's of LangChain, are those of as many calls
// of that name. What no span is left for is told by itself.
func TestToolsThatNameNoCall(t *testing.T) {
	t.Parallel()
	run := spanAt("1", "", SpanAgent, "lead", 0, 20)
	model := spanAt("2", "1", SpanModel, "m", 1, 2)
	model.Calls = []SpanCall{{ID: "a", Name: "search"}, {ID: "b", Name: "search"}, {ID: "c", Name: "search", Arguments: words("z")}, {ID: "d", Name: "book"}}
	twin := spanAt("3", "2", SpanModel, "m", 1, 2) // of the client that the framework uses
	twin.Calls = model.Calls
	first, second := spanAt("4", "1", SpanTool, "search", 3, 4), spanAt("5", "1", SpanTool, "search", 5, 6)
	first.Gave, second.Gave = words("x"), words("y")
	inner := spanAt("6", "5", SpanTool, "search", 5, 6) // by the instrumentation of the protocol
	e := EpisodeFromSpans(MergeSpans(nil, []Span{run, model, twin, first, second, inner}))
	require.Len(t, e.Actions, 4)
	for i, want := range []string{`{"arguments":"z"}`, `{}`, `{"result":"x"}`, `{"result":"y"}`} {
		assert.JSONEq(t, want, string(e.Actions[i].Result))
	}
	assert.Equal(t, []string{"search", "book"}, []string{e.Actions[0].StepName, e.Actions[1].StepName})
}

// Agents that hand over to one another stand side by side: the first was given the task, the last ended it.
func TestRunsSideBySide(t *testing.T) {
	t.Parallel()
	root := spanAt("0", "", SpanOther, "workflow", 0, 9)
	triage, booker := spanAt("1", "0", SpanAgent, "triage", 1, 2), spanAt("2", "0", SpanAgent, "booker", 3, 8)
	triage.Agent, triage.Given, triage.Gave = "triage", words("A flight, please"), words("handed over")
	booker.Agent, booker.Error = "booker", "no seats"
	e := EpisodeFromSpans(MergeSpans(nil, []Span{booker, root, triage}))
	assert.Equal(t, "triage", e.AgentKey)
	assert.Equal(t, "A flight, please", e.Observation)
	assert.Equal(t, memory.OutcomeFailure, e.Outcome)
	assert.Equal(t, "no seats", *e.Result)
}

// Two turns in one trace are two questions: the first is answered by what was said to it. The second is a step.
func TestTurnsOfOneTrace(t *testing.T) {
	t.Parallel()
	turn := func(id, parent string, from int, asked, answered string) []Span {
		run := spanAt(id, parent, SpanAgent, "support", from, from+4)
		run.Agent, run.Given, run.Gave = "support", words(asked), words(answered)
		model := spanAt(id+"m", id, SpanModel, "m", from+1, from+3)
		model.Given, model.Said = words(asked), []string{answered}
		return []Span{run, model}
	}
	silent := func(spans []Span) []Span { // whose runs say nothing themselves
		for i := range spans {
			if spans[i].IsRun() {
				spans[i].Given, spans[i].Gave = nil, nil
			}
		}
		return spans
	}
	modelsOnly := func(spans []Span) []Span {
		return slices.DeleteFunc(spans, func(s Span) bool { return s.IsRun() })
	}
	both := func(parent string) []Span {
		return append(turn("1", parent, 1, "Which?", "17."), turn("2", parent, 6, "Refund it.", "Done.")...)
	}
	around := spanAt("0", "", SpanOther, "chat", 0, 11)
	workflow := spanAt("0", "", SpanWorkflow, "Agent workflow", 0, 11)
	for name, spans := range map[string][]Span{
		"side by side":            append(both("0"), around),
		"in a workflow":           append(both("0"), workflow),
		"side by side, silent":    silent(append(both("0"), around)),
		"in a workflow, silent":   silent(append(both("0"), workflow)),
		"without runs":            modelsOnly(append(both("0"), around)),
		"without what is around":  both("gone"),
		"in workflows of another": append(both("0"), spanAt("0", "00", SpanWorkflow, "inner", 0, 11), spanAt("00", "", SpanWorkflow, "outer", 0, 12)),
	} {
		e := EpisodeFromSpans(MergeSpans(nil, spans))
		assert.Equal(t, []string{"Which?", "17."}, []string{e.Observation, *e.Result}, name)
		assert.Equal(t, memory.OutcomeSuccess, e.Outcome, name)
	}
	e := EpisodeFromSpans(MergeSpans(nil, append(both("0"), around)))
	require.Len(t, e.Actions, 1)
	assert.Equal(t, "invoke_agent support", e.Actions[0].StepName)
	assert.JSONEq(t, `{"arguments":"Refund it.","result":"Done."}`, string(e.Actions[0].Result))
	failed := append(both("0"), around)
	failed[2].Error = "timeout"
	assert.Equal(t, memory.OutcomeSuccess, EpisodeFromSpans(MergeSpans(nil, failed)).Outcome, "of the first")
}

func TestGuardrails(t *testing.T) {
	t.Parallel()
	run, model := spanAt("1", "", SpanAgent, "support", 0, 9), spanAt("2", "1", SpanModel, "m", 2, 4)
	run.Given, model.Said = words("Do it."), []string{"Sure."}
	guard := func(from, to int) Span {
		guard := spanAt("3", "1", SpanTool, "guardrail pii", from, to)
		guard.Stops = true
		return guard
	}
	for name, test := range map[string]struct {
		guard Span
		want  memory.Outcome
	}{
		"before": {guard(0, 1), memory.OutcomeSuccess}, "beside": {guard(1, 3), memory.OutcomeFailure}, "after": {guard(5, 6), memory.OutcomeFailure},
	} {
		e := EpisodeFromSpans(MergeSpans(nil, []Span{run, model, test.guard}))
		assert.Equal(t, test.want, e.Outcome, name)
		assert.Equal(t, "Do it.", e.Observation)
		assert.Equal(t, "guardrail pii", e.Actions[0].StepName)
		if test.want == memory.OutcomeFailure {
			assert.Equal(t, "guardrail pii stopped the run", *e.Result)
		}
	}
	inner := spanAt("3", "1", SpanAgent, "helper", 5, 6) // whose error says what the outer one does not
	inner.Error = "tripwire"
	assert.Equal(t, memory.OutcomeFailure, EpisodeFromSpans(MergeSpans(nil, []Span{run, model, inner})).Outcome)
	run.Gave = words("Without help.")
	assert.Equal(t, memory.OutcomeSuccess, EpisodeFromSpans(MergeSpans(nil, []Span{run, model, inner})).Outcome)
}

// What libraries call an agent without a name stands for it only where nothing else does.
func TestNamesOfAgents(t *testing.T) {
	t.Parallel()
	trace := func(outer, inner, service string) []Span {
		run, agent := spanAt("1", "", SpanAgent, "x", 0, 9), spanAt("2", "1", SpanAgent, inner, 1, 8)
		run.Agent, agent.Agent = outer, inner
		run.Labels = map[string]string{LabelService: service}
		return []Span{run, agent}
	}
	for _, test := range []struct{ outer, inner, service, want string }{
		{"OpenAI Agent", "clerk", "shop", "clerk"}, {"lead", "clerk", "shop", "lead"}, {"OpenAI Agent", "LangGraph", "shop", "shop"},
		{"", "clerk", "shop", "clerk"}, {"LangGraph", "", "unknown_service:python", "LangGraph"}, {"", "", "unknown_service", "unknown_service"},
	} {
		e := EpisodeFromSpans(MergeSpans(nil, trace(test.outer, test.inner, test.service)))
		assert.Equal(t, test.want, e.AgentKey, test)
		for _, action := range e.Actions {
			assert.NotEqual(t, "invoke_agent "+e.AgentKey, action.StepName, "a run is no step of its own")
		}
	}
}

// A run whose models say nothing is told by what it says itself, and by that alone.
func TestWordsOfTheRunAlone(t *testing.T) {
	t.Parallel()
	run, model := spanAt("1", "", SpanAgent, "support", 0, 9), spanAt("2", "1", SpanModel, "m", 1, 2)
	run.Given, run.Gave, run.Said = words("Where?"), words("In Lyon."), []string{"I look.", "In Lyon."}
	run.Calls, run.Answers = []SpanCall{{ID: "a", Name: "track", Arguments: words("17")}}, []SpanCall{{ID: "a", Result: words("Lyon")}}
	e := EpisodeFromSpans(MergeSpans(nil, []Span{run, model}))
	assert.Equal(t, []string{"I look."}, e.Thoughts)
	require.Len(t, e.Actions, 1)
	assert.JSONEq(t, `{"arguments":"17","result":"Lyon"}`, string(e.Actions[0].Result))
	tool := spanAt("3", "1", SpanTool, "track", 3, 4)
	tool.CallID = "a"
	e = EpisodeFromSpans(MergeSpans(nil, []Span{run, model, tool}))
	require.Len(t, e.Actions, 1)
	assert.JSONEq(t, `{"arguments":"17","result":"Lyon"}`, string(e.Actions[0].Result), "a tool's span that says nothing is known by its call")
	model.Said = []string{"Hm."}
	e = EpisodeFromSpans(MergeSpans(nil, []Span{run, model}))
	assert.Equal(t, []string{"Hm."}, e.Thoughts)
	assert.Empty(t, e.Actions)
}

// What is no text is the situation or the result only where models have no words either.
func TestObjectsOfPrograms(t *testing.T) {
	t.Parallel()
	run, model := spanAt("1", "", SpanWorkflow, "flow", 0, 9), spanAt("2", "1", SpanModel, "m", 1, 2)
	run.Given, run.Gave = memory.JSON(`{"init_state":{}}`), words("StopEvent(result='x')")
	told := model
	told.Given, told.Said = words("Where?"), []string{"In Lyon."}
	e := EpisodeFromSpans(MergeSpans(nil, []Span{run, told}))
	assert.Equal(t, []string{"Where?", "In Lyon."}, []string{e.Observation, *e.Result})
	e = EpisodeFromSpans(MergeSpans(nil, []Span{run, model}))
	assert.Equal(t, []string{`{"init_state":{}}`, "StopEvent(result='x')"}, []string{e.Observation, *e.Result})
}

// An answer that is cut off in one of two spans is one answer.
func TestTheAnswerIsNoThought(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("It is in Lyon. ", 30)
	run, model := spanAt("1", "", SpanAgent, "support", 0, 9), spanAt("2", "1", SpanModel, "m", 1, 2)
	run.Gave, model.Said = words(long[:300]+"…"), []string{long + "\n"}
	assert.Empty(t, EpisodeFromSpans(MergeSpans(nil, []Span{run, model})).Thoughts)
	model.Said = []string{"It is", long}
	assert.Equal(t, []string{"It is"}, EpisodeFromSpans(MergeSpans(nil, []Span{run, model})).Thoughts)
}

// Parents that name one another, which no program should send, end.
func TestSpansInACircle(t *testing.T) {
	t.Parallel()
	a, b := spanAt("a", "b", SpanTool, "x", 0, 1), spanAt("b", "a", SpanTool, "x", 0, 1)
	model := spanAt("m", "a", SpanModel, "m", 0, 1)
	assert.Equal(t, memory.OutcomeUnknown, EpisodeFromSpans(MergeSpans(nil, []Span{a, b, model})).Outcome)
}

func TestSpanLog(t *testing.T) {
	t.Parallel()
	spans := MergeSpans(nil, refundTrace())
	log, err := SpanLog(spans)
	require.NoError(t, err)
	require.Len(t, log, 5)
	assert.Equal(t, "other_span", log[0].Type)
	assert.Equal(t, "tool_span", log[3].Type)
	back, ok := SpansOfLog(log)
	require.True(t, ok)
	assert.Equal(t, spans, back)
	for name, foreign := range map[string][]memory.Event{
		"no log": nil, "a run's log": {{Type: EventWorkflowStarted, Data: memory.JSON(`{"args":1}`)}}, "no data": {{Type: "tool_span"}},
	} {
		_, ok := SpansOfLog(foreign)
		assert.False(t, ok, name)
	}
}

func TestMakesEpisode(t *testing.T) {
	t.Parallel()
	assert.True(t, MakesEpisode(refundTrace()))
	assert.False(t, MakesEpisode([]Span{spanAt("1", "", SpanOther, "GET /", 0, 1), spanAt("2", "1", SpanTool, "x", 0, 1)}))
}
