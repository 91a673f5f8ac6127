package cli_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/app"
	"mneme/internal/cli"
)

// result is what a command left behind.
type result struct {
	status   int
	out, err string
}

// mneme runs a command in this process, with no variables but the given ones.
func mneme(t *testing.T, env map[string]string, stdin string, args ...string) result {
	t.Helper()
	var out, errs bytes.Buffer
	streams := cli.Streams{In: strings.NewReader(stdin), Out: &out, Err: &errs}
	status := cli.Run(t.Context(), args, streams, func(name string) (string, bool) {
		value, ok := env[name]
		return value, ok
	})
	return result{status, out.String(), errs.String()}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		args   []string
		env    map[string]string
		status int
		out    string // what stdout says
		err    string // what stderr says
	}{
		"help":                       {args: []string{"--help"}, out: "MNEME_API_KEY"},
		"help of a command":          {args: []string{"help", "import"}, out: "tau-bench"},
		"version":                    {args: []string{"version"}, out: "mneme "},
		"completion":                 {args: []string{"completion", "bash"}, out: "bash completion"},
		"completion alone":           {args: []string{"completion"}, out: "autocompletion script"},
		"help despite bad variables": {args: []string{"--help"}, env: map[string]string{"MNEME_LOG_LEVEL": "loud"}, out: "MNEME_LOG_LEVEL"},
		"unknown command":            {args: []string{"server"}, status: 2, err: `unknown command "server"`},
		"unknown flag":               {args: []string{"serve", "--port", "1"}, status: 2, err: "unknown flag: --port"},
		"too many arguments":         {args: []string{"serve", "now"}, status: 2, err: "now"},
		"bad level":                  {args: []string{"demo", "--log-level", "loud"}, status: 2, err: "must be debug, info, warn or error"},
		"no format":                  {args: []string{"import", "x"}, status: 2, err: `required flag(s) "format" not set`},
		"unknown format":             {args: []string{"import", "--format", "csv", "x"}, status: 2, err: "must be jsonl, tau-bench, events, executions, verdicts, claude-code or codex"},
		"no file":                    {args: []string{"import", "--format", "jsonl"}, status: 2, err: "requires at least 1 arg(s)"},
		"bad variable":               {args: []string{"demo"}, env: map[string]string{"MNEME_EMBEDDER_DIM": "x"}, status: 2, err: "MNEME_EMBEDDER_DIM"},
		"bad variable, no command":   {env: map[string]string{"MNEME_EMBEDDER_DIM": "x"}, status: 2, err: "MNEME_EMBEDDER_DIM"},
		"bad address":                {args: []string{"serve", "--listen", "8080"}, status: 2, err: "host:port"},
		"bad address by variable":    {env: map[string]string{"MNEME_LISTEN": "8080"}, status: 2, err: "host:port"},
		"beyond this machine":        {args: []string{"--listen", "0.0.0.0:0"}, status: 2, err: "MNEME_API_KEY"},
		"unknown store":              {args: []string{"demo", "--store", "redis://secret@h"}, status: 2, err: `there is no store "redis://…"`},
		"flags win":                  {args: []string{"demo", "--store", "redis://flag"}, env: map[string]string{"MNEME_STORE": "mongodb://variable"}, status: 2, err: "redis://…"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := mneme(t, tt.env, "", tt.args...)
			assert.Equal(t, tt.status, got.status, got.err)
			assert.Contains(t, got.out, tt.out)
			assert.Contains(t, got.err, tt.err)
			if tt.status == 0 {
				assert.Empty(t, got.err)
			} else {
				assert.True(t, strings.HasPrefix(got.err, "mneme: "), got.err)
				assert.NotContains(t, got.err, "goroutine")
			}
		})
	}
}

// A server that is refused for want of a key has made nothing, and names the memory in which to make one.
func TestAServerWithoutAKeyMakesNoMemory(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "our data")
	for _, dir := range []string{data, t.TempDir(), beginning(t)} {
		got := mneme(t, nil, "", "serve", "--listen", "0.0.0.0:0", "--data", dir)
		assert.Equal(t, 2, got.status)
		assert.Contains(t, got.err, "there is no key\n")
		assert.Contains(t, got.err, "mneme keys create --data "+app.ShellWord(dir)+", or")
	}
	assert.NoDirExists(t, data)
	assert.Contains(t, mneme(t, nil, "", "serve", "--listen", "0.0.0.0:0", "--data", data).err, "--data '"+data+"'")
}

