package app

import (
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/service"
)

// A server makes the vectors that are due after it has started.
func TestAServerMakesVectorsThatAreDue(t *testing.T) {
	config := DefaultConfig()
	config.Data, config.Vectors = t.TempDir(), Off
	before, err := Open(t.Context(), config, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	tenant, err := before.Service.Tenant(t.Context())
	require.NoError(t, err)
	_, err = tenant.Episodes.RecordEpisode(t.Context(), service.RecordEpisodeInput{AgentID: "a", Observation: "a walrus"}, service.Include{})
	require.NoError(t, err)
	require.NoError(t, before.Close(t.Context()))

	server := run(t, func(c *Config) { c.Data = config.Data })
	bound, err := server.backend.Tenant(t.Context(), service.DefaultTenant)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		due, err := bound.DueVectors(t.Context())
		return err == nil && due == 0
	}, time.Minute, 10*time.Millisecond)
}
