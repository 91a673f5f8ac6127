package service

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/memory/capture"
	"mneme/store"
)

// TraceSpan is a finished span of a trace.
type TraceSpan struct {
	Trace string
	Span  capture.Span
}

// RecordedSpans says what became of spans.
type RecordedSpans struct {
	Accepted int
	// Rejected are those that cannot be kept as they are, and Reason is what is wrong with the first.
	Rejected int
	Reason   error
}

// traceRoom bounds what is kept of a trace, and so what making an episode of it costs.
var traceRoom = store.TraceRoom{Spans: 10_000, Bytes: 16 << 20}

// RecordSpans keeps spans of traces, each trace as far as there is room. What it accepts is on disk when it
// returns. When a trace is complete, it becomes the episode whose key is the trace's; spans that arrive later
// amend that. A span sent again is the same span.
func (t *Traces) RecordSpans(ctx context.Context, spans []TraceSpan) (RecordedSpans, error) {
	var recorded RecordedSpans
	held, faults := convert(ctx, spans, t.cleanSpan)
	recorded.Rejected = len(faults)
	if len(faults) > 0 {
		recorded.Reason = faults[slices.Min(slices.Collect(maps.Keys(faults)))]
	}
	if len(held) == 0 {
		return recorded, nil
	}
	if err := t.keyed(ctx); err != nil {
		return recorded, err
	}
	full, err := t.store.HoldSpans(ctx, held, t.clock(), traceRoom)
	if err != nil {
		return recorded, fault("the span", err)
	}
	if len(full) > 0 && recorded.Reason == nil {
		what := "is of a trace that is full"
		if access.Of(ctx).User != "" { // which is not told apart
			what += ", or is not this user's"
		}
		recorded.Reason = memory.LimitExceeded("traceId", "%s: of one, %d spans and %d MiB are kept", what, traceRoom.Spans, traceRoom.Bytes>>20)
	}
	recorded.Rejected += len(full)
	recorded.Accepted = len(held) - len(full)
	t.traces.wake()
	return recorded, nil
}

// cleanSpan is a span with its texts redacted, as it will be kept.
func (t *Traces) cleanSpan(ctx context.Context, input TraceSpan) (store.HeldSpan, error) {
	b, span := t.boundary(ctx), input.Span
	trace := b.key(memory.KindEpisode, "traceId", input.Trace)
	for _, name := range []struct {
		field string
		value *string
	}{
		{"spanId", &span.ID}, {"parentSpanId", &span.Parent}, {"agent", &span.Agent},
		{"session", &span.Session}, {"taskType", &span.TaskType}, {"user.id", &span.User}, {"toolCallId", &span.CallID},
	} {
		if *name.value = b.alias(ctx, t.tenant, *name.value); *name.value != "" || name.field == "spanId" {
			*name.value = b.label(name.field, *name.value)
		}
	}
	span.Name, span.Instructions, span.Error = b.text("name", span.Name), b.text("instructions", span.Instructions), b.text("error", span.Error)
	span.Given, span.Gave = b.spanJSON("given", span.Given), b.spanJSON("gave", span.Gave)
	span.Said = b.texts("said", span.Said)
	span.InformedBy = b.others(memory.KindEpisode, "informedBy", span.InformedBy)
	span.Calls, span.Answers = b.calls(ctx, t.tenant, span.Calls), b.answers(ctx, t.tenant, span.Answers)
	span.Labels = b.spanLabels("attributes", span.Labels)
	if program := span.Labels[capture.LabelService]; program != "" { // it may stand for the agent
		span.Labels[capture.LabelService] = b.formed("service.name", program)
	}
	b.time("startTime", span.StartedAt)
	b.time("endTime", span.EndedAt)
	if span.EndedAt.Before(span.StartedAt) {
		b.fail(memory.Invalid("endTime", "is before the span's start"))
	}
	span.User = cmp.Or(b.user, span.User)
	return store.HeldSpan{Trace: trace, Span: span, Receipt: b.redactor.Receipt(), Bound: b.user != ""}, b.err
}

// spanLabels goes through labels in the order of their names, because several may be one without a secret: the last stays.
func (b *boundary) spanLabels(field string, labels map[string]string) map[string]string {
	if len(labels) == 0 {
		return nil
	}
	clean := make(map[string]string, len(labels))
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		clean[b.text(field, name)] = b.text(field, labels[name])
	}
	return clean
}

func (b *boundary) spanJSON(field string, value memory.JSON) memory.JSON {
	return b.jsonWithin(memory.SpanJSON, field, value)
}

func (b *boundary) calls(ctx context.Context, t *tenant, calls []capture.SpanCall) []capture.SpanCall {
	return each(b, "toolCalls", calls, func(place string, call capture.SpanCall) capture.SpanCall {
		return capture.SpanCall{
			ID: b.callID(ctx, t, place, call.ID), Name: b.text(place+".name", call.Name), Arguments: b.spanJSON(place+".arguments", call.Arguments),
		}
	})
}

