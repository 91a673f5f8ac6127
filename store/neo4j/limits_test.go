package neo4j

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
	_, err := s.Count(t.Context(), s.Query(hoard, nil))
	require.ErrorIs(t, err, store.ErrTooMuch)
	require.Equal(t, []string{"hoard"}, sent)

	err = s.write(t.Context(), func(t *transaction) error { return t.Run(hoard, nil, nil) })
	require.ErrorIs(t, err, store.ErrTooMuch)
	require.Equal(t, []string{"hoard", "hoard"}, sent)

	q := s.Query(cypher.Statement{Name: "linger", Text: "UNWIND range(1, 100000) AS x UNWIND range(1, 1000000) AS y RETURN count(x + y) AS n"}, nil)
	q.Within = time.Millisecond
	_, err = s.Count(t.Context(), q)
	require.ErrorIs(t, err, store.ErrTooMuch)
	require.Len(t, sent, 3)
}
