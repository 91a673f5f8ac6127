package otlp

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"strings"

	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"mneme/service/boundary"
)

// coding is one of the two ways in which OTLP is written.
type coding interface {
	// valid says whether a body may be taken apart at all.
	valid(body []byte) bool
	// without is a message without the items of one of its lists.
	without(message []byte, list protoreflect.FieldDescriptor) ([]byte, error)
	// items visits the items of a list in a message, and ends with the visitor's error.
	items(message []byte, list protoreflect.FieldDescriptor, visit func(item []byte) error) error
	// count says how many messages and items of lists lie in a message; errTooLarge where they are more than
	// most, or deeper than maxNesting.
	count(message []byte, as protoreflect.MessageDescriptor, most int) (int, error)
	unmarshal(message []byte, into proto.Message) error
}

// The lists whose items are decoded one by one. TracesData is written as ExportTraceServiceRequest is.
var (
	listOfResources = listIn(&trace.TracesData{}, "resource_spans")
	listOfScopes    = listIn(&trace.ResourceSpans{}, "scope_spans")
	listOfSpans     = listIn(&trace.ScopeSpans{}, "spans")
)

func listIn(message proto.Message, name protoreflect.Name) protoreflect.FieldDescriptor {
	return message.ProtoReflect().Descriptor().Fields().ByName(name)
}

// decoder decodes a request span by span, so that no more of it is built at once than one span beside what is
// kept of those before.
type decoder struct {
	coding
	ctx context.Context // of the request, for as long as that is decoded

	parts, elements int // so far
	spans           []boundary.TraceSpan
	faulty          int               // spans that are none
	large           int               // spans that are left out for what they hold
	silent          map[string]silent // by the scopes that they are of
}

// body decodes a request. Its errors are those of bounds.go, or the context's.
func (d *decoder) body(body []byte) error {
	if !d.valid(body) {
		return errMalformed
	}
	if err := d.around(body, listOfResources, &trace.TracesData{}); err != nil {
		return err
	}
	return d.items(body, listOfResources, d.resource)
}

func (d *decoder) resource(message []byte) error {
	var resource trace.ResourceSpans
	if err := d.around(message, listOfScopes, &resource); err != nil {
		return err
	}
	of := originOf(resource.GetResource().GetAttributes())
	return d.items(message, listOfScopes, func(message []byte) error {
		var scope trace.ScopeSpans
		if err := d.around(message, listOfSpans, &scope); err != nil {
			return err
		}
		name := label(scope.GetScope().GetName())
		return d.items(message, listOfSpans, func(message []byte) error { return d.span(message, of, name) })
	})
}

// around decodes what a message holds around the items of a list.
func (d *decoder) around(message []byte, list protoreflect.FieldDescriptor, into proto.Message) error {
	rest, err := d.without(message, list)
	if err == nil {
		err = d.part(rest, into)
	}
	return err
}

func (d *decoder) span(message []byte, of *origin, scope string) error {
	var span trace.Span
	switch err := d.part(message, &span); {
	case err == errTooLarge: //nolint:errorlint // it is never wrapped
		d.large++
		return nil
	case err != nil:
		return err
	}
	if read, ok := spanOf(&span, of); ok {
		d.spans = append(d.spans, read)
		d.heard(scope, &read.Span)
	} else {
		d.faulty++
	}
	return nil
}

// part decodes a message, unless it is too much.
func (d *decoder) part(message []byte, into proto.Message) error {
	if err := d.ctx.Err(); err != nil {
		return err
	}
	n, err := d.count(message, into.ProtoReflect().Descriptor(), maxSpanElements)
	d.parts, d.elements = d.parts+1, d.elements+n
	switch {
	case d.parts > maxParts || d.elements > maxElements:
		return errTooMany
	case err != nil:
		return err
	case d.unmarshal(message, into) != nil: // whose words would repeat the body
		return errMalformed
	}
	return nil
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
