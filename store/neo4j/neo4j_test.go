package neo4j_test

import (
	"context"
	"crypto/rand"
	"runtime"
	"strings"
	"sync"
	"testing"

	driver "github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/store"
	"mneme/store/neo4j"
	"mneme/store/storetest"
)

func TestConformance(t *testing.T) {
	testneo4j.Reach(t)
	storetest.Run(t, passing)
}

// With keys in the database, a server on this Neo4j would ask for one.
func TestLostKeys(t *testing.T) {
	server := testneo4j.Reach(t)
	client, err := driver.NewDriverWithContext(server.URL, driver.BasicAuth(server.User, server.Password, ""))
	require.NoError(t, err)
	defer func() { require.NoError(t, client.Close(context.Background())) }()
	storetest.RunLostKeys(t, open(t, nil), func() {
		_, err := driver.ExecuteQuery(t.Context(), client, "MATCH (k:AccessKey) DELETE k", nil, driver.EagerResultTransformer)
		require.NoError(t, err)
	})
}

func TestKnowledge(t *testing.T) {
	testneo4j.Reach(t)
	storetest.RunKnowledge(t, passing)
}

func TestJudged(t *testing.T) {
	testneo4j.Reach(t)
	storetest.RunJudged(t, passing)
}

func TestLearning(t *testing.T) {
	testneo4j.Reach(t)
	storetest.RunLearning(t, passing)
}

func TestTransfer(t *testing.T) {
	testneo4j.Reach(t)
	storetest.RunTransfer(t, passing)
}

func BenchmarkStore(b *testing.B) {
	testneo4j.Reach(b)
	storetest.RunBenchmarks(b, func(b *testing.B) store.Backend { return open(b, nil) })
}

func TestSeveralServers(t *testing.T) {
	storetest.RunServers(t, func(t *testing.T) []store.Backend {
		return []store.Backend{passing(t), openAs(t, neo4j.Options{}), openAs(t, neo4j.Options{})}
	})
}

func TestEmbeddings(t *testing.T) {
	storetest.RunEmbeddings(t, func(t *testing.T, embeddings store.Embeddings) store.Backend {
		t.Helper()
		return openAs(t, neo4j.Options{Embeddings: embeddings})
	})
}

func TestReindex(t *testing.T) {
	storetest.RunReindex(t, func(t *testing.T) (with, without store.Backend) {
		return passing(t), openAs(t, neo4j.Options{WithoutVectors: true})
	})
}

// open connects to the server that tests share; every test works in tenants of its own.
func open(t testing.TB, onQuery func(name string)) *neo4j.Backend {
	t.Helper()
	if onQuery == nil {
		return openAs(t, neo4j.Options{})
	}
	return openAs(t, neo4j.Options{Observer: storetest.Told(onQuery)})
}

// openAs is open with some options.
func openAs(t testing.TB, options neo4j.Options) *neo4j.Backend {
	t.Helper()
	server := testneo4j.Reach(t)
	options.URL, options.User, options.Password = server.URL, server.User, server.Password
	backend, err := neo4j.Open(t.Context(), options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(t.Context())) })
	return backend
}

// passing is open for tests whose tenants the examinations of others need not read.
func passing(t *testing.T) store.Backend {
	backend := &holding{Backend: open(t, nil)}
	t.Cleanup(func() {
		backend.LetGo(t)
		runtime.KeepAlive(backend)
	})
	return backend
}

// holding has all that it bound.
type holding struct {
	*neo4j.Backend
	mutex sync.Mutex
	bound []store.Store
}

func (h *holding) Tenant(ctx context.Context, id string) (store.Store, error) {
	tenant, err := h.Backend.Tenant(ctx, id)
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.bound = append(h.bound, tenant)
	return tenant, err
}

// freshTenant is a tenant that nothing was written to.
func freshTenant(t testing.TB, backend *neo4j.Backend) store.Store {
	t.Helper()
	tenant, err := backend.Tenant(t.Context(), "t-"+strings.ToLower(rand.Text()))
	require.NoError(t, err)
	_, err = tenant.InputKey(t.Context()) // as is asked for before anything is written
	require.NoError(t, err)
	t.Cleanup(func() {
		backend.LetGo(t)
		runtime.KeepAlive(tenant)
	})
	return tenant
}
