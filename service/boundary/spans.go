package boundary

import (
	"cmp"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/store"
)

// TraceSpan is a finished span of a trace.
type TraceSpan struct {
	Trace string
	Span  capture.Span
}

// Span is a span with its texts redacted, as it will be kept.
func (b *Boundary) Span(input TraceSpan) (store.HeldSpan, error) {
	span := input.Span
	trace := b.Key(memory.KindEpisode, "traceId", input.Trace)
	b.span(&span, func(name string) string { return cmp.Or(sentNames[name], name) })
	span.InformedBy = b.others(memory.KindEpisode, "informedBy", span.InformedBy)
	if program := span.Labels[capture.LabelService]; program != "" { // it may stand for the agent
		span.Labels[capture.LabelService] = NameForm(program)
	}
	b.time("startTime", span.StartedAt)
	b.time("endTime", span.EndedAt)
	b.Require(!span.EndedAt.Before(span.StartedAt), "endTime", "is before the span's start")
	span.User = cmp.Or(b.caller.User, span.User)
	return store.HeldSpan{Trace: trace, Span: span, Receipt: b.redacting.Receipt(), ByUserKey: b.caller.User != ""}, b.err
}

// sentNames are the fields of a span that its sender calls otherwise.
var sentNames = map[string]string{
	"id": "spanId", "parent": "parentSpanId", "user": "user.id", "callId": "toolCallId", "calls": "toolCalls", "answers": "toolAnswers", "labels": "attributes",
}

// span cleans, in place, what a span says, by the names of its fields.
func (b *Boundary) span(span *capture.Span, field func(name string) string) {
	for _, of := range []struct {
		name  string
		value *string
	}{
		{"id", &span.ID}, {"parent", &span.Parent}, {"agent", &span.Agent}, {"session", &span.Session},
		{"taskType", &span.TaskType}, {"user", &span.User}, {"callId", &span.CallID},
	} {
		if !b.back {
			*of.value = b.alias(*of.value)
		}
		if *of.value != "" || of.name == "id" {
			*of.value = b.Label(field(of.name), *of.value)
		}
	}
	span.Name, span.Instructions = b.Text(field("name"), span.Name), b.Text(field("instructions"), span.Instructions)
	span.Error = b.Text(field("error"), span.Error)
	span.Given, span.Gave = b.spanJSON(field("given"), span.Given), b.spanJSON(field("gave"), span.Gave)
	span.Said = b.Texts(field("said"), span.Said)
	span.Calls, span.Answers = b.calls(field("calls"), span.Calls), b.calls(field("answers"), span.Answers)
	span.Labels = b.spanLabels(field("labels"), span.Labels)
}

// spanLabels goes through labels in the order of names: several may be the same without a secret, and the last stays.
func (b *Boundary) spanLabels(field string, labels map[string]string) map[string]string {
	if len(labels) == 0 {
		return nil
	}
	clean := make(map[string]string, len(labels))
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		clean[b.Text(field, name)] = b.Text(field, labels[name])
	}
	return clean
}

func (b *Boundary) calls(field string, calls []capture.SpanCall) []capture.SpanCall {
	return each(b, field, calls, func(place string, call capture.SpanCall) capture.SpanCall {
		return capture.SpanCall{
			ID: b.callID(place+".id", call.ID), Name: b.Text(place+".name", call.Name),
			Arguments: b.spanJSON(place+".arguments", call.Arguments), Result: b.spanJSON(place+".result", call.Result),
		}
	})
}

// callID is what a call goes by, the same for the call and what came of it. It need not be a name.
func (b *Boundary) callID(field, id string) string {
	switch {
	case !b.checked(field, id):
		return ""
	case b.back:
		b.holdsNone(field, id)
		return id
	}
	return NameForm(b.alias(id))
}
