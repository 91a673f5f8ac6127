package servicetest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/store/sqlite"
)

// Noon is the present of what Open gives.
var Noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Open gives a tenant at noon over an empty store.
func Open(t *testing.T, options ...service.Option) *service.Tenant {
	t.Helper()
	backend, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, backend.Close(context.Background())) })
	return Bind(t.Context(), t, service.New(backend, append([]service.Option{service.WithClock(func() time.Time { return Noon })}, options...)...))
}

// Refund is an episode about a refund.
func Refund(id string) boundary.RecordEpisodeInput {
	return boundary.RecordEpisodeInput{ID: &id, AgentID: "agent:support", Observation: "A customer wants a refund"}
}

// RequireCode requires the error of a code and a field.
func RequireCode(t *testing.T, err error, code memory.Code, field string) {
	t.Helper()
	var known *memory.Error
	require.ErrorAs(t, err, &known)
	require.Equal(t, code, known.Code)
	require.Equal(t, field, known.Field)
}
