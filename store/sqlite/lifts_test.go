package sqlite

import (
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// What is in memory of the episodes that a boost lifts hears that one of them is deleted, however that is done: another may get its number.
func TestWhoeverKeepsLiftsHearsOfDeletions(t *testing.T) {
	t.Parallel()
	for name, forget := range map[string]func(tenant *Tenant) error{
		"by its key": func(tenant *Tenant) error {
			_, err := tenant.Delete(t.Context(), memory.KindEpisode, []string{"liked"})
			return err
		},
		"with its agent": func(tenant *Tenant) error {
			_, err := tenant.DeleteAgent(t.Context(), "a")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			tenant := openTenant(t, t.TempDir())
			tenant.mustRecord(t, record("liked", "o"))
			_, err := tenant.RecordFeedback(t.Context(), []store.FeedbackRecord{{
				Feedback: memory.Feedback{
					Key: "f", EpisodeKey: new("liked"),
					Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: noon},
				}, InputHash: []byte("f"),
			}})
			require.NoError(t, err)
			before := tenant.number(t, `SELECT max(revision) FROM lift_changes`)
			require.NoError(t, forget(tenant))
			require.Greater(t, tenant.number(t, `SELECT max(revision) FROM lift_changes`), before)
		})
	}
}
