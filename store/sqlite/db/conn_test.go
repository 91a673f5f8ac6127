package db

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// A statement whose rows are being read is kept, however many others are compiled meanwhile: reading on in one that was
// closed is a crash of the whole process.
func TestAStatementIsKeptWhileItsRowsAreRead(t *testing.T) {
	t.Parallel()
	c, err := Connect(t.Context(), ":memory:")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	var read []int64
	others := 0
	const rows = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT i FROM n`
	err = c.Query(rows, func(r *Row) {
		read = append(read, r.Integer())
		for range maxStatements {
			others++
			var got int64
			_, err := c.One(fmt.Sprintf(`SELECT %d`, others), func(r *Row) { got = r.Integer() })
			require.NoError(t, err)
			require.Equal(t, int64(others), got)
		}
	})
	require.NoError(t, err)
	require.Len(t, read, 20)
	require.LessOrEqual(t, len(c.statements), maxStatements)
}

// A read ends with its context at the next row, however far apart rows are.
func TestAReadEndsWithItsContextBetweenRows(t *testing.T) {
	t.Parallel()
	c, err := Connect(t.Context(), ":memory:")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	const rows = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT i FROM n`
	for name, read := range map[string]func(context.Context, func(*Row)) error{
		"long": func(ctx context.Context, each func(*Row)) error { return c.Search(ctx, rows, each) },
		"short": func(ctx context.Context, each func(*Row)) error {
			return Reading(ctx, func(c *Conn) error { return c.Query(rows, each) })(c)
		},
	} {
		ctx, end := context.WithCancel(t.Context())
		seen := 0
		err := read(ctx, func(*Row) {
			if seen++; seen == 3 {
				end()
			}
		})
		require.ErrorIs(t, err, context.Canceled, name)
		require.Equal(t, 3, seen, name)
	}
}
