package service

import (
	"mneme/memory"
	"mneme/memory/capture"
	"mneme/store"
)

// restoreLog restores the log of an episode, and gives what it tells.
func (b *boundary) restoreLog(r *store.EpisodeRecord) *derived {
	if len(r.Events) == 0 || !b.list("events", len(r.Events)) {
		return derivedFrom(memory.Episode{})
	}
	if spans, ok := capture.SpansOfLog(r.Events); ok {
		return b.restoreSpanLog(r, spans)
	}
	for i := range r.Events {
		place, event := at("events", i), &r.Events[i]
		event.Type, event.At = b.label(place+".type", event.Type), stamp(event.At)
		event.Data = b.restoredJSON(place+".data", event.Data)
	}
	if b.err != nil {
		return derivedFrom(memory.Episode{})
	}
	return derivedFrom(capture.EpisodeFromEvents(r.Events))
}

// restoreSpanLog is restoreLog where spans are the log.
func (b *boundary) restoreSpanLog(r *store.EpisodeRecord, spans []capture.Span) *derived {
	for i := range spans {
		b.restoreSpan(at("events", i)+".data", &spans[i])
	}
	log, err := capture.SpanLog(spans)
	if b.fail(err); b.err != nil {
		return derivedFrom(memory.Episode{})
	}
	r.Events = log
	return derivedFrom(capture.EpisodeFromSpans(spans))
}

// restoreSpan restores a span. Its names may be spelled as before names had one form.
func (b *boundary) restoreSpan(field string, span *capture.Span) {
	b.reference(field+".id", span.ID)
	for _, of := range []struct{ name, value string }{
		{".parent", span.Parent}, {".agent", span.Agent}, {".session", span.Session}, {".taskType", span.TaskType}, {".callId", span.CallID},
	} {
		if of.value != "" {
			b.reference(field+of.name, of.value)
		}
	}
	span.Name, span.Instructions, span.Error = b.text(field+".name", span.Name), b.text(field+".instructions", span.Instructions), b.text(field+".error", span.Error)
	span.Given, span.Gave = b.restoredSpanJSON(field+".given", span.Given), b.restoredSpanJSON(field+".gave", span.Gave)
	span.Said = b.texts(field+".said", span.Said)
	b.restoreCalls(field, span)
	span.Labels = b.spanLabels(field+".labels", span.Labels)
}

func (b *boundary) restoreCalls(field string, span *capture.Span) {
	if b.list(field+".calls", len(span.Calls)) {
		for i := range span.Calls {
			place, call := at(field+".calls", i), &span.Calls[i]
			b.restoreCallID(place+".id", call.ID)
			call.Name, call.Arguments = b.text(place+".name", call.Name), b.restoredSpanJSON(place+".arguments", call.Arguments)
		}
	}
	if b.list(field+".answers", len(span.Answers)) {
		for i := range span.Answers {
			place, answer := at(field+".answers", i), &span.Answers[i]
			b.restoreCallID(place+".id", answer.ID)
			answer.Result = b.restoredSpanJSON(place+".result", answer.Result)
		}
	}
}

// restoreCallID checks what a call goes by, which need not be a name.
func (b *boundary) restoreCallID(field, id string) {
	if b.checked(field, id) && b.hides(id) {
		b.fail(secretInName(field))
	}
}

func (b *boundary) restoredSpanJSON(field string, value memory.JSON) memory.JSON {
	bounds := memory.RestoredJSON
	bounds.Depth = memory.SpanJSON.Depth
	return b.restoredWithin(bounds, field, value)
}
