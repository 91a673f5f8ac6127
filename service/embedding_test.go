package service_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/servicetest"
	"mneme/store/sqlite"
)

// lengthy answers vectors of a length of its choice.
type lengthy int

func (l lengthy) Embed(_ context.Context, texts []string) ([][]float32, error) {
	vectors := make([][]float32, len(texts))
	for i := range vectors {
		vectors[i] = make([]float32, l)
		vectors[i][0] = 1
	}
	return vectors, nil
}

// A model that was exchanged for another must not keep anyone from recording and recalling.
func TestAnEmbedderOfAnotherLengthIsDoneWithout(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t, func(s *service.Settings) { s.Embedder = lengthy(4) }, service.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))))
	theirs := servicetest.Refund("e1")
	theirs.Embedding = []float64{1, 2, 3}
	_, err := svc.Episodes.RecordEpisode(t.Context(), theirs, boundary.Include{})
	require.NoError(t, err)

	_, err = svc.Episodes.RecordEpisode(t.Context(), servicetest.Refund("e2"), boundary.Include{})
	require.NoError(t, err)
	_, err = svc.Episodes.ConcludeEpisode(t.Context(), boundary.ConcludeEpisodeInput{ID: "e1", Outcome: memory.OutcomeSuccess}, boundary.Include{})
	require.NoError(t, err)
	found, err := svc.Retrieval.Recall(t.Context(), boundary.RecallInput{Situation: "refund", Variants: new(boundary.VariantsSeparate)}, boundary.Include{})
	require.NoError(t, err)
	require.Len(t, found.Hits, 2)

	found, err = svc.Retrieval.Recall(t.Context(), boundary.RecallInput{Situation: "", Embedding: []float64{2, 4, 6}}, boundary.Include{})
	require.NoError(t, err)
	require.InDelta(t, 1, found.Hits[0].Score.Semantic, 1e-6, "the caller's vector is as it was")
}

func TestVectorsAreOnlyDirections(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for id, vector := range map[string][]float64{"huge": {1e300, 0, 0}, "tiny": {1e-300, 0, 0}, "plain": {1, 0, 0}} {
		input := servicetest.Refund(id)
		input.Embedding = vector
		_, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
		require.NoError(t, err)
	}
	found, err := svc.Retrieval.Recall(t.Context(), boundary.RecallInput{Embedding: []float64{1e200, 0, 0}, Variants: new(boundary.VariantsSeparate)}, boundary.Include{})
	require.NoError(t, err)
	require.Len(t, found.Hits, 3)
	for _, hit := range found.Hits {
		require.InDelta(t, 1, hit.Score.Semantic, 1e-6)
	}
	zero := servicetest.Refund("zero")
	zero.Embedding = []float64{0, 0, 0}
	_, err = svc.Episodes.RecordEpisode(t.Context(), zero, boundary.Include{})
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "embedding")
}

// wavering is an embedder that may fail.
type wavering struct{ silent error }

func (w *wavering) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if w.silent != nil {
		return nil, w.silent
	}
	return lengthy(3).Embed(ctx, texts)
}

// openWavering has three episodes, one of which says "kettle", and whose vectors are all the same.
func openWavering(t *testing.T) (*service.Tenant, *wavering) {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	w := &wavering{}
	svc := servicetest.Bind(t.Context(), t, service.New(backend, func(s *service.Settings) { s.Embedder = w }, service.WithLogger(slog.New(slog.DiscardHandler))))
	for id, text := range map[string]string{"a": "The kettle leaks", "b": "A song", "c": "The weather"} {
		input := servicetest.Refund(id)
		input.Observation = text
		_, err := svc.Episodes.RecordEpisode(t.Context(), input, boundary.Include{})
		require.NoError(t, err)
	}
	_, err = svc.Upkeep.Reindex(t.Context(), nil)
	require.NoError(t, err)
	return svc, w
}

func TestASearchGoesOnWithoutAModel(t *testing.T) {
	t.Parallel()
	svc, w := openWavering(t)
	found, err := svc.Retrieval.Search(t.Context(), "kettle", nil, boundary.UserFilter{}, reading.PageInput{}, boundary.Include{})
	require.NoError(t, err)
	require.Len(t, found.Items, 3)
	w.silent = errors.New("not now")
	found, err = svc.Retrieval.Search(t.Context(), "kettle", nil, boundary.UserFilter{}, reading.PageInput{}, boundary.Include{})
	require.NoError(t, err)
	require.Len(t, found.Items, 1)
}
