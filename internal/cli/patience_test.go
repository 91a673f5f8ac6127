package cli

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Nothing is said of a deletion that is over, however long what follows it takes.
func TestPatienceEndsWithTheDeletion(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		takes time.Duration
		told  int
	}{"short": {time.Second, 0}, "long": {3 * time.Second, 1}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var said strings.Builder
				forget := patient(&program{Streams: Streams{Err: &said}}, "ada", func(context.Context, string) (int, error) {
					time.Sleep(test.takes)
					return 1, nil
				})
				count, err := forget(t.Context(), "ada")
				require.NoError(t, err)
				require.Equal(t, 1, count)
				time.Sleep(time.Minute)
				assert.Equal(t, test.told, strings.Count(said.String(), "Deleting ada"))
			})
		})
	}
}
