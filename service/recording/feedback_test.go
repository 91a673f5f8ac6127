package recording_test

import (
	"encoding/json"
	"testing"

	"mneme/service"
	"mneme/service/servicetest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/access"
	"mneme/service/boundary"
	"mneme/service/reading"
)

// What was sent before a field was there is the same when it is sent again: what is not given has no part in its hash.
func TestFeedbackIsHashedByWhatIsGiven(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(boundary.SubmitFeedbackInput{Type: memory.FeedbackThumbsUp})
	require.NoError(t, err)
	assert.JSONEq(t, `{"type":"THUMBS_UP"}`, string(text))
}

func TestTheSameFeedbackWithAnotherCommentIsAConflict(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	input := boundary.SubmitFeedbackInput{ID: new("f"), EpisodeID: new("e"), Type: memory.FeedbackThumbsUp, At: &servicetest.Noon}
	_, err := svc.Reactions.SubmitFeedback(t.Context(), input)
	require.NoError(t, err)
	_, err = svc.Reactions.SubmitFeedback(t.Context(), input)
	require.NoError(t, err, "again")
	input.Comment = new("Well done")
	_, err = svc.Reactions.SubmitFeedback(t.Context(), input)
	var conflict *memory.Error
	require.ErrorAs(t, err, &conflict)
	assert.Equal(t, memory.CodeConflict, conflict.Code)
}

// A form that sends its empty fields says nothing by them: an empty correction is no intervention.
func TestABlankTextIsNone(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	_, err := svc.Episodes.RecordEpisode(t.Context(), servicetest.Refund("e"), boundary.Include{})
	require.NoError(t, err)
	for _, blank := range []string{"", " \n\t", "\u00a0"} {
		receipt, err := svc.Reactions.SubmitFeedback(t.Context(), boundary.SubmitFeedbackInput{
			EpisodeID: new("e"), Type: memory.FeedbackThumbsDown, Corrections: &blank, Comment: &blank,
		})
		require.NoError(t, err)
		assert.Nil(t, receipt.Feedback.Corrections)
		assert.Nil(t, receipt.Feedback.Comment)
	}
	standing, err := svc.Learning.AgentGraduation(t.Context(), "support", nil)
	require.NoError(t, err)
	assert.Zero(t, standing.Interventions)

	correction, err := svc.Knowledge.RecordCorrection(t.Context(), boundary.RecordCorrectionInput{Topic: "t", Prediction: "p", Correction: "c", Context: new(" ")})
	require.NoError(t, err)
	assert.Nil(t, correction.Context)
}

// What names nothing that is known waits, and says so, until it is known.
func TestFeedbackThatWaitsSaysSo(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	early, err := svc.Reactions.SubmitFeedback(t.Context(), boundary.SubmitFeedbackInput{ID: new("f"), EpisodeID: new("e"), Type: memory.FeedbackThumbsUp})
	require.NoError(t, err)
	assert.True(t, early.Feedback.Waiting())
	_, err = svc.Episodes.RecordEpisode(t.Context(), servicetest.Refund("e"), boundary.Include{})
	require.NoError(t, err)
	found, err := svc.Retrieval.Node(t.Context(), "feedback:f")
	require.NoError(t, err)
	feedback, ok := found.(*memory.Feedback)
	require.True(t, ok)
	assert.False(t, feedback.Waiting())
}

func TestFeedbackOnACanvasIsSaidThere(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for want, input := range map[memory.FeedbackSource]boundary.SubmitFeedbackInput{
		memory.SourceCanvas:   {CanvasID: new("c"), EpisodeID: new("e")},
		memory.SourceChat:     {EpisodeID: new("e"), SessionID: new("s")},
		memory.SourceWorkflow: {CanvasID: new("c"), Source: new(memory.SourceWorkflow)},
	} {
		input.Type = memory.FeedbackThumbsUp
		receipt, err := svc.Reactions.SubmitFeedback(t.Context(), input)
		require.NoError(t, err)
		assert.Equal(t, want, receipt.Feedback.Source)
	}
}

func TestAThumbIsKeptWithItsStars(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	receipt, err := svc.Reactions.SubmitFeedback(t.Context(), boundary.SubmitFeedbackInput{EpisodeID: new("e"), Type: memory.FeedbackThumbsUp, Rating: new(4)})
	require.NoError(t, err)
	assert.Equal(t, new(4), receipt.Feedback.Rating)
	assert.Equal(t, 1.0, receipt.Feedback.Score)
	_, err = svc.Reactions.SubmitFeedback(t.Context(), boundary.SubmitFeedbackInput{EpisodeID: new("e"), Type: memory.FeedbackThumbsUp, Rating: new(2)})
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "rating")
}

