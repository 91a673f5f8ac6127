package service_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/service"
	"mneme/service/servicetest"
	"mneme/store"
	"mneme/store/sqlite"
)

const (
	composed = "caf\u00e9"
	apart    = "cafe\u0301"
)

// asking counts how often a store is asked whether records exist, and notes what it reads along with episodes.
type asking struct {
	store.Backend
	asked, ids int
	parts      store.Parts
	failing    int // the question that fails, 0 for none
}

func (a *asking) Tenant(ctx context.Context, id string) (store.Store, error) {
	bound, err := a.Backend.Tenant(ctx, id)
	return &askingStore{bound, a}, err
}

type askingStore struct {
	store.Store
	of *asking
}

func (s *askingStore) Exist(ctx context.Context, ids []string) ([]bool, error) {
	s.of.asked++
	s.of.ids += len(ids)
	if s.of.asked == s.of.failing {
		return nil, errors.New("the disk is gone")
	}
	return s.Store.Exist(ctx, ids)
}

func (s *askingStore) Episodes(ctx context.Context, query store.EpisodesByKey) ([]*memory.Episode, error) {
	s.of.parts = query.Parts
	return s.Store.Episodes(ctx, query)
}

func openAsking(t *testing.T) (*service.Tenant, *asking) {
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	a := &asking{Backend: backend}
	return servicetest.Bind(t.Context(), t, service.New(a)), a
}

// Only who does not send names in their form has the store asked about them: once a batch.
func TestNamesInTheirFormCostNothing(t *testing.T) {
	for name, asked := range map[string][2]int{"plain": {0, 0}, composed: {0, 0}, apart: {1, 202}} {
		svc, a := openAsking(t)
		var batch service.RecordEpisodesInput
		for i := range 100 {
			batch.Episodes = append(batch.Episodes, service.RecordEpisodeInput{
				ID: new(fmt.Sprint(name, i)), AgentID: name, SessionID: &name, Observation: "One.", CausedBy: []string{fmt.Sprint(name, 100+i)},
			})
		}
		result, err := svc.Episodes.RecordEpisodes(t.Context(), batch)
		require.NoError(t, err)
		require.Empty(t, result.Errors)
		assert.Equal(t, asked, [2]int{a.asked, a.ids}, "%+q", name)
	}
}

// What is kept by a name of before stays what it is for whoever calls it so, and a person goes in all spellings.
func TestRecordsOfBeforeStayWithinReach(t *testing.T) {
	svc, a := openAsking(t)
	bound, err := a.Tenant(t.Context(), service.DefaultTenant)
	require.NoError(t, err)
	_, err = bound.InputKey(t.Context()) // as is asked for before anything is written
	require.NoError(t, err)
	_, err = bound.RecordFeedback(t.Context(), []store.FeedbackRecord{{
		Feedback: memory.Feedback{
			Key: "f", EpisodeKey: new(apart),
			Reaction: memory.Reaction{CreatedBy: new(apart), Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: noon},
		},
		InputHash: []byte("f"),
	}})
	require.NoError(t, err)
	_, err = bound.RecordEpisodes(t.Context(), []store.EpisodeRecord{{
		Episode: memory.Episode{Key: apart, AgentKey: apart, Observation: "One.", Outcome: memory.OutcomeUnknown, StartedAt: noon, CreatedAt: noon}, InputHash: []byte("e"),
	}})
	require.NoError(t, err)
	_, err = bound.CreateMemoirs(t.Context(), []store.MemoirRecord{{Memoir: memory.Memoir{Key: "m", Name: apart, CreatedAt: noon}, InputHash: []byte("m")}})
	require.NoError(t, err)

	episode, err := svc.Episodes.ConcludeEpisode(t.Context(), service.ConcludeEpisodeInput{ID: apart, Outcome: memory.OutcomeSuccess}, service.Include{})
	require.NoError(t, err)
	assert.Equal(t, apart, episode.Key)
	for _, name := range []string{apart, composed} {
		_, err = svc.Episodes.RecordEpisode(t.Context(), service.RecordEpisodeInput{AgentID: name, Observation: "Two."}, service.Include{})
		require.NoError(t, err)
		memoir, err := svc.Knowledge.Memoir(t.Context(), nil, &name)
		require.NoError(t, err)
		assert.NotNil(t, memoir, "%+q", name)
	}
	for name, episodes := range map[string]int{apart: 2, composed: 1} {
		page, err := svc.Episodes.List(t.Context(), service.EpisodeFilter{AgentID: &name}, "", service.PageInput{}, service.Include{})
		require.NoError(t, err)
		assert.Len(t, page.Items, episodes, "%+q", name)
	}
	_, err = svc.Reactions.SubmitFeedback(t.Context(), service.SubmitFeedbackInput{EpisodeID: new(apart), CreatedBy: new(apart), Type: memory.FeedbackThumbsUp})
	require.NoError(t, err)
	doomed, err := svc.Upkeep.PersonToDelete(t.Context(), composed)
	require.NoError(t, err)
	assert.Equal(t, 2, doomed.Deleted)
	deleted, err := svc.Upkeep.DeleteFeedback(t.Context(), service.DeleteFeedbackInput{CreatedBy: new(composed)})
	require.NoError(t, err)
	assert.Equal(t, 2, deleted.Deleted)
}

