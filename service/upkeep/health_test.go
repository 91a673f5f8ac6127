package upkeep_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
	"mneme/service/servicetest"
	"mneme/store"
	"mneme/store/sqlite"
)

// laborious is a backend whose examination ends when it is told to, or given up.
type laborious struct {
	store.Backend
	begun, end chan struct{}
}

func (l laborious) ExamineTenant(ctx context.Context, _ string) ([]store.Finding, error) {
	close(l.begun)
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-l.end:
		return nil, nil
	}
}

func TestOneExaminationAtATime(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	slow := laborious{backend, make(chan struct{}), make(chan struct{})}
	svc := servicetest.Bind(t.Context(), t, service.New(slow))
	first := make(chan error)
	go func() {
		_, err := svc.Upkeep.Health(t.Context())
		first <- err
	}()
	<-slow.begun
	_, err = svc.Upkeep.Health(t.Context())
	servicetest.RequireCode(t, err, memory.CodeLimitExceeded, "")
	close(slow.end)
	require.NoError(t, <-first)
}

func TestExaminationThatTakesTooLong(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	svc := servicetest.Bind(t.Context(), t, service.New(laborious{backend, make(chan struct{}), nil}))
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	_, err = svc.Upkeep.Health(ctx)
	servicetest.RequireCode(t, err, memory.CodeLimitExceeded, "")
	assert.ErrorContains(t, err, "mneme doctor")
}
