package transfer

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/memory"
)

// A line of each kind is looked at for what is wrong with it.
func TestEachKindIsChecked(t *testing.T) {
	t.Parallel()
	for _, c := range codecs {
		_, err := c.decode([]byte(`{}`))
		var fault *memory.Error
		if errors.As(err, &fault) {
			assert.NotEqual(t, "kind", fault.Field, c.kind)
		}
	}
}
