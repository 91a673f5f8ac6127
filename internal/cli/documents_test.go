package cli_test

import (
	"context"
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

// passage is a part of a document that is to be pasted somewhere.
type passage struct {
	language string // "sh" also of what is only indented
	text     string
}

var (
	fence    = regexp.MustCompile("(?s)^```([a-z]*)\n(.*?\n)```\n")
	indented = regexp.MustCompile(`^(?:    .*\n)+`)
	// What begins a line of a shell; formulas are indented, too.
	shell = regexp.MustCompile(`^\(?(?:mneme|go|make|curl|docker|claude|npx|cd|eval|export|umask) |^[A-Z_]+=`)
	// What needs more than this machine has for sure, or is tried elsewhere (make e2e-newcomer, e2e-clients, e2e-mcp).
	elsewhere = regexp.MustCompile(`\b(?:make|docker|claude|npx|python|npm|OTEL_\w+|raw\.githubusercontent\.com|MNEME_STORE)\b`)
	comment   = regexp.MustCompile(`(?m)(?:^| )#.*$`)
	// A line that serves until it is ended. Of one with options only these are tried.
	serves     = regexp.MustCompile(`(?m)^(?:go run \.|mneme serve) *(?:#.*)?$`)
	servesWith = regexp.MustCompile(`(?m)^mneme serve( --\S.*)$`)
)

// passages are those of a document in its order.
func passages(document string) []passage {
	var found []passage
	rest := "\n\n" + document
	for {
		at := strings.Index(rest, "\n\n")
		if at < 0 {
			return found
		}
		rest = rest[at+1:]
		next := strings.TrimLeft(rest, "\n")
		if f := fence.FindStringSubmatch(next); f != nil {
			found = append(found, passage{f[1], f[2]})
			rest = next[len(f[0])-1:]
		} else if block := indented.FindString(next); block != "" && shell.MatchString(strings.TrimSpace(block)) {
			found = append(found, passage{"sh", regexp.MustCompile(`(?m)^    `).ReplaceAllString(block, "")})
			rest = next[len(block)-1:]
		}
	}
}

// clone is a directory in which what the documents say is typed: the examples of a clone, the sample in ./mneme-data
// with a server on it, and programs called mneme and go, of which the latter knows `go run .`.
type clone struct {
	*server
	dir string
}

func newClone(t *testing.T, sample string) clone {
	t.Helper()
	c := clone{dir: t.TempDir()}
	data := filepath.Join(c.dir, "mneme-data")
	require.NoError(t, os.Mkdir(data, 0o700))
	out, err := command(t, nil, "backup", "--data", sample, filepath.Join(data, "default.db")).CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	examples, err := filepath.Abs("../../examples")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(examples, filepath.Join(c.dir, "examples")))
	require.NoError(t, os.Mkdir(filepath.Join(c.dir, "bin"), 0o700))
	require.NoError(t, os.Symlink(binary, filepath.Join(c.dir, "bin", "mneme")))
	goRun := "#!/bin/sh\n[ \"$1 $2\" = 'run .' ] || exit 2\nshift 2\nexec mneme \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(c.dir, "bin", "go"), []byte(goRun), 0o700))
	c.server = serve(t, data)
	return c
}

// paste types commands as they stand, but for the port of the server.
func (c clone) paste(t *testing.T, commands string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), pasteTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", strings.ReplaceAll(commands, "http://127.0.0.1:8080", c.url))
	cmd.Dir = c.dir
	cmd.Env = []string{"PATH=" + filepath.Join(c.dir, "bin") + ":" + os.Getenv("PATH"), "HOME=" + c.dir}
	cmd.WaitDelay = time.Second // what it started holds its output
	out, err := cmd.CombinedOutput()
	require.NoErrorf(t, err, "%s%s%v", commands, out, ctx.Err())
	return string(out)
}

// pasteTime is after how long commands are taken for ones that never end.
const pasteTime = 3 * time.Minute

// What a reader pastes from the documents works as it stands, from top to bottom.
func TestWhatTheDocumentsSayCanBePasted(t *testing.T) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("left out: needs curl")
	}
	sample := t.TempDir()
	out, err := command(t, nil, "demo", "--data", sample).CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	answers := map[string]string{ // what some of it must answer
		"came too late":              "episode:demo-refund_request-197",
		"leaking kettle":             "episode:run-1",
		"run . import":               "events.jsonl: imported 1 episode",
		"mneme recall a":             "episode:demo-refund_request-",
		"--min-weight 0.3":           "To do it: mneme memory prune",
		"searchCorrections":          "correction",
		"mneme doctor --mend":        "all lead to something",
		"mneme forget --person":      "Deleted 0 feedback",
		"executions.jsonl":           "imported 1 execution",
		"mneme backup backup.db":     "backup.db: copied",
		"nobody else can read\ncurl": `"totalCount":0`,
		"cat dashboard.key":          "is revoked",
		`"tools/call"`:               "episode:demo-refund_request-",
	}
	documents, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	pasted := 0
	for _, path := range append(documents, "../../README.md", "../../examples/README.md") {
		t.Run(strings.TrimPrefix(path, "../../"), func(t *testing.T) {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			var here clone
			for _, p := range passages(string(text)) {
				if p.language == "sh" {
					assert.NotContains(t, comment.ReplaceAllString(p.text, ""), "…", "a reader cannot paste it")
				}
				var said string
				switch commands := servesWith.ReplaceAllString(serves.ReplaceAllString(p.text, ""), "mneme serve$1 --help"); {
				case p.language == "sh" && !elsewhere.MatchString(commands) && strings.TrimSpace(commands) != "":
					if here.server == nil {
						here = newClone(t, sample)
					}
					said = here.paste(t, commands)
					assert.NotContains(t, said, `"errors"`, commands)
				case p.language == "graphql":
					if here.server == nil {
						here = newClone(t, sample)
					}
					var data json.RawMessage
					require.NoError(t, here.ask(t.Context(), p.text, &data), p.text)
					said = string(data)
				default:
					continue
				}
				pasted++
				for words, answer := range answers {
					if strings.Contains(p.text, words) {
						assert.Contains(t, said, answer, p.text)
						delete(answers, words)
					}
				}
			}
		})
	}
	assert.Greater(t, pasted, 15, "passages were not found")
	assert.Empty(t, answers, "was not pasted")
}

// The lines that docs/importing.md shows are those of the files that it imports.
func TestImportedExamplesAreThoseOfTheDocument(t *testing.T) {
	document, err := os.ReadFile("../../docs/importing.md")
	require.NoError(t, err)
	var shown []string
	for _, p := range passages(string(document)) {
		if p.language == "json" {
			shown = append(shown, p.text)
		}
	}
	for i, name := range []string{"events", "records", "executions", "verdicts"} {
		lines, err := os.ReadFile("../../examples/import/" + name + ".jsonl")
		require.NoError(t, err)
		assert.Equal(t, string(lines), shown[i], name)
	}
}
