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
	for _, name := range []struct {
		field string
		value *string
	}{
		{"spanId", &span.ID}, {"parentSpanId", &span.Parent}, {"agent", &span.Agent},
		{"session", &span.Session}, {"taskType", &span.TaskType}, {"user.id", &span.User}, {"toolCallId", &span.CallID},
	} {
		if *name.value = b.alias(*name.value); *name.value != "" || name.field == "spanId" {
			*name.value = b.Label(name.field, *name.value)
		}
	}
	span.Name, span.Instructions, span.Error = b.Text("name", span.Name), b.Text("instructions", span.Instructions), b.Text("error", span.Error)
	span.Given, span.Gave = b.spanJSON("given", span.Given), b.spanJSON("gave", span.Gave)
	span.Said = b.Texts("said", span.Said)
	span.InformedBy = b.others(memory.KindEpisode, "informedBy", span.InformedBy)
	span.Calls, span.Answers = b.calls("toolCalls", span.Calls), b.answers("toolAnswers", span.Answers)
	span.Labels = b.spanLabels("attributes", span.Labels)
	if program := span.Labels[capture.LabelService]; program != "" { // it may stand for the agent
		span.Labels[capture.LabelService] = NameForm(program)
	}
	b.time("startTime", span.StartedAt)
	b.time("endTime", span.EndedAt)
	b.Require(!span.EndedAt.Before(span.StartedAt), "endTime", "is before the span's start")
	span.User = cmp.Or(b.caller.User, span.User)
	return store.HeldSpan{Trace: trace, Span: span, Receipt: b.redacting.Receipt(), Bound: b.caller.User != ""}, b.err
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
			ID: b.callID(place+".id", call.ID), Name: b.Text(place+".name", call.Name), Arguments: b.spanJSON(place+".arguments", call.Arguments),
		}
	})
}

func (b *Boundary) answers(field string, answers []capture.SpanAnswer) []capture.SpanAnswer {
	return each(b, field, answers, func(place string, answer capture.SpanAnswer) capture.SpanAnswer {
		return capture.SpanAnswer{
			ID: b.callID(place+".id", answer.ID), Name: b.Text(place+".name", answer.Name),
			Arguments: b.spanJSON(place+".arguments", answer.Arguments), Result: b.spanJSON(place+".result", answer.Result),
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
