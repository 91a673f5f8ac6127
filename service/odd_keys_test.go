package service_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
	"mneme/store"
)

// What is kept under a name that nobody may choose any more can be deleted by it.
func TestWhatNobodyMayCallARecordCanBeDeleted(t *testing.T) {
	svc, a := openAsking(t)
	ctx := t.Context()
	bound, err := a.Tenant(ctx, service.DefaultTenant)
	require.NoError(t, err)
	_, err = bound.InputKey(ctx)
	require.NoError(t, err)
	for _, key := range []string{"a\u0000b", "a\u0007b", strings.Repeat("k", 600), "<private>x</private>", "e\u0301", "e\u0301\u0007", strings.Repeat("e\u0301", 600), "x" + strings.Repeat("\u0301", 31)} {
		_, err = bound.RecordEpisodes(ctx, []store.EpisodeRecord{
			{Episode: memory.Episode{Key: key, AgentKey: "a", Observation: "One.", Outcome: memory.OutcomeUnknown, StartedAt: noon, CreatedAt: noon}, InputHash: []byte("e")},
			{Episode: memory.Episode{Key: "of " + key, AgentKey: key, Observation: "One.", Outcome: memory.OutcomeUnknown, StartedAt: noon, CreatedAt: noon}, InputHash: []byte("e")},
		})
		require.NoError(t, err)
		for _, id := range []string{"f " + key, key} {
			_, err = bound.RecordFeedback(ctx, []store.FeedbackRecord{{
				Feedback: memory.Feedback{
					Key: id, EpisodeKey: new("x"),
					Reaction: memory.Reaction{CreatedBy: new(key), Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: noon},
				},
				InputHash: []byte("f"),
			}})
			require.NoError(t, err)
		}
		_, err = svc.Upkeep.Delete(ctx, memory.KindEpisode, service.DeleteInput{ID: "episode:" + key})
		require.NoError(t, err, "%+q", key)
		agent, err := svc.Upkeep.DeleteAgent(ctx, service.DeleteAgentInput{ID: key})
		require.NoError(t, err, "%+q", key)
		assert.Equal(t, 1, agent.Episodes, "%+q", key)
		_, err = svc.Upkeep.DeleteFeedback(ctx, service.DeleteFeedbackInput{ID: &key})
		require.NoError(t, err, "%+q", key)
		said, err := svc.Upkeep.DeleteFeedback(ctx, service.DeleteFeedbackInput{CreatedBy: &key})
		require.NoError(t, err, "%+q", key)
		assert.Equal(t, 1, said.Deleted, "%+q", key)
		_, err = svc.Upkeep.DropTrace(ctx, key)
		require.NoError(t, err, "%+q", key)
	}
	for _, none := range []string{"", "episode:", "\xff"} {
		_, err = svc.Upkeep.Delete(ctx, memory.KindEpisode, service.DeleteInput{ID: none})
		var known *memory.Error
		require.ErrorAs(t, err, &known)
		assert.Equal(t, memory.CodeInvalidInput, known.Code, "%+q", none)
	}
}
