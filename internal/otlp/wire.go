package otlp

import (
	"bytes"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// wire is how OTLP is written in protobuf.
type wire struct{}

func (wire) valid([]byte) bool { return true } // all of it is read further below

func (w wire) unmarshal(message []byte, into proto.Message) error {
	options := proto.UnmarshalOptions{DiscardUnknown: true}
	err := options.Unmarshal(message, into)
	if err == nil {
		return nil
	}
	mended := bytes.Clone(message)
	if w.mend(mended, into.ProtoReflect().Descriptor().Fields(), 0) != nil {
		return err
	}
	return options.Unmarshal(mended, into)
}

// mend puts question marks in the place of what is not UTF-8 in the texts of a message, as exporters send them that cut
// texts at a number of bytes or of halves of characters: the rest of the text is kept, and so is what was sent with it.
func (w wire) mend(message []byte, known protoreflect.FieldDescriptors, depth int) error {
	if depth > maxNesting {
		return errTooLarge
	}
	return w.fields(message, func(number protowire.Number, _, value []byte) error {
		switch field := known.ByNumber(number); {
		case field == nil:
		case field.Message() != nil:
			return w.mend(value, field.Message().Fields(), depth+1)
		case field.Kind() == protoreflect.StringKind:
			mark(value)
		}
		return nil
	})
}

// mark puts a question mark in the place of each byte that is not of UTF-8.
func mark(text []byte) {
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError && size == 1 {
			text[i] = '?'
		}
		i += size
	}
}

// fields visits the fields of a message, each with its tag; value is empty unless it has a length of its own.
func (wire) fields(message []byte, visit func(number protowire.Number, whole, value []byte) error) error {
	for len(message) > 0 {
		number, kind, tag := protowire.ConsumeTag(message)
		if tag < 0 {
			return errMalformed
		}
		length := protowire.ConsumeFieldValue(number, kind, message[tag:])
		if length < 0 {
			return errMalformed
		}
		var value []byte
		if kind == protowire.BytesType {
			value, _ = protowire.ConsumeBytes(message[tag:])
			value = value[:len(value):len(value)]
		} else {
			number = 0 // of another type it is not the field of that number
		}
		if err := visit(number, message[:tag+length], value); err != nil {
			return err
		}
		message = message[tag+length:]
	}
	return nil
}

func (w wire) without(message []byte, list protoreflect.FieldDescriptor) ([]byte, error) {
	var rest []byte
	err := w.fields(message, func(number protowire.Number, whole, _ []byte) error {
		if number != list.Number() {
			rest = append(rest, whole...)
		}
		return nil
	})
	return rest, err
}

func (w wire) items(message []byte, list protoreflect.FieldDescriptor, visit func(item []byte) error) error {
	return w.fields(message, func(number protowire.Number, _, value []byte) error {
		if number != list.Number() {
			return nil
		}
		return visit(value)
	})
}

func (w wire) count(message []byte, as protoreflect.MessageDescriptor, most int) (int, error) {
	return w.countWithin(message, as.Fields(), most, 0)
}

func (w wire) countWithin(message []byte, known protoreflect.FieldDescriptors, most, depth int) (n int, err error) {
	if depth > maxNesting {
		return 0, errTooLarge
	}
	err = w.fields(message, func(number protowire.Number, _, value []byte) error {
		field := known.ByNumber(number)
		if field == nil || field.Message() == nil && !field.IsList() {
			return nil
		}
		within := 0
		switch {
		case field.Message() != nil:
			within, err = w.countWithin(value, field.Message().Fields(), most-n, depth+1)
		case field.Kind() != protoreflect.StringKind && field.Kind() != protoreflect.BytesKind:
			within = len(value) // numbers packed in one
		}
		if n += 1 + within; err == nil && n > most {
			err = errTooLarge
		}
		return err
	})
	return n, err
}
