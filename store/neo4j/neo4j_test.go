package neo4j_test

import (
	"crypto/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/store"
	"mneme/store/neo4j"
	"mneme/store/storetest"
)

func TestConformance(t *testing.T) {
	testneo4j.Reach(t)
	storetest.Run(t, func(t *testing.T) store.Backend { return open(t, nil) })
}

func TestKnowledge(t *testing.T) {
	testneo4j.Reach(t)
	storetest.RunKnowledge(t, func(t *testing.T) store.Backend { return open(t, nil) })
}

func TestJudged(t *testing.T) {
	testneo4j.Reach(t)
	storetest.RunJudged(t, func(t *testing.T) store.Backend { return open(t, nil) })
}

func TestLearning(t *testing.T) {
	testneo4j.Reach(t)
	storetest.RunLearning(t, func(t *testing.T) store.Backend { return open(t, nil) })
}

func TestTransfer(t *testing.T) {
	testneo4j.Reach(t)
	storetest.RunTransfer(t, func(t *testing.T) store.Backend { return open(t, nil) })
}

func BenchmarkStore(b *testing.B) {
	testneo4j.Reach(b)
	storetest.RunBenchmarks(b, func(b *testing.B) store.Backend { return open(b, nil) })
}

// open connects to the server that tests share; every test works in tenants of its own.
func open(t testing.TB, onQuery func(name string)) *neo4j.Backend {
	t.Helper()
	server := testneo4j.Reach(t)
	backend, err := neo4j.Open(t.Context(), neo4j.Options{
		URL: server.URL, User: server.User, Password: server.Password, OnQuery: onQuery,
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(t.Context())) })
	return backend
}

// freshTenant is a tenant that nothing was written to.
func freshTenant(t testing.TB, backend *neo4j.Backend) store.Store {
	t.Helper()
	tenant, err := backend.Tenant(t.Context(), "t-"+strings.ToLower(rand.Text()))
	require.NoError(t, err)
	return tenant
}

func TestAgreement(t *testing.T) {
	testneo4j.Reach(t)
	storetest.RunAgreement(t, func(t *testing.T) store.Backend { return open(t, nil) })
}

func TestRecallOfAirlineTasks(t *testing.T) {
	testneo4j.Reach(t)
	storetest.RunAirline(t, func(t *testing.T) store.Backend { return open(t, nil) })
}
