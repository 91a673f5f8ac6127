package service

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory/capture"
	"mneme/service/boundary"
	"mneme/store/sqlite"
)

// keeping is a service that keeps tenants for an hour, with the clock of its test.
func keeping(t *testing.T, now func() time.Time) *Service {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	svc := New(backend, WithLogger(slog.New(slog.DiscardHandler)), func(s *Settings) { s.TenantIdle = time.Hour }, WithClock(now),
		WithTraceWaits(capture.TraceWaits{Quiet: time.Hour, Silence: time.Hour}))
	t.Cleanup(func() {
		require.NoError(t, errors.Join(svc.Close(context.Background()), backend.Close(context.Background())))
	})
	return svc
}

// as binds a tenant until done is called.
func as(t *testing.T, svc *Service, id string) (tenant *Tenant, done func()) {
	t.Helper()
	ctx, done := context.WithCancel(t.Context())
	tenant, err := svc.Tenant(WithTenant(ctx, id))
	require.NoError(t, err)
	return tenant, done
}

// kept says whether a tenant is kept, and by how many it is used.
func (ts *tenants) kept(id string) (kept bool, users int) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if known := ts.byID[id]; known != nil {
		return true, known.users
	}
	return false, 0
}

// unused waits until nobody uses a tenant, which is told after its context has ended.
func unused(t *testing.T, svc *Service, id string) {
	t.Helper()
	require.Eventually(t, func() bool {
		_, users := svc.tenants.kept(id)
		return users == 0
	}, time.Minute, time.Millisecond)
}

func TestTenantsThatNobodyUsesAreClosed(t *testing.T) {
	t.Parallel()
	now := time.Now()
	svc := keeping(t, func() time.Time { return now })
	used, done := as(t, svc, "used")
	defer done()
	_, leave := as(t, svc, "left")
	leave()
	unused(t, svc, "left")
	traced, stop := as(t, svc, "traced")
	_, err := traced.Traces.RecordSpans(t.Context(), []boundary.TraceSpan{{Trace: "0af7651916cd43dd8448eb211c80319c", Span: capture.Span{
		ID: "01", Kind: capture.SpanAgent, Name: "support", Agent: "support", StartedAt: now, EndedAt: now,
	}}})
	require.NoError(t, err)
	stop()
	unused(t, svc, "traced")

	now = now.Add(59 * time.Minute)
	svc.CloseIdle(t.Context())
	kept, _ := svc.tenants.kept("left")
	require.True(t, kept, "it was used within the hour")
	now = now.Add(2 * time.Minute)
	svc.CloseIdle(t.Context())
	kept, _ = svc.tenants.kept("left")
	assert.False(t, kept)
	kept, _ = svc.tenants.kept("traced")
	assert.True(t, kept, "spans are held, to be made an episode here")
	again, end := as(t, svc, "used")
	defer end()
	assert.Same(t, used, again, "it is in use")
	_, end = as(t, svc, "left")
	end()
}
