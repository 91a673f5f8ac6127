package file

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/store/sqlite/db"
)

// What readers cache stays when a large read is over, so there is a bound for all of them together.
// It runs alone, because it changes readerLimit.
func TestReadersShareTheCache(t *testing.T) {
	before := readerLimit
	defer func() { readerLimit = before }()
	for _, readers := range []int{4, 16} {
		readerLimit = readers
		file := openTenantFile(t, t.TempDir())
		require.NoError(t, file.Write(t.Context(), add("e1")))
		var kibibytes int
		require.NoError(t, file.Read(t.Context(), func(c *db.Conn) error {
			_, err := c.One(`SELECT -cache_size FROM pragma_cache_size`, func(r *db.Row) { kibibytes = r.Int() })
			return err
		}))
		assert.LessOrEqual(t, kibibytes*readers, cacheKiB)
		assert.Positive(t, kibibytes)
	}
}
