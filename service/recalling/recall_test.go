package recalling_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/summary"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/servicetest"
	"mneme/store"
	"mneme/store/sqlite"
)

// readsNoted notes what a store is asked to read along with episodes.
type readsNoted struct {
	store.Backend
	parts store.Parts
}

func (r *readsNoted) Tenant(ctx context.Context, id string) (store.Store, error) {
	bound, err := r.Backend.Tenant(ctx, id)
	return &readStore{bound, r}, err
}

type readStore struct {
	store.Store
	of *readsNoted
}

func (s *readStore) Episodes(ctx context.Context, query store.EpisodesByKey) ([]*memory.Episode, error) {
	s.of.parts = query.Parts
	return s.Store.Episodes(ctx, query)
}

// What a recall goes without is not shown but for its ids, and still counts.
func TestDeclinedContextsKeepIdsAndTheReward(t *testing.T) {
	t.Parallel()
	t.Run("with canvases", func(t *testing.T) { declinedContexts(t, servicetest.Open(t), true) })
	t.Run("a deployment without", func(t *testing.T) {
		declinedContexts(t, servicetest.Open(t, func(s *service.Settings) { s.CanvasIntegration = false }), false)
	})
}

func declinedContexts(t *testing.T, svc *service.Tenant, integrated bool) {
	_, err := svc.Episodes.RecordEpisode(t.Context(), servicetest.Refund("e1"), boundary.Include{})
	require.NoError(t, err)
	shown, closed := servicetest.Noon.Add(-time.Minute), servicetest.Noon.Add(-time.Second)
	action := boundary.CanvasActionInput{
		CanvasID: "c1", EpisodeID: new("e1"), CanvasType: memory.CanvasForms, Action: memory.CanvasPresent, At: &shown,
	}
	later := action
	later.Action, later.At = memory.CanvasClose, &closed
	_, err = svc.Reactions.RecordCanvasActions(t.Context(), boundary.RecordCanvasActionsInput{Actions: []boundary.CanvasActionInput{action, later}})
	require.NoError(t, err)
	_, err = svc.Reactions.SubmitFeedback(t.Context(), boundary.SubmitFeedbackInput{EpisodeID: new("e1"), Type: memory.FeedbackThumbsUp})
	require.NoError(t, err)

	for name, input := range map[string]boundary.RecallInput{
		"all":              {Situation: "refund"},
		"without canvases": {Situation: "refund", IncludeCanvas: new(false)},
		"without either":   {Situation: "refund", IncludeCanvas: new(false), IncludeFeedback: new(false)},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := svc.Retrieval.Recall(t.Context(), input, boundary.Include{Canvases: true, Feedback: true, CanvasIDs: true, FeedbackIDs: true})
			require.NoError(t, err)
			episode := found.Hits[0].Episode
			canvases, feedback := integrated && input.IncludeCanvas == nil, integrated && input.IncludeFeedback == nil
			require.Equal(t, canvases, len(episode.Context.Canvases) == 1)
			require.Equal(t, feedback, len(episode.Context.Feedback) == 1)
			require.Equal(t, canvases, episode.Context.CanvasIDs == nil)
			if !canvases {
				require.Equal(t, []string{"canvas:c1"}, episode.Context.CanvasIDs)
			}
			require.Equal(t, feedback, len(episode.Context.FeedbackIDs) == 0)
			lessons, err := found.Lessons(500)
			require.NoError(t, err)
			require.Equal(t, canvases, strings.Contains(lessons, "Shown: form: 59 s"), lessons)
			reward, err := svc.Reactions.Reward(t.Context(), episode)
			require.NoError(t, err)
			require.InDelta(t, 0.1+0.3, reward, 1e-9)
		})
	}
}

// Canvases that nobody sees are not read.
func TestDeclinedContextsAreNotRead(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	read := &readsNoted{Backend: backend}
	svc := servicetest.Bind(t.Context(), t, service.New(read))
	_, err = svc.Episodes.RecordEpisode(t.Context(), servicetest.Refund("e1"), boundary.Include{})
	require.NoError(t, err)
	for name, test := range map[string]struct {
		input   boundary.RecallInput
		include boundary.Include
		read    store.Parts
	}{
		"with both":        {boundary.RecallInput{}, boundary.Include{Canvases: true, Feedback: true}, store.WithCanvases | store.WithFeedback},
		"without canvases": {boundary.RecallInput{IncludeCanvas: new(false)}, boundary.Include{Canvases: true, Feedback: true}, store.WithFeedback},
		"without either":   {boundary.RecallInput{IncludeCanvas: new(false), IncludeFeedback: new(false)}, boundary.Include{Canvases: true, Feedback: true}, 0},
		"but for the ids": {boundary.RecallInput{IncludeCanvas: new(false), IncludeFeedback: new(false)},
			boundary.Include{Feedback: true, CanvasIDs: true}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			test.input.Situation = "refund"
			found, err := svc.Retrieval.Recall(t.Context(), test.input, test.include)
			require.NoError(t, err)
			require.NotEmpty(t, found.Hits)
			require.Equal(t, test.read, read.parts)
		})
	}
}

func TestBlankTextsAreLeftOutOrRefused(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	input := servicetest.Refund("e1")
	input.Title, input.Insight = new(" "), new("\n")
	episode, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
	require.NoError(t, err)
	require.Equal(t, summary.Title(input.Observation), episode.Title)
	require.Equal(t, summary.Insight(episode), episode.Insight)

	nameless := servicetest.Refund("e2")
	nameless.AgentName = new("")
	_, err = svc.Episodes.RecordEpisode(t.Context(), nameless, boundary.Include{})
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "agentName")
}

func TestPrivateNamesAreRefused(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for field, change := range map[string]func(*boundary.RecordEpisodeInput){
		"taskType":       func(i *boundary.RecordEpisodeInput) { i.TaskType = new("a <private>b</private>") },
		"agentId":        func(i *boundary.RecordEpisodeInput) { i.AgentID = "<private>me" },
		"executionIds.0": func(i *boundary.RecordEpisodeInput) { i.ExecutionIDs = []string{"<private>x</private>"} },
	} {
		input := servicetest.Refund("e1")
		change(&input)
		_, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
		servicetest.RequireCode(t, err, memory.CodeInvalidInput, field)
	}
}
