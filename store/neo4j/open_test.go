package neo4j_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j"
)

func TestOpenSaysWhatIsWrong(t *testing.T) {
	server := testneo4j.Reach(t)
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, nobody.Close())
	for name, test := range map[string]struct {
		options neo4j.Options
		want    error
		trouble string
		says    string
	}{
		"no address":     {neo4j.Options{}, store.ErrInvalid, "", "neo4j://host:7687"},
		"no scheme":      {neo4j.Options{URL: "localhost:7687"}, store.ErrInvalid, "", "neo4j://host:7687"},
		"another scheme": {neo4j.Options{URL: "http://localhost:7474"}, store.ErrInvalid, "", "neo4j://host:7687"},
		"nobody there": {
			neo4j.Options{URL: "neo4j://" + nobody.Addr().String()}, store.ErrUnavailable, neo4j.NoAnswer, nobody.Addr().String(),
		},
		"wrong password": {
			neo4j.Options{URL: server.URL, User: server.User, Password: "wrong"},
			store.ErrUnavailable, neo4j.Unauthorized, "Unauthorized",
		},
		"no credentials": {neo4j.Options{URL: server.URL}, store.ErrUnavailable, neo4j.Unauthorized, "Unauthorized"},
		"no such database": {
			neo4j.Options{URL: server.URL, User: server.User, Password: server.Password, Database: "elsewhere"},
			store.ErrUnavailable, neo4j.NoSuchDatabase, "elsewhere",
		},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			_, err := neo4j.Open(t.Context(), test.options)
			require.ErrorIs(t, err, test.want)
			require.Equal(t, test.trouble, neo4j.TroubleOf(err).Code)
			require.ErrorContains(t, err, test.says)
			require.NotContains(t, err.Error(), server.Password)
			t.Logf("after %s: %v", time.Since(start).Round(time.Millisecond), err)
		})
	}
}

// The address is taken as it is by both kinds of driver: one that routes, one that does not.
func TestAddresses(t *testing.T) {
	server := testneo4j.Reach(t)
	_, host, found := strings.Cut(server.URL, "://")
	require.True(t, found)
	for _, scheme := range []string{"neo4j", "bolt"} {
		backend, err := neo4j.Open(t.Context(), neo4j.Options{
			URL: scheme + "://" + host, User: server.User, Password: server.Password, Database: "neo4j",
		})
		require.NoError(t, err)
		require.Equal(t, "neo4j at "+scheme+"://"+host+", database neo4j", backend.Describe())
		tenant := freshTenant(t, backend)
		_, err = store.Record(t.Context(), tenant, []store.AgentItem{{Agent: agent("ada")}})
		require.NoError(t, err)
		agents, err := store.Get[memory.Agent](t.Context(), tenant, []string{"ada"})
		require.NoError(t, err)
		require.Equal(t, "ada", agents[0].Name, "a client reads its own write")
		require.NoError(t, backend.Close(t.Context()))
	}
}

func TestHomeDatabaseIsAskedForOnce(t *testing.T) {
	var asked []string
	backend := open(t, func(name string) { asked = append(asked, name) })
	require.Contains(t, backend.Describe(), "database neo4j")
	require.Equal(t, []string{"database", "version"}, asked)
}
