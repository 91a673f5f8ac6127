package file

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/store/sqlite/db"
)

// openTenantFile opens the file of the tenant "t" in a directory, until the test ends.
func openTenantFile(t *testing.T, dir string) *File {
	t.Helper()
	opened, err := Open(t.Context(), Options{Dir: dir, Idle: time.Hour})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, opened.Close(context.Background())) })
	file, err := opened.Bind(t.Context(), "t")
	require.NoError(t, err)
	return file
}

// number runs a query for one number.
func (f *File) number(tb testing.TB, sql string) (n int) {
	tb.Helper()
	require.NoError(tb, f.Read(tb.Context(), func(c *db.Conn) error {
		_, err := c.One(sql, func(r *db.Row) { n = r.Int() })
		return err
	}))
	return n
}
