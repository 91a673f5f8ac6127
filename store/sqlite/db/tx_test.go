package db

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store"
)

func TestTheFirstErrorEndsAWrite(t *testing.T) {
	t.Parallel()
	c, err := Connect(t.Context(), ":memory:")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	require.NoError(t, c.Script(`CREATE TABLE t (n INTEGER PRIMARY KEY)`))
	errSaid, damaged := errors.New("said"), &store.Damaged{Kind: "agent", Key: "a", Cause: errors.New("spoiled")}
	for name, test := range map[string]struct {
		do   func(tx *Tx) error
		want error
	}{
		"nothing fails": {func(tx *Tx) error {
			tx.Exec(`INSERT INTO t VALUES (1)`)
			assert.True(t, tx.Has(`SELECT 1 FROM t`))
			return nil
		}, nil},
		"what it says counts": {func(*Tx) error { return errSaid }, errSaid},
		"the first counts": {func(tx *Tx) error {
			tx.Fail(damaged)
			tx.Fail(errSaid)
			assert.False(t, tx.Has(`SELECT 1`), "it finds nothing any more")
			assert.Zero(t, tx.Insert(`INSERT INTO t VALUES (2)`))
			return errSaid
		}, damaged},
		"one within the rows, too": {func(tx *Tx) error {
			tx.Each(`SELECT 1 UNION ALL SELECT 2`, func(*Row) { tx.Exec(`nonsense`) })
			assert.Error(t, tx.Err())
			tx.err = errSaid
			return nil
		}, errSaid},
	} {
		err := Write(t.Context(), c, test.do)
		require.ErrorIs(t, err, test.want, name)
	}
	there := 0
	_, err = c.One(`SELECT count(*) FROM t WHERE n = 2`, func(r *Row) { there = r.Int() })
	require.NoError(t, err)
	assert.Zero(t, there)
}
