package mcpserver

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
)

func TestArguments(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		`"title":null`: "", `"thoughts":null`: "", `"metadata":null`: "", `"outcome":null`: "", `"startedAt":null`: "",
		`"agentId":null`: "agentId: is missing", `"actions":[{}]`: "actions.0.stepName: is missing",
		`"thoughts":["a",null]`: "thoughts.1: must be a string, not null", `"title":1e400`: "title: must be a string, not a number",
		`"quality":1e400`: "quality: is too large a number", `"embedding":[1,-1e999999999]`: "embedding.1: is too large a number", `"quality":1e-400`: "",
		`"metadata":{"a":9007199254740993,"b":1e400,"c":null,"a":2}`: "", `"metadata":[null,{"at":"12:00:60z"}]`: "",
		`"Title":"x"`: "Title: is not known here", `"agentID":"x"`: "agentID: is not known here", `"":1`: "is not known here", `"my password":1`: "is not known here",
		`"title":1,"title":"x"`: "", `"title":"x","title":1`: "title: must be a string, not a number",
		`"startedAt":"2026-03-01t12:00:00.5z"`: "", `"startedAt":"2026-03-01"`: "", `"thoughts":"[\"a\"]"`: "", `"thoughts":"a"`: "thoughts: must be a list, not a string",
		`"thoughts":"[1]"`: "thoughts.0: must be a string, not a number", `"quality":"0.5"`: "", `"quality":"half"`: "quality: must be a number, not a string", `"startedAt":""`: "startedAt: must be an RFC 3339 time",
		`"metadata":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000): "",
	} {
		var in boundary.RecordEpisodeInput
		saysOf(t, want, readArguments(schemaOf[boundary.RecordEpisodeInput](known), json.RawMessage(`{"agentId":"a","observation":"o",`+sent+`}`), &in), sent)
	}
	for sent, want := range map[string]string{
		``: "id: is missing", ` null `: "id: is missing", `5`: "must be an object, not a number", `[{}]`: "must be an object, not a list", `{`: "not a JSON object",
		`{"id":"i","first":1.0}`: "", `{"id":"i","first":1e2}`: "", `{"id":"i","first":-0}`: "", `{"id":"i","first":1.5}`: "first: must be a whole number",
		`{"id":"i","first":9223372036854775808}`: "first: must be a whole number", `{"id":"i","first":9007199254740993}`: "",
	} {
		var in memoirInspectInput
		saysOf(t, want, readArguments(schemaOf[memoirInspectInput](known), json.RawMessage(sent), &in), sent)
	}
	var in boundary.RecordEpisodeInput
	require.NoError(t, readArguments(schemaOf[boundary.RecordEpisodeInput](known), json.RawMessage(`{"agentId":"a","observation":"o","metadata":{"b":9007199254740993,"a":1e400}}`), &in))
	assert.Equal(t, `{"a":1e400,"b":9007199254740993}`, string(in.Metadata), "numbers of free JSON stay as they were sent")

	var paged memoirInspectInput
	require.NoError(t, readArguments(schemaOf[memoirInspectInput](known), json.RawMessage(`{"id":"i","first":1.2e1}`), &paged))
	assert.Equal(t, 12, *paged.First, "as JSON Schema counts whole numbers")

	in = boundary.RecordEpisodeInput{}
	require.NoError(t, readArguments(schemaOf[boundary.RecordEpisodeInput](known), json.RawMessage(`{"agentId":"a","observation":"o",
		"actions":[{"stepName":"first","result":"nobody looks at this"}],"actions":[{"stepName":"last"}]}`), &in))
	require.Len(t, in.Actions, 1)
	assert.Equal(t, "last", in.Actions[0].StepName)
	assert.Empty(t, in.Actions[0].Result, "of a list sent twice nothing of the first is left")
}

// Models write an object as a text where a schema names no type. Of what is read by its fields it is the object.
func TestObjectsInTexts(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		`"{\"result\": \"Done\"}"`: `{"result":"Done"}`, `" {\"n\":9007199254740993,\"n\":1e400} "`: `{"n":1e400}`,
		`"Done"`: `"Done"`, `"{Done}"`: `"{Done}"`, `"{} {}"`: `"{} {}"`, `"[1]"`: `"[1]"`, `"null"`: `"null"`, `""`: `""`, `[1]`: `[1]`,
	} {
		var run boundary.CaptureRunInput
		require.NoError(t, readArguments(schemaOf[boundary.CaptureRunInput](known), json.RawMessage(`{"runId":"r","agentId":"a","metadata":`+sent+`,
			"events":[{"type":"workflow_completed","at":"2026-03-01T12:00:00Z","data":`+sent+`}]}`), &run))
		assert.Equal(t, want, string(run.Events[0].Data))
		assert.Equal(t, want, string(run.Metadata))
		var verdict boundary.RecordVerdictInput
		require.NoError(t, readArguments(schemaOf[boundary.RecordVerdictInput](known), json.RawMessage(`{"runId":"r","sectionId":"s","sectionType":"t",
			"iteration":0,"status":"APPROVE","context":`+sent+`,"plan":`+sent+`}`), &verdict))
		assert.Equal(t, want, string(verdict.Context))
		if sent[0] == '"' {
			assert.Equal(t, byte('"'), verdict.Plan[0], "what nobody looks into stays as it was sent")
		}
	}
}

// An object beyond the bounds of JSON is refused where it is sent as one. As a text it is kept.
func TestObjectsInTextsBeyondTheBounds(t *testing.T) {
	t.Parallel()
	nested := func(depth int) string { return strings.Repeat(`{"a":`, depth) + "1" + strings.Repeat("}", depth) }
	keys := func(count int) string { return `{"":0` + strings.Repeat(`,"":0`, count-1) + "}" }
	for text, unpacked := range map[string]bool{nested(64): true, nested(65): false, nested(5000): false, keys(10_000): true, keys(10_001): false} {
		sent, err := json.Marshal(text)
		require.NoError(t, err)
		var in boundary.RecordEpisodeInput
		require.NoError(t, readArguments(schemaOf[boundary.RecordEpisodeInput](known), json.RawMessage(`{"agentId":"a","observation":"o","metadata":`+string(sent)+`}`), &in))
		require.NoError(t, memory.InputJSON.Check("metadata", in.Metadata))
		assert.Equal(t, unpacked, in.Metadata[0] == '{')
		if !unpacked {
			assert.Equal(t, string(sent), string(in.Metadata))
		}
	}
}

func saysOf(t *testing.T, want string, err error, sent string) {
	t.Helper()
	if want == "" {
		assert.NoError(t, err, sent)
		return
	}
	assert.ErrorContains(t, err, want, sent)
}

// What checkValue lets through is what the schema says, as a validator of JSON Schema reads it: whatever is put in the
// place of whatever argument of whatever tool, and also where a host sends it as a text of JSON.
func TestCheckAgreesWithTheSchemas(t *testing.T) {
	t.Parallel()
	here, there := mcp.NewInMemoryTransports()
	_, err := New(service.New(nil), Options{Log: slog.New(slog.DiscardHandler)}).Connect(t.Context(), there, nil)
	require.NoError(t, err)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close() })
	list, err := client.ListTools(t.Context(), nil)
	require.NoError(t, err)
	refused, taken := 0, 0
	for _, tool := range list.Tools {
		var schema jsonschema.Schema
		read(t, tool.InputSchema, &schema, false)
		resolved, err := schema.Resolve(nil)
		require.NoError(t, err)
		for _, sent := range variants(&schema) {
			var plain, counted any
			read(t, sent, &plain, false)
			read(t, sent, &counted, true)
			right := resolved.Validate(plain) == nil
			_, fault := checkValue(&schema, counted, "")
			assert.Equal(t, right, fault == nil, "%s: %v", tool.Name, sent)
			var texts any
			read(t, asTexts(t, &schema, sent), &texts, true)
			_, fault = checkValue(&schema, texts, "")
			assert.Equal(t, right, fault == nil, "%s: %v", tool.Name, texts)
			if right {
				assert.Equal(t, counted, texts, "%s: %v, sent as texts", tool.Name, sent)
			}
			if taken++; !right {
				refused++
			}
		}
	}
	assert.Greater(t, refused, 1000)
	assert.Greater(t, taken-refused, 300)
}

// asTexts is a call's arguments as hosts send them that make a text of whatever is none.
func asTexts(t *testing.T, schema *jsonschema.Schema, sent any) any {
	t.Helper()
	arguments, ok := sent.(map[string]any)
	if !ok {
		return sent
	}
	texts := map[string]any{}
	for name, value := range arguments {
		texts[name] = value
		property := schema.Properties[name]
		if _, ok := value.(string); ok || property == nil || property.Type == "" || property.Type == "string" {
			continue
		}
		text, err := json.Marshal(asTexts(t, property, value))
		require.NoError(t, err)
		texts[name] = string(text)
	}
	return texts
}

// read takes a value through JSON, with numbers as check sees them or as the validator does.
func read(t *testing.T, value, into any, counted bool) {
	t.Helper()
	text, err := json.Marshal(value)
	require.NoError(t, err)
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	if counted {
		decoder.UseNumber()
	}
	require.NoError(t, decoder.Decode(into))
}

// variants are values for a place of a schema, right and wrong ones, the first a right one.
func variants(of *jsonschema.Schema) (all []any) {
	type object = map[string]any
	whole := object{}
	for name, property := range of.Properties {
		whole[name] = variants(property)[0]
	}
	switch {
	case len(of.Enum) > 0:
		all = []any{of.Enum[0]}
	case of.Format == "date-time":
		return []any{"2026-03-01T12:00:00Z", 1, true, object{}, []any{}} // the validator reads no formats
	case of.Type == "array":
		for _, item := range variants(of.Items) {
			all = append(all, []any{item}, []any{variants(of.Items)[0], item})
		}
		all = append(all, []any{nil})
	case of.Type == "object":
		all = []any{whole}
		for name, property := range of.Properties {
			for i, value := range append(variants(property), nil) {
				other := object{"more": 1}
				for same := range whole {
					other[same] = whole[same]
				}
				if i > 0 {
					delete(other, "more")
				}
				if other[name] = value; value == nil {
					delete(other, name)
				}
				all = append(all, other)
			}
		}
	case of.Type != "":
		all = []any{map[string]any{"string": "x", "boolean": true, "integer": 2, "number": 2.5}[of.Type]}
	}
	return append(all, "x", 1, 2.5, true, object{}, []any{}, object{"x": 1}, []any{1})
}