// A write of before names had one form and blank texts were none is known when it is sent again, with both in it.
func TestABlankTextAndASpellingOfBeforeAreTheSameAgain(t *testing.T) {
	svc, a := openAsking(t)
	bound, err := a.Tenant(t.Context(), service.DefaultTenant)
	require.NoError(t, err)
	key, err := bound.InputKey(t.Context())
	require.NoError(t, err)
	for id, version := range map[string][]byte{"first": nil, "second": {2}} {
		at, who := noon, apart
		if version != nil {
			who = composed // was brought to its form
		}
		input := service.SubmitFeedbackInput{
			ID: &id, EpisodeID: new("e"), Type: memory.FeedbackThumbsUp, Corrections: new(" "), Source: new(memory.SourceChat), CreatedBy: &who, At: &at,
		}
		text, err := json.Marshal(input)
		require.NoError(t, err)
		mac := hmac.New(sha256.New, key)
		mac.Write(text)
		_, err = bound.RecordFeedback(t.Context(), []store.FeedbackRecord{{
			Feedback: memory.Feedback{Key: id, EpisodeKey: new("e"), Reaction: memory.Reaction{
				Type: memory.FeedbackThumbsUp, Score: 1, Corrections: new(" "), Source: memory.SourceChat, CreatedBy: &who, CreatedAt: noon,
			}},
			InputHash: append(version, mac.Sum(nil)[:16]...),
		}})
		require.NoError(t, err)
		input.CreatedBy = new(apart)
		_, err = svc.Reactions.SubmitFeedback(t.Context(), input)
		require.NoError(t, err, id)
		input.Corrections = new("Refund it")
		_, err = svc.Reactions.SubmitFeedback(t.Context(), input)
		requireCode(t, err, memory.CodeConflict, "id")
	}
}

