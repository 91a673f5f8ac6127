package service

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory/capture"
	"mneme/service/boundary"
	"mneme/store"
	"mneme/store/sqlite"
)

// keeping is a service that keeps some tenants, with the clock of its test.
func keeping(t *testing.T, most int, now func() time.Time) *Service {
	t.Helper()
	svc, _ := keepingSlowly(t, most, now)
	return svc
}

// slow is a backend of which trimming old events waits, where it is to, until its context ends.
type slow struct {
	store.Backend
	waits          atomic.Bool
	trimmed, ended atomic.Int32
}

type slowStore struct {
	store.Store
	slow *slow
}

func (s *slow) Tenant(ctx context.Context, id string) (store.Store, error) {
	bound, err := s.Backend.Tenant(ctx, id)
	return slowStore{bound, s}, err
}

func (s slowStore) TrimNotices(ctx context.Context, before time.Time) error {
	s.slow.trimmed.Add(1)
	if !s.slow.waits.Load() {
		return s.Store.TrimNotices(ctx, before)
	}
	<-ctx.Done()
	s.slow.ended.Add(1)
	return ctx.Err()
}

func keepingSlowly(t *testing.T, most int, now func() time.Time) (*Service, *slow) {
	t.Helper()
	opened, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir(), MaxOpen: most})
	require.NoError(t, err)
	backend := &slow{Backend: opened}
	svc := New(backend, WithLogger(slog.New(slog.DiscardHandler)), func(s *Settings) { s.TenantsKept, s.TenantIdle = most, time.Hour }, WithClock(now),
		WithTraceWaits(capture.TraceWaits{Quiet: time.Hour, Silence: time.Hour}))
	t.Cleanup(func() {
		require.NoError(t, errors.Join(svc.Close(context.Background()), backend.Close(context.Background())))
	})
	return svc, backend
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
	svc := keeping(t, 100, func() time.Time { return now })
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

func TestOfManyTenantsTheLatestAreKept(t *testing.T) {
	t.Parallel()
	const most, all = 16, 200
	var tick sync.Mutex
	now := time.Now()
	svc := keeping(t, most, func() time.Time {
		tick.Lock()
		defer tick.Unlock()
		now = now.Add(time.Millisecond)
		return now
	})
	held, done := as(t, svc, "held")
	defer done()
	for i := range all {
		_, leave := as(t, svc, fmt.Sprintf("t%d", i))
		leave()
		unused(t, svc, fmt.Sprintf("t%d", i))
		svc.tenants.closing.Wait()
		require.LessOrEqual(t, len(svc.tenants.all()), most)
	}
	kept, _ := svc.tenants.kept(fmt.Sprintf("t%d", all-1))
	assert.True(t, kept, "the latest")
	again, end := as(t, svc, "held")
	defer end()
	assert.Same(t, held, again)
}

func TestMakingRoomEndsWithTheTimeToClose(t *testing.T) {
	t.Parallel()
	svc, backend := keepingSlowly(t, 1, time.Now)
	backend.waits.Store(true)
	for _, id := range []string{"one", "two"} {
		_, leave := as(t, svc, id)
		leave()
		unused(t, svc, id)
	}
	_, leave := as(t, svc, "three")
	defer leave()
	require.Eventually(t, func() bool { return backend.trimmed.Load() > 0 }, time.Minute, time.Millisecond, "room is made")

	ctx, over := context.WithCancel(t.Context())
	closed := make(chan error, 1)
	go func() { closed <- svc.Close(ctx) }()
	over()
	select {
	case err := <-closed:
		require.NoError(t, err)
	case <-time.After(time.Minute):
		require.Fail(t, "it waits for the store although its time is over")
	}
	svc.tenants.closing.Wait()
	assert.Equal(t, backend.trimmed.Load(), backend.ended.Load(), "nothing of it goes on")
}

func TestNobodyMakesRoomOnceItIsClosed(t *testing.T) {
	t.Parallel()
	svc, backend := keepingSlowly(t, 4, time.Now)
	var binding sync.WaitGroup
	for i := range 16 {
		binding.Go(func() {
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			_, err := svc.Tenant(WithTenant(ctx, fmt.Sprintf("t%d", i)))
			assert.NoError(t, err)
		})
	}
	require.NoError(t, svc.Close(t.Context()))
	binding.Wait()
	svc.tenants.closing.Wait()
	before := backend.trimmed.Load()
	for i := range 6 {
		_, leave := as(t, svc, fmt.Sprintf("late%d", i))
		leave()
		unused(t, svc, fmt.Sprintf("late%d", i))
	}
	svc.tenants.closing.Wait()
	assert.Equal(t, before, backend.trimmed.Load())
}
