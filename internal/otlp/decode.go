package otlp

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"mneme/internal/inbound"
	"mneme/memory"
	"mneme/service/boundary"
)

// received is what was read of a request.
type received struct {
	spans  []boundary.TraceSpan
	faulty int                 // spans that are none
	silent map[string][]string // by scope the names of those of which nothing is kept but their place in the trace
}

// readRequest decodes a request, and reads its spans for as long as the context lasts. Its errors are those of
// bounds.go, or the context's.
func readRequest(ctx context.Context, as form, body []byte) (r received, err error) {
	r.silent = map[string][]string{}
	var request trace.TracesData // which is written as ExportTraceServiceRequest is
	decode := fromProtobuf
	if as == formJSON {
		decode = fromJSON
	}
	if err := decode(body, &request); err != nil {
		return r, err
	}
	for _, resource := range request.GetResourceSpans() {
		of := originOf(resource.GetResource().GetAttributes())
		for _, scope := range resource.GetScopeSpans() {
			name := label(scope.GetScope().GetName())
			for _, span := range scope.GetSpans() {
				if err := ctx.Err(); err != nil {
					return r, err
				}
				if len(r.spans)+r.faulty == maxSpans {
					return r, errTooMany
				}
				read, ok := spanOf(span, of)
				if !ok {
					r.faulty++
					continue
				}
				if r.spans = append(r.spans, read); read.Span.Kind == other {
					r.silent[name] = append(r.silent[name], read.Span.Name)
				}
			}
		}
	}
	return r, nil
}

func fromJSON(body []byte, into proto.Message) error {
	if _, exceeded := inbound.Weigh(body); exceeded != nil {
		return errTooMany
	}
	options := protojson.UnmarshalOptions{DiscardUnknown: true}
	err := options.Unmarshal(body, into)
	if err == nil {
		return nil
	}
	// Exporters of JavaScript leave half a character where they cut a text. Decoded, it is U+FFFD, and the rest stays.
	if mended, wrong := memory.ParseJSON(body); wrong == nil && options.Unmarshal(mended, into) == nil {
		return nil
	}
	return errMalformed // the package's words would repeat the body
}

func fromProtobuf(body []byte, into proto.Message) error {
	left := maxElements
	if err := walk(body, into.ProtoReflect().Descriptor().Fields(), 0, &left); err != nil {
		return err
	}
	if (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(body, into) != nil {
		return errMalformed
	}
	return nil
}

// walk takes the messages and items of lists in a message from those that are left, while there are any, and mends the
// texts of the body in their place. None may lie deeper than maxNesting.
func walk(message []byte, known protoreflect.FieldDescriptors, depth int, left *int) error {
	if depth > maxNesting {
		return errTooMany
	}
	for len(message) > 0 {
		number, kind, tag := protowire.ConsumeTag(message)
		if tag < 0 {
			return errMalformed
		}
		length := protowire.ConsumeFieldValue(number, kind, message[tag:])
		if length < 0 {
			return errMalformed
		}
		if field := known.ByNumber(number); field != nil && kind == protowire.BytesType {
			value, _ := protowire.ConsumeBytes(message[tag:])
			if err := walkField(value, field, depth, left); err != nil {
				return err
			}
		}
		message = message[tag+length:]
	}
	return nil
}

func walkField(value []byte, field protoreflect.FieldDescriptor, depth int, left *int) error {
	if field.Message() != nil || field.IsList() {
		*left--
	}
	if field.Name() == "spans" {
		*left -= spanElements - 1
	}
	switch {
	case *left < 0:
		return errTooMany
	case field.Message() != nil:
		return walk(value, field.Message().Fields(), depth+1, left)
	case field.Kind() == protoreflect.StringKind:
		mend(value)
	}
	return nil
}

// mend puts a question mark in the place of each byte of a text that is not of UTF-8, as exporters send them that cut
// texts at a number of bytes or of halves of characters: the rest of the text is kept, and so is what was sent with it.
func mend(text []byte) {
	if utf8.Valid(text) {
		return
	}
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && size == 1 {
			text[0] = '?'
		}
		text = text[size:]
	}
}

// hexID is an id as a client writes it. OTLP's JSON has hex digits where protobuf has base64, so the decoder takes the
// digits for base64: that is undone. Empty is a missing id, or zeros; ok is false for another length.
func hexID(id []byte, size int) (text string, ok bool) {
	switch len(id) {
	case 0:
		return "", true
	case size:
		text = hex.EncodeToString(id)
	case size * 3 / 2:
		text = strings.ToLower(base64.StdEncoding.EncodeToString(id))
		if _, err := hex.DecodeString(text); err != nil {
			return "", false
		}
	default:
		return "", false
	}
	if strings.Trim(text, "0") == "" {
		return "", true
	}
	return text, true
}
