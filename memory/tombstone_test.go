package memory_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
)

func TestTombstone(t *testing.T) {
	t.Parallel()
	key := []byte("the tenant's secret")
	tombstone := memory.Tombstone(key, "agent:ada")
	assert.Len(t, tombstone, 16)
	assert.Equal(t, tombstone, memory.Tombstone(key, "agent:ada"))
	assert.NotEqual(t, tombstone, memory.Tombstone(key, "person:ada"))
	assert.NotEqual(t, tombstone, memory.Tombstone([]byte("another's"), "agent:ada"))
}
