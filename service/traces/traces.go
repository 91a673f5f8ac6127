// Package traces makes episodes of the spans that programs send.
package traces

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/memory/capture"
	"mneme/memory/prose"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/tenancy"
	"mneme/store"
)

// Traces makes episodes of the spans that programs send.
type Traces struct{ t *tenancy.Tenant }

// New are those of a tenant.
func New(t *tenancy.Tenant) *Traces { return &Traces{t} }

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
func (t *Traces) RecordSpans(ctx context.Context, spans []boundary.TraceSpan) (RecordedSpans, error) {
	var recorded RecordedSpans
	held, refused := tenancy.Convert(spans, func(span boundary.TraceSpan) (store.HeldSpan, error) { return t.t.Boundary(ctx).Span(span) })
	recorded.Rejected = len(refused)
	if len(refused) > 0 {
		recorded.Reason = refused[slices.Min(slices.Collect(maps.Keys(refused)))]
	}
	if len(held) == 0 {
		return recorded, nil
	}
	if _, err := t.t.InputKey(ctx); err != nil {
		return recorded, err
	}
	full, err := t.t.Store.HoldSpans(ctx, held, t.t.Clock(), traceRoom)
	if err != nil {
		return recorded, faults.Of("the span", err)
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
	t.t.Background.Wake()
	return recorded, nil
}

// tracesAtOnce is how many traces one look for complete ones takes.
const tracesAtOnce = 100

// Finish makes episodes of the traces that are complete, and says whether spans of others are still
// held. What fails stays held, is tried again after a while, and does not keep the rest from being finished.
func (t *Traces) Finish(ctx context.Context) (more bool, err error) {
	now := t.t.Clock()
	due, _, err := store.List(ctx, t.t.Store, store.DueTraces{
		EndedBefore: now.Add(-t.t.Waits.Quiet), SilentBefore: now.Add(-t.t.Waits.Silence), RetryBefore: now, SetBack: now.Add(t.t.Waits.Silence),
	}, store.Page{Limit: tracesAtOnce})
	if err != nil {
		return true, faults.Of("the traces", err)
	}
	var failed []error
	for _, trace := range due {
		if err := t.finishTrace(ctx, trace.Trace); err != nil {
			failed = append(failed, err, t.putOff(ctx, trace, err))
		}
	}
	rest := store.DueTraces{EndedBefore: endOfTime, SilentBefore: endOfTime, RetryBefore: endOfTime, SetBack: endOfTime}
	_, more, err = store.List(ctx, t.t.Store, rest, store.Page{})
	return err != nil || more, faults.Of("the traces", errors.Join(append(failed, err)...))
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
	before, err := store.GetOne[store.WholeEpisode](ctx, t.t.Store, trace)
	if err != nil {
		return false, err
	}
	var damage store.Damage
	room := traceRoom.Whole()
	query, page := store.SpansOf{Trace: trace, Bytes: room.Bytes}, store.Page{Limit: room.Spans}
	held, _, err := store.List(store.WithDamage(ctx, damage.Note), t.t.Store, query, page)
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
		t.t.Log.WarnContext(ctx, "spans are left out: "+errForeign.Error(), "trace", trace, "spans", len(held))
	case err != nil:
		return false, err
	}
	ids := memory.Mapped(held, func(item *store.HeldSpan) string { return item.Span.ID })
	return true, t.t.Store.ReleaseSpans(ctx, trace, ids)
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
	keys = slices.DeleteFunc(memory.Distinct(keys), func(key string) bool { return key == trace })
	return keys[:min(len(keys), boundary.MaxList)]
}

// recordTrace records the episode of a trace.
func (t *Traces) recordTrace(ctx context.Context, trace string, held []*store.HeldSpan) error {
	spans := capture.RelevantSpans(capture.MergeSpans(nil, spansOf(held)))
	if !capture.MakesEpisode(spans) { // no agent took part, or another made an episode of the rest before these were read
		now, err := store.GetOne[store.WholeEpisode](ctx, t.t.Store, trace)
		if err == nil && now != nil {
			err = store.ErrConflict
		}
		return err
	}
	record, err := t.traceRecord(ctx, trace, spans)
	if err != nil {
		return err
	}
	record.Episode.Receipt = receiptOf(held, nil, spans)
	record.ByUserKey = slices.ContainsFunc(held, func(span *store.HeldSpan) bool { return span.ByUserKey })
	record.InformedBy = informedBy(trace, held)
	// Spans that were on their way do not bring back what was deleted for good. Whose they are does not matter:
	// those of an agent that were sent after it was forgotten are welcome.
	err = t.t.RestoreOne(ctx, &record, []string{record.ID()})
	switch {
	case err == nil:
		t.t.CompleteLater(&record.Episode)
	case errors.Is(err, store.ErrForgotten):
		return nil
	}
	return err
}

// amendTrace amends the episode of a trace by the spans that it does not have yet.
func (t *Traces) amendTrace(ctx context.Context, was *store.WholeEpisode, held []*store.HeldSpan) error {
	before := was.Episode
	known, ok := capture.SpansOfLog(was.Events)
	if !ok {
		return errForeign
	}
	late, left := fitting(known, spansOf(held))
	if left > 0 {
		t.t.Log.WarnContext(ctx, "a trace is full; spans are left out", "trace", before.Key, "spans", left)
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
	err = t.t.Store.AmendEpisode(ctx, store.EpisodeAmendment{
		Episode: record.Episode, Events: record.Events, InputHash: record.InputHash,
		WasHash: was.InputHash, WasConcluded: before.Concluded,
	})
	if err == nil {
		t.t.CompleteLater(after)
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
		t.t.Log.Warn("a trace has more spans than an episode is made of; the last are left out", "trace", trace, "spans", len(spans))
		spans = spans[:maxTraceSpans]
	}
	key, err := t.t.InputKey(ctx)
	if err != nil {
		return store.EpisodeRecord{}, err
	}
	log, err := capture.SpanLog(spans)
	if err != nil {
		return store.EpisodeRecord{}, err
	}
	episode := capture.EpisodeFromSpans(spans)
	episode.Key, episode.ExecutionIDs, episode.CreatedAt = trace, []string{trace}, t.t.Clock()
	boundary.FillIn(&episode, nil, nil)
	return store.EpisodeRecord{Episode: episode, Events: log, InputHash: boundary.Hash(key, spans)}, nil
}

// maxRetryDelay is the longest that a failed trace waits until it is tried again.
const maxRetryDelay = time.Hour

// maxReason is how many bytes are kept of the reason why a trace failed.
const maxReason = 300

// putOff delays the next attempt at a trace that failed, twice as long each time, so that it does not take the place of
// others. A store that cannot be used, or another process that was faster, is no failure of the trace.
func (t *Traces) putOff(ctx context.Context, trace *store.DueTrace, cause error) error {
	for _, passing := range []error{store.ErrUnavailable, store.ErrConflict, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(cause, passing) {
			return nil
		}
	}
	reason := prose.ShortenBytes(strings.ToValidUTF8(cause.Error(), ""), maxReason) // for the operator who asks the doctor
	if known, ok := errors.AsType[*memory.Error](cause); ok {
		reason = known.Text()
	}
	wait := min(t.t.Waits.Quiet<<min(trace.Failures, 10), maxRetryDelay)
	return tenancy.ItemOf(store.Record(ctx, t.t.Store, []store.TraceFailure{{
		Trace: trace.Trace, Failures: trace.Failures + 1, RetryAt: t.t.Clock().Add(max(wait, time.Millisecond)), Reason: reason,
	}}))
}
