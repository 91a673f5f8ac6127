package neo4j

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/cypher"
	"mneme/store/storetest"
)

// What takes too much memory or time is given up by the server, said so, and not tried again. The servers of
// tests give a transaction 64 MiB.
func TestTheServerGivesUpWhatIsTooMuch(t *testing.T) {
	backend := mustConnect(t)
	s := storeOf(freshStore(t, backend))
	var sent []string
	backend.connection.Observer = storetest.Told(func(name string) { sent = append(sent, name) })
	hoard := cypher.Statement{Name: "hoard", Text: "UNWIND range(1, 5000000) AS x WITH collect(x + 0.5) AS numbers RETURN size(numbers) AS n"}
	_, err := s.Number(t.Context(), s.Query(hoard, nil))
	require.ErrorIs(t, err, store.ErrTooMuch)
	require.Equal(t, []string{"hoard"}, sent)

	err = s.write(t.Context(), func(t *transaction) error { return t.Run(hoard, nil, nil) })
	require.ErrorIs(t, err, store.ErrTooMuch)
	require.Equal(t, []string{"hoard", "hoard"}, sent)

	q := s.Query(cypher.Statement{Name: "linger", Text: "UNWIND range(1, 100000) AS x UNWIND range(1, 1000000) AS y RETURN count(x + y) AS n"}, nil)
	q.Within = time.Millisecond
	_, err = s.Number(t.Context(), q)
	require.ErrorIs(t, err, store.ErrTooMuch)
	require.Len(t, sent, 3)
}

// What is too much for one transaction is deleted in parts.
func TestLongEpisodesAreDeletedTogetherWithTheirAgent(t *testing.T) {
	t.Parallel()
	s := freshStore(t, mustConnect(t))
	for i := range 12 {
		long := draft(fmt.Sprint("e", i), func(r *store.EpisodeRecord) {
			r.Thoughts, r.Receipt.TokensAfter = slices.Repeat([]string{strings.Repeat("x", 1<<20)}, 6), 6<<18
		})
		recorded, err := store.Record(t.Context(), s, []store.EpisodeRecord{long})
		require.NoError(t, err)
		require.NoError(t, recorded[0].Err)
	}
	t.Cleanup(func() { // one by one, where they are left: whoever sweeps the database deletes many together
		for i := range 12 {
			_, err := s.Delete(context.Background(), memory.KindEpisode, []string{fmt.Sprint("e", i)})
			require.NoError(t, err)
		}
	})
	_, err := s.Delete(t.Context(), memory.KindAgent, []string{"agent"})
	require.NoError(t, err)
	left, err := store.Count(t.Context(), s, store.EpisodeQuery{})
	require.NoError(t, err)
	require.Zero(t, left)
}
