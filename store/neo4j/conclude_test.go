package neo4j

import (
	"context"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/cypher"
)

// blocked waits until a transaction of a statement waits for the lock of another.
func blocked(t *testing.T, backend *Backend, asked cypher.Statement) {
	t.Helper()
	text, _ := cypher.Sendable(asked, nil)
	require.Eventually(t, func() bool {
		return len(runCypher[string](t, backend,
			"SHOW TRANSACTIONS YIELD currentQuery, status WHERE currentQuery CONTAINS $text AND status STARTS WITH 'Blocked' RETURN status",
			cypher.Parameters{"text": text})) > 0
	}, 30*time.Second, 20*time.Millisecond)
}

// Who waits for the lock of an episode that goes away meanwhile finds none.
func TestConcludeWhatIsBeingDeleted(t *testing.T) {
	backend := mustConnect(t)
	tenant := freshStore(t, backend)
	mustRecord(t, tenant, draft("e", func(r *store.EpisodeRecord) {
		r.Episode.Outcome, r.Episode.Concluded = memory.OutcomeUnknown, false
	}))

	session := backend.connection.Driver.NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: backend.connection.Database})
	defer func() { require.NoError(t, session.Close(context.WithoutCancel(t.Context()))) }()
	deletion, err := session.BeginTransaction(t.Context())
	require.NoError(t, err)
	result, err := deletion.Run(t.Context(), "MATCH (e:Episode {tenant: $tenant, key: 'e'}) DETACH DELETE e",
		cypher.Parameters{"tenant": storeOf(tenant).TenantID})
	require.NoError(t, err)
	_, err = result.Consume(t.Context())
	require.NoError(t, err)

	concluded := make(chan error, 1)
	go func() {
		concluded <- tenant.ConcludeEpisode(t.Context(), store.EpisodeConclusion{Key: "e", Outcome: memory.OutcomeSuccess})
	}()
	blocked(t, backend, cypher.Named("conclude"))
	require.NoError(t, deletion.Commit(t.Context()))
	require.ErrorIs(t, <-concluded, store.ErrNotFound)
}
