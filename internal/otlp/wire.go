package otlp

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// wire is how OTLP is written in protobuf.
type wire struct{}

func (wire) valid([]byte) bool { return true } // all of it is read further below

func (wire) unmarshal(message []byte, into proto.Message) error {
	return proto.UnmarshalOptions{DiscardUnknown: true}.Unmarshal(message, into)
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
