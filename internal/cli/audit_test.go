package cli_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// checksOfAudit is how many the pinned version of graphql-http makes.
const checksOfAudit = 61

// The server answers GraphQL over HTTP as the audit of graphql-http wants it, what is only recommended too.
func TestAudit(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("testdata/audit/node_modules"); err != nil {
		if os.Getenv("MNEME_TEST_AUDIT_REQUIRED") != "" {
			t.Fatal("graphql-http is not installed: make e2e-audit")
		}
		t.Skip("left out: graphql-http is not installed (make e2e-audit)")
	}
	s := serve(t, t.TempDir())
	cmd := exec.CommandContext(t.Context(), "node", "audit.js", s.url+"/graphql")
	cmd.Dir, cmd.Stderr = "testdata/audit", os.Stderr
	out, err := cmd.Output()
	require.NoError(t, err)
	checks := 0
	for lines := bufio.NewScanner(bytes.NewReader(out)); lines.Scan(); checks++ {
		var check struct{ ID, Name, Status, Reason string }
		require.NoError(t, json.Unmarshal(lines.Bytes(), &check), lines.Text())
		assert.Equal(t, "ok", check.Status, "%s: %s: %s", check.ID, check.Name, check.Reason)
	}
	assert.Equal(t, checksOfAudit, checks)
}
