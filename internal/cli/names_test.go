package cli_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

const (
	composed = "caf\u00e9"
	apart    = "cafe\u0301"
)

const namesakes = `{"kind": "agent", "record": {"id": "` + apart + `", "name": "` + apart + `"}}
{"kind": "session", "record": {"id": "` + apart + `"}}
{"kind": "episode", "record": {"id": "` + apart + `1", "agentId": "` + composed + `", "taskType": "` + apart + `", "observation": "` + apart + `", "outcome": "SUCCESS"}}
{"kind": "episode", "record": {"id": "` + apart + `2", "agentId": "` + apart + `", "taskType": "` + composed + `", "observation": "` + apart + `", "outcome": "SUCCESS"}}
{"kind": "feedback", "record": {"id": "f", "episodeId": "` + composed + `2", "type": "THUMBS_UP", "createdBy": "` + apart + `"}}
`

func TestNamesInAnySpelling(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for range 2 {
		done(t, namesakes, "import", "--format", "jsonl", "--data", dir, "-")
	}
	assert.Contains(t, done(t, "", "export", "--data", dir, "/dev/null"), "exported 1 agent, 2 episodes, 1 feedback")
	for _, name := range []string{composed, apart} {
		assert.Equal(t, 3, strings.Count(done(t, "", "recall", "--data", dir, "--agent", name, "--task-type", name, "--json", name), `"episode:`), "the hit, its sibling and what its feedback is on")
		assert.Contains(t, done(t, "", "agents", "rank", "--data", dir, "--json", name), "agent:"+composed)
	}
	assert.Contains(t, done(t, "", "forget", "--data", dir, "--person", apart, "--yes"), "Deleted 1 feedback")
	assert.Contains(t, done(t, "", "forget", "--data", dir, "--agent", apart, "--yes", "--json"), `"episodes": 2`)
}

// A name that was spelled otherwise in the file of an export comes back in its form.
func TestNamesOfAnExportHaveOneForm(t *testing.T) {
	t.Parallel()
	from, to := t.TempDir(), t.TempDir()
	done(t, namesakes, "import", "--format", "jsonl", "--data", from, "-")
	file := done(t, "", "export", "--data", from)
	done(t, strings.ReplaceAll(file, composed, apart), "import", "--format", "jsonl", "--data", to, "-")
	assert.Equal(t, file, done(t, "", "export", "--data", to))
}