func TestStoresThatThereAreNotKeepTheirSecrets(t *testing.T) {
	t.Parallel()
	commands := [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"doctor"}, {"doctor", "--json"}, {"export"}, {"recall", "x"}, {"forget", "--agent", "a"}, {"demo"}, {"mcp"}}
	for _, store := range []string{
		"neo4j://h:7687/?password=hunter2secret", "neo4j://h#hunter2secret", "neo4j://h/hunter2secret", "hunter2secret",
		"neo4j://me:hunter2secret@h", "bolt://h:hunter2secret", "bolt://h:1?hunter2secret",
	} {
		for _, command := range commands {
			for way, got := range map[string]result{
				"flag":     mneme(t, nil, "", append(command[:len(command):len(command)], "--store", store)...),
				"variable": mneme(t, map[string]string{"MNEME_STORE": store}, "", command...),
			} {
				assert.Equal(t, 2, got.status, "%s by %s: %s", command, way, got.err)
				assert.NotContains(t, got.out+got.err, "hunter2", "%s by %s", command, way)
			}
		}
	}
}

// What stands in the place of a host is repeated only where there is such a host.
func TestHostsThatThereAreNotKeepTheirSecrets(t *testing.T) {
	t.Parallel()
	for _, store := range []string{"bolt://hunter2secret.invalid", "neo4j+s://hunter2secret.invalid:7687", "neo4j://hunter2secret.invalid/rest"} {
		for _, command := range [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"doctor"}, {"doctor", "--json"}, {"export"}, {"import", "--format", "jsonl", "-"}, {"mcp"}} {
			got := mneme(t, nil, "", append(command, "--store", store)...)
			assert.NotZero(t, got.status, "%s", command)
			assert.Contains(t, got.out+got.err, "host", "%s", command)
			assert.NotContains(t, got.out+got.err, "hunter2", "%s", command)
		}
	}
}

func TestDemoTwice(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := mneme(t, nil, "", "demo", "--data", dir)
	require.Zero(t, first.status, first.err)
	assert.Contains(t, first.out, "Loaded a sample of 90 days into sqlite in "+dir)
	assert.Contains(t, first.out, "200 episodes")
	assert.Contains(t, first.out, "the server that runs on it, or start one: mneme serve --data "+dir+" (in a clone: go run . serve --data "+dir+")")
	assert.Contains(t, first.out, "recall(input:")
	assert.Contains(t, first.out, "\n  mneme recall --data "+dir+" a customer wants a refund for a late order\n")
	found := mneme(t, nil, "", "recall", "clients upset by tardy parcels", "--data", dir)
	assert.Regexp(t, `(?ms)^1 .*? asks`, found.out, "late orders, in other words")
	second := mneme(t, nil, "", "demo", "--data", dir)
	require.Zero(t, second.status, second.err)
	assert.Contains(t, second.out, ": nothing new (there already: 5 agents, ")

	done(t, "", "forget", "--data", dir, "--agent", "support", "--yes")
	third := done(t, "", "demo", "--data", dir)
	assert.Regexp(t, `^Loaded a sample of 90 days into sqlite in .*: nothing new \(there already: 4 agents, .*\)\.\n`, third)
	var counts struct {
		Imported, Present map[string]int
		Forgotten         int
	}
	require.NoError(t, json.Unmarshal([]byte(done(t, "", "demo", "--data", dir, "--json")), &counts))
	assert.Empty(t, counts.Imported)
	assert.Positive(t, counts.Forgotten)
	assert.Less(t, counts.Present["episode"], 200)

	other := mneme(t, nil, "", "demo", "--data", dir, "--tenant", "other")
	require.Zero(t, other.status, other.err)
	assert.Contains(t, other.out, "mneme recall --data "+dir+" --tenant other ")
	assert.NotContains(t, other.out, "mneme serve", "it serves another tenant")
}

const twoEpisodes = `{"kind": "episode", "record": {"id": "e1", "agentId": "a", "observation": "One."}}
{"kind": "episode", "record": {"id": "e2", "agentId": "a", "observation": "Two."}}
`

const anExecution = `{"agentId": "a", "taskType": "t", "success": true, "quality": 1}` + "\n"

