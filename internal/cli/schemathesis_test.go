package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
)

// leastCases is how many cases a run has at least. In ten minutes on a busy machine there were 22,098 on SQLite and
// 2,529 on Neo4j, and in one minute beside eight busy programs 49 on Neo4j; a broken run has none.
const leastCases = 5

// generatedCases is how a run says how many cases there were.
var generatedCases = regexp.MustCompile(`Test cases:\s+([\d,]+) generated`)

// Schemathesis asks for every field of Query and Mutation with whatever the schema lets it, as an admin of a tenant of
// its own, on both stores: nothing is INTERNAL, and all is answered as GraphQL. How long it asks each store
// MNEME_TEST_SCHEMATHESIS_TIME says, in seconds.
func TestSchemathesis(t *testing.T) {
	t.Parallel()
	program := os.Getenv("MNEME_TEST_SCHEMATHESIS")
	if program == "" {
		t.Skip("left out: MNEME_TEST_SCHEMATHESIS does not name the program (make e2e-schemathesis)")
	}
	seconds := os.Getenv("MNEME_TEST_SCHEMATHESIS_TIME")
	if seconds == "" {
		seconds = "20"
	}
	hooks, err := filepath.Abs("testdata/schemathesis")
	require.NoError(t, err)
	fuzz := func(t *testing.T, store ...string) {
		dir := t.TempDir()
		env := append([]string{"MNEME_REQUESTS_PER_KEY=1000000"}, store...)
		making := command(t, store, "keys", "create", "--data", dir, "--tenant", "fuzzed-"+time.Now().UTC().Format("150405"), "--role", "admin", "--json")
		made, err := making.Output()
		require.NoError(t, err)
		var key struct{ Key string }
		require.NoError(t, json.Unmarshal(made, &key))
		s := serve(t, dir, env...)
		cmd := exec.CommandContext(t.Context(), program, "run", s.url+"/graphql", "--phases", "fuzzing", "--checks", "graphql_answer",
			"--max-time", seconds, "--request-timeout", "60", "--workers", "2", "--generation-database", "none", "--suppress-health-check", "all", "--warnings", "off", "--no-color",
			"--header", "Authorization: Bearer "+key.Key)
		cmd.Env = append(os.Environ(), "SCHEMATHESIS_HOOKS=hooks", "PYTHONPATH="+hooks, "PYTHONDONTWRITEBYTECODE=1")
		cmd.Dir = t.TempDir()
		out, err := cmd.CombinedOutput()
		said := strings.ReplaceAll(string(out), key.Key, "the key")
		require.NoError(t, err, said)
		assert.NotContains(t, s.err.String(), "panic", "nothing that the log calls INTERNAL")
		counted := generatedCases.FindStringSubmatch(said)
		require.NotNil(t, counted, "it does not say how many cases there were: %s", said)
		cases, err := strconv.Atoi(strings.ReplaceAll(counted[1], ",", ""))
		require.NoError(t, err)
		require.GreaterOrEqual(t, cases, leastCases, "so few were asked that it was hardly looked at: %s", said)
		t.Log(said[strings.Index(said, "Test cases:"):])
	}
	t.Run("sqlite", func(t *testing.T) { fuzz(t) })
	t.Run("neo4j", func(t *testing.T) {
		server := testneo4j.Reach(t)
		fuzz(t, "MNEME_STORE="+server.URL, "MNEME_NEO4J_USER="+server.User, "MNEME_NEO4J_PASSWORD="+server.Password)
	})
}
