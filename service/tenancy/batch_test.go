package tenancy_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/store"
)

// failing is a store in which every canvas action fails in a way that nobody foresaw.
type failing struct {
	store.Backend
	store.Store
}

func (f failing) Tenant(context.Context, string) (store.Store, error) { return f, nil }

func (failing) InputKey(context.Context) ([]byte, error) { return make([]byte, 32), nil }

func (failing) Record(_ context.Context, records any) ([]store.Recorded, error) {
	actions, _ := records.([]store.CanvasActionRecord)
	recorded := make([]store.Recorded, len(actions))
	for i := range recorded {
		recorded[i].Err = errors.New("the disk is on fire")
	}
	return recorded, nil
}

// away is a store that cannot be reached.
type away struct{ failing }

func (a away) Tenant(context.Context, string) (store.Store, error) { return a, nil }

func (away) InputKey(context.Context) ([]byte, error) { return nil, store.ErrUnavailable }

// What is out of reach is no fault of an item: the whole batch may be sent again.
func TestABatchFailsAsAWholeWhereTheStoreIsAway(t *testing.T) {
	t.Parallel()
	tenant, err := service.New(away{}).Tenant(t.Context())
	require.NoError(t, err)
	shown := boundary.CanvasActionInput{CanvasID: "c", CanvasType: "forms", SessionID: new("s"), Action: memory.CanvasPresent}
	_, err = tenant.Reactions.RecordCanvasActions(t.Context(), boundary.RecordCanvasActionsInput{Actions: []boundary.CanvasActionInput{shown}})
	require.ErrorIs(t, err, store.ErrUnavailable)
}

// What fails in a way that nobody foresaw is in the log, also where a batch answers the rest: once, however much of it.
func TestTheLogHasWhatABatchDoesNotShow(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	tenant, err := service.New(failing{}, service.WithLogger(slog.New(slog.NewTextHandler(&log, nil)))).Tenant(t.Context())
	require.NoError(t, err)
	shown := boundary.CanvasActionInput{CanvasID: "c", CanvasType: "forms", SessionID: new("s"), Action: memory.CanvasPresent}
	result, err := tenant.Reactions.RecordCanvasActions(t.Context(), boundary.RecordCanvasActionsInput{Actions: []boundary.CanvasActionInput{shown, {}, shown}})
	require.NoError(t, err)
	require.Equal(t, 3, result.Failed)
	for i, code := range []memory.Code{memory.CodeInternal, memory.CodeInvalidInput, memory.CodeInternal} {
		assert.Equal(t, code, result.Errors[i].Code)
		assert.NotContains(t, result.Errors[i].Message, "fire")
	}
	assert.Equal(t, 1, strings.Count(log.String(), "the disk is on fire"), log.String())
	assert.Contains(t, log.String(), "failed=2")
}