func TestImport(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "export.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(twoEpisodes), 0o600))
	faulty := twoEpisodes + "nonsense\n" + strings.NewReplacer(`"e1"`, `"f1"`, `"e2"`, `"f2"`).Replace(twoEpisodes)
	tests := map[string]struct {
		stdin  string
		args   []string
		status int
		out    string
		err    []string
	}{
		"file":  {args: []string{file}, out: "export.jsonl: imported 2 episodes"},
		"files": {args: []string{file, file}, out: "export.jsonl: imported nothing new (there already: 2 episodes)"},
		"in JSON": {args: []string{"--json", file, file}, out: `"present": {
    "episode": 2
  },`},
		"standard input":      {stdin: twoEpisodes, args: []string{"-"}, out: "standard input: imported 2 episodes"},
		"nothing":             {stdin: "", args: []string{"-"}, out: "standard input: there is nothing in it\n"},
		"blank lines":         {stdin: "\n \n", args: []string{"-"}, out: "standard input: there is nothing in it\n"},
		"no runs":             {stdin: "[]", args: []string{"--format", "tau-bench", "-"}, out: "standard input: there is nothing in it\n"},
		"nothing of a record": {stdin: `{"kind": "session", "record": {"id": "s"}}`, args: []string{"-"}, out: "standard input: imported nothing"},
		"another format":      {stdin: anExecution, args: []string{"-"}, status: 1, err: []string{"line 1: INVALID_INPUT: agentId: unknown field\nImported so far: nothing", "Is --format jsonl right? The formats are jsonl,"}},
		"a typo":              {stdin: `{"kind": "episode", "record": {"agent": "a"}}`, args: []string{"-"}, status: 1, err: []string{"agent: unknown field\nImported so far"}},
		"no format's":         {stdin: "id,name\n", args: []string{"--keep-going", "-"}, status: 1, err: []string{"Is --format jsonl right? The formats are jsonl, tau-bench, events, executions, verdicts, claude-code and codex\n"}},
		"stops":               {stdin: faulty, args: []string{"-"}, status: 1, err: []string{"line 3", "Imported so far: 2 episodes", "--keep-going"}},
		"keeps going":         {stdin: faulty, args: []string{"--keep-going", "-"}, status: 3, out: "imported 4 episodes", err: []string{"skipped line 3", "1 faulty record was skipped; the rest is done"}},
		"some of many":        {stdin: faulty, args: []string{"--keep-going", file, "-"}, status: 3, out: "imported 2 episodes (there already: 2 episodes)"},
		"nothing right":       {stdin: "nonsense\n1\n", args: []string{"--keep-going", "-"}, status: 1, out: "imported nothing", err: []string{"nothing was imported: 2 faulty records were skipped"}},
		"no such file":        {args: []string{"nowhere.jsonl"}, status: 1, err: []string{"nowhere.jsonl"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"import", "--format", "jsonl", "--data", t.TempDir()}, tt.args...)
			got := mneme(t, nil, tt.stdin, args...)
			assert.Equal(t, tt.status, got.status, got.err)
			assert.Contains(t, got.out, tt.out)
			for _, says := range tt.err {
				assert.Contains(t, got.err, says)
			}
		})
	}
}

// Whoever named the wrong format is not advised to skip the lines of the file, which are all of another.
func TestAWrongFormatIsNotToBeSkipped(t *testing.T) {
	t.Parallel()
	for _, lines := range []string{anExecution, "id,name\n", "# some words\n"} {
		got := mneme(t, nil, lines, "import", "--format", "jsonl", "--data", t.TempDir(), "-")
		assert.Equal(t, 1, got.status)
		assert.Contains(t, got.err, "Imported so far: nothing. Mend the line and import again. Is --format jsonl right? ")
		assert.NotContains(t, got.err, "--keep-going")
	}
}

// Where there is no going on, who wanted to keep going is not advised to.
func TestKeepGoingIsNotAdvisedTwice(t *testing.T) {
	t.Parallel()
	got := mneme(t, nil, `[{"task_id": 1, "trial": 0, "reward": 1, "info": {"task": {"instruction": "x"}}}, {"task_id`, "import", "--format", "tau-bench", "--keep-going", "--data", t.TempDir(), "-")
	assert.Equal(t, 1, got.status)
	assert.Contains(t, got.err, "Imported so far: 1 episode. Mend the line and import again;\nwhat is")
	assert.NotContains(t, got.err, "--keep-going")
}

