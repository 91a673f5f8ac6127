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
	"mneme/service/servicetest"
	"mneme/store"
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
	svc := open(t, service.WithEmbedder(lengthy(4)), service.WithLogger(slog.New(slog.NewTextHandler(io.Discard, nil))))
	theirs := refund("e1")
	theirs.Embedding = []float64{1, 2, 3}
	_, err := svc.Episodes.RecordEpisode(t.Context(), theirs, service.Include{})
	require.NoError(t, err)

	_, err = svc.Episodes.RecordEpisode(t.Context(), refund("e2"), service.Include{})
	require.NoError(t, err)
	_, err = svc.Episodes.ConcludeEpisode(t.Context(), service.ConcludeEpisodeInput{ID: "e1", Outcome: memory.OutcomeSuccess}, service.Include{})
	require.NoError(t, err)
	found, err := svc.Retrieval.Recall(t.Context(), service.RecallInput{Situation: "refund"}, service.Include{})
	require.NoError(t, err)
	require.Len(t, found.Hits, 2)

	found, err = svc.Retrieval.Recall(t.Context(), service.RecallInput{Situation: "", Embedding: []float64{2, 4, 6}}, service.Include{})
	require.NoError(t, err)
	require.InDelta(t, 1, found.Hits[0].Score.Semantic, 1e-6, "the caller's vector is as it was")
}

func TestVectorsAreOnlyDirections(t *testing.T) {
	t.Parallel()
	svc := open(t)
	for id, vector := range map[string][]float64{"huge": {1e300, 0, 0}, "tiny": {1e-300, 0, 0}, "plain": {1, 0, 0}} {
		input := refund(id)
		input.Embedding = vector
		_, err := svc.Episodes.RecordEpisode(t.Context(), input, service.Include{})
		require.NoError(t, err)
	}
	found, err := svc.Retrieval.Recall(t.Context(), service.RecallInput{Embedding: []float64{1e200, 0, 0}}, service.Include{})
	require.NoError(t, err)
	require.Len(t, found.Hits, 3)
	for _, hit := range found.Hits {
		require.InDelta(t, 1, hit.Score.Semantic, 1e-6)
	}
	zero := refund("zero")
	zero.Embedding = []float64{0, 0, 0}
	_, err = svc.Episodes.RecordEpisode(t.Context(), zero, service.Include{})
	requireCode(t, err, memory.CodeInvalidInput, "embedding")
}

// wavering is an embedder, and a store that finds by vectors, each of which may fail.
type wavering struct {
	store.Backend
	silent error // of the embedder
	broken error // of the store
}

func (w *wavering) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if w.silent != nil {
		return nil, w.silent
	}
	return lengthy(3).Embed(ctx, texts)
}

func (w *wavering) Tenant(ctx context.Context, id string) (store.Store, error) {
	tenant, err := w.Backend.Tenant(ctx, id)
	return waveringStore{tenant, w}, err
}

type waveringStore struct {
	store.Store
	wavering *wavering
}

func (s waveringStore) Candidates(ctx context.Context, query store.RecallQuery) (store.Candidates, error) {
	if s.wavering.broken != nil {
		return store.Candidates{}, s.wavering.broken
	}
	return s.Store.Candidates(ctx, query)
}

// openWavering has three episodes, one of which says "kettle", and whose vectors are all the same.
func openWavering(t *testing.T) (*service.Tenant, *wavering) {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	w := &wavering{Backend: backend}
	svc := servicetest.Bind(t.Context(), t, service.New(w, service.WithEmbedder(w), service.WithLogger(slog.New(slog.DiscardHandler))))
	for id, text := range map[string]string{"a": "The kettle leaks", "b": "A song", "c": "The weather"} {
		input := refund(id)
		input.Observation = text
		_, err := svc.Episodes.RecordEpisode(t.Context(), input, service.Include{})
		require.NoError(t, err)
	}
	return svc, w
}

func TestASearchGoesOnWithoutMeaning(t *testing.T) {
	t.Parallel()
	svc, w := openWavering(t)
	for what, spoil := range map[string]func(err error){
		"no model": func(err error) { w.silent = err }, "no vectors": func(err error) { w.broken = err },
	} {
		spoil(nil)
		found, err := svc.Retrieval.Search(t.Context(), "kettle", nil, service.PageInput{})
		require.NoError(t, err, what)
		require.Len(t, found.Items, 3, what)
		spoil(errors.New("not now"))
		found, err = svc.Retrieval.Search(t.Context(), "kettle", nil, service.PageInput{})
		require.NoError(t, err, what)
		require.Len(t, found.Items, 1, what)
		spoil(nil)
	}
	w.broken = errors.New("not now")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := svc.Retrieval.Search(gone, "kettle", nil, service.PageInput{})
	require.ErrorIs(t, err, context.Canceled)
}

// The pages of a search are of one ranking, whatever becomes of the model between them.
func TestPagesOfASearchGoByWhatTheFirstDid(t *testing.T) {
	t.Parallel()
	svc, w := openWavering(t)
	search := func(text string, after *string) (*service.Page[service.SearchHit], error) {
		return svc.Retrieval.Search(t.Context(), text, nil, service.PageInput{First: new(1), After: after})
	}
	first, err := search("kettle", nil)
	require.NoError(t, err)
	require.True(t, first.HasNext)
	w.silent = errors.New("not now")
	_, err = search("kettle", &first.Cursors[0])
	requireCode(t, err, memory.CodeUnavailable, "")
	w.silent = nil
	second, err := search("kettle", &first.Cursors[0])
	require.NoError(t, err)
	require.True(t, second.HasNext)
	third, err := search("kettle", &second.Cursors[0])
	require.NoError(t, err)
	require.False(t, third.HasNext)

	w.silent = errors.New("not now")
	first, err = search("the kettle song weather", nil)
	require.NoError(t, err)
	words, err := search("the kettle song weather", &first.Cursors[0])
	require.NoError(t, err)
	w.silent = nil
	same, err := search("the kettle song weather", &first.Cursors[0])
	require.NoError(t, err)
	require.Equal(t, words.Cursors, same.Cursors, "by words alone, as the first")
}
