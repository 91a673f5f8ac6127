package cli_test

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
		assert.Equal(t, 2, strings.Count(done(t, "", "recall", "--data", dir, "--agent", name, "--task-type", name, "--json", name), `"episode:`), name)
		assert.Contains(t, done(t, "", "agents", "rank", "--data", dir, "--json", name), "agent:"+composed)
	}
	assert.Contains(t, done(t, "", "forget", "--data", dir, "--person", apart), "Deleted 1 feedback")
	assert.Contains(t, done(t, "", "forget", "--data", dir, "--agent", apart, "--json"), `"episodes": 2`)
}

const hashField = `"inputHash":"`

// versions are the hashes of inputs, which begin with their version, but for those of before.
var versions = regexp.MustCompile(hashField + `[^"]+"`)

// An export of before holds names as they were given, and they are taken back as they are.
func TestExportOfBeforeStaysAsItIs(t *testing.T) {
	t.Parallel()
	from, to, again := t.TempDir(), t.TempDir(), t.TempDir()
	done(t, namesakes, "import", "--format", "jsonl", "--data", from, "-")
	before := strings.ReplaceAll(done(t, "", "export", "--data", from), composed, apart)
	refused := mneme(t, nil, before, "import", "--format", "jsonl", "--data", t.TempDir(), "-")
	assert.Contains(t, refused.err, "line 3: INVALID_INPUT: key: is not in the form NFC", "the version of its hash says that it is no record of before")
	before = versions.ReplaceAllStringFunc(before, func(hash string) string {
		versioned, err := base64.StdEncoding.DecodeString(hash[len(hashField) : len(hash)-1])
		require.NoError(t, err)
		return hashField + base64.StdEncoding.EncodeToString(versioned[1:]) + `"`
	})
	assert.NotContains(t, before, composed)
	done(t, before, "import", "--format", "jsonl", "--data", to, "-")
	second := done(t, "", "export", "--data", to)
	assert.Equal(t, before, second)
	done(t, second, "import", "--format", "jsonl", "--data", again, "-")
	assert.Equal(t, before, done(t, "", "export", "--data", again))
	assert.Contains(t, done(t, "", "forget", "--data", again, "--person", composed), "Deleted 1 feedback")
	assert.Contains(t, done(t, "", "forget", "--data", again, "--agent", apart, "--json"), `"episodes": 2`)
}