func (b *boundary) answers(ctx context.Context, t *tenant, answers []capture.SpanAnswer) []capture.SpanAnswer {
	return each(b, "toolAnswers", answers, func(place string, answer capture.SpanAnswer) capture.SpanAnswer {
		return capture.SpanAnswer{
			ID: b.callID(ctx, t, place, answer.ID), Name: b.text(place+".name", answer.Name),
			Arguments: b.spanJSON(place+".arguments", answer.Arguments), Result: b.spanJSON(place+".result", answer.Result),
		}
	})
}

// callID is what a call goes by, the same for the call and what came of it.
func (b *boundary) callID(ctx context.Context, t *tenant, place, id string) string {
	if b.checked(place+".id", id) {
		return b.formed(place+".id", b.alias(ctx, t, id))
	}
	return ""
}

// tracesAtOnce is how many traces one look for complete ones takes.
const tracesAtOnce = 100

// Finish makes episodes of the traces that are complete, and says whether spans of others are still
// held. What fails stays held, is tried again after a while, and does not keep the rest from being finished.
func (t *Traces) Finish(ctx context.Context) (more bool, err error) {
	now := t.clock()
	due, _, err := store.List(ctx, t.store, store.DueTraces{
		EndedBefore: now.Add(-t.waits.Quiet), SilentBefore: now.Add(-t.waits.Silence), RetryBefore: now, SetBack: now.Add(t.waits.Silence),
	}, store.Page{Limit: tracesAtOnce})
	if err != nil {
		return true, fault("the traces", err)
	}
	var faults []error
	for _, trace := range due {
		if err := t.finishTrace(ctx, trace.Trace); err != nil {
			faults = append(faults, err, t.putOff(ctx, trace, err))
		}
	}
	rest := store.DueTraces{EndedBefore: endOfTime, SilentBefore: endOfTime, RetryBefore: endOfTime, SetBack: endOfTime}
	_, more, err = store.List(ctx, t.store, rest, store.Page{})
	return err != nil || more, fault("the traces", errors.Join(append(faults, err)...))
}

// endOfTime is after any arrival.
var endOfTime = time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC)

// errForeign says that the key of a trace belongs to an episode that was recorded in another way.
var errForeign = errors.New("an episode of this key was recorded in another way")

// maxTraceRaces is how often the spans of a trace are added anew when somebody else added some meanwhile.
const maxTraceRaces = 20

// finishTrace makes what is held of a trace part of its episode, and then deletes it. When it is
// interrupted in between, the spans are found in the episode's log the next time.
func (t *Traces) finishTrace(ctx context.Context, trace string) error {
	for races := 0; ; {
		more, err := t.finishPart(ctx, trace)
		switch {
		case (errors.Is(err, store.ErrConflict) || errors.Is(err, store.ErrNotFound)) && races < maxTraceRaces:
			races++
		case err != nil || !more:
			return err
		}
	}
}

// finishPart is finishTrace for as much as is worked on at once, which is all but of traces that were held
// without a bound. It returns ErrConflict or ErrNotFound where somebody else changed the episode meanwhile.
func (t *Traces) finishPart(ctx context.Context, trace string) (more bool, err error) {
	// The spans after the episode: with one that is deleted in between they are gone too.
	before, err := t.store.TraceEpisode(ctx, trace)
	if err != nil {
		return false, err
	}
	var damage store.Damage
	room := traceRoom.Whole()
	query, page := store.SpansOf{Trace: trace, Bytes: room.Bytes}, store.Page{Limit: room.Spans}
	held, _, err := store.List(store.WithDamage(ctx, damage.Note), t.store, query, page)
	if found := damage.Found(); err == nil && len(held) == 0 && len(found) > 0 {
		err = found[0]
	}
	if err != nil || len(held) == 0 {
		return false, err
	}
	if before != nil {
		err = t.amendTrace(ctx, before, held)
	} else {
		err = t.recordTrace(ctx, trace, held)
	}
	switch {
	case errors.Is(err, errForeign):
		t.log.WarnContext(ctx, "spans are left out: "+errForeign.Error(), "trace", trace, "spans", len(held))
	case err != nil:
		return false, err
	}
	ids := memory.Mapped(held, func(item *store.HeldSpan) string { return item.Span.ID })
	return true, t.store.ReleaseSpans(ctx, trace, ids)
}

func spansOf(held []*store.HeldSpan) []capture.Span {
	return memory.Mapped(held, func(item *store.HeldSpan) capture.Span { return item.Span })
}

// receiptOf is what was done to those of the spans that are held by which an episode grows from before to after.
func receiptOf(held []*store.HeldSpan, before, after []capture.Span) memory.Receipt {
	chosen := make(map[string]bool, len(after))
	for i := range after {
		chosen[after[i].ID] = true
	}
	for i := range before {
		chosen[before[i].ID] = false
	}
	receipt := memory.Receipt{Redactions: []memory.Redaction{}}
	for i := range held {
		if chosen[held[i].Span.ID] {
			receipt = receipt.Plus(held[i].Receipt)
		}
	}
	return receipt
}

