package app

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/auth"
	"mneme/internal/inbound"
	"mneme/internal/openai"
	"mneme/memory/access"
	"mneme/memory/capture"
	"mneme/memory/compaction"
	"mneme/memory/decay"
	"mneme/service/keyring"
)

func lookup(variables map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		value, ok := variables[name]
		return value, ok
	}
}

func TestConfigFromEnv(t *testing.T) {
	tests := map[string]struct {
		env  map[string]string
		want func(*Config)
	}{
		"nothing set":       {nil, func(*Config) {}},
		"empty is as unset": {map[string]string{"MNEME_DATA": "", "MNEME_EMBEDDER_DIM": " "}, func(*Config) {}},
		"everything": {
			map[string]string{
				"MNEME_DATA": "/data", "MNEME_LISTEN": "0.0.0.0:80", "MNEME_STORE": "neo4j+s://db:7687",
				"MNEME_NEO4J_USER": "u", "MNEME_NEO4J_PASSWORD": "p", "MNEME_NEO4J_DATABASE": "d",
				"MNEME_API_KEY": " k\n", "MNEME_INSECURE": "true", "MNEME_REQUESTS_PER_KEY": "20", "MNEME_MAX_CONNECTIONS": "7", "MNEME_MAX_CONNECTIONS_PER_CLIENT": "3",
				"MNEME_TRUSTED_PROXIES": "10.0.0.7, 172.16.0.0/12", "MNEME_ALLOWED_ORIGINS": "https://app.example.com, http://localhost:3000", "MNEME_EMBEDDER": "Endpoint", "MNEME_EMBEDDER_URL": "http://e/v1", "MNEME_EMBEDDER_MODEL": "m",
				"MNEME_EMBEDDER_KEY": "ek", "MNEME_EMBEDDER_DIM": "1536",
				"MNEME_MAX_MEMORY": "30000000", "MNEME_COMPACTION": "Full", "MNEME_DECAY": "time-fades", "MNEME_CONSOLIDATE": "OFF", "MNEME_MCP_TOOLS": "Core", "MNEME_TRACE_QUIET": "2s", "MNEME_TRACE_SILENCE": "1m",
				"MNEME_OIDC_ISSUER": "https://login.example/staff", "MNEME_OIDC_AUDIENCE": "mneme", "MNEME_OIDC_ALGORITHMS": "ES256, RS256",
				"MNEME_OIDC_TENANT_CLAIM": "team", "MNEME_OIDC_ROLE_CLAIM": "realm.roles", "MNEME_OIDC_ROLES": "staff=writer, ops=Admin",
				"CANVAS_EPISODE_INTEGRATION_ENABLED": "False", "MNEME_LOG_LEVEL": "debug", "MNEME_LOG_FORMAT": "JSON",
			},
			func(c *Config) {
				*c = Config{
					Data: "/data", Listen: "0.0.0.0:80", Store: "neo4j+s://db:7687",
					Neo4j: Neo4jLogin{User: "u", Password: "p", Database: "d"}, APIKey: "k", Insecure: true, RequestsPerKey: 20, Connections: inbound.Most{InAll: 7, PerClient: 3},
					OIDC: auth.TokenOptions{
						Issuer: "https://login.example/staff", Audience: "mneme", Algorithms: []string{"ES256", "RS256"}, TenantClaim: "team", RoleClaim: "realm.roles",
						Roles: map[string]access.Role{"staff": access.Writer, "ops": access.Admin},
					},
					Proxies:    inbound.Proxies{netip.MustParsePrefix("10.0.0.7/32"), netip.MustParsePrefix("172.16.0.0/12")},
					Origins:    []string{"https://app.example.com", "http://localhost:3000"},
					Vectors:    "endpoint",
					Embedder:   openai.Options{URL: "http://e/v1", Model: "m", Key: "ek", Dimensions: 1536},
					MaxMemory:  30_000_000,
					Compaction: compaction.Full, Decay: decay.TimeFades, Consolidation: 0, Tools: "core", Traces: capture.TraceWaits{Quiet: 2 * time.Second, Silence: time.Minute}, LogLevel: slog.LevelDebug, LogFormat: "json",
				}
			},
		},
		"integration on": {map[string]string{"CANVAS_EPISODE_INTEGRATION_ENABLED": "1"}, func(*Config) {}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			want := DefaultConfig()
			tt.want(&want)
			got, err := ConfigFromEnv(lookup(tt.env))
			require.NoError(t, err)
			assert.Equal(t, want, got)
		})
	}
}

