package storetest

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// RunReindex records without vectors, and has a store of the same data that makes them make what is due. The function open
// gives both.
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
	due := func() int { return m.count(m.DueVectors(m.ctx())) }
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
	m.Equal(size, due())
	waiting(m, size)
	m.Zero(without.count(without.DueVectors(m.ctx())), "it makes none")
	waiting(without, 0)
	meant(false)
	requireNoFault(m, backend, id)
	m.Equal("vectors of 0 records; 600 more have none yet: a server makes them in the background, or mneme rebuild", toldOf(m, backend, id, "meanings"))

	ctx, cancel := context.WithCancel(m.ctx())
	made, err := m.Reindex(ctx, func(store.ReindexStep) { cancel() })
	require.ErrorIs(t, err, context.Canceled)
	m.Positive(made)
	m.Less(made, size)
	m.Equal(size-made, due(), "what was done stays")
	waiting(m, size-made)
	m.Equal(store.MeaningsText(made, size-made), toldOf(m, backend, id, "meanings"))

	written := false
	rest, err := m.Reindex(m.ctx(), func(step store.ReindexStep) {
		m.Equal(size-made, step.Due)
		if !written { // others go on meanwhile
			written = true
			without.observe(observation("a", at(1)).saying("A walrus"))
			m.NoError(Delete(m.ctx(), m, memory.KindObservation, fmt.Sprintf("o2%03d", size/3-1)))
		}
	})
	m.NoError(err)
	left := due() // what was written meanwhile, where that was no more come by
	m.InDelta(size-made, rest+left, 1, "nothing is done again; what was deleted may have been done before")
	m.LessOrEqual(left, 1)
	meant(true)
	m.Equal(left, m.count(m.Reindex(m.ctx(), nil)))
	m.Zero(due())
	waiting(m, 0)
	requireNoFault(m, backend, id)
}
