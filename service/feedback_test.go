package service_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
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
