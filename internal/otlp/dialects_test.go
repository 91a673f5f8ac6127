package otlp_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/capture"
)

// written is a span as OTLP in JSON; attributes and events are name and text.
type written struct {
	name       string
	parent     string
	attributes map[string]any
	events     []event
}

type event struct {
	name       string
	attributes map[string]any
}

func pairs(values map[string]any) []any {
	list := []any{}
	for name, value := range values {
		list = append(list, map[string]any{"key": name, "value": anyValue(value)})
	}
	return list
}

func anyValue(value any) map[string]any {
	switch v := value.(type) {
	case string:
		return map[string]any{"stringValue": v}
	case int:
		return map[string]any{"intValue": v}
	case float64:
		return map[string]any{"doubleValue": v}
	case []any:
		values := []any{}
		for _, item := range v {
			values = append(values, anyValue(item))
		}
		return map[string]any{"arrayValue": map[string]any{"values": values}}
	case map[string]any:
		return map[string]any{"kvlistValue": map[string]any{"values": pairs(v)}}
	}
	panic("a value that no test needs")
}

func read(t *testing.T, span written) capture.Span {
	t.Helper()
	events := []any{}
	for _, e := range span.events {
		events = append(events, map[string]any{"name": e.name, "attributes": pairs(e.attributes)})
	}
	body, err := json.Marshal(map[string]any{"resourceSpans": []any{map[string]any{"scopeSpans": []any{map[string]any{"spans": []any{map[string]any{
		"traceId": "5b8efff798038103d269b633813fc60c", "spanId": "eee19b7ec3c1b174", "parentSpanId": span.parent, "name": span.name,
		"startTimeUnixNano": "1", "endTimeUnixNano": "2", "attributes": pairs(span.attributes), "events": events,
	}}}}}}})
	require.NoError(t, err)
	k := &kept{}
	require.Equal(t, 200, post(t, k, body, http.Header{"Content-Type": {jsonForm}}).Code)
	require.Len(t, k.spans, 1)
	return k.spans[0].Span
}

func list(items ...any) []any { return items }

type object = map[string]any

