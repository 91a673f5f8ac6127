package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/store"
	"mneme/store/sqlite"
	"mneme/store/storetest"
)

func TestConformance(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) store.Backend { return open(t, t.TempDir()) })
}

// open opens a directory until the test ends.
func open(t *testing.T, dir string) *sqlite.Backend {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	return backend
}

func BenchmarkStore(b *testing.B) {
	storetest.RunBenchmarks(b, func(b *testing.B) store.Backend {
		backend, err := sqlite.Open(b.Context(), sqlite.Options{Dir: b.TempDir()})
		require.NoError(b, err)
		b.Cleanup(func() { require.NoError(b, backend.Close(context.Background())) })
		return backend
	})
}

func TestLostKeys(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	storetest.RunLostKeys(t, open(t, dir), func() { require.NoError(t, os.Remove(filepath.Join(dir, "_keys.db"))) })
}

func TestSeveralServers(t *testing.T) {
	t.Parallel()
	storetest.RunServers(t, func(t *testing.T) []store.Backend {
		dir := t.TempDir()
		return []store.Backend{open(t, dir), open(t, dir), open(t, dir)}
	})
}

func TestLearningConformance(t *testing.T) {
	t.Parallel()
	storetest.RunLearning(t, func(t *testing.T) store.Backend { return open(t, t.TempDir()) })
}

func TestKnowledgeConformance(t *testing.T) {
	t.Parallel()
	storetest.RunKnowledge(t, func(t *testing.T) store.Backend { return open(t, t.TempDir()) })
}

func TestJudgedConformance(t *testing.T) {
	t.Parallel()
	storetest.RunJudged(t, func(t *testing.T) store.Backend { return open(t, t.TempDir()) })
}

func TestTransferConformance(t *testing.T) {
	t.Parallel()
	storetest.RunTransfer(t, func(t *testing.T) store.Backend { return open(t, t.TempDir()) })
}

func TestEmbeddingsConformance(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	storetest.RunEmbeddings(t, func(t *testing.T, embeddings store.Embeddings) store.Backend {
		t.Helper()
		backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir, Embeddings: embeddings})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
		return backend
	})
}

func TestReindexConformance(t *testing.T) {
	t.Parallel()
	storetest.RunReindex(t, func(t *testing.T) (with, without store.Backend) {
		dir := t.TempDir()
		plain, err := sqlite.Open(t.Context(), sqlite.Options{Dir: dir, WithoutVectors: true})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, plain.Close(context.Background())) })
		return open(t, dir), plain
	})
}
