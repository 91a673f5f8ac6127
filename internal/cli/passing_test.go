package cli

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
	"mneme/store"
)

func TestWhatMayPass(t *testing.T) {
	t.Parallel()
	unavailable := func(cause error) error {
		return fmt.Errorf("line 7: %w", &memory.Error{Code: memory.CodeUnavailable, Cause: cause})
	}
	assert.True(t, mayPass(unavailable(nil)))
	assert.True(t, mayPass(unavailable(store.ErrDiskFull)))
	assert.False(t, mayPass(memory.Invalid("id", "is missing")))
	assert.False(t, mayPass(errors.New("another")))
}
