package upkeep_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/servicetest"
	"mneme/service/upkeep"
	"mneme/store"
	"mneme/store/sqlite"
)

// unhurriedly is a backend that has pruned all that there is, but does not know it when the time is up.
type unhurriedly struct{ store.Backend }

func (u unhurriedly) Tenant(ctx context.Context, id string) (store.Store, error) {
	bound, err := u.Backend.Tenant(ctx, id)
	return unhurriedStore{bound}, err
}

type unhurriedStore struct{ store.Store }

func (u unhurriedStore) PruneObservations(ctx context.Context, pruning store.Pruning) (int, error) {
	count, err := u.Store.PruneObservations(ctx, pruning)
	if pruning.DryRun || count == 0 || err != nil {
		return count, err
	}
	<-ctx.Done()
	return count, ctx.Err()
}

// What is pruned when the time of a call is up stays pruned and is counted; the same call goes on.
func TestPruneGoesOn(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	svc := servicetest.Bind(t.Context(), t, service.New(unhurriedly{backend}))
	for range 2 {
		_, err := svc.Knowledge.RecordObservation(t.Context(), boundary.RecordObservationInput{Content: "x", Importance: new(memory.ImportanceLow)})
		require.NoError(t, err)
	}
	prune := func(dry bool) upkeep.PruneResult {
		ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
		defer cancel()
		pruned, err := svc.Upkeep.Prune(ctx, boundary.PruneInput{MinWeight: 0.4, DryRun: &dry})
		require.NoError(t, err)
		return *pruned
	}
	assert.Equal(t, upkeep.PruneResult{Candidates: 2, DryRun: true, Complete: true}, prune(true))
	assert.Equal(t, upkeep.PruneResult{Candidates: 2, Deleted: 2}, prune(false))
	assert.Equal(t, upkeep.PruneResult{Complete: true}, prune(false))
}
