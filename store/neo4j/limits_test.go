package neo4j

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/store"
)

// What takes too much memory or time is given up by the server, said so, and not tried again. The servers of
// tests give a transaction 64 MiB.
func TestTheServerGivesUpWhatIsTooMuch(t *testing.T) {
	backend := mustConnect(t)
	s := storeOf(freshStore(t, backend))
	var sent []string
	backend.onQuery = func(name string) { sent = append(sent, name) }
	hoard := statement{"hoard", "UNWIND range(1, 5000000) AS x WITH collect(x + 0.5) AS numbers RETURN size(numbers) AS n"}
	_, err := s.count(t.Context(), s.query(hoard, nil))
	require.ErrorIs(t, err, store.ErrTooMuch)
	require.Equal(t, []string{"hoard"}, sent)

	err = s.write(t.Context(), func(t *transaction) error { return t.run(hoard, nil, nil) })
	require.ErrorIs(t, err, store.ErrTooMuch)
	require.Equal(t, []string{"hoard", "hoard"}, sent)

	q := s.query(statement{"linger", "UNWIND range(1, 100000) AS x UNWIND range(1, 1000000) AS y RETURN count(x + y) AS n"}, nil)
	q.within = time.Millisecond
	_, err = s.count(t.Context(), q)
	require.ErrorIs(t, err, store.ErrTooMuch)
	require.Len(t, sent, 3)
}
