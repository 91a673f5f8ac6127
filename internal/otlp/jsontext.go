package otlp

import (
	"encoding/json"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// jsonText is how OTLP is written in JSON. What it finds its way through was checked to be JSON as a whole.
type jsonText struct{}

func (jsonText) valid(body []byte) bool { return utf8.Valid(body) && json.Valid(body) }

func (jsonText) unmarshal(message []byte, into proto.Message) error {
	return protojson.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(message, into)
}

// without leaves the list where it is, but empty: whether it may be there, and once only, is for the decoder.
func (jsonText) without(message []byte, list protoreflect.FieldDescriptor) ([]byte, error) {
	var rest []byte
	done := 0
	members(message, func(name []byte, start, end int) {
		if message[start] == '[' && isName(name, list) {
			rest = append(append(rest, message[done:start]...), "[]"...)
			done = end
		}
	})
	return append(rest, message[done:]...), nil
}

func (jsonText) items(message []byte, list protoreflect.FieldDescriptor, visit func(item []byte) error) (err error) {
	members(message, func(name []byte, start, end int) {
		if message[start] != '[' || !isName(name, list) {
			return
		}
		for i := blank(message, start+1); err == nil && i < end && message[i] != ']'; i = blank(message, i) {
			if message[i] == ',' {
				i++
				continue
			}
			item := i
			i = valueEnd(message, i)
			err = visit(message[item:i])
		}
	})
	return err
}

func (jsonText) count(message []byte, _ protoreflect.MessageDescriptor, most int) (int, error) {
	return countJSON(message, most, maxNesting)
}

// countJSON counts the objects in a JSON text, and the items of lists that are none. It stops with errTooLarge
// where they are more, or objects nest deeper, than they may. It builds nothing, and takes any text.
func countJSON[T string | []byte](text T, most, deepest int) (n int, err error) {
	around := brackets{}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch c {
		case '"':
			i = stringEnd(text, i) - 1
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
			if next := blank(text, i+1); next < len(text) && text[next] != '{' && text[next] != ']' {
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

// members visits the names of an object, as they are written, and where their values are.
func members(object []byte, visit func(name []byte, start, end int)) {
	i := blank(object, 0)
	if i == len(object) || object[i] != '{' {
		return
	}
	for i = blank(object, i+1); i < len(object) && object[i] == '"'; i = blank(object, i) {
		name := i
		i = stringEnd(object, i)
		named := object[name:i]
		start := blank(object, blank(object, i)+1) // behind the colon
		if start >= len(object) {
			return
		}
		i = valueEnd(object, start)
		visit(named, start, i)
		if i = blank(object, i); i == len(object) || object[i] != ',' {
			return
		}
		i++
	}
}

// longestName is that of the longest name of a list, each letter escaped and with its quotes.
const longestName = 6*len("resource_spans") + 2

// isName says whether a name as it is written is that of a list.
func isName(written []byte, list protoreflect.FieldDescriptor) bool {
	var name string
	if len(written) > longestName || json.Unmarshal(written, &name) != nil {
		return false
	}
	return name == list.JSONName() || name == list.TextName()
}

// blank is where the blanks that begin at i end.
func blank[T string | []byte](text T, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r') {
		i++
	}
	return min(i, len(text))
}

// stringEnd is behind the string that begins at i.
func stringEnd[T string | []byte](text T, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(text)
}

// valueEnd is behind the value that begins at i.
func valueEnd(text []byte, i int) int {
	for depth := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			if i = stringEnd(text, i) - 1; depth == 0 {
				return i + 1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth <= 0 {
				return i + 1 + min(depth, 0) // a bracket that belongs to what lies around ends a number
			}
		case ',', ' ', '\t', '\n', '\r':
			if depth == 0 {
				return i
			}
		}
	}
	return len(text)
}
