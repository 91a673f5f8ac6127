package sqlite

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What readers cache stays when a large read is over, so there is a bound for all of them together.
func TestReadersShareTheCache(t *testing.T) {
	before := readerLimit
	defer func() { readerLimit = before }()
	for _, readers := range []int{4, 16} {
		readerLimit = readers
		tenant := openTenant(t, t.TempDir())
		tenant.mustRecord(t, record("e1", "so that there is a file"))
		var kibibytes int
		require.NoError(t, tenant.read(t.Context(), func(c *conn) error {
			_, err := c.one(`SELECT -cache_size FROM pragma_cache_size`, func(r *row) { kibibytes = r.int() })
			return err
		}))
		assert.LessOrEqual(t, kibibytes*readers, cacheKiB)
		assert.Positive(t, kibibytes)
	}
}
