package service_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
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

func TestDeletionThatTakesLongerThanItsCallSaysHowFarItCame(t *testing.T) {
	svc := service.New(&unending{Backend: openTraced(t).backend})
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	agent, err := svc.DeleteAgent(ctx, service.DeleteAgentInput{ID: "a"})
	require.NoError(t, err)
	assert.Equal(t, &service.DeletedAgent{DeletedID: "agent:a", Episodes: 7}, agent)
	said, err := svc.DeleteFeedback(ctx, service.DeleteFeedbackInput{CreatedBy: new("eve")})
	require.NoError(t, err)
	assert.Equal(t, &service.DeletedFeedback{Deleted: 8}, said)
	episode, err := svc.DeleteEpisode(ctx, service.DeleteEpisodeInput{ID: "e"})
	require.NoError(t, err)
	assert.Equal(t, &service.DeletedEpisode{DeletedID: memory.NodeID(memory.KindEpisode, "e")}, episode)

	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = svc.DeleteAgent(gone, service.DeleteAgentInput{ID: "a"})
	require.ErrorIs(t, err, context.Canceled, "who has gone hears nothing")
	require.NoError(t, svc.Close(context.WithoutCancel(ctx)))
}
