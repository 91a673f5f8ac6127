package service_test

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

// unending is a store whose deletions have more parts than there is time for.
type unending struct{ store.Backend }

func (e *unending) Tenant(ctx context.Context, id string) (store.Store, error) {
	bound, err := e.Backend.Tenant(ctx, id)
	return &unendingStore{bound}, err
}

type unendingStore struct{ store.Store }

func (*unendingStore) Delete(ctx context.Context, _ memory.Kind, _ []string) (int, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

func unfinished(t *testing.T, err error) {
	t.Helper()
	var fault *memory.Error
	require.ErrorAs(t, err, &fault)
	assert.Equal(t, memory.CodeUnavailable, fault.Code)
	assert.Contains(t, fault.Message, "the same again goes on")
}

// Nobody may take for deleted what is not, also who asks for nothing but the id of what was deleted.
func TestDeletionThatTakesLongerThanItsCallIsAnError(t *testing.T) {
	opened := service.New(&unending{Backend: openTraced(t).backend})
	svc := servicetest.Bind(t.Context(), t, opened)
	t.Cleanup(func() { require.NoError(t, opened.Close(context.Background())) })
	for name, says := range map[string]func(*testing.T, context.Context){
		"an agent": func(t *testing.T, ctx context.Context) {
			_, err := svc.Upkeep.Delete(ctx, memory.KindAgent, boundary.DeleteInput{ID: "a"})
			unfinished(t, err)
		},
		"a person": func(t *testing.T, ctx context.Context) {
			_, err := svc.Upkeep.DeleteFeedback(ctx, boundary.DeleteFeedbackInput{CreatedBy: new("eve")})
			unfinished(t, err)
		},
		"an episode": func(t *testing.T, ctx context.Context) {
			_, err := svc.Upkeep.Delete(ctx, memory.KindEpisode, boundary.DeleteInput{ID: "e"})
			unfinished(t, err)
		},
		"a memoir": func(t *testing.T, ctx context.Context) {
			_, err := svc.Upkeep.Delete(ctx, memory.KindMemoir, boundary.DeleteInput{ID: "m"})
			unfinished(t, err)
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
		_, err := svc.Upkeep.Delete(gone, memory.KindAgent, boundary.DeleteInput{ID: "a"})
		require.ErrorIs(t, err, context.Canceled)
	})
}

// noting is a store that tells what of episodes is read.
type noting struct {
	store.Backend
	store.Store
	parts *[]store.Parts
}

func (r noting) Tenant(ctx context.Context, id string) (_ store.Store, err error) {
	r.Store, err = r.Backend.Tenant(ctx, id)
	return r, err
}

func (r noting) List(ctx context.Context, query any, page store.Page) (any, bool, error) {
	if episodes, ok := query.(store.EpisodeQuery); ok {
		*r.parts = append(*r.parts, episodes.Parts)
	}
	return r.Store.List(ctx, query, page)
}

// What episodes say is not read to delete them, however much it is.
func TestDeletionReadsHeadsOnly(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	var parts []store.Parts
	svc := servicetest.Bind(t.Context(), t, service.New(noting{Backend: backend, parts: &parts}))
	_, err = svc.Episodes.RecordEpisode(t.Context(), servicetest.Refund("e1"), boundary.Include{})
	require.NoError(t, err)
	parts = nil
	deleted, err := svc.Upkeep.DeleteEpisodes(t.Context(), boundary.DeleteEpisodesInput{Filter: boundary.EpisodeFilter{WorkFilter: boundary.WorkFilter{AgentID: new("support")}}, DryRun: new(false)})
	require.NoError(t, err)
	require.Equal(t, 1, deleted.Deleted)
	require.Equal(t, []store.Parts{store.HeadOnly}, parts)
}

// Forgetting a person takes what was recorded for them, and nothing of others; an earlier import does not restore it.
func TestForgettingAPersonTakesWhatWasForThem(t *testing.T) {
	t.Parallel()
	svc, _ := openedAt(t, t.TempDir())
	tenant, err := svc.Tenant(t.Context())
	require.NoError(t, err)
	for _, user := range []*string{new("ann"), new("bob"), nil} {
		name := "nobody"
		if user != nil {
			name = *user
		}
		_, err := tenant.Episodes.RecordEpisode(t.Context(), boundary.RecordEpisodeInput{ID: &name, AgentID: "ada", Observation: "a walrus", EpisodeExtras: boundary.EpisodeExtras{UserID: user}}, boundary.Include{})
		require.NoError(t, err)
		_, err = tenant.Knowledge.RecordObservation(t.Context(), boundary.RecordObservationInput{ID: &name, Content: "a walrus", UserID: user})
		require.NoError(t, err)
		result, err := tenant.Reactions.RecordCanvasActions(t.Context(), boundary.RecordCanvasActionsInput{Actions: []boundary.CanvasActionInput{
			{CanvasID: name, CanvasType: "docs", Action: memory.CanvasPresent, EpisodeID: &name}, {CanvasID: "alone " + name, CanvasType: "docs", Action: memory.CanvasPresent, UserID: user},
		}})
		require.NoError(t, err)
		require.Zero(t, result.Failed)
		_, err = tenant.Reactions.SubmitFeedback(t.Context(), boundary.SubmitFeedbackInput{EpisodeID: new("nobody"), Type: memory.FeedbackThumbsUp, CreatedBy: new("ann"), UserID: user})
		require.NoError(t, err)
	}
	var export []upkeep.Kept
	require.NoError(t, tenant.Upkeep.Export(t.Context(), func(item upkeep.Kept) error {
		export = append(export, item)
		return nil
	}))
	would, err := tenant.Upkeep.ForgetPerson(t.Context(), "bob", true)
	require.NoError(t, err)
	assert.Equal(t, &upkeep.ForgottenPerson{Episodes: 1, Canvases: 2, Feedback: 1, Observations: 1, DryRun: true}, would)
	gone, err := tenant.Upkeep.ForgetPerson(t.Context(), "bob", false)
	require.NoError(t, err)
	assert.Equal(t, &upkeep.ForgottenPerson{Episodes: 1, Canvases: 1, Feedback: 1, Observations: 1}, gone)
	left := func() (all []string) {
		require.NoError(t, tenant.Upkeep.Export(t.Context(), func(item upkeep.Kept) error {
			all = append(all, item.ID())
			return nil
		}))
		return all
	}
	for _, id := range []string{"episode:ann", "episode:nobody", "canvas:ann", "canvas:alone ann", "observation:nobody"} {
		assert.Contains(t, left(), id)
	}
	for _, id := range []string{"episode:bob", "canvas:bob", "canvas:alone bob", "observation:bob"} {
		assert.NotContains(t, left(), id)
	}
	_, err = tenant.Upkeep.Restore(t.Context(), export, false)
	require.NoError(t, err)
	assert.NotContains(t, left(), "episode:bob")
}
