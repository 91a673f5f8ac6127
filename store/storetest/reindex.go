package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// RunReindex records without vectors, and has a store of the same data that makes them make what is due. The function
// open gives both.
func RunReindex(t *testing.T, open func(t *testing.T) (with, without store.Backend)) {
	backend, plain := open(t)
	id := randomTenant()
	m, without := bind(t, backend, id), bind(t, plain, id)
	const size = 600
	for part := range 3 {
		records := make([]observationDraft, size/3)
		for i := range records {
			records[i] = observation(fmt.Sprintf("o%d%03d", part, i), at(0)).saying("The vehicle failed its ignition")
		}
		without.observe(records...)
	}
	meant := func(want bool) {
		t.Helper()
		m.NotEmpty(m.matches("ignition"), "they are found by their words at once")
		m.Equal(want, len(m.meant("failed car", anyOf(memory.KindObservation))) > 0)
	}
	waiting := func(s *tenant, want int) {
		t.Helper()
		backlog, err := s.Backlog(s.ctx())
		s.NoError(err)
		s.Equal(want, backlog.Vectors)
	}
	waiting(m, size)
	waiting(without, 0)
	meant(false)
	requireNoFault(m, backend, id)
	m.Equal("vectors of 0 records; those of 600 more are due: a server makes them in the background, or mneme rebuild", toldOf(m, backend, id, "meanings"))

	ctx, cancel := context.WithCancel(m.ctx())
	made, err := m.Reindex(ctx, nil, func(store.ReindexStep) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
	m.Positive(made)
	m.Less(made, size)
	waiting(m, size-made) // what was done stays
	m.Equal(store.MeaningsText(made, size-made), toldOf(m, backend, id, "meanings"))

	written := false
	rest, err := m.Reindex(m.ctx(), nil, func(step store.ReindexStep) {
		m.Equal(size-made, step.Due)
		if !written { // others go on meanwhile
			written = true
			without.observe(observation("a", at(1)).saying("A walrus"))
			m.NoError(Delete(m.ctx(), m, memory.KindObservation, fmt.Sprintf("o2%03d", size/3-1)))
		}
	})
	m.NoError(err)
	backlog, err := m.Backlog(m.ctx())
	m.NoError(err)
	left := backlog.Vectors // what was written meanwhile, where that was no more come by
	m.InDelta(size-made, rest+left, 1, "nothing is done again; what was deleted may have been done before")
	m.LessOrEqual(left, 1)
	meant(true)
	m.Equal(left, m.count(m.Reindex(m.ctx(), nil, nil)))
	waiting(m, 0)
	requireNoFault(m, backend, id)
}

// endpoint embeds texts: what says "walrus" in one direction, all else in another, and nothing of what is "nothing".
type endpoint struct {
	length int
	asked  []string
	silent error
}

func (e *endpoint) embedder() *store.Embedder {
	return &store.Embedder{Length: e.length, Embed: func(_ context.Context, texts []string) ([][]float32, error) {
		e.asked = append(e.asked, texts...)
		vectors := make([][]float32, len(texts))
		for i, text := range texts {
			vectors[i] = make([]float32, e.length)
			switch {
			case strings.Contains(text, "walrus"):
				vectors[i][0] = 1
			case text != "nothing":
				vectors[i][1] = 1
			}
		}
		return vectors, e.silent
	}}
}

func (e *endpoint) toward(axis int) []float32 {
	v := make([]float32, e.length)
	v[axis] = 1
	return v
}

// RunEmbeddings has an endpoint make vectors of passages. The function opens a store of the same data each time.
func RunEmbeddings(t *testing.T, open func(t *testing.T, embeddings store.Embeddings) store.Backend) {
	id := randomTenant()
	plain, backend := bind(t, open(t, store.Embeddings{}), id), open(t, store.Embeddings{Made: true})
	says := func(key, text string) episodeDraft {
		return episode(key, at(0)).seeing(text).titled(text).learning(text)
	} // once
	plain.record(says("e1", "A seal").thinking("The walrus sleeps").unconcluded(), says("e2", "nothing").embedded(5, 0, 0))
	plain.observe(observation("o", at(2)).saying("A walrus"))
	m, e := bind(t, backend, id), &endpoint{length: 3}
	near := func(v []float32) []string {
		found, _, err := m.PassagesByMeaning(m.ctx(), store.Question{Embedding: v}, anyOf())
		m.NoError(err)
		var said []string
		for _, p := range found {
			of := slices.IndexFunc(p.Embeddings, func(e []float32) bool { return len(e) == len(v) })
			if cosine(v, p.Embeddings[of]) > 0.9 {
				said = append(said, p.Text)
			}
		}
		slices.Sort(said)
		return said
	}
	made := func(asked ...string) {
		t.Helper()
		e.asked = nil
		_, err := m.Reindex(m.ctx(), e.embedder(), nil)
		m.NoError(err)
		m.ElementsMatch(asked, e.asked)
	}
	m.Equal(store.MeaningsText(0, 3), toldOf(m, backend, id, "meanings"))
	m.Equal([]string{"nothing"}, near(e.toward(0)), "the vector that came with it")
	m.Contains(ids(m.meant("walrus", anyOf())), "episode:e1", "by built-in vectors")
	e.silent = errors.New("not now")
	m.ErrorIs(errorOf(m.Reindex(m.ctx(), e.embedder(), nil)), e.silent)
	e.silent = nil
	made("A seal", "The walrus sleeps", "nothing", "A walrus")
	m.Equal([]string{"A walrus", "The walrus sleeps", "nothing"}, near(e.toward(0)))
	m.Equal([]string{"A seal"}, near(e.toward(1)))
	m.NotContains(toldOf(m, backend, id, "meanings"), "due")
	made()

	m.NoError(m.ConcludeEpisode(m.ctx(), store.EpisodeConclusion{Key: "e1", Outcome: memory.OutcomeSuccess, Insight: new("Let the walrus sleep")}))
	m.observe(observation("p", at(3)).saying("Another walrus"))
	backlog, err := m.Backlog(m.ctx())
	m.NoError(err)
	m.Equal(2, backlog.Vectors)
	made("Let the walrus sleep", "Another walrus")
	m.Contains(near(e.toward(0)), "Another walrus")
	m.NoError(Delete(m.ctx(), m, memory.KindObservation, "p"))
	m.NotContains(near(e.toward(0)), "Another walrus")

	e.length = 2
	made("A seal", "The walrus sleeps", "A walrus", "Let the walrus sleep", "nothing")
	m.Equal([]string{"A walrus", "Let the walrus sleep", "The walrus sleeps"}, near(e.toward(0)))
	m.Equal([]string{"nothing"}, near([]float32{1, 0, 0}))
	m.Contains(ids(m.meant("walrus", anyOf())), "episode:e1")
	m.NoError(m.Rebuild(m.ctx(), nil))
	made("A seal", "The walrus sleeps", "A walrus", "Let the walrus sleep", "nothing")
	requireNoFault(m, backend, id)
}