func TestConfigFromEnvNamesTheFault(t *testing.T) {
	for name, value := range map[string]string{
		"MNEME_EMBEDDER": "some", "MNEME_MAX_MEMORY": "1000", "MNEME_COMPACTION": "some", "MNEME_DECAY": "never", "MNEME_CONSOLIDATE": "daily", "MNEME_MCP_TOOLS": "few", "MNEME_TRACE_QUIET": "0s", "MNEME_TRACE_SILENCE": "long", "MNEME_EMBEDDER_DIM": "many", "MNEME_INSECURE": "perhaps", "MNEME_REQUESTS_PER_KEY": "0", "MNEME_MAX_CONNECTIONS": "0", "MNEME_MAX_CONNECTIONS_PER_CLIENT": "many", "MNEME_TRUSTED_PROXIES": "proxy.example", "MNEME_ALLOWED_ORIGINS": "*", "CANVAS_EPISODE_INTEGRATION_ENABLED": "perhaps", "MNEME_LOG_LEVEL": "loud",
	} {
		_, err := ConfigFromEnv(lookup(map[string]string{name: value}))
		assertMisuse(t, err, name, value)
	}
	for _, algorithms := range []string{"none", "HS256", "RS256,", "RS256,none", "rs256"} {
		_, err := ConfigFromEnv(lookup(map[string]string{"MNEME_OIDC_ALGORITHMS": algorithms}))
		assertMisuse(t, err, "MNEME_OIDC_ALGORITHMS", algorithms)
	}
	for _, roles := range []string{"staff", "=writer", "staff=", "staff=owner", "staff=writer,", "staff=writer;ops=admin"} {
		_, err := ConfigFromEnv(lookup(map[string]string{"MNEME_OIDC_ROLES": roles}))
		assertMisuse(t, err, "MNEME_OIDC_ROLES", roles)
	}
	for _, value := range []string{"0", "-1", "1.5"} {
		_, err := ConfigFromEnv(lookup(map[string]string{"MNEME_EMBEDDER_DIM": value}))
		assertMisuse(t, err, "MNEME_EMBEDDER_DIM", value)
	}
}

func TestCheckListen(t *testing.T) {
	long := strings.Repeat("k", 16)
	tests := map[string]struct {
		key string
		ok  bool
	}{
		"127.0.0.1:8080": {"", true}, "localhost:0": {"", true}, "[::1]:8080": {"", true}, "127.0.0.2:1": {"", true},
		"0.0.0.0:8080": {"", true}, ":8080": {"", true}, // whether there is another key, the store says
		"0.0.0.0:8081": {long, true}, ":8081": {long, true}, "example.com:8080": {long, true},
		"8080": {long, false}, "localhost": {long, false}, "localhost:http": {long, false}, "localhost:65536": {long, false}, "": {long, false}, "localhost:": {long, false},
	}
	for listen, tt := range tests {
		t.Run(listen, func(t *testing.T) {
			err := Config{Listen: listen, APIKey: tt.key}.checkListen()
			if tt.ok {
				require.NoError(t, err)
				return
			}
			assertMisuse(t, err, listen)
			assert.NotContains(t, err.Error(), long)
		})
	}
}

func TestCheckListenWantsAKeyThatCannotBeGuessed(t *testing.T) {
	short := strings.Repeat("s", 15)
	err := Config{Listen: "0.0.0.0:80", APIKey: short}.checkListen()
	assertMisuse(t, err, "16 characters", "--insecure")
	assert.NotContains(t, err.Error(), short)
	require.Error(t, Config{Listen: "0.0.0.0:80", APIKey: "ééééééé"}.checkListen(), "characters count, not bytes")
	require.NoError(t, Config{Listen: "0.0.0.0:80", APIKey: short, Insecure: true}.checkListen())
	require.NoError(t, Config{Listen: "127.0.0.1:80", APIKey: "k"}.checkListen())
}

func TestCheckLocked(t *testing.T) {
	memory, err := Open(t.Context(), Config{Store: SQLite, Data: t.TempDir()}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, memory.Close(context.Background())) })
	beyond := []string{"0.0.0.0:8080", ":8080", "[::]:8080", "192.168.1.5:8080", "example.com:80"}
	for _, listen := range beyond {
		assertMisuse(t, Config{Listen: listen}.checkLocked(t.Context(), memory.Keys), listen, "MNEME_API_KEY", "mneme keys create")
		assertMisuse(t, Config{Listen: listen, Insecure: true}.checkLocked(t.Context(), memory.Keys), listen)
		require.NoError(t, Config{Listen: listen, APIKey: "k"}.checkLocked(t.Context(), memory.Keys))
	}
	for _, listen := range []string{"127.0.0.1:8080", "localhost:0", "[::1]:8080", "127.0.0.2:1"} {
		require.NoError(t, Config{Listen: listen}.checkLocked(t.Context(), memory.Keys))
	}
	_, err = memory.Keys.Create(t.Context(), keyring.CreateInput{Tenant: "acme", Role: access.Reader})
	require.NoError(t, err)
	for _, listen := range beyond {
		require.NoError(t, Config{Listen: listen}.checkLocked(t.Context(), memory.Keys))
	}
}

