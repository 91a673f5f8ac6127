package cli_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/testneo4j"
	"mneme/service/recalling"
)

func TestTutorialOnSQLite(t *testing.T) {
	t.Parallel()
	followTutorial(t, nil)
}

func TestTutorialOnNeo4j(t *testing.T) {
	t.Parallel()
	server := testneo4j.Reach(t)
	emptyTenant(t, server)
	followTutorial(t, &server)
}

// The address and the password that the tutorial gives to Neo4j.
const (
	tutorialAddress  = "neo4j://127.0.0.1:7687"
	tutorialPassword = "tutorial-only"
)

// followTutorial types the blocks of the tutorial in their order, with those for Neo4j where that is chosen.
func followTutorial(t *testing.T, server *testneo4j.Server) {
	t.Helper()
	needCurl(t)
	all, _ := blocksOf(t, tutorial)
	r := newReader(t, tutorial)
	skip := func(b block) bool { return server == nil && strings.Contains(b.text, "export MNEME_STORE=") }
	if server != nil {
		r.replace = strings.NewReplacer(tutorialAddress, server.URL, tutorialPassword, server.Password)
		r.env = []string{"MNEME_NEO4J_USER=" + server.User}
	}
	dir := filepath.Join(r.dir, "mneme-tutorial")
	require.NoError(t, os.Mkdir(dir, 0o700))
	copyAirline(t, dir)
	sameRecall(t, r.follow(t, loadSchema(t), all, skip))
	if server != nil {
		assert.NoDirExists(t, filepath.Join(dir, "mneme-data"), "a command asked SQLite")
	} else {
		assert.DirExists(t, filepath.Join(dir, "mneme-data"))
	}
}

func copyAirline(t *testing.T, dir string) {
	t.Helper()
	data := os.Getenv("MNEME_TEST_DATA")
	if data == "" {
		data = "../../../shared/data"
	}
	runs, err := os.ReadFile(filepath.Join(data, "tau-bench", "gpt-4o-airline.json"))
	if err != nil {
		t.Skipf("left out without the data: %v (set MNEME_TEST_DATA)", err)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "gpt-4o-airline.json"), runs, 0o600))
}

var (
	airlineEpisode = regexp.MustCompile(`episode:tau-airline-\d+-\d+`)
	siblings       = regexp.MustCompile(`\\?"siblings\\?":\s*\[[^]]*\]`)
)

// sameRecall wants the command line, GraphQL and MCP to recall the same episodes in the same order.
func sameRecall(t *testing.T, said []string) {
	t.Helper()
	var recalls [][]string
	for _, out := range said {
		var ids []string
		for _, id := range airlineEpisode.FindAllString(siblings.ReplaceAllString(out, ""), -1) {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		if len(ids) > 0 {
			recalls = append(recalls, ids[:min(len(ids), recalling.DefaultTopK)]) // what went wrong comes behind the hits
		}
	}
	require.Len(t, recalls, 3, "three ways to ask")
	assert.Equal(t, recalls[0], recalls[1])
	assert.Equal(t, recalls[0], recalls[2])
}

// emptyTenant deletes what earlier tests left in the tenant of those without a key.
func emptyTenant(t *testing.T, server testneo4j.Server) {
	t.Helper()
	driver, err := neo4j.NewDriverWithContext(server.URL, neo4j.BasicAuth(server.User, server.Password, ""))
	require.NoError(t, err)
	defer driver.Close(t.Context())
	session := driver.NewSession(t.Context(), neo4j.SessionConfig{})
	defer session.Close(t.Context())
	result, err := session.Run(t.Context(), `MATCH (n) WHERE n.tenant = "default" CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 500 ROWS`, nil)
	require.NoError(t, err)
	_, err = result.Consume(t.Context())
	require.NoError(t, err)
}

// Cypher in the documents is executed on the store that an analyst would ask.
func TestCypherOfTheDocuments(t *testing.T) {
	t.Parallel()
	server := testneo4j.Reach(t)
	driver, err := neo4j.NewDriverWithContext(server.URL, neo4j.BasicAuth(server.User, server.Password, ""))
	require.NoError(t, err)
	defer driver.Close(t.Context())
	for _, name := range documents(t) {
		all, _ := blocksOf(t, name)
		for _, b := range all {
			if b.language == "cypher" {
				_, err := neo4j.ExecuteQuery(t.Context(), driver, b.text, nil, neo4j.EagerResultTransformer)
				assert.NoError(t, err, "%s: %s", name, b.text)
			}
		}
	}
}