// informedBy are the episodes that the agent of a trace went by.
func informedBy(trace string, held []*store.HeldSpan) (keys []string) {
	for i := range held {
		keys = append(keys, held[i].Span.InformedBy...)
	}
	keys = slices.DeleteFunc(distinct(keys), func(key string) bool { return key == trace })
	return keys[:min(len(keys), MaxList)]
}

// recordTrace records the episode of a trace.
func (t *Traces) recordTrace(ctx context.Context, trace string, held []*store.HeldSpan) error {
	spans := capture.RelevantSpans(capture.MergeSpans(nil, spansOf(held)))
	if !capture.MakesEpisode(spans) {
		return t.leaveTrace(ctx, trace)
	}
	record, err := t.traceRecord(ctx, trace, spans)
	if err != nil {
		return err
	}
	record.Episode.Receipt = receiptOf(held, nil, spans)
	record.Bound = slices.ContainsFunc(held, func(span *store.HeldSpan) bool { return span.Bound })
	record.InformedBy = informedBy(trace, held)
	records := []store.EpisodeRecord{record}
	// Spans that were on their way do not bring back what was deleted for good. Whose they are does not matter:
	// those of an agent that were sent after it was forgotten are welcome.
	err = t.restoreOne(ctx, &records[0], []string{records[0].ID()}, false)
	if err == nil {
		t.completeLater(&records[0].Episode)
	}
	if errors.Is(err, store.ErrForgotten) {
		return nil
	}
	return err
}

// leaveTrace leaves spans alone in which no agent took part. It answers ErrConflict where they only looked like that,
// because another made an episode of the rest of their trace, and let go of that, before these were read.
func (t *Traces) leaveTrace(ctx context.Context, trace string) error {
	now, err := t.store.TraceEpisode(ctx, trace)
	if err == nil && now != nil {
		err = store.ErrConflict
	}
	return err
}

// amendTrace amends the episode of a trace by the spans that it does not have yet.
func (t *Traces) amendTrace(ctx context.Context, was *store.TraceEpisode, held []*store.HeldSpan) error {
	before := was.Episode
	known, ok := capture.SpansOfLog(was.Events)
	if !ok {
		return errForeign
	}
	late, left := fitting(known, spansOf(held))
	if left > 0 {
		t.log.WarnContext(ctx, "a trace is full; spans are left out", "trace", before.Key, "spans", left)
	}
	spans := capture.RelevantSpans(capture.MergeSpans(known, late))
	if len(spans) == len(known) {
		return nil
	}
	record, err := t.traceRecord(ctx, before.Key, spans)
	if err != nil {
		return err
	}
	after := &record.Episode
	if before.Concluded && !capture.EpisodeFromSpans(known).Concluded {
		// Somebody concluded it who knew the end better than the spans did.
		after.Result, after.Insight, after.Segments = before.Result, before.Insight, before.Segments
	}
	after.Quality, after.Cost, after.Receipt = before.Quality, before.Cost, before.Receipt.Plus(receiptOf(held, known, spans))
	if after.EndedAt != nil && after.EndedAt.Before(before.StartedAt) {
		after.EndedAt = &before.StartedAt
	}
	records := []store.EpisodeRecord{record}
	err = t.store.AmendEpisode(ctx, store.EpisodeAmendment{
		Episode: records[0].Episode, Events: record.Events, InputHash: record.InputHash,
		WasHash: was.InputHash, WasConcluded: before.Concluded,
	})
	if err == nil {
		t.completeLater(&records[0].Episode)
	}
	return err
}

// fitting are the late spans that there is room for beside the known, and how many others are left.
func fitting(known, late []capture.Span) (fit []capture.Span, left int) {
	var used store.TraceRoom
	seen := make(map[string]bool, len(known))
	for i := range known {
		used.Spans, used.Bytes = used.Spans+1, used.Bytes+known[i].Size()
		seen[known[i].ID] = true
	}
	for i := range late {
		switch {
		case seen[late[i].ID]:
		case traceRoom.Take(&used, &late[i], late[i].Size()):
			fit = append(fit, late[i])
		default:
			left++
		}
	}
	return fit, left
}

// maxTraceSpans is how many spans an episode is made of, the first that started.
const maxTraceSpans = 5000

// traceRecord brings the spans of a trace to the record of its episode, without its receipt. It is known by what is
// kept of them.
func (t *Traces) traceRecord(ctx context.Context, trace string, spans []capture.Span) (store.EpisodeRecord, error) {
	if len(spans) > maxTraceSpans {
		t.log.Warn("a trace has more spans than an episode is made of; the last are left out", "trace", trace, "spans", len(spans))
		spans = spans[:maxTraceSpans]
	}
	log, err := capture.SpanLog(spans)
	if err = cmp.Or(err, t.keyed(ctx)); err != nil {
		return store.EpisodeRecord{}, err
	}
	episode := capture.EpisodeFromSpans(spans)
	episode.Key, episode.ExecutionIDs, episode.CreatedAt = trace, []string{trace}, t.clock()
	fillIn(&episode, nil, nil)
	return store.EpisodeRecord{Episode: episode, Events: log, InputHash: t.hash(spans)}, nil
}
