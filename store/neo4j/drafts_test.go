package neo4j

import (
	"context"
	"crypto/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// day is when the tests take place.
var day = time.Date(2025, time.March, 1, 0, 0, 0, 0, time.UTC)

func minute(n int) time.Time { return day.Add(time.Duration(n) * time.Minute) }

// freshStore is a tenant that nothing was written to.
func freshStore(t testing.TB, backend *Backend) store.Store {
	t.Helper()
	tenant, err := backend.Tenant(t.Context(), "t-"+strings.ToLower(rand.Text()))
	require.NoError(t, err)
	_, err = tenant.InputKey(t.Context()) // as is asked for before anything is written
	require.NoError(t, err)
	t.Cleanup(func() {
		s := storeOf(tenant)
		_ = s.backend.connection.Command(context.WithoutCancel(t.Context()), bolt.Query{
			Statement: cypher.Statement{Name: "let go", Text: "MATCH (t:Tenant {key: $tenant}) DELETE t"}, Write: true, Parameters: cypher.Parameters{"tenant": s.TenantID},
		}) // later examinations need not read it
	})
	return tenant
}

// storeOf looks behind the interface.
func storeOf(tenant store.Store) *tenantStore {
	s, _ := tenant.(*tenantStore)
	return s
}

// draft is an episode with a key, changed as a test needs it.
func draft(key string, changes ...func(*store.EpisodeRecord)) store.EpisodeRecord {
	record := store.EpisodeRecord{Episode: memory.Episode{
		Key: key, Title: "Title", AgentKey: "agent", Observation: "Observation", Insight: "Insight",
		Outcome: memory.OutcomeSuccess, Concluded: true, StartedAt: day, CreatedAt: day,
	}, InputHash: []byte(key)}
	for _, change := range changes {
		change(&record)
	}
	return record
}

func mustRecord(t testing.TB, tenant store.Store, records ...store.EpisodeRecord) {
	t.Helper()
	for batch := range slices.Chunk(records, 1000) { // the largest of the API
		recorded, err := store.Record(t.Context(), tenant, batch)
		require.NoError(t, err)
		requireCreated(t, recorded)
	}
}

func mustAct(t testing.TB, tenant store.Store, records ...store.CanvasActionRecord) {
	t.Helper()
	recorded, err := store.Record(t.Context(), tenant, records)
	require.NoError(t, err)
	requireCreated(t, recorded)
}

func mustReact(t testing.TB, tenant store.Store, records ...store.FeedbackRecord) {
	t.Helper()
	recorded, err := store.Record(t.Context(), tenant, records)
	require.NoError(t, err)
	requireCreated(t, recorded)
}

func requireCreated(t testing.TB, recorded []store.Recorded) {
	t.Helper()
	for _, r := range recorded {
		require.NoError(t, r.Err)
		require.True(t, r.Created)
	}
}

// shown is an action on a canvas that names an episode.
func shown(canvas, episode string, at time.Time) store.CanvasActionRecord {
	return store.CanvasActionRecord{
		Canvas: canvas, Episode: &episode, CanvasType: "charts", Action: memory.CanvasAction{Action: memory.CanvasPresent, At: at},
	}
}

// liked is feedback that names an episode.
func liked(key, episode string, at time.Time) store.FeedbackRecord {
	return store.FeedbackRecord{Feedback: memory.Feedback{
		Key: key, EpisodeKey: &episode,
		Reaction: memory.Reaction{Type: memory.FeedbackThumbsUp, Score: 1, Source: memory.SourceChat, CreatedAt: at},
	}}
}
