package service_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory/capture"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/servicetest"
	"mneme/store"
	"mneme/store/sqlite"
)

// Spans that are held when a server ends become episodes after the next has begun, whoever they are of and though
// nobody asks for those.
func TestHeldSpansOfAllTenantsAreGoneOnWith(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	serve := func(quiet time.Duration) *service.Service {
		return service.New(backend, service.WithLogger(slog.New(slog.DiscardHandler)),
			service.WithTraceWaits(capture.TraceWaits{Quiet: quiet, Silence: time.Hour}))
	}
	tenants := []string{service.DefaultTenant, "a", "b"}
	ended := serve(time.Hour)
	for _, id := range tenants {
		tenant := servicetest.Bind(service.WithTenant(t.Context(), id), t, ended)
		_, err := tenant.Traces.RecordSpans(t.Context(), []boundary.TraceSpan{{Trace: traceKey, Span: root()}})
		require.NoError(t, err)
	}
	require.NoError(t, ended.Close(t.Context()))

	next := serve(time.Millisecond)
	t.Cleanup(func() { require.NoError(t, next.Close(context.Background())) })
	require.NoError(t, next.Resume(t.Context()))
	for _, id := range tenants {
		held, err := backend.Tenant(t.Context(), id) // not of the service, which would bind it
		require.NoError(t, err)
		assert.Eventually(t, func() bool {
			found, err := store.GetOne[store.WholeEpisode](t.Context(), held, traceKey)
			return err == nil && found != nil
		}, time.Minute, time.Millisecond, id)
	}
}
