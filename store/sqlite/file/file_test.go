package file

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
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

// Why a vacuum is not possible is told once, until one was possible. To give way is no such reason.
func TestWhyFilesAreNotVacuumedIsToldOnce(t *testing.T) {
	t.Parallel()
	w, _ := stoppedWriter(t)
	var told []error
	w.options.OnDelay = func(reason error) { told = append(told, reason) }
	full, damaged := &store.NoRoom{Needs: 2, Free: 1}, errors.New("malformed")
	for _, err := range []error{nil, context.Canceled, full, full, nil, damaged, damaged} {
		w.tellDelay(err)
	}
	assert.Equal(t, []error{full, damaged}, told)
}