func TestRunsOfAllDialects(t *testing.T) {
	const parent = "eee19b7ec3c1b173"
	tests := map[string]written{
		"GenAI, in JSON": {attributes: object{
			"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper", "gen_ai.conversation.id": "s",
			"gen_ai.system_instructions": `[{"type":"text","content":"Be kind."}]`,
			"gen_ai.input.messages":      `[{"role":"user","parts":[{"type":"text","content":"before"}]},{"role":"assistant","parts":[{"type":"text","content":"x"}]},{"role":"user","parts":[{"type":"text","content":"task"}]}]`,
			"gen_ai.output.messages":     `[{"role":"assistant","parts":[{"type":"reasoning","content":"hm"},{"type":"text","content":"done"}]}]`,
		}},
		"GenAI, structured": {attributes: object{
			"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper", "gen_ai.conversation.id": "s",
			"gen_ai.system_instructions": list(object{"type": "text", "content": "Be kind."}),
			"gen_ai.input.messages":      list(object{"role": "user", "parts": list(object{"type": "text", "content": "task"})}),
			"gen_ai.output.messages":     list(object{"role": "assistant", "parts": list(object{"type": "text", "content": "done"})}),
		}},
		"GenAI, in the event of details": {attributes: object{"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper", "session.id": "s"}, events: []event{
			{"gen_ai.client.inference.operation.details", object{
				"gen_ai.input.messages":  list(object{"role": "system", "parts": list(object{"type": "text", "content": "Be kind."})}, object{"role": "user", "parts": list(object{"type": "text", "content": "task"})}),
				"gen_ai.output.messages": list(object{"role": "assistant", "parts": list(object{"type": "text", "content": "done"})}),
			}},
		}},
		"the events before": {attributes: object{"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper", "session.id": "s"}, events: []event{
			{"gen_ai.system.message", object{"content": "Be kind."}},
			{"gen_ai.user.message", object{"gen_ai.event.content": `{"role":"user","content":"task"}`}},
			{"gen_ai.choice", object{"message": `{"role":"assistant","content":"done"}`, "finish_reason": "stop"}},
		}},
		"Strands, in events with blocks": {attributes: object{"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "helper", "session.id": "s", "gen_ai.system_instructions": "Be kind."}, events: []event{
			{"gen_ai.user.message", object{"content": `[{"text":"task"}]`}},
			{"gen_ai.choice", object{"message": "done", "finish_reason": "end_turn"}},
		}},
		"OpenInference": {attributes: object{
			"openinference.span.kind": "AGENT", "agent.name": "helper", "session.id": "s", "input.value": "task", "output.value": `{"output":"done"}`,
			"gen_ai.system_instructions": "Be kind.",
		}},
		"OpenLLMetry": {attributes: object{
			"traceloop.span.kind": "agent", "traceloop.entity.name": "helper", "traceloop.association.properties.session_id": "s",
			"traceloop.entity.input": `{"input":"task"}`, "traceloop.entity.output": "done", "gen_ai.system_instructions": "Be kind.",
		}},
		"OpenLLMetry, of a function": {attributes: object{
			"traceloop.span.kind": "agent", "traceloop.entity.name": "helper", "traceloop.association.properties.session_id": "s",
			"traceloop.entity.input": `{"args":["task"],"kwargs":{}}`, "traceloop.entity.output": `"done"`, "gen_ai.system_instructions": "Be kind.",
		}},
		"Pydantic AI before 2": {attributes: object{
			"model_name": "m", "agent_name": "helper", "logfire.msg": "helper run", "session.id": "s", "final_result": "done", "gen_ai.system_instructions": "Be kind.",
			"pydantic_ai.all_messages": `[{"role":"user","parts":[{"type":"text","content":"task"}]},{"role":"assistant","parts":[{"type":"text","content":"done"}]}]`,
		}},
		"Pydantic AI": {attributes: object{
			"gen_ai.operation.name": "invoke_agent", "agent_name": "helper", "session.id": "s", "final_result": "done",
			"pydantic_ai.all_messages": `[{"role":"system","parts":[{"type":"text","content":"Be kind."}]},{"role":"user","parts":[{"type":"text","content":"task"}]},{"role":"assistant","parts":[{"type":"text","content":"done"}]}]`,
		}},
		"Vercel's AI SDK": {attributes: object{
			"ai.operationId": "ai.generateText", "ai.telemetry.functionId": "helper", "ai.telemetry.metadata.sessionId": "s",
			"ai.prompt": `{"messages":[{"role":"system","content":"Be kind."},{"role":"user","content":"task"}]}`, "ai.response.text": "done",
			"gen_ai.system_instructions": "Be kind.",
		}},
	}
	for name, span := range tests {
		t.Run(name, func(t *testing.T) {
			span.name, span.parent = "some span", parent
			got := read(t, span)
			assert.Equal(t, capture.SpanAgent, got.Kind)
			assert.Equal(t, []string{"helper", "helper", "s"}, []string{got.Name, got.Agent, got.Session})
			assert.JSONEq(t, `"task"`, string(got.Given))
			assert.JSONEq(t, `"done"`, string(got.Gave))
			assert.Equal(t, "Be kind.", got.Instructions)
			assert.Equal(t, parent, got.Parent)
		})
	}
}

