package neo4j

import (
	"errors"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/storetest"
)

// begun is something that goes on beside a test, until it ends or waits for a lock in a tenant's data.
func begun(t *testing.T, s *tenantStore, act func()) (ended chan struct{}) {
	t.Helper()
	ended = make(chan struct{})
	go func() {
		defer close(ended)
		act()
	}()
	looks := mustConnect(t)
	for {
		select {
		case <-ended:
			return ended
		case <-time.After(5 * time.Millisecond):
		}
		const blocked = `SHOW TRANSACTIONS YIELD status, parameters WHERE status STARTS WITH 'Blocked' AND parameters.p.tenant = $tenant
			RETURN count(*) AS blocked`
		if runCypher[int64](t, looks, blocked, cypher.Parameters{"tenant": s.TenantID})[0] > 0 {
			return ended
		}
	}
}

// beside does something in a transaction that is open until commit is called.
func beside(t *testing.T, s *tenantStore, text string, values cypher.Parameters) (commit func()) {
	t.Helper()
	session := mustConnect(t).connection.Driver.NewSession(t.Context(), neo4j.SessionConfig{DatabaseName: s.backend.connection.Database})
	tx, err := session.BeginTransaction(t.Context())
	require.NoError(t, err)
	values["tenant"] = s.TenantID
	result, err := tx.Run(t.Context(), text, values)
	require.NoError(t, err)
	_, err = result.Consume(t.Context())
	require.NoError(t, err)
	return func() {
		require.NoError(t, tx.Commit(t.Context()))
		require.NoError(t, session.Close(t.Context()))
	}
}

func TestAmendmentOfWhatIsDeletedMeanwhile(t *testing.T) {
	tenant := freshStore(t, mustConnect(t))
	mustRecord(t, tenant, draft("e1"))
	commit := beside(t, storeOf(tenant), "MATCH (e:Episode {tenant: $tenant, key: 'e1'}) DETACH DELETE e", cypher.Parameters{})
	var err error
	ended := begun(t, storeOf(tenant), func() {
		err = tenant.AmendEpisode(t.Context(), store.EpisodeAmendment{
			Episode: draft("e1").Episode, InputHash: []byte("later"), WasHash: []byte("e1"), WasConcluded: true,
		})
	})
	commit()
	<-ended
	require.ErrorIs(t, err, store.ErrNotFound)
}

func TestTraceEpisodeThatIsDeletedMeanwhile(t *testing.T) {
	tenant := freshStore(t, mustConnect(t))
	mustRecord(t, tenant, draft("e1"))
	commit := beside(t, storeOf(tenant), "MATCH (e:Episode {tenant: $tenant, key: 'e1'}) DETACH DELETE e", cypher.Parameters{})
	var found *store.WholeEpisode
	var err error
	ended := begun(t, storeOf(tenant), func() { found, err = store.GetOne[store.WholeEpisode](t.Context(), tenant, "e1") })
	commit()
	<-ended
	require.NoError(t, err)
	require.Nil(t, found)
}

// A tombstone that somebody takes away is waited for, as one that somebody makes is.
func TestTombstoneIsReadUnderItsLock(t *testing.T) {
	tenant := freshStore(t, mustConnect(t))
	s := storeOf(tenant)
	inputKey, err := s.InputKey(t.Context())
	require.NoError(t, err)
	record := draft("e1")
	keys := tombstoneKeys(inputKey, []string{record.ID()})
	require.NoError(t, s.write(t.Context(), func(t *transaction) error { return t.Bury(record.ID()) }))
	commit := beside(t, s, cypher.Named("exhume").Text, cypher.Parameters{"keys": keys})
	var recorded []store.Recorded
	ended := begun(t, s, func() { recorded, err = tenant.Restore(t.Context(), []store.Item{&record}, false) })
	commit()
	<-ended
	require.NoError(t, err)
	require.NoError(t, recorded[0].Err)
	require.True(t, recorded[0].Created)
}

// What an import finds there may be deleted for good before it is looked at under its lock.
func TestImportOfWhatIsForgottenMeanwhile(t *testing.T) {
	importer := mustConnect(t)
	tenant := freshStore(t, importer)
	s := storeOf(tenant)
	_, err := tenant.InputKey(t.Context())
	require.NoError(t, err)
	forgetter, err := mustConnect(t).Tenant(t.Context(), s.TenantID)
	require.NoError(t, err)
	of := draft("e1")
	f := liked("f1", "e1", day)
	mustRecord(t, tenant, of)
	mustReact(t, tenant, f)
	var ended chan struct{}
	importer.connection.Observer = storetest.Told(func(name string) {
		if name == "lock" && ended == nil { // it is known what is there and what is forgotten
			ended = begun(t, s, func() {
				_, err := forgetter.Delete(t.Context(), memory.KindAgent, []string{"agent"})
				assert.NoError(t, err)
			})
		}
	})
	_, err = tenant.Restore(t.Context(), []store.Item{&of, &f}, false)
	require.NoError(t, err)
	require.NotNil(t, ended)
	<-ended
	require.Empty(t, runCypher[string](t, importer, "MATCH (n:Episode|Feedback|Agent {tenant: $tenant}) RETURN n.key", cypher.Parameters{"tenant": s.TenantID}))
	for _, id := range []string{memory.NodeID(memory.KindEpisode, "e1"), memory.NodeID(memory.KindFeedback, "f1")} {
		kept, err := tenant.Restore(t.Context(), []store.Item{&store.Guarded{Item: &of, Unless: []string{id}}}, false)
		require.NoError(t, err)
		require.ErrorIs(t, kept[0].Err, store.ErrForgotten, id)
	}
}

// What cannot be decoded is read again, in case somebody was writing it; what stays so is an error.
func TestTornAnswersAreReadAgain(t *testing.T) {
	backend := mustConnect(t)
	sent := 0
	backend.connection.Observer = storetest.Told(func(string) { sent++ })
	s := storeOf(freshStore(t, backend))
	const maxReads = 5 // as package bolt has it
	broken := errors.New("it is torn")
	tears := func(times int) bolt.Decoder[int64] {
		return func(row *bolt.Fields) int64 {
			if times--; times >= 0 {
				row.Err = broken
			}
			return bolt.Column[int64]("n")(row)
		}
	}
	reads := map[string]func(times int) ([]int64, error){
		"a read": func(times int) ([]int64, error) {
			return bolt.Read(t.Context(), backend.connection, s.Query(cypher.Statement{Name: "one", Text: "RETURN 1 AS n"}, nil), tears(times))
		},
		"a read in a write": func(times int) (found []int64, err error) {
			decode := tears(times)
			return found, s.write(t.Context(), func(t *transaction) (err error) {
				found, err = bolt.RowsOf(t.Transaction, cypher.Statement{Name: "one", Text: "RETURN 1 AS n"}, nil, decode)
				return err
			})
		},
	}
	for name, reads := range reads {
		sent = 0
		found, err := reads(maxReads - 1)
		require.NoError(t, err, name)
		require.Equal(t, []int64{1}, found, name)
		require.Equal(t, maxReads, sent, name)
		sent = 0
		_, err = reads(maxReads)
		require.ErrorIs(t, err, broken, name)
		require.Equal(t, maxReads, sent, name)
	}
}
