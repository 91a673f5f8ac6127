package otlp

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"mneme/memory/capture"
)

func words(name string, value *common.AnyValue) *common.KeyValue {
	return &common.KeyValue{Key: name, Value: value}
}

func word(text string) *common.AnyValue {
	return &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: text}}
}

func listOf(values ...*common.AnyValue) *common.AnyValue {
	return &common.AnyValue{Value: &common.AnyValue_ArrayValue{ArrayValue: &common.ArrayValue{Values: values}}}
}

func objectOf(pairs ...*common.KeyValue) *common.AnyValue {
	return &common.AnyValue{Value: &common.AnyValue_KvlistValue{KvlistValue: &common.KeyValueList{Values: pairs}}}
}

// nested is a list that many others lie around.
func nested(levels int) *common.AnyValue {
	value := word("deep")
	for range levels {
		value = listOf(value)
	}
	return value
}

func spanWith(id byte, attributes ...*common.KeyValue) *trace.Span {
	return &trace.Span{
		TraceId: bytes.Repeat([]byte{7}, 16), SpanId: bytes.Repeat([]byte{id}, 8), Name: "chat", StartTimeUnixNano: 1, EndTimeUnixNano: 2,
		Attributes: append(attributes, words("gen_ai.operation.name", word("chat"))),
	}
}

func request(of *resource.Resource, spans ...*trace.Span) *trace.TracesData {
	return &trace.TracesData{ResourceSpans: []*trace.ResourceSpans{{
		Resource: of, SchemaUrl: "s", ScopeSpans: []*trace.ScopeSpans{{Scope: &common.InstrumentationScope{Name: "lib"}, Spans: spans}},
	}}}
}

// telling uses most of what a request can say.
func telling() *trace.TracesData {
	span := spanWith(8, words("gen_ai.prompt.0.role", word("user")), words("gen_ai.prompt.0.content", word("Hm?")),
		words("gen_ai.input.messages", listOf(objectOf(words("role", word("user")), words("content", word("What?"))))),
		words("none", nil), words("bytes", &common.AnyValue{Value: &common.AnyValue_BytesValue{BytesValue: []byte{1}}}))
	span.Events = []*trace.Span_Event{{Name: "exception", Attributes: []*common.KeyValue{words("exception.message", word("no"))}}}
	span.Links = []*trace.Span_Link{{TraceId: span.GetTraceId(), Attributes: []*common.KeyValue{words("a", nested(3))}}}
	span.Status = &trace.Status{Code: trace.Status_STATUS_CODE_ERROR}
	of := &resource.Resource{
		Attributes: []*common.KeyValue{words("service.name", word("shop"))},
		EntityRefs: []*common.EntityRef{{Type: "service", IdKeys: []string{"service.name", ""}}},
	}
	both := request(of, span, spanWith(9), &trace.Span{})
	both.ResourceSpans = append(both.ResourceSpans, request(nil, spanWith(10)).GetResourceSpans()...)
	return both
}

func inBoth(t testing.TB, message proto.Message) map[string][]byte {
	binary, err := proto.Marshal(message)
	require.NoError(t, err)
	text, err := protojson.Marshal(message)
	require.NoError(t, err)
	return map[string][]byte{"protobuf": binary, "JSON": text}
}

func formOfName(name string) form {
	if name == "JSON" {
		return formJSON
	}
	return formProtobuf
}

func TestReadRequest(t *testing.T) {
	for name, body := range inBoth(t, telling()) {
		t.Run(name, func(t *testing.T) {
			read, err := readRequest(t.Context(), formOfName(name), body)
			require.NoError(t, err)
			assert.Len(t, read.spans, 3)
			assert.Equal(t, 1, read.faulty)
			assert.Equal(t, "shop", read.spans[1].Span.Labels[capture.LabelService])
		})
	}
}