// Nothing comes back, under another spelling, that was deleted for good before names had one form.
func TestWhatWasForgottenBeforeStaysForgotten(t *testing.T) {
	svc, a := openAsking(t)
	bound, err := a.Tenant(t.Context(), service.DefaultTenant)
	require.NoError(t, err)
	_, err = bound.InputKey(t.Context()) // as is asked for before anything is written
	require.NoError(t, err)
	_, err = bound.RecordEpisodes(t.Context(), []store.EpisodeRecord{{
		Episode: memory.Episode{Key: "e", AgentKey: apart, Observation: "One.", Outcome: memory.OutcomeUnknown, StartedAt: noon, CreatedAt: noon}, InputHash: []byte("e"),
	}})
	require.NoError(t, err)
	_, err = bound.DeleteAgent(t.Context(), apart)
	require.NoError(t, err)
	_, err = bound.DeletePerson(t.Context(), apart)
	require.NoError(t, err)

	ctx := service.Importing(t.Context(), false)
	_, err = svc.Episodes.RecordEpisode(ctx, service.RecordEpisodeInput{AgentID: apart, Observation: "One."}, service.Include{})
	assert.True(t, service.WasForgotten(err))
	_, err = svc.Learning.RecordExecution(ctx, service.RecordExecutionInput{AgentID: apart, TaskType: "t", Success: true})
	assert.True(t, service.WasForgotten(err))
	assert.True(t, service.WasForgotten(svc.Agents.Save(ctx, apart, "Ada")))
	_, err = svc.Reactions.SubmitFeedback(ctx, service.SubmitFeedbackInput{SessionID: new("s"), CreatedBy: new(apart), Type: memory.FeedbackThumbsUp})
	assert.True(t, service.WasForgotten(err))
	_, err = svc.Knowledge.RecordCorrection(ctx, service.RecordCorrectionInput{Topic: "t", Prediction: "p", Correction: "c", CreatedBy: new(apart)})
	assert.True(t, service.WasForgotten(err))
	verdict, err := svc.Judging.RecordVerdict(ctx, service.RecordVerdictInput{RunID: "r", SectionID: "s", SectionType: "t", Status: memory.VerdictApprove})
	require.NoError(t, err)
	_, err = svc.Judging.LabelVerdict(ctx, service.LabelVerdictInput{VerdictID: verdict.Verdict.Key, Approve: true, LabelledBy: new(apart)})
	assert.True(t, service.WasForgotten(err))

	_, err = svc.Reactions.SubmitFeedback(service.Importing(t.Context(), true), service.SubmitFeedbackInput{SessionID: new("s"), CreatedBy: new(apart), Type: memory.FeedbackThumbsUp})
	require.NoError(t, err)
	_, err = svc.Reactions.SubmitFeedback(ctx, service.SubmitFeedbackInput{SessionID: new("s"), CreatedBy: new(apart), Type: memory.FeedbackThumbsDown})
	assert.NoError(t, err, "one that was brought back is forgotten no more")
}

// A program's spans name its agent in any spelling.
func TestSpansOfOneAgent(t *testing.T) {
	tr := openTraced(t)
	for i, name := range []string{composed, apart} {
		for _, span := range []capture.Span{
			{ID: fmt.Sprint("n", i), Kind: capture.SpanAgent, Name: "run", Agent: name, TaskType: name, Session: name},
			{ID: fmt.Sprint("s", i), Kind: capture.SpanAgent, Name: "run", Labels: map[string]string{capture.LabelService: name, "note": apart}},
		} {
			span.StartedAt, span.EndedAt = noon, noon
			recorded, err := tr.Traces.RecordSpans(t.Context(), []service.TraceSpan{{Trace: "trace " + span.ID, Span: span}})
			require.NoError(t, err)
			require.Equal(t, 1, recorded.Accepted, recorded.Reason)
		}
	}
	tr.now = tr.now.Add(48 * time.Hour)
	_, err := tr.Traces.Finish(t.Context())
	require.NoError(t, err)
	agents, err := tr.Agents.List(t.Context(), service.PageInput{})
	require.NoError(t, err)
	require.Len(t, agents.Items, 1)
	assert.Equal(t, composed, agents.Items[0].Key)
	episodes, err := tr.Episodes.List(t.Context(), service.EpisodeFilter{AgentID: new(apart)}, "", service.PageInput{}, service.Include{})
	require.NoError(t, err)
	assert.Len(t, episodes.Items, 4)
	episodes, err = tr.Episodes.List(t.Context(), service.EpisodeFilter{TaskType: new(apart), SessionID: new(apart)}, "", service.PageInput{}, service.Include{})
	require.NoError(t, err)
	assert.Len(t, episodes.Items, 2)
	deleted, err := tr.Upkeep.DeleteAgent(t.Context(), service.DeleteAgentInput{ID: apart})
	require.NoError(t, err)
	assert.Equal(t, 4, deleted.Episodes)
}
