package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// settings are files of a user's home by their names.
type settings map[string]string

func (s settings) write(t *testing.T, home string) {
	t.Helper()
	for name, text := range s {
		file := filepath.Join(home, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o640))
	}
}

// layout is what may change in a file.
var layout = regexp.MustCompile(`\s`)

func (s settings) requireKept(t *testing.T, home string) {
	t.Helper()
	for name, text := range s {
		file := filepath.Join(home, name)
		got, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, layout.ReplaceAllString(text, ""), layout.ReplaceAllString(string(got), ""), name)
		info, err := os.Stat(file)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o640), info.Mode().Perm())
	}
}

// written is a hand-written set of settings of both agents.
var written = settings{
	".claude.json": "{\n\t\"numStartups\": 12345678901234567890,\n\t\"mcpServers\": {\"other\": {\"command\": \"x\"}},\n\t\"projects\": {}\n}\n",
	".claude/settings.json": `{
    "permissions": { "allow": ["Bash(npm:*)", "Read(~/é \u00e9)"] },
    "hooks": {
        "Stop": [ { "hooks": [ {"type": "command", "command": "say done"} ] } ]
    }
}`,
	".codex/config.toml": "model = \"gpt-5\" # the best\n\n[mcp_servers.other]\ncommand = \"x\"\n\n# about the sandbox\n[sandbox]\nallow = [\n  [\"a\"],\n]\n",
}

func TestConnectAndUndo(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	written.write(t, home)
	for _, agent := range []string{"claude-code", "codex"} {
		out, _ := at(t, home, "connect", agent, "--yes")
		assert.Contains(t, out, "+ ")
		again, _ := at(t, home, "connect", agent, "--yes")
		assert.Equal(t, "There is nothing to change.\n", again)
	}
	for name, says := range map[string][]string{
		".claude.json":          {`"type": "stdio"`, home + "/mneme-data", "12345678901234567890"},
		".claude/settings.json": {`"command": "say done"`, ` hook claude-code --data ` + home, `"SessionEnd": [`, `"Read(~/é \u00e9)"`},
		".codex/config.toml":    {"# the best", "\n\n[mcp_servers.mneme]\ncommand = ", "# about the sandbox\n[sandbox]"},
		".codex/hooks.json":     {`"UserPromptSubmit": [`, ` hook codex --data ` + home, " || true"},
	} {
		text, err := os.ReadFile(filepath.Join(home, name))
		require.NoError(t, err)
		for _, part := range says {
			assert.Contains(t, string(text), part, name)
		}
	}

	out, _ := at(t, home, "connect", "claude-code", "--yes", "--data", "elsewhere") // moves it
	assert.Contains(t, out, "\n- ")
	text, err := os.ReadFile(filepath.Join(home, ".claude/settings.json"))
	require.NoError(t, err)
	assert.Equal(t, 3, strings.Count(string(text), "hook claude-code"))
	assert.Equal(t, 3, strings.Count(string(text), "elsewhere"))

	for _, agent := range []string{"claude-code", "codex"} {
		out, _ := at(t, home, "connect", agent, "--undo", "--yes")
		assert.Contains(t, out, "- ")
	}
	written.requireKept(t, home)
	assert.NoFileExists(t, filepath.Join(home, ".codex/hooks.json"), "there was none before")
}

func TestConnectWhereNothingIs(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	at(t, home, "connect", "claude-code", "--yes")
	at(t, home, "connect", "codex", "--yes", "--project")
	text, err := os.ReadFile(filepath.Join(home, ".claude.json"))
	require.NoError(t, err)
	var says struct {
		Servers map[string]struct {
			Type, Command string
			Args          []string
		} `json:"mcpServers"`
	}
	require.NoError(t, json.Unmarshal(text, &says))
	assert.Equal(t, []string{"mcp", "--data", filepath.Join(home, "mneme-data")}, says.Servers["mneme"].Args)
	assert.FileExists(t, filepath.Join(home, ".codex/hooks.json"))
	at(t, home, "connect", "claude-code", "--yes", "--undo")
	at(t, home, "connect", "codex", "--yes", "--undo", "--project")
	left, err := filepath.Glob(filepath.Join(home, ".c*", "*"))
	require.NoError(t, err)
	assert.Empty(t, left)
	assert.NoFileExists(t, filepath.Join(home, ".claude.json"))
}

func TestConnectToAServer(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	written.write(t, home)
	at(t, home, "connect", "claude-code", "--yes")
	for agent, says := range map[string][2]string{
		"claude-code": {".claude.json", "\"mneme\": {\n      \"type\": \"http\",\n      \"url\": \"http://127.0.0.1:8080/mcp\"\n    }"},
		"codex":       {".codex/config.toml", "[mcp_servers.mneme]\nurl = \"http://127.0.0.1:8080/mcp\"\n"},
	} {
		at(t, home, "connect", agent, "--yes", "--server", "http://127.0.0.1:8080/")
		text, err := os.ReadFile(filepath.Join(home, says[0]))
		require.NoError(t, err)
		assert.Contains(t, string(text), says[1])
	}
	text, err := os.ReadFile(filepath.Join(home, ".claude/settings.json"))
	require.NoError(t, err)
	assert.JSONEq(t, written[".claude/settings.json"], string(text), "hooks would use another memory")
}

