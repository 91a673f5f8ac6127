package service_test

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
)

// unending is a store whose deletions have more parts than there is time for.
type unending struct{ store.Backend }

func (e *unending) Tenant(ctx context.Context, id string) (store.Store, error) {
	bound, err := e.Backend.Tenant(ctx, id)
	return &unendingStore{bound}, err
}

type unendingStore struct{ store.Store }

func (*unendingStore) DeleteAgent(ctx context.Context, _ string) (int, error) {
	<-ctx.Done()
	return 7, ctx.Err()
}

func (*unendingStore) DeletePerson(ctx context.Context, _ string) (int, error) {
	<-ctx.Done()
	return 8, ctx.Err()
}

func (*unendingStore) DeleteEpisode(ctx context.Context, _ string) error {
	<-ctx.Done()
	return ctx.Err()
}

func unfinished(t *testing.T, err error, says string) {
	t.Helper()
	var fault *memory.Error
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, memory.CodeUnavailable, fault.Code)
	assert.Contains(t, fault.Message, says)
}

// Nobody may take for deleted what is not, also who asks for nothing but the id of what was deleted.
func TestDeletionThatTakesLongerThanItsCallIsAnError(t *testing.T) {
	opened := service.New(&unending{Backend: openTraced(t).backend})
	svc := servicetest.Bind(t.Context(), t, opened)
	t.Cleanup(func() { require.NoError(t, opened.Close(context.Background())) })
	for name, says := range map[string]func(*testing.T, context.Context){
		"an agent": func(t *testing.T, ctx context.Context) {
			_, err := svc.Upkeep.DeleteAgent(ctx, service.DeleteAgentInput{ID: "a"})
			unfinished(t, err, "but 7 episodes; the same again goes on")
		},
		"a person": func(t *testing.T, ctx context.Context) {
			_, err := svc.Upkeep.DeleteFeedback(ctx, service.DeleteFeedbackInput{CreatedBy: new("eve")})
			unfinished(t, err, "but 8 feedbacks and corrections; the same again goes on")
		},
		"an episode": func(t *testing.T, ctx context.Context) {
			_, err := svc.Upkeep.DeleteEpisode(ctx, service.DeleteEpisodeInput{ID: "e"})
			unfinished(t, err, "still there; the same again goes on")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			// Three quarters of it are for the deletion; the rest is plenty to say so, also on a busy machine.
			ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
			defer cancel()
			says(t, ctx)
		})
	}
	t.Run("who has gone hears nothing", func(t *testing.T) {
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := svc.Upkeep.DeleteAgent(gone, service.DeleteAgentInput{ID: "a"})
		require.ErrorIs(t, err, context.Canceled)
	})
}