// Exporters cut long texts in the middle of a character. No span of a request is lost for it, nor the rest of the text.
func TestTextsThatWereCut(t *testing.T) {
	const text = `Mend \ud83d CUT`
	wants := map[string]map[string]string{
		"protobuf": {"\xf0\x9f\x98": "???", "\xed\xa0\xbd": "???", "\xff\xc3\xa9": "?é"},
		"JSON": {
			`\ud83d`: "\ufffd", `\uD83D\ud83d`: "\ufffd\ufffd", `\ude00\ud83d\uDE00`: "\ufffd😀", `\ud83dA\u0041`: "\ufffdAA", `\\\ud83d`: `\` + "\ufffd",
		},
	}
	for name, body := range inBoth(t, request(nil, spanWith(8, words("cut", word(text))), spanWith(9))) {
		for cut, want := range wants[name] {
			sent := bytes.Replace(body, []byte("CUT"), []byte(cut), 1)
			var read trace.TracesData
			decode := map[string]func([]byte, proto.Message) error{"protobuf": fromProtobuf, "JSON": fromJSON}[name]
			require.NoError(t, decode(sent, &read), "%s: %q", name, cut)
			require.Len(t, read.GetResourceSpans()[0].GetScopeSpans()[0].GetSpans(), 2)
			attributes := read.GetResourceSpans()[0].GetScopeSpans()[0].GetSpans()[0].GetAttributes()
			assert.Equal(t, strings.Replace(text, "CUT", want, 1), attributes[0].GetValue().GetStringValue(), "%s: %q", name, cut)
		}
	}
}

func FuzzProtobuf(f *testing.F) {
	f.Add(inBoth(f, telling())["protobuf"])
	f.Add(inBoth(f, request(nil, spanWith(1, words("a", nested(40)))))["protobuf"])
	f.Add([]byte("\x0a\x06\x12\x04\x12\x00\x12\x00"))                  // empty spans
	f.Add([]byte("\x0a\x08\x12\x02\x12\x00\x0a\x02\x10\x01"))          // the resource behind its scopes
	f.Add([]byte("\x08\x01\x0b\x0c\x0a\x02\x18\x01\x0a\x03\x1a\x01a")) // other types, and a group
	f.Fuzz(func(t *testing.T, body []byte) { _, _ = readRequest(t.Context(), formProtobuf, bytes.Clone(body)) })
}

func FuzzJSON(f *testing.F) {
	f.Add(inBoth(f, telling())["JSON"])
	f.Add(inBoth(f, request(nil, spanWith(1, words("a", nested(40)))))["JSON"])
	for _, text := range []string{
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{},{ } , {"attributes":[{}]}]}],"resource":{}}]}`, `{"resource_spans":[{}],"resourceSpans":[]}`,
		`{"resource\u0053pans":null,"x":[[1,"]",{"\"":[]}],-1e5]}`, `{"resourceSpans":[null]}`, `{"resourceSpans":[1,[]]}`, ` [] `, `{"resourceSpans":{}}`,
		`{"x":1e}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, body []byte) { _, _ = readRequest(t.Context(), formJSON, body) })
}

// lengthy is a message with a length, as a field of another.
func lengthy(number protowire.Number, content []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
}

// around puts spans into a request.
func around(spans []byte) []byte { return lengthy(1, lengthy(2, spans)) }

// bombs are small when they are packed, and hundreds of MiB when they are built.
func bombs() map[string][]byte {
	const most = 2 << 20
	pair := func(value []byte) []byte { return lengthy(9, append(lengthy(1, []byte("a")), lengthy(2, value)...)) }
	deep := []byte{}
	for range 2 * maxNesting {
		deep = lengthy(5, lengthy(1, deep))
	}
	deepJSON := strings.Repeat(`{"arrayValue":{"values":[`, 2*maxNesting) + strings.Repeat(`]}}`, 2*maxNesting)
	inJSON := func(spans string) []byte {
		return []byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[` + spans + `]}]}]}`)
	}
	fill := func(item string, list string) string {
		return strings.TrimSuffix(strings.Repeat(item+",", most/(len(item)+1)), ",") + list
	}
	least, _ := proto.Marshal(&trace.Span{TraceId: bytes.Repeat([]byte{7}, 16), SpanId: bytes.Repeat([]byte{8}, 8), StartTimeUnixNano: 1, EndTimeUnixNano: 2})
	return map[string][]byte{
		"protobuf least":      around(bytes.Repeat(lengthy(2, least), 349_500)),
		"JSON least":          inJSON(strings.Repeat(`{"traceId":"0000000000000000000000000000000a","spanId":"000000000000000b","startTimeUnixNano":1,"endTimeUnixNano":2},`, 70_000) + "{}"),
		"protobuf spans":      around(bytes.Repeat([]byte{0x12, 0}, most/2)),
		"protobuf scopes":     lengthy(1, bytes.Repeat([]byte{0x12, 0}, most/2)),
		"protobuf resources":  bytes.Repeat([]byte{0x0a, 0}, most/2),
		"protobuf attributes": around(lengthy(2, bytes.Repeat([]byte{0x4a, 0}, most/2))),
		"protobuf events":     around(lengthy(2, bytes.Repeat([]byte{0x5a, 0}, most/2))),
		"protobuf links":      around(lengthy(2, bytes.Repeat([]byte{0x6a, 0}, most/2))),
		"protobuf values":     around(lengthy(2, pair(lengthy(5, bytes.Repeat([]byte{0x0a, 0}, most/2))))),
		"protobuf depth":      around(bytes.Repeat(lengthy(2, pair(deep)), most/len(deep)/2)),
		"protobuf keys":       lengthy(1, lengthy(1, lengthy(3, bytes.Repeat([]byte{0x1a, 0}, most/2)))),
		"JSON spans":          inJSON(fill(`{}`, "")),
		"JSON scopes":         []byte(`{"resourceSpans":[{"scopeSpans":[` + fill(`{}`, "") + `]}]}`),
		"JSON resources":      []byte(`{"resourceSpans":[` + fill(`{}`, "") + `]}`),
		"JSON attributes":     inJSON(`{"attributes":[` + fill(`{}`, "]}")),
		"JSON events":         inJSON(`{"events":[` + fill(`{}`, "]}")),
		"JSON values":         inJSON(`{"attributes":[{"key":"a","value":{"arrayValue":{"values":[` + fill(`{}`, "]}}}]}")),
		"JSON depth":          inJSON(fill(`{"attributes":[{"key":"a","value":`+deepJSON+`}]}`, "")),
		"JSON keys":           []byte(`{"resourceSpans":[{"resource":{"entityRefs":[{"idKeys":[` + fill(`""`, "") + `]}]}}]}`),
		"JSON unknown":        []byte(`{"x":[` + fill(`0`, "") + `]}`),
		"JSON in a text":      inJSON(`{"traceId":"0000000000000000000000000000000a","spanId":"000000000000000b","startTimeUnixNano":1,"endTimeUnixNano":2,"attributes":[{"key":"gen_ai.input.messages","value":{"stringValue":"[` + fill(`{}`, `]"}}]}`)),
	}
}