// Nothing is written where nobody says so, and where one of the files cannot be changed.
func TestConnectLeavesFilesAlone(t *testing.T) {
	t.Parallel()
	for says, files := range map[string]settings{
		"Nothing was done. Say so with --yes.": {},
		".claude.json: it is no JSON":          {".claude.json": "{\"mcpServers\": {},\n// mine\n}"},
		`what holds "mneme" is no object`:      {".claude.json": `{"mcpServers": []}`},
		`the hooks of an event are no list`:    {".claude/settings.json": `{"hooks": {"Stop": {}}}`},
		"config.toml: it is damaged":           {".codex/config.toml": "[mcp_servers\n"},
		"does not allow a change by a program": {".codex/config.toml": "mcp_servers = {other = {command = \"x\"}}\n"},
		"hooks.json: it is no JSON":            {".codex/hooks.json": "hooks"},
	} {
		home := t.TempDir()
		files.write(t, home)
		agent, yes := "claude-code", "--yes"
		for name := range files {
			if strings.HasPrefix(name, ".codex") {
				agent = "codex"
			}
		}
		if len(files) == 0 {
			yes = "--yes=false"
		}
		cmd := command(t, []string{"HOME=" + home}, "connect", agent, yes)
		said, err := cmd.CombinedOutput()
		require.Error(t, err, says)
		assert.Contains(t, string(said), says)
		files.requireKept(t, home)
		all, err := filepath.Glob(filepath.Join(home, ".c*", "*"))
		require.NoError(t, err)
		assert.LessOrEqual(t, len(all), len(files))
	}
}

// recent is a transcript as if it had been written in the last hour.
func recent(text []byte) []byte {
	now := []byte(time.Now().UTC().Add(-30 * time.Minute).Format("2006-01-02T15:04:"))
	return regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:`).ReplaceAll(text, now)
}

// hooks are the commands that an agent runs, by event.
func hooks(t *testing.T, file string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var says struct {
		Hooks map[string][]struct{ Hooks []struct{ Command string } }
	}
	require.NoError(t, json.Unmarshal(text, &says))
	commands := map[string]string{}
	for event, groups := range says.Hooks {
		commands[event] = groups[len(groups)-1].Hooks[0].Command
	}
	return commands
}

// A coding agent records a task by its hooks, and has its lessons before the next one.
func TestHooksOfCodingAgents(t *testing.T) {
	t.Parallel()
	for agent, of := range map[string]struct{ settings, session, transcript, prompt, says string }{
		"claude-code": {".claude/settings.json", "6f1c0b1e-0000-4000-8000-00000000c100", ".claude/projects/-home-ann-shop/6f1c0b1e-0000-4000-8000-00000000c100.jsonl", "Please delete old vouchers from the database", "who then said: Not the table!"},
		"codex":       {".codex/hooks.json", "22222222-0000-4000-8000-000000000002", ".codex/sessions/2025/10/08/rollout-2025-10-08T08-00-00-22222222-0000-4000-8000-000000000002.jsonl", "Please make the tests pass now", "The tests pass."},
	} {
		dir := filepath.Join(home(t), "with a space")
		require.NoError(t, os.Mkdir(dir, 0o700))
		transcript := filepath.Join(filepath.Dir(dir), of.transcript)
		old := command(t, []string{"HOME=" + dir}, "connect", agent, "--yes")
		old.Dir = dir
		out, err := old.CombinedOutput()
		require.NoError(t, err, string(out))
		commands := hooks(t, filepath.Join(dir, of.settings))
		ask := func(event, session, prompt string) string {
			said, err := json.Marshal(map[string]string{"hook_event_name": event, "session_id": session, "transcript_path": transcript, "cwd": dir, "prompt": prompt})
			require.NoError(t, err)
			cmd := exec.CommandContext(t.Context(), "sh", "-c", commands[event])
			cmd.Stdin, cmd.Dir = strings.NewReader(string(said)), t.TempDir()
			out, err := cmd.Output()
			require.NoError(t, err)
			return string(out)
		}
		assert.Empty(t, ask("UserPromptSubmit", "s", of.prompt), "there is no memory yet")
		assert.NoDirExists(t, filepath.Join(dir, "mneme-data"))
		text, err := os.ReadFile(transcript)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(transcript, recent(text), 0o600))
		assert.Empty(t, ask("Stop", "s", ""))
		lessons := ask("UserPromptSubmit", "s", of.prompt)
		assert.True(t, strings.HasPrefix(lessons, "<mneme-lessons>\nWhat past runs of similar tasks taught."), lessons)
		assert.True(t, strings.HasSuffix(lessons, "\n</mneme-lessons>\n"))
		assert.Contains(t, lessons, of.says)
		assert.Empty(t, ask("UserPromptSubmit", of.session, of.prompt), "the agent knows its session")
		assert.Empty(t, ask("UserPromptSubmit", "s", "go on"))
		assert.Empty(t, ask("UserPromptSubmit", "s", "Quarterly zebra statistics of Antarctica"))

		if agent == "claude-code" {
			const other = "The total of a cart with a voucher is wrong again"
			assert.NotContains(t, ask("UserPromptSubmit", "s", other), "subtracted once", "it is older than the last two")
			assert.Empty(t, ask("SessionEnd", "s", ""))
			assert.Contains(t, ask("UserPromptSubmit", "s", other), "subtracted once")
		}

		require.NoError(t, os.WriteFile(filepath.Join(dir, "mneme-data", "default.db"), []byte("damaged"), 0o600))
		assert.Empty(t, ask("UserPromptSubmit", "s", of.prompt), "it fails open")
		assert.Empty(t, ask("Stop", "s", ""))
	}
}
