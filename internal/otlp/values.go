package otlp

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	common "go.opentelemetry.io/proto/otlp/common/v1"

	"mneme/memory"
	"mneme/memory/prose"
)

// maxText is the most bytes of a text that is kept of a span, since whole conversations are repeated in each.
const maxText = 64 << 10

// maxDepth is how deep a value may nest; what is deeper is kept as text.
const maxDepth = 32

// decodable bounds the texts that are decoded as JSON: whole conversations, in which calls nest deeper than
// what is kept of them. What is beyond stays the text that it is.
var decodable = memory.JSONBounds{Depth: 1000, Keys: 100_000}

// decodableWeight is what such a text may weigh, see inbound.Weigh: the least object takes two bytes, decoded fifty.
const decodableWeight = 500_000

// maxLabel is maxText of a label, of which each span has its own, and one may name the agent.
const maxLabel = memory.MaxKeyBytes

// maxNodes is how many nodes a tree of names may have: a name may make one of every other letter.
const maxNodes = 10_000

// attributes are those of a span or an event, by name.
type attributes map[string]*common.AnyValue

func attributesOf(pairs []*common.KeyValue) attributes {
	all := make(attributes, len(pairs))
	for _, pair := range pairs {
		all[pair.GetKey()] = pair.GetValue()
	}
	return all
}

// text is the first of the names that says something, as text.
func (a attributes) text(names ...string) string {
	for _, name := range names {
		if text := strings.TrimSpace(textOf(plain(a[name], 0))); text != "" {
			return text
		}
	}
	return ""
}

// texts are those of a list, or the one that stands for it.
func (a attributes) texts(name string) (texts []string) {
	items, isList := a.value(name).([]any)
	if !isList {
		items = []any{a.text(name)}
	}
	for _, item := range items {
		if text, isText := item.(string); isText && text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// amount is the first of the names that says something, where that is a number from 0 to a billion; else 0.
func (a attributes) amount(names []string) float64 {
	value, err := strconv.ParseFloat(a.text(names...), 64)
	if err != nil || !(0 <= value && value <= 1e9) {
		return 0
	}
	return value
}

// value is the first of the names that is there. It is often JSON in a text, because not every SDK takes structures.
func (a attributes) value(names ...string) any {
	for _, name := range names {
		if value := a.one(name); value != nil && value != "" {
			return value
		}
	}
	return nil
}

func (a attributes) one(name string) any {
	value := plain(a[name], 0)
	if strings.HasPrefix(name, "traceloop.entity.") {
		return spoken(value)
	}
	return value
}

// spoken is a text without the quotes in which OpenLLMetry writes what is none but a text, as it writes all in JSON.
func spoken(value any) any {
	text, isText := value.(string)
	var said string
	if !isText || json.Unmarshal([]byte(text), &said) != nil {
		return value
	}
	return said
}

// tree is the structure that names of the form prefix.0.role were made of, nil where there are none.
func (a attributes) tree(prefix string) any {
	root := map[string]any{}
	nodes := 0
	for name, value := range a {
		rest, found := strings.CutPrefix(name, prefix+".")
		if !found {
			continue
		}
		node, parts := root, strings.SplitN(rest, ".", maxDepth)
		for _, part := range parts[:len(parts)-1] {
			next, isNode := node[part].(map[string]any)
			if !isNode {
				if nodes++; nodes > maxNodes {
					return nil
				}
				next = map[string]any{}
				node[part] = next
			}
			node = next
		}
		if last := parts[len(parts)-1]; node[last] == nil {
			node[last] = plain(value, 0)
		}
	}
	if len(root) == 0 {
		return nil
	}
	return listed(root)
}

// listed makes lists of the nodes whose names are numbers.
func listed(node map[string]any) any {
	for name, child := range node {
		if child, isNode := child.(map[string]any); isNode {
			node[name] = listed(child)
		}
	}
	numbers := make(map[int]any, len(node))
	for name, child := range node {
		number, err := strconv.Atoi(name)
		if err != nil {
			return node
		}
		numbers[number] = child
	}
	list := make([]any, 0, len(numbers))
	for _, number := range slices.Sorted(maps.Keys(numbers)) {
		list = append(list, numbers[number])
	}
	return list
}

// plain is a value in the types of decoded JSON.
func plain(value *common.AnyValue, depth int) any {
	if depth == maxDepth && (value.GetArrayValue() != nil || value.GetKvlistValue() != nil) {
		return textOf(plain(value, depth+1))
	}
	switch v := value.GetValue().(type) {
	case *common.AnyValue_StringValue:
		return v.StringValue
	case *common.AnyValue_BoolValue:
		return v.BoolValue
	case *common.AnyValue_IntValue:
		return json.Number(strconv.FormatInt(v.IntValue, 10))
	case *common.AnyValue_DoubleValue:
		return v.DoubleValue
	case *common.AnyValue_ArrayValue:
		list := make([]any, 0, len(v.ArrayValue.GetValues()))
		for _, item := range v.ArrayValue.GetValues() {
			list = append(list, plain(item, depth+1))
		}
		return list
	case *common.AnyValue_KvlistValue:
		fields := make(map[string]any, len(v.KvlistValue.GetValues()))
		for _, pair := range v.KvlistValue.GetValues() {
			fields[pair.GetKey()] = plain(pair.GetValue(), depth+1)
		}
		return fields
	}
	return nil // bytes are nothing to read
}

// unquoted decodes a text that is a JSON object or list, and leaves everything else.
func unquoted(value any) any {
	text, isText := value.(string)
	if !isText {
		return value
	}
	if !isDecodable(text) {
		return text
	}
	decoded, err := memory.JSONValue([]byte(text))
	if err != nil {
		return text
	}
	return decoded
}

// textOf is a decoded value as text.
func textOf(value any) string {
	if text, isText := value.(string); isText {
		return text
	}
	text, _ := memory.JSONOf(value) // which has nothing for NaN
	return string(text)
}

// jsonOf is a decoded value as it is kept; one that is too long, or beyond what is kept as JSON, is cut, as text.
func jsonOf(value any) memory.JSON {
	if value == nil || value == "" {
		return nil
	}
	if text, isText := value.(string); isText {
		value = cut(text)
	}
	text, _ := memory.JSONOf(value)                                      // which has nothing for NaN
	if len(text) > 2*maxText || memory.SpanJSON.Check("", text) != nil { // a text of maxText bytes may double by its escapes
		text, _ = memory.JSONOf(cut(string(text)))
	}
	return text
}

// cut shortens a text to maxText bytes.
func cut(text string) string { return prose.ShortenBytes(text, maxText) }

// label is a text as a label.
func label(text string) string { return prose.ShortenBytes(text, maxLabel) }
