package scalar

import (
	"bytes"
	"io"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
)

// appender writes itself behind a byte slice. It spares the buffer of a response a copy.
type appender interface{ appendTo([]byte) []byte }

// write puts a value's text on w, in place where w is the response's buffer.
func write[T appender](w io.Writer, value T) {
	if buffer, ok := w.(*bytes.Buffer); ok {
		buffer.Write(value.appendTo(buffer.AvailableBuffer()))
		return
	}
	_, _ = w.Write(value.appendTo(nil)) // a response that cannot be written is noticed by its transport
}

type text string

func (t text) appendTo(b []byte) []byte { return appendQuoted(b, string(t)) }

// MarshalGQL writes the text as a JSON string.
func (t text) MarshalGQL(w io.Writer) { write(w, t) }

type integer int

func (i integer) appendTo(b []byte) []byte { return strconv.AppendInt(b, int64(i), 10) }

// MarshalGQL writes the number.
func (i integer) MarshalGQL(w io.Writer) { write(w, i) }

type number float64

func (n number) appendTo(b []byte) []byte { return appendFloat(b, float64(n)) }

// MarshalGQL writes the number in the shortest form that reads back as itself.
func (n number) MarshalGQL(w io.Writer) { write(w, n) }

const hex = "0123456789abcdef"

// appendQuoted writes s as a JSON string. Invalid UTF-8, which the service lets nobody store, passes as it is.
func appendQuoted(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		b = append(b, s[start:i]...)
		start = i + 1
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, '\\', 'b')
		case '\f':
			b = append(b, '\\', 'f')
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
		}
	}
	b = append(b, s[start:]...)
	return append(b, '"')
}

// appendFloat writes like encoding/json: exponents only for very large and very small numbers.
func appendFloat(b []byte, f float64) []byte {
	format := byte('f')
	if size := max(f, -f); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	return strconv.AppendFloat(b, f, format, -1, 64)
}

var (
	_ graphql.Marshaler = text("")
	_ graphql.Marshaler = integer(0)
	_ graphql.Marshaler = number(0)
)
