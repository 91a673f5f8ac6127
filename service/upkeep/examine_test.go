package upkeep_test

import (
	"context"
	"testing"

	"mneme/service/servicetest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testsecret"
	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/store"
)

// patient is a backend of which an examination ends so.
type patient struct {
	store.Backend
	found []store.Finding
	err   error
}

func (p patient) Examine(context.Context) ([]store.Finding, error) { return p.found, p.err }

func TestExamineTellsWhatTheStoreFinds(t *testing.T) {
	t.Parallel()
	faults := []store.Finding{{Tenant: "t", Part: "links", Fault: "some lead nowhere", Remedy: store.RemedyRebuild}}
	found, err := service.New(patient{found: faults}).Examine(t.Context())
	require.NoError(t, err)
	assert.Equal(t, faults, found)

	_, err = service.New(patient{err: store.ErrUnavailable}).Examine(t.Context())
	var known *memory.Error
	require.ErrorAs(t, err, &known)
	assert.Equal(t, memory.CodeUnavailable, known.Code)
}

func TestWhatCanBeReadIsNotDiscarded(t *testing.T) {
	t.Parallel()
	svc, ctx := testsecret.Open(t), t.Context()
	_, err := svc.Episodes.RecordEpisode(ctx, boundary.RecordEpisodeInput{ID: new("e1"), AgentID: "a", Observation: "o"}, boundary.Include{})
	require.NoError(t, err)
	_, err = svc.Upkeep.Discard(ctx, []string{"episode:e1"})
	servicetest.RequireCode(t, err, memory.CodeNotFound, "unreadable")
	assert.ErrorContains(t, err, "mneme doctor")
	require.NoError(t, svc.Upkeep.Rebuild(ctx, nil))
}
