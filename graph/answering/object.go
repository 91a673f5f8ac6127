// Package answering answers the fields of objects in the place of gqlgen's own field set: a field that only looks at
// the object costs an append to the answer, and goroutines are for fields that read something. What they read at the
// same time the loaders gather, so that a field of a hundred records costs one call of the service. The code that calls
// it is written by package rewrite; docs/adr/0038 says how to do without both.
package answering

import (
	"bytes"
	"context"
	"io"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"

	"mneme/service"
)

// Set is an object of the answer, field by field.
type Set struct {
	fields []graphql.CollectedField
	values []graphql.Marshaler
	reads  []read
	null   atomic.Bool
}

// read is a field whose value is not at hand.
type read struct {
	index   int
	nonNull bool
	field   func(context.Context) graphql.Marshaler
}

// New makes an object of the selected fields.
func New(fields []graphql.CollectedField) *Set {
	return &Set{fields: fields, values: make([]graphql.Marshaler, len(fields))}
}

// Put answers a field. A non-null field that is null makes the whole object null.
func (s *Set) Put(index int, nonNull bool, value graphql.Marshaler) {
	s.values[index] = value
	if nonNull && value == graphql.Null {
		s.null.Store(true)
	}
}

// Read answers a field that has to read something, at the same time as the others, when Done is called.
func (s *Set) Read(index int, nonNull bool, field func(context.Context) graphql.Marshaler) {
	s.reads = append(s.reads, read{index, nonNull, field})
}

// Done waits for what has to be read, and gives the object, or null.
func (s *Set) Done(ctx context.Context) graphql.Marshaler {
	if len(s.reads) > 0 {
		together(ctx, len(s.reads), func(i int) {
			r := &s.reads[i]
			s.Put(r.index, r.nonNull, r.field(ctx))
		})
	}
	if s.null.Load() || service.BudgetOf(ctx).Answer(s.length()) != nil {
		return graphql.Null
	}
	return s
}

// length is how many bytes the object takes in the answer, but for the objects in it, which are counted already.
func (s *Set) length() int64 {
	length := int64(len("{}"))
	for i, value := range s.values {
		length += int64(len(s.fields[i].Alias)+len(`"":,`)) + lengthOf(value)
	}
	return length
}

// usualLength is that of numbers, times and the like.
const usualLength = 8

func lengthOf(value graphql.Marshaler) (length int64) {
	switch v := value.(type) {
	case *Set, flat, nil:
		return 0
	case graphql.Array:
		for _, element := range v {
			length += 1 + lengthOf(element)
		}
		return length + int64(len("[]"))
	case interface{ AnswerLength() int64 }:
		return v.AnswerLength()
	default:
		return usualLength
	}
}

// MarshalGQL writes the object.
func (s *Set) MarshalGQL(w io.Writer) {
	buffer, ok := w.(*bytes.Buffer)
	if !ok {
		buffer = new(bytes.Buffer)
		defer func() { _, _ = w.Write(buffer.Bytes()) }()
	}
	buffer.WriteByte('{')
	for i := range s.fields {
		if s.repeats(i) {
			continue
		}
		if i > 0 {
			buffer.WriteByte(',')
		}
		buffer.WriteByte('"')
		buffer.WriteString(s.fields[i].Alias) // a GraphQL name, so there is nothing to escape
		buffer.WriteString(`":`)
		s.values[i].MarshalGQL(buffer)
	}
	buffer.WriteByte('}')
}

// repeats says whether an earlier field has the same alias, as may be where fragments on an interface
// and on a type select the same field.
func (s *Set) repeats(index int) bool {
	alias := s.fields[index].Alias
	for i := range index {
		if s.fields[i].Alias == alias {
			return true
		}
	}
	return false
}
