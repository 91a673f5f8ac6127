package otlp

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"mneme/internal/inbound"
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
	if mended, changed := withoutHalves(message); changed {
		return options.Unmarshal(mended, into)
	}
	return err
}

// withoutHalves puts U+FFFD in the place of every escape that is half of a character, as exporters of JavaScript leave
// where they cut a text: the rest of the text is kept, and so is what was sent with it.
func withoutHalves(message []byte) (mended []byte, changed bool) {
	for i := 0; i < len(message); i++ {
		if message[i] != '\\' {
			continue
		}
		unit, is := escapedUnit(message[i:])
		if !is || !utf16.IsSurrogate(unit) {
			i++ // what is escaped
			continue
		}
		if next, is := escapedUnit(message[i+escapeBytes:]); is && utf16.DecodeRune(unit, next) != utf8.RuneError {
			i += 2*escapeBytes - 1
			continue
		}
		if !changed {
			mended, changed = bytes.Clone(message), true
		}
		copy(mended[i:], `\ufffd`)
		i += escapeBytes - 1
	}
	return mended, changed
}

// escapeBytes is how long an escape such as \u00e9 is.
const escapeBytes = 6

// escapedUnit reads such an escape at the beginning of a text.
func escapedUnit(text []byte) (unit rune, is bool) {
	if len(text) < escapeBytes || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	number, err := strconv.ParseUint(string(text[2:escapeBytes]), 16, 16)
	return rune(number), err == nil
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

func (jsonText) count(message []byte, _ protoreflect.MessageDescriptor, most int) (int, error) {
	return countJSON(message, most, maxNesting)
}

// countJSON counts the objects in a JSON text, and the items of lists that are none. It stops with errTooLarge
// where they are more, or objects nest deeper, than they may. It builds nothing, and takes any text.
func countJSON(text []byte, most, deepest int) (n int, err error) {
	around := brackets{}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch c {
		case '"':
			i = inbound.EndOfString(text, i) - 1
			continue
		case '{':
			n++
			around.open(c)
		case '[':
			around.open(c)
		case ',':
		default:
			around.close(c)
			continue
		}
		if around.last() == '[' {
			if next := inbound.SkipBlank(text, i+1); next < len(text) && text[next] != '{' && text[next] != ']' {
				n++
			}
		}
		if n > most || around.objects > deepest || len(around.all) > 10*deepest {
			return n, errTooLarge
		}
	}
	return n, nil
}

// brackets are those that lie around a place in a text.
type brackets struct {
	all     []byte
	objects int
}

func (b *brackets) open(c byte) {
	if b.all = append(b.all, c); c == '{' {
		b.objects++
	}
}

func (b *brackets) close(c byte) {
	if (c != '}' && c != ']') || len(b.all) == 0 {
		return
	}
	if b.last() == '{' {
		b.objects--
	}
	b.all = b.all[:len(b.all)-1]
}

func (b *brackets) last() byte {
	if len(b.all) == 0 {
		return 0
	}
	return b.all[len(b.all)-1]
}