// What is set aside for a bomb is bounded.
func TestBombs(t *testing.T) {
	for name, body := range bombs() {
		t.Run(name, func(t *testing.T) {
			how, _, _ := strings.Cut(name, " ")
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := readRequest(t.Context(), formOfName(how), body)
			runtime.ReadMemStats(&after)
			assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(128<<20))
			if err != nil {
				assert.Equal(t, errTooMany, err)
			}
		})
	}
}

// Each span has the labels of its resource: a few bytes, however long the resource's text is.
func TestTextsOfAResourceAreShared(t *testing.T) {
	spans := make([]*trace.Span, 1000)
	for i := range spans {
		spans[i] = spanWith(1)
	}
	for form, body := range inBoth(t, request(&resource.Resource{Attributes: []*common.KeyValue{words("service.name", word(strings.Repeat("long", 1<<18)))}}, spans...)) {
		read, err := readRequest(t.Context(), formOfName(form), body)
		require.NoError(t, err)
		assert.Len(t, read.spans, 1000)
		assert.Len(t, read.spans[0].Span.Labels[capture.LabelService], maxLabel)
	}
}

// A name of many parts makes a node of each.
func TestTreesOfNamesAreBounded(t *testing.T) {
	a := attributes{}
	for i := range maxNodes {
		a[fmt.Sprintf("gen_ai.prompt.%d.%srole", i, strings.Repeat("a.", 20))] = word("user")
	}
	assert.Nil(t, a.tree("gen_ai.prompt"))
}
