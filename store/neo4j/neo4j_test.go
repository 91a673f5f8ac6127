package neo4j_test

import (
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
