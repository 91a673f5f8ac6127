package service_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
	"mneme/store"
)

// What was sent before a field was there is the same when it is sent again: what is not given has no part in its hash.
func TestFeedbackIsHashedByWhatIsGiven(t *testing.T) {
	text, err := json.Marshal(service.SubmitFeedbackInput{Type: memory.FeedbackThumbsUp})
	require.NoError(t, err)
	assert.JSONEq(t, `{"type":"THUMBS_UP"}`, string(text))
}

func TestTheSameFeedbackWithAnotherCommentIsAConflict(t *testing.T) {
	svc := open(t)
	input := service.SubmitFeedbackInput{ID: new("f"), EpisodeID: new("e"), Type: memory.FeedbackThumbsUp, At: &noon}
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
	svc := open(t)
	_, err := svc.Episodes.RecordEpisode(t.Context(), refund("e"), service.Include{})
	require.NoError(t, err)
	for _, blank := range []string{"", " \n\t", "\u00a0"} {
		receipt, err := svc.Reactions.SubmitFeedback(t.Context(), service.SubmitFeedbackInput{
			EpisodeID: new("e"), Type: memory.FeedbackThumbsDown, Corrections: &blank, Comment: &blank,
		})
		require.NoError(t, err)
		assert.Nil(t, receipt.Feedback.Corrections)
		assert.Nil(t, receipt.Feedback.Comment)
	}
	standing, err := svc.Learning.AgentGraduation(t.Context(), "support", nil)
	require.NoError(t, err)
	assert.Zero(t, standing.Interventions)

	correction, err := svc.Knowledge.RecordCorrection(t.Context(), service.RecordCorrectionInput{Topic: "t", Prediction: "p", Correction: "c", Context: new(" ")})
	require.NoError(t, err)
	assert.Nil(t, correction.Context)
}

// A write of before blank texts were none is known when it is sent again, and stays as it is.
func TestABlankTextOfBeforeIsTheSameAgain(t *testing.T) {
	svc, a := openAsking(t)
	bound, err := a.Tenant(t.Context(), service.DefaultTenant)
	require.NoError(t, err)
	key, err := bound.InputKey(t.Context())
	require.NoError(t, err)
	at := noon
	input := service.SubmitFeedbackInput{ID: new("f"), EpisodeID: new("e"), Type: memory.FeedbackThumbsUp, Corrections: new(""), Source: new(memory.SourceChat), At: &at}
	text, err := json.Marshal(input)
	require.NoError(t, err)
	mac := hmac.New(sha256.New, key)
	mac.Write(text)
	_, err = bound.RecordFeedback(t.Context(), []store.FeedbackRecord{{
		Feedback: memory.Feedback{Key: "f", EpisodeKey: new("e"), Reaction: memory.Reaction{
			Type: memory.FeedbackThumbsUp, Score: 1, Corrections: new(""), Source: memory.SourceChat, CreatedAt: noon,
		}},
		InputHash: append([]byte{2}, mac.Sum(nil)[:16]...),
	}})
	require.NoError(t, err)
	receipt, err := svc.Reactions.SubmitFeedback(t.Context(), input)
	require.NoError(t, err)
	assert.Equal(t, new(""), receipt.Feedback.Corrections)
	input.Corrections = new("Refund it")
	_, err = svc.Reactions.SubmitFeedback(t.Context(), input)
	requireCode(t, err, memory.CodeConflict, "id")
}

// What names nothing that is known waits, and says so, until it is known.
func TestFeedbackThatWaitsSaysSo(t *testing.T) {
	svc := open(t)
	early, err := svc.Reactions.SubmitFeedback(t.Context(), service.SubmitFeedbackInput{ID: new("f"), EpisodeID: new("e"), Type: memory.FeedbackThumbsUp})
	require.NoError(t, err)
	assert.True(t, early.Feedback.Waiting())
	_, err = svc.Episodes.RecordEpisode(t.Context(), refund("e"), service.Include{})
	require.NoError(t, err)
	found, err := svc.Reactions.FeedbackByKey(t.Context(), []string{"f"})
	require.NoError(t, err)
	assert.False(t, found[0].Waiting())
}
