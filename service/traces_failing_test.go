package service_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/servicetest"
	"mneme/store"
)

// spoiling cannot read what is held of some traces, and counts how often it is asked to.
type spoiling struct {
	store.Backend
	err   error
	tries map[string]int
}

func (s *spoiling) Tenant(ctx context.Context, id string) (store.Store, error) {
	bound, err := s.Backend.Tenant(ctx, id)
	return &spoilingStore{bound, s}, err
}

type spoilingStore struct {
	store.Store
	of *spoiling
}

func (s *spoilingStore) List(ctx context.Context, query any, page store.Page) (any, bool, error) {
	if spans, ok := query.(store.SpansOf); ok {
		s.of.tries[spans.Trace]++
		if strings.HasPrefix(spans.Trace, "bad") && s.of.err != nil {
			return nil, false, s.of.err
		}
	}
	return s.Store.List(ctx, query, page)
}

func openSpoiling(t *testing.T) (*traced, *spoiling, *service.Tenant) {
	tr := openTraced(t)
	spoilt := &spoiling{Backend: tr.backend, err: errors.New("it is damaged"), tries: map[string]int{}}
	opened := service.New(spoilt, service.WithTraceWaits(capture.TraceWaits{Quiet: time.Minute, Silence: time.Hour}),
		service.WithClock(func() time.Time { return tr.now }), service.WithLogger(slog.New(slog.DiscardHandler)))
	svc := servicetest.Bind(t.Context(), t, opened)
	t.Cleanup(func() { require.NoError(t, opened.Close(context.Background())) })
	return tr, spoilt, svc
}

func TestFailingTracesDoNotKeepOthersWaiting(t *testing.T) {
	t.Parallel()
	tr, spoilt, svc := openSpoiling(t)
	spans := []boundary.TraceSpan{}
	for i := range 150 {
		spans = append(spans, boundary.TraceSpan{Trace: fmt.Sprintf("bad-%03d", i), Span: root()})
	}
	_, err := svc.Traces.RecordSpans(t.Context(), append(spans, boundary.TraceSpan{Trace: traceKey, Span: root()}))
	require.NoError(t, err)
	sweep := func(after time.Duration) {
		tr.now = tr.now.Add(after)
		_, _ = svc.Traces.Finish(t.Context())
	}
	sweep(time.Minute)
	sweep(time.Second)
	require.NotNil(t, tr.episode())
	assert.Equal(t, 1, spoilt.tries["bad-000"])
	for range 190 {
		sweep(time.Minute)
	}
	// After 1, 2, 4, 8, 16 and 32 minutes, and then once an hour.
	assert.InDelta(t, 9, spoilt.tries["bad-000"], 1)

	findings, err := tr.opened.Examine(t.Context())
	require.NoError(t, err)
	told := ""
	for _, f := range findings {
		if f.Part == "traces" {
			told = f.Fault
		}
	}
	assert.Contains(t, told, "150 traces cannot be made episodes: bad-000 (")
	assert.Contains(t, told, "it is damaged")

	spoilt.err = nil
	for range 3 {
		sweep(time.Hour)
	}
	more, err := svc.Traces.Finish(t.Context())
	require.NoError(t, err)
	assert.False(t, more)
}

func TestTraceIsNotToBlameForTheStore(t *testing.T) {
	t.Parallel()
	tr, spoilt, svc := openSpoiling(t)
	_, err := svc.Traces.RecordSpans(t.Context(), []boundary.TraceSpan{{Trace: "bad", Span: root()}})
	require.NoError(t, err)
	spoilt.err = fmt.Errorf("now: %w", store.ErrUnavailable)
	tr.now = tr.now.Add(time.Minute)
	for range 3 {
		more, err := svc.Traces.Finish(t.Context())
		require.Error(t, err)
		assert.True(t, more)
	}
	spoilt.err = nil
	more, err := svc.Traces.Finish(t.Context())
	require.NoError(t, err)
	assert.False(t, more, "at once when the store is back")
}

func TestDropTrace(t *testing.T) {
	t.Parallel()
	tr, _, svc := openSpoiling(t)
	tr.send(root(), step("02", "get_order", 1))
	dropped, err := svc.Upkeep.DropTrace(t.Context(), traceKey, false)
	require.NoError(t, err)
	assert.Equal(t, 2, dropped)
	_, err = svc.Upkeep.DropTrace(t.Context(), "", false)
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "traceId")
	assert.False(t, tr.finish(48*time.Hour))
	assert.Nil(t, tr.episode())
}

// What cannot be read is deleted too, and so counts before.
func TestDropTraceCountsWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	_, spoilt, svc := openSpoiling(t)
	_, err := svc.Traces.RecordSpans(t.Context(), []boundary.TraceSpan{{Trace: "bad", Span: root()}, {Trace: "bad", Span: step("02", "get_order", 1)}})
	require.NoError(t, err)
	require.Error(t, spoilt.err)
	count, err := svc.Upkeep.DropTrace(t.Context(), "bad", true)
	require.NoError(t, err)
	assert.Equal(t, 2, count)
	dropped, err := svc.Upkeep.DropTrace(t.Context(), "bad", false)
	require.NoError(t, err)
	assert.Equal(t, 2, dropped)
}
