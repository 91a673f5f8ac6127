package otlp_test

import (
	"encoding/base64"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/capture"
)

// pictureData are bytes as they are written into JSON.
var pictureData = func() string {
	data, source := make([]byte, 4096), rand.New(rand.NewPCG(1, 2))
	for i := range data {
		data[i] = byte(source.Uint32())
	}
	return base64.StdEncoding.EncodeToString(data)
}()

// asking is a span of a model that was asked something.
func asking(messages string) written {
	return written{attributes: object{"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.input.messages": messages}}
}

// Files are named by their type, in whatever way a client writes them, and their data left out.
func TestFilesInMessages(t *testing.T) {
	for name, part := range map[string]string{
		"GenAI":                `{"type":"blob","modality":"image","mime_type":"image/png","content":"DATA"}`,
		"GenAI, at an address": `{"type":"uri","modality":"image","mime_type":"image/png","uri":"https://example.com/x"}`,
		"GenAI, uploaded":      `{"type":"file","modality":"image","mime_type":"image/png","file_id":"f"}`,
		"Pydantic AI 2":        `{"type":"binary","media_type":"image/png","content":"DATA"}`,
		"OpenAI":               `{"type":"image_url","image_url":{"url":"data:image/png;base64,DATA"}}`,
		"OpenAI's Responses":   `{"type":"input_image","image_url":"data:image/png;base64,DATA"}`,
		"Anthropic":            `{"type":"image","source":{"type":"base64","media_type":"image/png","data":"DATA"}}`,
		"Gemini":               `{"inline_data":{"mime_type":"image/png","data":"DATA"}}`,
		"Vercel's AI SDK":      `{"type":"file","mediaType":"image/png","data":"DATA"}`,
		"OpenInference":        `{"message_content":{"type":"image","image":{"image":{"url":"data:image/png;base64,DATA"}}}}`,
		"as a text":            `{"type":"text","text":"data:image/png;base64,DATA"}`,
	} {
		for _, messages := range []string{
			`[{"role":"user","content":[` + part + `,{"type":"text","text":"What is this?"}]}]`,
			`[{"role":"user","content":[{"type":"text","text":"What is this?"},` + part + `]}]`,
		} {
			got := read(t, asking(strings.ReplaceAll(messages, "DATA", pictureData)))
			assert.Equal(t, "What is this?\n[image/png]", memory.JSONText(got.Given), name)
		}
	}
	for part, want := range map[string]string{
		`{"type":"input_audio","input_audio":{"data":"DATA","format":"wav"}}`: "[audio]",
		`{"type":"document","source":{"type":"file","file_id":"f"}}`:          "[document]",
		`{"image":{"format":"png","source":{"bytes":"DATA"}}}`:                "[image]",
		`{"type":"blob","modality":"video","content":"DATA"}`:                 "[video]",
		`{"type":"text","text":"DATA"}`:                                       "[binary]",
	} {
		got := read(t, asking(strings.ReplaceAll(`[{"role":"user","content":[`+part+`]}]`, "DATA", pictureData)))
		assert.Equal(t, want, memory.JSONText(got.Given), part)
	}
}

// A tool's arguments and results keep their form without the data of files.
func TestFilesOfTools(t *testing.T) {
	got := read(t, written{attributes: object{
		"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "screenshot",
		"gen_ai.tool.call.arguments": `{"previous":"data:image/jpeg;base64,` + pictureData + `","path":"a/b.png"}`,
		"gen_ai.tool.call.result":    `{"shot":{"data":"` + pictureData + `","mimeType":"image/png"}}`,
	}})
	assert.JSONEq(t, `{"previous":"[image/jpeg]","path":"a/b.png"}`, string(got.Given))
	assert.JSONEq(t, `{"shot":{"data":"[image/png]","mimeType":"image/png"}}`, string(got.Gave))
	for gave, want := range map[string]string{
		`{"isError":false,"content":[{"type":"image","data":"DATA","mimeType":"image/png"},{"type":"text","text":"done"}]}`: `"done\n[image/png]"`,
		`{"isError":true,"content":[{"type":"text","text":"no"}]}`:                                                          `{"isError":true,"content":[{"type":"text","text":"no"}]}`,
		`[{"type":"text","text":"{\"a\":1}"}]`:                                                                              `{"a":1}`,
		`"in quotes"`:                                                                                                       `"in quotes"`, `"in quotes`: `"\"in quotes"`,
		`{"blocks":[{"text":"done"}],"is_error":false,"raw_input":{"args":[],"kwargs":{"q":1}}}`: `"done"`,
		`{"args":[],"kwargs":{"q":1}}`: `{"q":1}`, `{"kwargs":{"q":1}}`: `{"q":1}`, `{"args":[1],"kwargs":{"q":1}}`: `{"args":[1],"kwargs":{"q":1}}`,
	} {
		got := read(t, written{attributes: object{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "x", "gen_ai.tool.call.result": strings.ReplaceAll(gave, "DATA", pictureData)}})
		assert.JSONEq(t, want, string(got.Gave), gave)
	}
}

