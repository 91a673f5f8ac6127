package app

import (
	"crypto/rand"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/store"
	"mneme/store/meaning"
)

// A server makes the vectors that are due after it has started, on either store, and finds by them.
func TestAServerMakesVectorsThatAreDue(t *testing.T) {
	for name, choose := range map[string]func(t *testing.T, c *Config){
		"sqlite": func(*testing.T, *Config) {},
		"neo4j": func(t *testing.T, c *Config) {
			server := testneo4j.Reach(t)
			c.Store, c.Neo4j = server.URL, Neo4jLogin{User: server.User, Password: server.Password}
			c.APIKey = "s3cret" // other tests may make keys there meanwhile
		},
	} {
		t.Run(name, func(t *testing.T) {
			config := DefaultConfig()
			config.Data = t.TempDir()
			choose(t, &config)
			makesVectors(t, config)
		})
	}
}

func makesVectors(t *testing.T, config Config) {
	id := "t-" + strings.ToLower(rand.Text())
	off := config
	off.Vectors = Off
	before, err := Open(t.Context(), off, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	ctx := service.WithTenant(t.Context(), id)
	tenant, err := before.Service.Tenant(ctx)
	require.NoError(t, err)
	_, err = tenant.Episodes.RecordEpisode(ctx, boundary.RecordEpisodeInput{AgentID: "a", Observation: "The vehicle failed its ignition"}, boundary.Include{})
	require.NoError(t, err)
	require.NoError(t, before.Close(t.Context()))

	server := run(t, func(c *Config) {
		listen := c.Listen
		*c = config
		c.Listen = listen
	})
	bound, err := server.backend.Tenant(t.Context(), id)
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		waiting, err := bound.Backlog(t.Context())
		return err == nil && waiting.Vectors == 0
	}, time.Minute, 10*time.Millisecond)
	vector, known := meaning.Question("the car would not start")
	require.True(t, known)
	found, _, err := bound.PassagesByMeaning(t.Context(), store.Question{BuiltIn: &vector}, store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Limit: 1})
	require.NoError(t, err)
	require.Len(t, found, 1, "it is found by what it means")
}
