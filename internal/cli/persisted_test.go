package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// persistedTalk is what a client said of a query and of its answer.
type persistedTalk struct {
	texts  []bool // for each request, whether it had the text of the query
	data   string
	failed string
}

// Clients from another ecosystem name queries by their hash, send the text where a server does not know it, and ask a
// server with a list of documents.
func TestPersistedQueriesOfClients(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("testdata/persisted/node_modules"); err != nil {
		if os.Getenv("MNEME_TEST_PERSISTED_REQUIRED") != "" {
			t.Fatal("the clients are not installed: make e2e-persisted")
		}
		t.Skip("left out: the npm clients of persisted queries are not installed (make e2e-persisted)")
	}
	ask := func(t *testing.T, client string, s *server, query string) (talk persistedTalk) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "node", "ask.js", client, s.url+"/graphql", query)
		cmd.Dir, cmd.Stderr = "testdata/persisted", os.Stderr
		out, err := cmd.Output()
		require.NoError(t, err)
		for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); {
			var line struct {
				Method       string
				Text         bool
				Data, Failed json.RawMessage
			}
			require.NoError(t, json.Unmarshal(lines.Bytes(), &line), lines.Text())
			if line.Method != "" {
				talk.texts = append(talk.texts, line.Text)
			}
			talk.data, talk.failed = string(line.Data), string(line.Failed)
		}
		return talk
	}
	s := serve(t, t.TempDir())
	list := filepath.Join(t.TempDir(), "documents.json")
	for _, client := range []string{"apollo", "urql"} {
		t.Run(client, func(t *testing.T) {
			query := "query " + client + " { memoirs { totalCount } }"
			for _, texts := range [][]bool{{false, true}, {false}} {
				talk := ask(t, client, s, query)
				assert.Equal(t, texts, talk.texts)
				assert.Contains(t, talk.data, `"totalCount":0`)
			}
		})
	}
	t.Run("a list", func(t *testing.T) {
		documents, err := json.Marshal(map[string]string{"any": "{\n  memoirs {\n    totalCount\n  }\n}"})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(list, documents, 0o600))
		trusting := serve(t, t.TempDir(), "MNEME_TRUSTED_DOCUMENTS="+list)
		talk := ask(t, "urql", trusting, "{ memoirs { totalCount } }")
		assert.Equal(t, []bool{false}, talk.texts, "by the hash of a text on the list")
		assert.Contains(t, talk.data, `"totalCount":0`)
		assert.Contains(t, ask(t, "apollo", trusting, "{ agents { totalCount } }").failed, "FORBIDDEN")
	})
}