// Text that is JSON is what was said, wherever it stands and whatever fields it has.
func TestTextsThatAreJSON(t *testing.T) {
	for _, said := range []string{
		`{"total": 412.75, "currency": "EUR"}`, `[1, 2]`, `[]`, `{}`, `"quoted"`, `[{"type":"Pump","text":"x"}]`, `{"text":"x","answer":"y"}`, `{"role":"nurse","name":"Ann"}`,
	} {
		quoted := string(must(memory.JSONOf(said)))
		for name, span := range map[string]written{
			"attributes": {attributes: object{"gen_ai.output.messages": `[{"role":"assistant","parts":[{"type":"text","content":` + quoted + `}]}]`}},
			"content":    {attributes: object{"gen_ai.output.messages": `[{"role":"assistant","content":` + quoted + `}]`}},
			"names":      {attributes: object{"gen_ai.completion.0.role": "assistant", "gen_ai.completion.0.content": said}},
			"names too":  {attributes: object{"llm.output_messages.0.message.role": "assistant", "llm.output_messages.0.message.content": said}},
			"an event":   {events: []event{{"gen_ai.choice", object{"message": said}}}},
			"a message":  {events: []event{{"gen_ai.choice", object{"message": `{"role":"assistant","content":` + quoted + `}`}}}},
			"LangChain":  {attributes: object{"gen_ai.completion": `{"generations":[[{"text":` + quoted + `,"message":{"lc":1,"id":["x","AIMessage"],"kwargs":{"content":` + quoted + `}}}]]}`}},
		} {
			if span.attributes == nil {
				span.attributes = object{}
			}
			span.attributes["gen_ai.operation.name"] = "chat"
			assert.Equal(t, []string{said}, read(t, span).Said, name)
		}
		for name, attributes := range map[string]object{
			"Pydantic AI": {"gen_ai.operation.name": "invoke_agent", "final_result": said},
			"Vercel":      {"ai.operationId": "ai.generateText", "ai.response.text": said},
		} {
			assert.Equal(t, said, memory.JSONText(read(t, written{attributes: attributes}).Gave), name)
		}
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// SDKs cut attributes at a limit, in the middle of JSON. What can be read of it is.
func TestJSONThatBreaksOff(t *testing.T) {
	const messages = `[{"role":"system","parts":[{"type":"text","content":"Be kind."}]},{"role":"user","parts":[{"type":"text","content":"Where is \"parcel\" 17 é😀?"}]},{"role":"assistant","parts":[{"type":"tool_call","id":"a","name":"track","arguments":{"parcel":17}}]}]`
	const asked = `Where is "parcel" 17 é😀?`
	for at := strings.Index(messages, "Where") + 5; at < len(messages); at++ {
		got := read(t, asking(strings.ToValidUTF8(messages[:at], "")))
		given := memory.JSONText(got.Given)
		require.NotEmpty(t, given, messages[:at])
		if given != asked {
			require.True(t, strings.HasPrefix(asked, strings.TrimSuffix(given, "…")) && strings.HasSuffix(given, "…"), "%s of %s", given, messages[:at])
		}
	}
	escaped := strings.ReplaceAll(messages, "é😀", `\u00e9\ud83d\ude00`)
	for at := strings.Index(escaped, "17") + 2; at < strings.Index(escaped, `?"}`); at++ {
		assert.Contains(t, memory.JSONText(read(t, asking(escaped[:at])).Given), `Where is "parcel" 17`, escaped[:at])
	}
	for given, want := range map[string]string{
		`{"input": "What is `: "What is …", `{"query":"May I?","state":{"a":[1,2`: "May I?",
		`{"steps": 17, "dep`: `{"steps": 17, "dep`, `[sic] What?`: `[sic] What?`, `{curly} What?`: `{curly} What?`, `[1, 2] and so on`: `[1, 2] and so on`,
	} {
		got := read(t, written{attributes: object{"openinference.span.kind": "AGENT", "input.value": given}})
		assert.Equal(t, want, memory.JSONText(got.Given), given)
	}
	for gave, want := range map[string]string{
		`{"output":{"lc":1,"type":"constructor","id":["x","ToolMessage"],"kwargs":{"content":"in Ly`: `"in Ly…"`,
		`{"status":"in Ly`: `"{\"status\":\"in Ly"`, // what is no message is a text
	} {
		got := read(t, written{attributes: object{"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "x", "gen_ai.tool.call.result": gave}})
		assert.JSONEq(t, want, string(got.Gave), gave)
	}
}

// What models were told of calls is known by the call, and calls too where the answer that wanted them is not there.
func TestCallsInInputs(t *testing.T) {
	got := read(t, asking(`[{"role":"user","content":"before"},{"role":"assistant","tool_calls":[{"id":"old","function":{"name":"x","arguments":"{}"}}]},{"role":"tool","tool_call_id":"old","content":"y"},
		{"role":"user","content":"task"},{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"first","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":"1"},
		{"role":"assistant","tool_calls":[{"id":"b","function":{"name":"second","arguments":"{\"q\":1}"}},{"id":"c","function":{"name":"third","arguments":"{}"}}]},
		{"role":"tool","tool_call_id":"b","content":"2"},{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"3"}]}]`))
	assert.Empty(t, got.Calls)
	assert.Equal(t, []capture.SpanCall{
		{ID: "b", Name: "second", Arguments: memory.JSON(`{"q":1}`), Result: memory.JSON(`"2"`)},
		{ID: "c", Name: "third", Arguments: memory.JSON(`{}`), Result: memory.JSON(`"3"`)},
	}, got.Answers, "of the last turn, since the model spoke")
	assert.Equal(t, "task", memory.JSONText(got.Given))
}

// Some instrumentations of Python print the message instead of its text.
func TestMessagesThatPythonPrints(t *testing.T) {
	printed := string(must(memory.JSONOf(`{'content': "It's \"here\"\n\xe9", 'refusal': None, 'role': 'assistant', 'tool_calls': [{'id': 'c', 'function': {'arguments': '{"parcel": 17}', 'name': 'track'}, 'last': True}]}`)))
	got := read(t, written{attributes: object{
		"gen_ai.operation.name": "chat", "gen_ai.output.messages": `[{"role":"assistant","parts":[{"type":"text","content":` + printed + `}]}]`,
	}})
	assert.Equal(t, []string{"It's \"here\"\n\u00e9"}, got.Said)
	assert.Equal(t, []capture.SpanCall{{ID: "c", Name: "track", Arguments: memory.JSON(`{"parcel":17}`)}}, got.Calls)
	for _, said := range []string{`{'a': 1}`, `{'role': 'assistant', 'content': 'x`, `{'role': 'nurse'}`} {
		quoted := string(must(memory.JSONOf(said)))
		got := read(t, written{attributes: object{"gen_ai.operation.name": "chat", "gen_ai.output.messages": `[{"role":"assistant","content":` + quoted + `}]`}})
		assert.Equal(t, []string{said}, got.Said)
	}
}

func TestOperationsThatNobodyKnows(t *testing.T) {
	for _, operation := range []string{"acompletion", "responses", "anthropic_messages", "respond"} {
		got := read(t, written{attributes: object{
			"gen_ai.operation.name": operation, "gen_ai.input.messages": `[{"role":"user","content":"task"}]`, "gen_ai.output.messages": `[{"role":"assistant","content":"done"}]`,
		}})
		assert.Equal(t, capture.SpanModel, got.Kind)
		assert.Equal(t, []string{"done"}, got.Said)
	}
}
