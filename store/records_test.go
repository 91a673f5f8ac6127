package store_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

// halfRead finds something, and fails.
type halfRead struct{ store.Records }

func (halfRead) Get(context.Context, any, []string) (any, error) {
	return []*memory.Agent{{Key: "a"}}, store.ErrUnavailable
}

func TestGetGivesNothingWithAnError(t *testing.T) {
	t.Parallel()
	found, err := store.Get[memory.Agent](t.Context(), halfRead{}, []string{"a"})
	require.ErrorIs(t, err, store.ErrUnavailable)
	require.Nil(t, found)
}