func TestCheckStore(t *testing.T) {
	for _, good := range []string{"sqlite", "neo4j://h:7687", "neo4j+s://h", "neo4j+ssc://h", "bolt://h:1", "bolt+s://h", "bolt+ssc://h", "neo4j://h:7687/", "bolt://[::1]:7687"} {
		assert.NoError(t, Config{Store: good, Data: "d"}.checkStore(), good)
	}
	for bad, says := range map[string]string{
		"": "no store", "postgres://h": "no store", "neo4j": "no store", "http://h:7474": "no store", "neo4j://": "no host",
		"neo4j://me:secret@h:7687": "MNEME_NEO4J_PASSWORD", "http://me:secret@h": "no store",
		"neo4j://me:secret@h:port": "no store", "neo4j://me:sec%zzret-secret@h": "no store", "me:secret@h:7687": "no store", "neo4j:me:secret@h": "holds a user",
		"neo4j//me:secret@h": "no store", " neo4j://me:secret@h": "no store", "neo4j://h/me:secret@x": "holds a user", "neo4j://secret secret": "no store",
		"neo4j://h:7687/?password=secret": "behind the host", "neo4j://h?secret": "behind the host", "neo4j://h#secret": "behind the host", "neo4j://h/secret": "behind the host",
		"bolt+s://h:1//secret": "behind the host", "neo4j://h?": "behind the host", "secret": "no store", "secret:": "no store", "secret:secret": "no store", "neo4j:secret": "no host",
		"neo4j:///secret": "no host", "redis://secret": `"redis://…"`, "redis://h?secret": "no store", "Secret secret://h": "no store", "neo4j://h:secret": "no store",
	} {
		err := Config{Store: bad, Data: "d"}.checkStore()
		assertMisuse(t, err, says)
		assert.NotContains(t, err.Error(), "secret")
	}
	assertMisuse(t, Config{Store: SQLite}.checkStore(), "MNEME_DATA")
}

func TestCheckEmbedder(t *testing.T) {
	for _, good := range []openai.Options{{}, {Dimensions: 8}, {URL: "http://h", Model: "m"}} {
		assert.NoError(t, Config{Embedder: good}.checkEmbedder())
	}
	for _, bad := range []openai.Options{{Model: "m"}, {Key: "k"}} {
		assertMisuse(t, Config{Embedder: bad}.checkEmbedder(), "MNEME_EMBEDDER_URL")
	}
}

func TestCheckOIDC(t *testing.T) {
	for _, issuer := range []string{"", "https://login.example", "https://login.example/realms/staff", "http://localhost:8081/", "http://127.0.0.1:1", "http://[::1]:1"} {
		config := Config{OIDC: auth.TokenOptions{Issuer: issuer}}
		if issuer != "" {
			assertMisuse(t, config.checkOIDC(), "MNEME_OIDC_AUDIENCE")
			config.OIDC.Audience = "mneme"
		}
		require.NoError(t, config.checkOIDC(), issuer)
	}
	for issuer, says := range map[string]string{
		"http://login.example": "https", "ftp://localhost": "https", "login.example": "no URL", "https://": "no URL", "https://me:secret@login.example": "no URL",
		"https://login.example/?a=secret": "no URL", "https://login.example/#secret": "no URL", "http://localhost.evil.example": "https", "%": "no URL",
	} {
		err := Config{OIDC: auth.TokenOptions{Issuer: issuer, Audience: "mneme"}}.checkOIDC()
		assertMisuse(t, err, "MNEME_OIDC_ISSUER", says)
		assert.NotContains(t, err.Error(), "secret")
	}
	for _, alone := range []auth.TokenOptions{{Audience: "mneme"}, {Algorithms: []string{"RS256"}}, {Roles: map[string]access.Role{}}, {TenantClaim: "tenant"}, {RoleClaim: "role"}} {
		assertMisuse(t, Config{OIDC: alone}.checkOIDC(), "MNEME_OIDC_ISSUER")
	}
}

// assertMisuse wants a fault of the configuration that names what is wrong and says what to do.
func assertMisuse(t *testing.T, err error, parts ...string) {
	t.Helper()
	var problem *Problem
	require.Truef(t, errors.As(err, &problem), "%v is a problem", err)
	assert.True(t, problem.Misuse)
	assert.True(t, strings.HasSuffix(problem.Do, "."), "it says what to do in a sentence: %q", problem.Do)
	for _, part := range parts {
		assert.ErrorContains(t, err, part)
	}
}