func TestToolsOfAllDialects(t *testing.T) {
	tests := map[string]written{
		"GenAI":            {attributes: object{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search", "gen_ai.tool.call.id": "c", "gen_ai.tool.call.arguments": `{"q":1}`, "gen_ai.tool.call.result": "found"}},
		"GenAI structured": {attributes: object{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search", "gen_ai.tool.call.id": "c", "gen_ai.tool.call.arguments": object{"q": 1}, "gen_ai.tool.call.result": "found"}},
		"by the span":      {name: "execute_tool search", attributes: object{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.id": "c", "input.value": `{"q":1}`, "output.value": "found"}},
		"in events": {attributes: object{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search", "gen_ai.tool.call.id": "c"}, events: []event{
			{"gen_ai.tool.message", object{"role": "tool", "content": `{"q":1}`, "id": "c"}}, {"gen_ai.choice", object{"message": "found", "id": "c"}},
		}},
		"OpenInference":              {attributes: object{"openinference.span.kind": "TOOL", "tool.name": "search", "tool_call.id": "c", "input.value": `{"q":1}`, "output.value": "found"}},
		"OpenLLMetry":                {attributes: object{"traceloop.span.kind": "tool", "traceloop.entity.name": "search", "tool.id": "c", "traceloop.entity.input": `{"q":1}`, "traceloop.entity.output": "found"}},
		"OpenLLMetry, of a function": {attributes: object{"traceloop.span.kind": "tool", "traceloop.entity.name": "search", "tool.id": "c", "traceloop.entity.input": `{"q":1}`, "traceloop.entity.output": `"found"`}},
		"Vercel's AI SDK":            {attributes: object{"ai.operationId": "ai.toolCall", "ai.toolCall.name": "search", "ai.toolCall.id": "c", "ai.toolCall.args": `{"q":1}`, "ai.toolCall.result": "found"}},
		"Google's ADK":               {attributes: object{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "search", "gen_ai.tool.call.id": "c", "gcp.vertex.agent.tool_call_args": `{"q":1}`, "gcp.vertex.agent.tool_response": "found"}},
	}
	for name, span := range tests {
		t.Run(name, func(t *testing.T) {
			got := read(t, span)
			assert.Equal(t, capture.SpanTool, got.Kind)
			assert.Equal(t, []string{"search", "c"}, []string{got.Name, got.CallID})
			assert.JSONEq(t, `{"q":1}`, string(got.Given))
			assert.JSONEq(t, `"found"`, string(got.Gave))
		})
	}
}

func TestModelsOfAllDialects(t *testing.T) {
	tests := map[string]written{
		"GenAI": {attributes: object{
			"gen_ai.operation.name": "chat", "gen_ai.request.model": "m",
			"gen_ai.input.messages":  `[{"role":"user","parts":[{"type":"text","content":"task"}]},{"role":"assistant","parts":[{"type":"tool_call","id":"a","name":"first","arguments":{}}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"a","response":"ok"}]}]`,
			"gen_ai.output.messages": `[{"role":"assistant","parts":[{"type":"text","content":"next"},{"type":"tool_call","id":"b","name":"second","arguments":{"q":1}}]}]`,
		}},
		"OpenAI's messages in OpenLLMetry's attributes": {attributes: object{
			"llm.request.type": "chat", "gen_ai.request.model": "m",
			"gen_ai.prompt.0.role": "user", "gen_ai.prompt.0.content": "task",
			"gen_ai.prompt.1.role": "assistant", "gen_ai.prompt.1.tool_calls.0.id": "a", "gen_ai.prompt.1.tool_calls.0.name": "first",
			"gen_ai.prompt.2.role": "tool", "gen_ai.prompt.2.tool_call_id": "a", "gen_ai.prompt.2.content": "ok",
			"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": "next",
			"gen_ai.completion.0.tool_calls.0.id": "b", "gen_ai.completion.0.tool_calls.0.name": "second", "gen_ai.completion.0.tool_calls.0.arguments": `{"q":1}`,
		}},
		"OpenInference": {attributes: object{
			"openinference.span.kind": "LLM", "llm.model_name": "m", "input.value": "raw", "output.value": "raw",
			"llm.input_messages.0.message.role": "user", "llm.input_messages.0.message.contents.0.message_content.type": "text", "llm.input_messages.0.message.contents.0.message_content.text": "task",
			"llm.input_messages.1.message.role": "assistant", "llm.input_messages.10.message.role": "tool",
			"llm.input_messages.10.message.tool_call_id": "a", "llm.input_messages.10.message.content": "ok",
			"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": "next",
			"llm.output_messages.0.message.tool_calls.0.tool_call.id": "b", "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "second", "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": `{"q":1}`,
		}},
		"the events before": {attributes: object{"gen_ai.operation.name": "chat", "gen_ai.request.model": "m"}, events: []event{
			{"gen_ai.user.message", object{"content": "task"}},
			{"gen_ai.assistant.message", object{"tool_calls": `[{"id":"a","type":"function","function":{"name":"first","arguments":"{}"}}]`}},
			{"gen_ai.tool.message", object{"id": "a", "content": "ok"}},
			{"gen_ai.choice", object{"message": `{"content":"next","tool_calls":[{"id":"b","function":{"name":"second","arguments":"{\"q\":1}"}}]}`}},
		}},
		"Gemini's contents, as ADK notes them": {attributes: object{
			"gen_ai.operation.name": "generate_content", "gen_ai.request.model": "m",
			"gcp.vertex.agent.llm_request":  `{"model":"m","config":{},"contents":[{"role":"user","parts":[{"text":"task"}]},{"role":"model","parts":[{"function_call":{"id":"a","name":"first","args":{}}}]},{"role":"user","parts":[{"function_response":{"id":"a","name":"first","response":"ok"}}]}]}`,
			"gcp.vertex.agent.llm_response": `{"content":{"role":"model","parts":[{"text":"next"},{"function_call":{"id":"b","name":"second","args":{"q":1}}}]}}`,
		}},
		"OpenAI's Responses": {attributes: object{
			"openinference.span.kind": "LLM", "llm.model_name": "m",
			"input.value":  `{"input":[{"role":"user","content":[{"type":"input_text","text":"task"}]},{"type":"function_call","id":"fc_1","call_id":"a","name":"first","arguments":"{}"},{"type":"function_call_output","call_id":"a","output":"ok"}]}`,
			"output.value": `{"id":"r","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"next"}]},{"type":"function_call","id":"fc_2","call_id":"b","name":"second","arguments":"{\"q\":1}"}]}`,
		}},
		"OpenAI's completions": {attributes: object{
			"openinference.span.kind": "LLM", "llm.model_name": "m",
			"input.value":  `{"model":"m","messages":[{"role":"user","content":"task"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"first","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"ok"}]}`,
			"output.value": `{"id":"c","choices":[{"index":0,"message":{"role":"assistant","content":"next","tool_calls":[{"id":"b","type":"function","function":{"name":"second","arguments":"{\"q\":1}"}}]}}]}`,
		}},
		"LangChain's serialisation": {attributes: object{
			"langsmith.span.kind": "llm", "gen_ai.operation.name": "chat", "gen_ai.request.model": "m",
			"gen_ai.prompt":     `{"messages":[[{"lc":1,"type":"constructor","id":["langchain","schema","messages","HumanMessage"],"kwargs":{"content":"task"}},{"lc":1,"id":["x","AIMessage"],"kwargs":{"content":"","tool_calls":[{"id":"a","name":"first","args":{}}]}},{"lc":1,"id":["x","ToolMessage"],"kwargs":{"content":"ok","tool_call_id":"a"}}]]}`,
			"gen_ai.completion": `{"generations":[[{"text":"next","generation_info":{},"type":"ChatGeneration","message":{"lc":1,"id":["x","AIMessageChunk"],"kwargs":{"content":"next","tool_calls":[{"id":"b","name":"second","args":{"q":1}}]}}}]]}`,
		}},
		"Vercel's AI SDK": {attributes: object{
			"ai.operationId": "ai.generateText.doGenerate", "gen_ai.request.model": "m",
			"ai.prompt.messages": `[{"role":"user","content":[{"type":"text","text":"task"}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"a","toolName":"first","output":"ok"}]}]`,
			"ai.response.text":   "next", "ai.response.toolCalls": `[{"toolCallId":"b","toolName":"second","input":"{\"q\":1}"}]`,
		}},
		"Anthropic's blocks": {attributes: object{
			"gen_ai.operation.name": "chat", "gen_ai.request.model": "m",
			"gen_ai.input.messages":  `[{"role":"user","content":"task"},{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"first","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"ok"}]}]`,
			"gen_ai.output.messages": `[{"role":"assistant","content":[{"type":"text","text":"next"},{"type":"tool_use","id":"b","name":"second","input":{"q":1}}]}]`,
		}},
	}
	for name, span := range tests {
		t.Run(name, func(t *testing.T) {
			got := read(t, span)
			assert.Equal(t, capture.SpanModel, got.Kind)
			assert.Equal(t, "m", got.Name)
			assert.JSONEq(t, `"task"`, string(got.Given))
			assert.Equal(t, []string{"next"}, got.Said)
			assert.Equal(t, []capture.SpanCall{{ID: "b", Name: "second", Arguments: memory.JSON(`{"q":1}`)}}, got.Calls)
			require.Len(t, got.Answers, 1)
			assert.Equal(t, []string{"a", `"ok"`}, []string{got.Answers[0].ID, string(got.Answers[0].Result)})
			assert.Contains(t, []string{"first", ""}, got.Answers[0].Name, "which not all say")
		})
	}
}

func TestUsageOfAllDialects(t *testing.T) {
	t.Parallel()
	read := func(attributes object) *capture.SpanUsage {
		attributes["gen_ai.operation.name"] = "chat"
		return read(t, written{attributes: attributes}).Usage
	}
	assert.Equal(t, &capture.SpanUsage{Input: 1200, Output: 35, Cost: .004}, read(object{"gen_ai.usage.input_tokens": 1200, "gen_ai.usage.output_tokens": 35, "operation.cost": .004}))
	assert.Equal(t, &capture.SpanUsage{Input: 7, Output: 8, Cost: .5}, read(object{"llm.token_count.prompt": 7, "llm.token_count.completion": "8", "llm.cost.total": .5}))
	assert.Equal(t, &capture.SpanUsage{Input: 7}, read(object{"gen_ai.usage.prompt_tokens": 7, "gen_ai.usage.completion_tokens": -1}))
	assert.Nil(t, read(object{"gen_ai.usage.input_tokens": "many", "gen_ai.usage.cost": .5}))
}

func TestKindsThatTellNothing(t *testing.T) {
	for name, span := range map[string]written{
		"a request":             {attributes: object{"http.request.method": "POST"}},
		"an embedding":          {attributes: object{"gen_ai.operation.name": "embeddings"}},
		"an embedding of texts": {attributes: object{"gen_ai.operation.name": "embeddings", "gen_ai.input.messages": `[{"role":"user","content":"x"}]`}},
		"a step of no kind":     {attributes: object{"gen_ai.operation.name": "turn", "input.value": "x"}},
		"an agent's creation":   {attributes: object{"gen_ai.operation.name": "create_agent", "gen_ai.agent.name": "x"}},
		"a prompt's template":   {parent: "eee19b7ec3c1b173", attributes: object{"langsmith.span.kind": "prompt", "gen_ai.operation.name": "chat", "gen_ai.prompt": `{"topic":"x"}`}},
		"a chain within":        {parent: "eee19b7ec3c1b173", attributes: object{"openinference.span.kind": "CHAIN", "input.value": "x"}},

		"an embedding for an agent":         {attributes: object{"gen_ai.operation.name": "embeddings", "agent_name": "x", "model_name": "m", "final_result": "y"}},
		"the creation of one, for its name": {attributes: object{"gen_ai.operation.name": "create_agent", "agent_name": "x", "model_name": "m", "logfire.msg": "x run"}},
		"a chain of an agent":               {parent: "eee19b7ec3c1b173", attributes: object{"openinference.span.kind": "CHAIN", "agent_name": "x", "model_name": "m"}},
		"names alone":                       {attributes: object{"agent_name": "x", "model_name": "m", "logfire.msg": "ready to run it"}},
	} {
		assert.Equal(t, capture.SpanOther, read(t, span).Kind, name)
	}
	for name, value := range map[string]any{"final_result": "y", "all_messages_events": "[]", "pydantic_ai.all_messages": "[]", "logfire.msg": "x run"} {
		assert.Equal(t, capture.SpanAgent, read(t, written{attributes: object{"agent_name": "x", "model_name": "m", name: value}}).Kind, name)
	}
	assert.Equal(t, capture.SpanWorkflow, read(t, written{name: "LangGraph", attributes: object{"openinference.span.kind": "CHAIN", "input.value": "x"}}).Kind)
}

func TestLongContentsAreCut(t *testing.T) {
	long := make([]byte, 200<<10)
	for i := range long {
		long[i] = 'x'
	}
	got := read(t, written{attributes: object{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "t", "gen_ai.tool.call.result": object{"page": string(long)}}})
	assert.Less(t, len(got.Gave), 66<<10)
	assert.True(t, json.Valid(got.Gave))
}

// What a tool got and gave is kept as text where it nests deeper than a decoder of it would follow.
func TestDeepValuesAreText(t *testing.T) {
	lists := func(depth int) string { return strings.Repeat("[", depth) + strings.Repeat("]", depth) }
	objects := func(depth int) map[string]any {
		inner := map[string]any{"a": "innermost"}
		for range depth - 1 {
			inner = map[string]any{"a": inner}
		}
		return inner
	}
	call := func(arguments string) string {
		return `[{"role":"assistant","parts":[{"type":"tool_call","name":"x","arguments":` + arguments + `}]}]`
	}
	for _, depth := range []int{1, memory.SpanJSON.Depth, memory.SpanJSON.Depth + 1, 900, 9_998, 9_999, 30_000} {
		span := read(t, written{name: "execute_tool x", parent: "eee19b7ec3c1b173", attributes: map[string]any{
			"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.arguments": lists(depth), "gen_ai.tool.call.result": lists(depth),
		}})
		for _, kept := range []memory.JSON{span.Given, span.Gave} {
			require.NoError(t, memory.SpanJSON.Check("", kept))
			if depth <= memory.SpanJSON.Depth {
				assert.Equal(t, lists(depth), string(kept))
			} else {
				assert.Equal(t, `"`+lists(depth)+`"`, string(kept))
			}
		}
	}
	span := read(t, written{name: "chat m", attributes: map[string]any{"gen_ai.operation.name": "chat", "gen_ai.output.messages": call(lists(500))}})
	require.Len(t, span.Calls, 1)
	assert.Equal(t, `"`+lists(500)+`"`, string(span.Calls[0].Arguments), "the call is still known")
	span = read(t, written{name: "execute_tool x", attributes: map[string]any{
		"gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.arguments": objects(200),
	}})
	require.NoError(t, memory.SpanJSON.Check("", span.Given))
	assert.Contains(t, string(span.Given), "innermost")
}

// The one argument of a function is what was asked only where it has no other.
func TestArgumentsInWords(t *testing.T) {
	for given, want := range map[string]string{
		`{"args":["Refund it."],"kwargs":{}}`:                                    "Refund it.",
		`{"args":["C-17"],"kwargs":{"question":"May I have a refund?"}}`:         "May I have a refund?",
		`{"args":["--verbose"],"question":"What?"}`:                              "What?",
		`{"args":[""],"kwargs":{"question":"x"}}`:                                "x",
		`{"args":["--verbose"],"kwargs":{},"question":"What?"}`:                  "What?",
		`{"args":[],"kwargs":{"customer":"C-17","query":"May I?"}}`:              "May I?",
		`{"args":["C-17"],"kwargs":{"order":"17"}}`:                              `{"args":["C-17"],"kwargs":{"order":"17"}}`,
		`{"args":[" "],"kwargs":{}}`:                                             `{"args":[" "],"kwargs":{}}`,
		`{"args":["a","b"],"kwargs":{}}`:                                         `{"args":["a","b"],"kwargs":{}}`,
		`{"args":["--verbose"]}`:                                                 `{"args":["--verbose"]}`,
		`{"args":["C-17"],"kwargs":{"question":"May I?"},"input":"At the top."}`: "At the top.",
	} {
		got := read(t, written{attributes: object{"traceloop.span.kind": "agent", "traceloop.entity.name": "helper", "traceloop.entity.input": given}})
		assert.Equal(t, want, memory.JSONText(got.Given), given)
	}
}