// What names a record of another kind would wait for ever.
func TestWhatNamesARecordOfAnotherKindIsRefused(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for field, input := range map[string]boundary.SubmitFeedbackInput{
		"episodeId": {EpisodeID: new("agent:x")},
		"canvasId":  {CanvasID: new("episode:y"), SessionID: new("s")},
	} {
		input.Type = memory.FeedbackThumbsUp
		_, err := svc.Reactions.SubmitFeedback(t.Context(), input)
		servicetest.RequireCode(t, err, memory.CodeInvalidInput, field)
	}
	result, err := svc.Reactions.RecordCanvasActions(t.Context(), boundary.RecordCanvasActionsInput{Actions: []boundary.CanvasActionInput{
		{CanvasID: "c", EpisodeID: new("session:s"), CanvasType: "charts", Action: memory.CanvasPresent},
	}})
	require.NoError(t, err)
	require.Len(t, result.Errors, 1)
	assert.Equal(t, memory.CodeInvalidInput, result.Errors[0].Code)
	assert.Equal(t, new("episodeId"), result.Errors[0].Field)
	for field, input := range map[string]boundary.RecordEpisodeInput{
		"causedBy.0":   {EpisodeExtras: boundary.EpisodeExtras{CausedBy: []string{"agent:x"}}},
		"causedBy.1":   {EpisodeExtras: boundary.EpisodeExtras{CausedBy: []string{"e", "concept:x"}}},
		"conceptIds.0": {EpisodeExtras: boundary.EpisodeExtras{ConceptIDs: []string{"memoir:x"}}},
	} {
		input.AgentID, input.Observation = "a", "seen"
		_, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
		servicetest.RequireCode(t, err, memory.CodeInvalidInput, field)
	}
	_, err = svc.Episodes.CaptureRun(t.Context(), boundary.CaptureRunInput{
		RunID: "r", AgentID: "a", Events: []boundary.EventInput{{Type: "workflow_started"}}, EpisodeExtras: boundary.EpisodeExtras{CausedBy: []string{"session:s"}},
	}, boundary.Include{})
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "causedBy.0")
	_, err = svc.Episodes.RecordEpisode(t.Context(), boundary.RecordEpisodeInput{
		AgentID: "a", Observation: "seen",
		EpisodeExtras: boundary.EpisodeExtras{CausedBy: []string{"episode:agent:x"}, ConceptIDs: []string{"concept:memoir:x", "ticket:7"}},
	}, boundary.Include{})
	require.NoError(t, err)
	for _, key := range []string{"episode:agent:x", "ticket:7", "agent:", "agents:7"} {
		_, err := svc.Reactions.SubmitFeedback(t.Context(), boundary.SubmitFeedbackInput{EpisodeID: &key, Type: memory.FeedbackThumbsUp})
		require.NoError(t, err, "%s names no record of another kind", key)
	}
}

// Sessions and what a write itself records are named as the caller likes, by every write alike.
func TestKeysMayLookLikeIDsOfAnotherKind(t *testing.T) {
	t.Parallel()
	svc, session := servicetest.Open(t), "run:1"
	episode, err := svc.Episodes.RecordEpisode(t.Context(), boundary.RecordEpisodeInput{
		AgentID: "a", SessionID: &session, Observation: "seen", Outcome: new(memory.OutcomeSuccess),
	}, boundary.Include{})
	require.NoError(t, err)
	result, err := svc.Reactions.RecordCanvasActions(t.Context(), boundary.RecordCanvasActionsInput{Actions: []boundary.CanvasActionInput{
		{CanvasID: "episode:y", SessionID: &session, CanvasType: "charts", Action: memory.CanvasPresent},
	}})
	require.NoError(t, err)
	require.Empty(t, result.Errors)
	receipt, err := svc.Reactions.SubmitFeedback(t.Context(), boundary.SubmitFeedbackInput{SessionID: &session, Type: memory.FeedbackThumbsUp})
	require.NoError(t, err)
	require.Equal(t, &episode.Key, receipt.Feedback.EpisodeKey)
	canvases, err := service.ByKey[memory.Canvas](svc, memory.KindCanvas)(t.Context(), []string{"episode:y"})
	require.NoError(t, err)
	require.NotNil(t, canvases[0])
	require.Equal(t, &episode.Key, canvases[0].EpisodeKey)
}

// Somebody who changed their mind counts once, however they say it; see storetest for what each store does.
func TestAVoteChanges(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	_, err := svc.Episodes.RecordEpisode(t.Context(), servicetest.Refund("e"), boundary.Include{})
	require.NoError(t, err)
	_, err = svc.Reactions.SubmitFeedback(t.Context(), boundary.SubmitFeedbackInput{
		ID: new("up"), EpisodeID: new("e"), CanvasID: new("c"), Type: memory.FeedbackThumbsUp, CreatedBy: new("ann"),
	})
	require.NoError(t, err)
	down := boundary.SubmitFeedbackInput{ID: new("down"), Type: memory.FeedbackThumbsDown, Replaces: new("feedback:up"), CreatedBy: new("ann")}
	writer := access.With(t.Context(), access.Caller{Tenant: access.DefaultTenant, Role: access.Writer})
	for range 2 { // again as a retry
		receipt, err := svc.Reactions.SubmitFeedback(writer, down)
		require.NoError(t, err)
		assert.Equal(t, new(-1.0), receipt.AggregateFeedbackScore)
		assert.Equal(t, memory.SourceCanvas, receipt.Feedback.Source)
		assert.Equal(t, new("up"), receipt.Feedback.Replaces)
	}
	listed, err := svc.Reactions.ListFeedback(t.Context(), nil, boundary.UserFilter{}, reading.PageInput{})
	require.NoError(t, err)
	require.Len(t, listed.Items, 1)

	other := boundary.SubmitFeedbackInput{Type: memory.FeedbackThumbsUp, Replaces: new("down"), CreatedBy: new("bob")}
	_, err = svc.Reactions.SubmitFeedback(writer, other)
	servicetest.RequireCode(t, err, memory.CodeForbidden, "replaces")
	_, err = svc.Reactions.SubmitFeedback(t.Context(), other) // an admin's
	require.NoError(t, err)
	_, err = svc.Reactions.SubmitFeedback(writer, boundary.SubmitFeedbackInput{Type: memory.FeedbackThumbsUp, Replaces: new("down"), CreatedBy: new("ann")})
	servicetest.RequireCode(t, err, memory.CodeConflict, "replaces")
	_, err = svc.Reactions.SubmitFeedback(writer, boundary.SubmitFeedbackInput{Type: memory.FeedbackThumbsUp, Replaces: new("episode:e")})
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "replaces")
}
