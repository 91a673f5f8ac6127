package otlp

import (
	"encoding/json"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"mneme/internal/inbound"
	"mneme/memory"
)

// jsonText is how OTLP is written in JSON. What it finds its way through was checked to be JSON as a whole.
type jsonText struct{}

func (jsonText) valid(body []byte) bool { return utf8.Valid(body) && json.Valid(body) }

func (jsonText) unmarshal(message []byte, into proto.Message) error {
	options := protojson.UnmarshalOptions{DiscardUnknown: true}
	err := options.Unmarshal(message, into)
	if err == nil {
		return nil
	}
	// Exporters of JavaScript leave half a character where they cut a text. Decoded, it is U+FFFD, and the rest stays.
	if mended, wrong := memory.ParseJSON(message); wrong == nil {
		return options.Unmarshal(mended, into)
	}
	return err
}

// without leaves the list where it is, but empty: whether it may be there, and once only, is for the decoder.
func (jsonText) without(message []byte, list protoreflect.FieldDescriptor) ([]byte, error) {
	var rest []byte
	done := 0
	for m := range inbound.Members(message) {
		if m.Value[0] == '[' && isName(m.Name, list) {
			rest = append(append(rest, message[done:m.At]...), "[]"...)
			done = m.At + len(m.Value)
		}
	}
	return append(rest, message[done:]...), nil
}

func (jsonText) items(message []byte, list protoreflect.FieldDescriptor, visit func(item []byte) error) error {
	for m := range inbound.Members(message) {
		if !isName(m.Name, list) {
			continue
		}
		for item := range inbound.Items(m.Value) {
			if err := visit(item); err != nil {
				return err
			}
		}
	}
	return nil
}

// isName says whether a name is that of a list.
func isName(name string, list protoreflect.FieldDescriptor) bool {
	return name == list.JSONName() || name == list.TextName()
}

// elementWeight is the least weight of an element in JSON, see inbound.Weigh. An attribute with a text counts as three.
const elementWeight = 8

func (jsonText) count(message []byte, _ protoreflect.MessageDescriptor, most int) (int, error) {
	weight, exceeded := inbound.Weigh(message)
	if n := weight / elementWeight; exceeded == nil && n <= most {
		return n, nil
	}
	return most, errTooLarge
}
