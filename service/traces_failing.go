package service

import (
	"context"
	"errors"
	"strings"
	"time"

	"mneme/memory"
	"mneme/store"
)

// maxPutOff is the longest that a trace that fails waits until it is tried again.
const maxPutOff = time.Hour

// maxReason is how many bytes of why a trace failed are kept.
const maxReason = 300

// putOff lets a trace that failed wait, twice as long each time, so that it does not take the place of others.
// Where the store cannot be used, or somebody else was quicker, the trace is not to blame.
func (t *Traces) putOff(ctx context.Context, trace store.DueTrace, cause error) error {
	for _, passing := range []error{store.ErrUnavailable, store.ErrConflict, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(cause, passing) {
			return nil
		}
	}
	wait := min(t.waits.Quiet<<min(trace.Failures, 10), maxPutOff)
	return t.store.PutOffTrace(ctx, trace.Trace, store.TraceFailure{
		Failures: trace.Failures + 1, RetryAt: t.clock().Add(max(wait, time.Millisecond)), Reason: reasonOf(cause),
	})
}

// reasonOf is why a trace failed, for the operator who asks the doctor.
func reasonOf(cause error) string {
	var known *memory.Error
	if errors.As(cause, &known) {
		return known.Text()
	}
	text := cause.Error()
	return strings.ToValidUTF8(text[:min(len(text), maxReason)], "")
}

// DropTrace lets go of the spans that are held of a trace, for good, and says how many there were. An episode
// that the trace is already stays.
func (u *Upkeep) DropTrace(ctx context.Context, trace string) (int, error) {
	b := u.deletion(ctx)
	key := b.key(memory.KindEpisode, "traceId", trace)
	if b.err != nil {
		return 0, b.err
	}
	spans, err := u.store.DropTrace(ctx, key)
	return spans, fault("the trace", err)
}
