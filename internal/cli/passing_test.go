package cli

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/store"
)

// Nobody is told to import again where a newer mneme has migrated the data, as that fails until it is replaced.
func TestWhatMayPass(t *testing.T) {
	t.Parallel()
	unavailable := func(cause error) error {
		return fmt.Errorf("line 7: %w", &memory.Error{Code: memory.CodeUnavailable, Cause: cause})
	}
	assert.True(t, mayPass(unavailable(nil)))
	assert.True(t, mayPass(unavailable(store.ErrDiskFull)))
	assert.False(t, mayPass(unavailable(fmt.Errorf("%w at 7", store.ErrSchemaVersion))))
	assert.False(t, mayPass(memory.Invalid("id", "is missing")))
	assert.False(t, mayPass(errors.New("another")))
}
