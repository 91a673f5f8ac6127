package userview_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service/userview"
	"mneme/store"
	"mneme/store/sqlite"
)

// watched notes of which episodes the log is read.
type watched struct {
	store.Store
	read []string
}

func (w *watched) Get(ctx context.Context, of any, keys []string) (any, error) {
	if _, is := of.(*store.WholeEpisode); is {
		w.read = append(w.read, keys...)
	}
	return w.Store.Get(ctx, of, keys)
}

func TestAnothersLogIsNotRead(t *testing.T) {
	t.Parallel()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	tenant, err := backend.Tenant(t.Context(), "t")
	require.NoError(t, err)
	var records []store.EpisodeRecord
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, user := range []string{"ann", "bob"} {
		records = append(records, store.EpisodeRecord{Episode: memory.Episode{
			Key: "of " + user, AgentKey: "agent", UserID: &user, Title: "A refund", Observation: "A refund", Insight: "none",
			Thoughts: []string{}, Actions: []memory.Action{}, ExecutionIDs: []string{}, Segments: []memory.Segment{},
			Outcome: memory.OutcomeSuccess, Concluded: true, StartedAt: at, CreatedAt: at, Receipt: memory.Receipt{Redactions: []memory.Redaction{}},
		}, InputHash: []byte(user)})
	}
	_, err = store.Record(t.Context(), tenant, records)
	require.NoError(t, err)
	all := &watched{Store: tenant}
	found, err := store.Get[store.WholeEpisode](t.Context(), userview.New(all, "ann"), []string{"of bob", "of ann", "none"})
	require.NoError(t, err)
	require.Nil(t, found[0])
	require.Equal(t, "of ann", found[1].Episode.Key)
	require.Nil(t, found[2])
	require.Equal(t, []string{"of ann"}, all.read)
}