// To import again is advised where that may help only.
func TestImportsThatFailAgain(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	done(t, twoEpisodes, "import", "--format", "jsonl", "--data", data, "-")
	export := done(t, "", "export", "--data", beginning(t))
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write([]byte(twoEpisodes))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	_, headless, _ := strings.Cut(export, "\n")
	for says, file := range map[string]string{
		"CONFLICT: the tenant has records of its own":  export,
		"an export begins with the line of the tenant": headless,
		"the gzip is damaged (unexpected EOF): fetch ": packed.String()[:packed.Len()-5],
	} {
		got := mneme(t, nil, file, "import", "--format", "jsonl", "--data", data, "-")
		assert.Equal(t, 1, got.status)
		assert.Contains(t, got.err, says)
		assert.Regexp(t, `\nImported so far: .*\.\n$`, got.err)
		assert.NotContains(t, got.err, "mport again")
	}
}

func TestImportTellsTheFirstOfManyFaults(t *testing.T) {
	t.Parallel()
	got := mneme(t, nil, strings.Repeat("nonsense\n", 50), "import", "--format", "events", "--keep-going", "--data", t.TempDir(), "-")
	assert.Equal(t, 1, got.status)
	assert.Equal(t, 20, strings.Count(got.err, "skipped line"))
	assert.Contains(t, got.err, "skipped 30 more lines")
}

// What is not read of events that were taken is told with its line.
func TestImportTellsWhatIsNotRead(t *testing.T) {
	t.Parallel()
	const log = `{"runId": "r", "agentId": "a", "type": "workflow_started", "at": "2026-05-01T10:00:00Z"}
{"runId": "r", "agentId": "a", "type": "workflow_completed", "data": {"output": "booked"}, "at": "2026-05-01T10:00:01Z"}
`
	got := mneme(t, nil, log, "import", "--format", "events", "--data", t.TempDir(), "-")
	assert.Equal(t, 0, got.status)
	assert.Contains(t, got.err, "standard input, line 2: the data of workflow_completed have no \"result\": the run succeeded, and has no result\n")
}

func TestTimesOfAFlag(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"2026-03-01", "2026-03-01t12:00:00z", "2016-12-31T23:59:60Z", "2026-03-01T12:00:00.5+01:00", "7d", "12h", "90m", "1h30m"} {
		assert.NotEqual(t, 2, mneme(t, nil, "", "recall", "--since", text, "--data", t.TempDir(), "x").status, text)
	}
	for _, text := range []string{"2026-03-01T12:00:00,5Z", "2026-03-01T1:00:00Z", "1969-12-31", "noon", "7", "7w", "-7d", "0d", "-12h", "1.5d", "40000d", "99999999999999999999d"} {
		assert.Equal(t, 2, mneme(t, nil, "", "recall", "--since", text, "--data", t.TempDir(), "x").status, text)
	}
}

// A length counts back from now, for all times that a flag takes.
func TestLengthsCountBack(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	begun := func(id string, ago time.Duration) string {
		return fmt.Sprintf(`{"kind": "episode", "record": {"id": %q, "agentId": "a", "observation": "Of %s.", "startedAt": %q}}`+"\n", id, id, time.Now().Add(-ago).UTC().Format(time.RFC3339))
	}
	done(t, begun("now", 10*time.Minute)+begun("hours", 5*time.Hour)+begun("days", 5*24*time.Hour), "import", "--format", "jsonl", "--data", dir, "-")
	for flags, ids := range map[string][]string{
		"--since 90m":             {"episode:now"},
		"--since 12h":             {"episode:hours", "episode:now"},
		"--since 7d --until 1h":   {"episode:days", "episode:hours"},
		"--until 1d":              {"episode:days"},
		"--as-of 3d":              {"episode:days"},
		"--since 7d --until 144h": {},
	} {
		found := decoded[struct {
			Hits []struct{ Episode struct{ ID string } }
		}](t, func(args ...string) result {
			return mneme(t, nil, "", append(append(args, strings.Fields(flags)...), "--data", dir)...)
		}, "recall", "x", "--fallback", "recent")
		got := []string{}
		for _, hit := range found.Hits {
			got = append(got, hit.Episode.ID)
		}
		assert.ElementsMatch(t, ids, got, flags)
	}
	assert.Equal(t, "Would delete 1 episode.\n", done(t, "", "forget", "episodes", "--data", dir, "--until", "1d", "--dry-run"))
}
