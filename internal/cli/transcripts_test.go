package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// home is a directory of a user who has used both coding agents.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for from, to := range map[string]string{
		"claude-code-1.0": ".claude/projects/-home-ann-shop/6f1c0b1e-0000-4000-8000-00000000c100",
		"claude-code-2.1": ".claude/projects/C--Users-ann-shop/6f1c0b1e-0000-4000-8000-00000000c210",
		"codex-0.1":       ".codex/sessions/2025/05/20/rollout-2025-05-20T08-00-00-11111111-0000-4000-8000-000000000001",
		"codex-0.45":      ".codex/sessions/2025/10/08/rollout-2025-10-08T08-00-00-22222222-0000-4000-8000-000000000002",
		"codex-0.130":     ".codex/sessions/2026/06/02/rollout-2026-06-02T08-00-00-33333333-0000-7000-8000-000000000003",
	} {
		text, err := os.ReadFile("../importer/testdata/" + from + ".jsonl")
		require.NoError(t, err)
		file := filepath.Join(dir, to+".jsonl")
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, text, 0o600))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".claude/projects/-home-ann-shop/agent-1.jsonl"), []byte("a subagent's\n"), 0o600))
	return dir
}

// at runs a command in a user's home.
func at(t *testing.T, home string, args ...string) (out, said string) {
	t.Helper()
	cmd := command(t, []string{"HOME=" + home}, args...)
	cmd.Dir = home
	var errs bytes.Buffer
	cmd.Stderr = &errs
	text, err := cmd.Output()
	require.NoErrorf(t, err, "%s: %s", args, &errs)
	return string(text), errs.String()
}

func TestImportTranscriptsFromHome(t *testing.T) {
	t.Parallel()
	dir := home(t)
	out, said := at(t, dir, "import", "--format", "claude-code")
	assert.Contains(t, said, "Importing 2 transcripts into")
	assert.Contains(t, out, "claude-code: 5 episodes of 2 transcripts; `Bash` failed most, 3 of 4 calls, most often with ")
	assert.Contains(t, out, "Left out what is not known: 1 line future-thing\n")
	out, _ = at(t, dir, "import", "--format", "codex")
	assert.Contains(t, out, "codex: 6 episodes of 3 transcripts; `")
	assert.Contains(t, out, "1 line brand_new_item, 1 line damaged")
	out, _ = at(t, dir, "import", "--format", "codex", filepath.Join(dir, ".codex/sessions/2025"))
	assert.Contains(t, out, "codex: nothing new (there already: 4 episodes) of 2 transcripts")
	out, _ = at(t, dir, "import", "--format", "codex", "--since", "1h", "--json")
	var answer struct{ Imported, Present map[string]int }
	require.NoError(t, json.Unmarshal([]byte(out), &answer))
	assert.Empty(t, answer.Present, "nothing happened since")

	out, _ = at(t, dir, "export")
	assert.NotContains(t, out, "ghp_16C7e42F292c6912E7710c838347Ae178B4a")
	assert.Contains(t, out, "[secret:github-pat]")
	out, _ = at(t, dir, "recall", "the voucher is subtracted twice")
	assert.Contains(t, out, "episode:claude-code-c1-004")
}

func TestImportOfTranscriptsThatAreNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	none := mneme(t, nil, "", "import", "--format", "codex", "--data", dir, filepath.Join(dir, "none"))
	assert.Equal(t, 1, none.status)
	assert.Contains(t, none.err, "there is no directory or file")
	other := mneme(t, nil, episodeLine+"\n", "import", "--format", "codex", "--data", dir, "-")
	assert.Equal(t, 0, other.status)
	assert.Contains(t, other.err, "Is --format codex right?")
	wrong := mneme(t, nil, "", "import", "--format", "codex", "--since", "yesterday", "-")
	assert.Equal(t, 2, wrong.status)
	assert.Contains(t, wrong.err, `"--since" flag: must be`)
}

const episodeLine = `{"kind": "episode", "record": {"agentId": "a", "observation": "It rains."}}`
