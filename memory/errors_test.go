package memory_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
)

func TestCodeOf(t *testing.T) {
	t.Parallel()
	away := &memory.Error{Code: memory.CodeUnavailable, Message: "try again"}
	for name, test := range map[string]struct {
		err  error
		want memory.Code
	}{
		"none":      {nil, ""},
		"another's": {errors.New("UNAVAILABLE"), ""},
		"its own":   {away, memory.CodeUnavailable},
		"wrapped":   {fmt.Errorf("line 3: %w", away), memory.CodeUnavailable},
		"outermost": {&memory.Error{Code: memory.CodeInternal, Cause: away}, memory.CodeInternal},
	} {
		assert.Equal(t, test.want, memory.CodeOf(test.err), name)
	}
}
