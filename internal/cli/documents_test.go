package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// The code in the documents works as it stands. Each document is read from top to bottom:
//
//   - Code stands in a fence that names its language. Indented code is refused.
//   - sh is typed into one terminal, so variables and the directory carry over. The directory holds the sample in
//     ./mneme-data, and examples/ of the clone. Only the address of the server is replaced.
//   - A line that serves keeps its terminal busy: the blocks after it are typed into a new one, and ask that server.
//   - graphql is validated and executed. The json block after a query with variables holds their values.
//   - cypher is executed on Neo4j. Every other language is shown, not run.
//
// What cannot be run here is in notRun.

// notRun names the blocks that are left out: those of a document that contain a text. An entry without a block fails.
var notRun = []struct{ document, contains, reason string }{
	{"README.md", "uvx mneme-db", "make release-check installs from each"},
	{"README.md", "pip install", "make e2e-clients installs the package and runs the program"},
	{"README.md", "make bench-locomo", "needs the internet"},
	{"docs/tutorial.md", "docker run", "needs a container engine"},
	{"docs/tutorial.md", "raw.githubusercontent.com", "needs the internet; the test puts the file there"},
	{"docs/coding-agents.md", "mneme import", "needs transcripts and settings; TestConnectAndUndo has some"},
	{"docs/coding-agents.md", "mneme hook", "needs transcripts; TestHooksOfCodingAgents has some"},
	{"docs/importing.md", "claude-code", "needs transcripts; TestImportTranscriptsFromHome has some"},
	{"docs/mcp.md", "claude mcp add", "needs Claude Code"},
	{"docs/mcp.md", "npx @modelcontextprotocol/inspector", "needs npm; TestInspector runs the same client"},
	{"docs/operations.md", "docker ", "needs a container engine"},
	{"docs/opentelemetry.md", "OTEL_EXPORTER_OTLP_ENDPOINT", "settings of another program; TestPythonSends uses them"},
	{"examples/README.md", "examples/go", "make e2e-clients runs it"},
}

// answers are what some blocks must print.
var answers = []struct{ document, contains, answer string }{
	{"README.md", "go run . demo", "200 episodes, 217 canvases"},
	{"README.md", "/graphql", "episode:demo-refund_request-197"},
	{"docs/tutorial.md", "--format tau-bench", "imported 200 episodes"},
	{"docs/tutorial.md", "mneme recall", "episode:tau-airline-12-"},
	{"docs/tutorial.md", "mneme agents alerts", "task type airline"},
	{"docs/tutorial.md", `"kind": "episode"`, "imported 1 episode, 2 canvases, 1 feedback"},
	{"docs/tutorial.md", "what did kettles bring in", "line chart: closed after 3 s; bar chart: shown, liked"},
	{"docs/tutorial.md", "append: true", `"first":{"episode":{"outcome":"SUCCESS"}}`},
	{"docs/tutorial.md", "--replay", "workflow_completed"},
	{"docs/tutorial.md", "mneme export", "imported"},
	{"docs/tutorial.md", "mneme forget", "Deleted episode:board."},
	{"docs/access.md", "mneme keys list", "the dashboard"},
	{"docs/access.md", "mneme keys revoke", "is revoked"},
	{"docs/access.md", "createKey", `"secret":"mneme_`},
	{"docs/data.md", "mneme export", "memory.jsonl.gz: exported 5 agents"},
	{"docs/data.md", "mneme compact", "Compacted"},
	{"docs/importing.md", "--format events", "records.jsonl: imported 1 memoir"},
	{"docs/live.md", "subscription", `"episodeRecorded":{"cursor":`},
	{"docs/mcp.md", "tools/call", "episode:demo-refund_request-"},
	{"docs/operations.md", "mneme backup", "backup.db: copied"},
	{"docs/operations.md", "mneme doctor", "SQLite finds the file whole"},
	{"docs/ranking.md", "a traveller wants a refund", "episode:demo-refund_request-"},
	{"docs/choosing-agents.md", "rankAgents", "agent:support"},
	{"docs/judged-work.md", "guidance(", "fixed in verse_1 by swap the template"},
	{"docs/knowledge.md", "searchCorrections", "correction"},
	{"docs/knowledge.md", "ghp_", "The deploy needs the token [secret:github-pat] of [private]."},
	{"docs/recording.md", "recordEpisode", "canvas:form-1"},
	{"docs/recording.md", "--replay", "workflow_completed"},
}

// blockTime is after how long a block is taken for one that never ends.
const blockTime = 3 * time.Minute

// block is a piece of code in a document.
type block struct{ language, text string }

var listItem = regexp.MustCompile(`^\s*(?:[-*]|\d+\.) `)

// blocks are those of a document in its order, and what is wrong with how they stand there.
func blocks(document string) (found []block, faults []string) {
	var open *block
	indent, blank, list := "", true, false
	for line := range strings.Lines(document) {
		trimmed := strings.TrimSpace(line)
		switch fence := strings.HasPrefix(trimmed, "```"); {
		case fence && open == nil:
			indent = line[:strings.Index(line, "```")]
			open = &block{language: strings.TrimPrefix(trimmed, "```")}
		case fence:
			if open.language == "" {
				faults = append(faults, "a fence names no language: "+open.text)
			}
			found, open = append(found, *open), nil
		case open != nil:
			open.text += strings.TrimPrefix(line, indent)
		case trimmed != "":
			list = listItem.MatchString(line) || list && strings.HasPrefix(line, " ")
			if blank && !list && strings.HasPrefix(line, "    ") {
				faults = append(faults, "indented code, use a fence: "+line)
			}
		}
		blank = trimmed == ""
	}
	if open != nil {
		faults = append(faults, "a fence is not closed: "+open.text)
	}
	return found, faults
}

// terminal is a shell that stays open from block to block.
type terminal struct {
	in  io.Writer
	out *bufio.Reader
	dir string
}

// openTerminal starts a terminal in a directory. Its programs mneme and go are the one under test.
func openTerminal(t *testing.T, dir, bin string, env ...string) *terminal {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail")
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + dir}, env...)
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	cmd.Stderr = cmd.Stdout
	cmd.WaitDelay = time.Second // what it started holds its output
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return &terminal{in, bufio.NewReader(out), t.TempDir()}
}

// run types commands and returns what they print. They have failed where the shell ends.
func (s *terminal) run(t *testing.T, commands string) string {
	t.Helper()
	file := filepath.Join(s.dir, "typed")
	require.NoError(t, os.WriteFile(file, []byte(commands), 0o600))
	never := time.AfterFunc(blockTime, func() { panic("this block never ends:\n" + commands) })
	defer never.Stop()
	_, err := io.WriteString(s.in, ". "+file+" </dev/null 2>&1; printf '\\0'\n")
	require.NoError(t, err)
	said, err := s.out.ReadString(0)
	require.NoErrorf(t, err, "this block failed:\n%s\n%s", commands, said)
	return strings.TrimSuffix(said, "\x00")
}

var (
	serving = regexp.MustCompile(`(?m)^((?:[A-Z_0-9]+=\S+ )*)(mneme serve|go run \.)((?: --\S+(?:[ =][^-#\s]\S*)?)*) *(?:#.*)?$`)
	listens = regexp.MustCompile(`--listen[ =]\S+`)
)

// serve types commands of which one serves, and returns the server's address.
func (s *terminal) serve(t *testing.T, commands string) string {
	t.Helper()
	commands = listens.ReplaceAllString(commands, "")
	commands = serving.ReplaceAllString(commands, "${1}exec env MNEME_LISTEN=127.0.0.1:0 $2$3")
	file := filepath.Join(s.dir, "typed")
	require.NoError(t, os.WriteFile(file, []byte(commands), 0o600))
	_, err := io.WriteString(s.in, ". "+file+" </dev/null 2>&1\n")
	require.NoError(t, err)
	var said strings.Builder
	for {
		line, err := s.out.ReadString('\n')
		said.WriteString(line)
		if found := servedURL.FindStringSubmatch(line); found != nil {
			go func() { _, _ = io.Copy(io.Discard, s.out) }() // a full pipe would hold the server up
			return found[1]
		}
		require.NoErrorf(t, err, "the server does not start:\n%s\n%s", commands, &said)
	}
}

// reader follows a document.
type reader struct {
	document string
	dir, bin string
	env      []string
	replace  *strings.Replacer // what the document cannot know, beside the server's address
	typing   *terminal
	url      string
	key      string
}

// newReader makes an empty directory in which the commands of a clone work.
func newReader(t *testing.T, document string) *reader {
	t.Helper()
	r := &reader{document: document, dir: t.TempDir(), bin: t.TempDir(), replace: strings.NewReplacer()}
	examples, err := filepath.Abs("../../examples")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(examples, filepath.Join(r.dir, "examples")))
	require.NoError(t, os.Symlink(binary, filepath.Join(r.bin, "mneme")))
	run := "#!/bin/sh\ncase \"$1 $2\" in 'run .') shift 2; exec mneme \"$@\";; 'install .') ;; *) exit 2;; esac\n"
	require.NoError(t, os.WriteFile(filepath.Join(r.bin, "go"), []byte(run), 0o700))
	return r
}

// withSample puts the sample into the directory and serves it.
func (r *reader) withSample(t *testing.T, sample string) {
	t.Helper()
	data := filepath.Join(r.dir, "mneme-data")
	require.NoError(t, os.Mkdir(data, 0o700))
	out, err := command(t, nil, "backup", "--data", sample, filepath.Join(data, "default.db")).CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	r.url = serve(t, data).url
}

// sh types a block and returns what it printed.
func (r *reader) sh(t *testing.T, text string) string {
	t.Helper()
	assert.NotContains(t, text, "…", "a reader cannot type it")
	if r.typing == nil {
		r.typing = openTerminal(t, r.dir, r.bin, r.env...)
	}
	if serving.MatchString(text) {
		r.url, r.typing = r.typing.serve(t, r.replace.Replace(text)), nil
		return ""
	}
	said := r.typing.run(t, r.replace.Replace(strings.ReplaceAll(text, "http://127.0.0.1:8080", r.url)))
	assert.NotContains(t, said, `"errors"`, text)
	return said
}

// graphql executes a query and returns its answer. Of a subscription it wants only that it opens.
func (r *reader) graphql(t *testing.T, query string, variables json.RawMessage) string {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), blockTime)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+"/graphql", bytes.NewReader(body))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	if r.key != "" {
		request.Header.Set("Authorization", "Bearer "+r.key)
	}
	subscribes := strings.HasPrefix(strings.TrimSpace(query), "subscription")
	if subscribes {
		request.Header.Set("Accept", "text/event-stream")
	}
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusUnauthorized && r.key == "" { // the document made the first key
		r.key = strings.TrimSpace(openTerminal(t, r.dir, r.bin).run(t, "mneme keys create --role admin 2>/dev/null\n"))
		return r.graphql(t, query, variables)
	}
	require.Equal(t, http.StatusOK, answer.StatusCode, query)
	if subscribes {
		return ""
	}
	said, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	assert.NotContainsf(t, string(said), `"errors"`, "%s", query)
	return string(said)
}

// needsVariables says whether a query is one of the schema and declares variables.
func needsVariables(t *testing.T, schema *ast.Schema, query string) bool {
	t.Helper()
	document, faults := gqlparser.LoadQueryWithRules(schema, query, rules.NewDefaultRules())
	require.Empty(t, faults, query)
	require.Len(t, document.Operations, 1, "a block holds one operation: %s", query)
	return len(document.Operations[0].VariableDefinitions) > 0
}

// follow runs the blocks that skip does not name, and returns what each printed.
func (r *reader) follow(t *testing.T, schema *ast.Schema, all []block, skip func(block) bool) (said []string) {
	t.Helper()
	for i, b := range all {
		if leftOut(r.document, b) || skip(b) {
			continue
		}
		out := ""
		switch b.language {
		case "sh":
			out = r.sh(t, b.text)
		case "graphql":
			var variables json.RawMessage
			if needsVariables(t, schema, b.text) && i+1 < len(all) && all[i+1].language == "json" {
				variables = json.RawMessage(all[i+1].text)
			}
			out = r.graphql(t, b.text, variables)
		default:
			continue
		}
		said = append(said, out)
		for _, a := range answers {
			if a.document == r.document && strings.Contains(b.text, a.contains) {
				assert.Contains(t, out, a.answer, b.text)
			}
		}
	}
	return said
}

func leftOut(document string, b block) bool {
	for _, n := range notRun {
		if n.document == document && b.language == "sh" && strings.Contains(b.text, n.contains) {
			return true
		}
	}
	return false
}

func loadSchema(t *testing.T) *ast.Schema {
	t.Helper()
	text, err := os.ReadFile("../../schema/schema.graphql")
	require.NoError(t, err)
	schema, err := gqlparser.LoadSchema(&ast.Source{Name: "schema.graphql", Input: string(text)})
	require.NoError(t, err)
	return schema
}

const tutorial = "docs/tutorial.md"

// documents are the names of the files whose code is run.
func documents(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	for i, path := range names {
		names[i] = strings.TrimPrefix(path, "../../")
	}
	return append(names, "README.md", "CONTRIBUTING.md", "examples/README.md")
}

func blocksOf(t *testing.T, document string) (found []block, faults []string) {
	t.Helper()
	text, err := os.ReadFile("../../" + document)
	require.NoError(t, err)
	return blocks(string(text))
}

func TestCodeOfTheDocuments(t *testing.T) {
	t.Parallel()
	needCurl(t)
	schema, sample := loadSchema(t), t.TempDir()
	out, err := command(t, nil, "demo", "--data", sample).CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	for _, name := range documents(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, faults := blocksOf(t, name)
			assert.Empty(t, faults)
			if name == tutorial { // it is followed on both stores
				return
			}
			r := newReader(t, name)
			if name != "README.md" { // it begins with nothing
				r.withSample(t, sample)
			}
			r.follow(t, schema, all, func(block) bool { return false })
		})
	}
}

func needCurl(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skip("left out: needs curl")
	}
}

func TestListsOfTheDocumentsAreCurrent(t *testing.T) {
	t.Parallel()
	there := func(document, contains string) bool {
		all, _ := blocksOf(t, document)
		return slices.ContainsFunc(all, func(b block) bool { return strings.Contains(b.text, contains) })
	}
	for _, n := range notRun {
		assert.Truef(t, there(n.document, n.contains), "%s has no block with %q: take it out of notRun", n.document, n.contains)
	}
	for _, a := range answers {
		assert.Truef(t, there(a.document, a.contains), "%s has no block with %q: take it out of answers", a.document, a.contains)
	}
}

// The lines that docs/importing.md shows are those of the files that it imports.
func TestImportedExamplesAreThoseOfTheDocument(t *testing.T) {
	t.Parallel()
	var shown []string
	all, _ := blocksOf(t, "docs/importing.md")
	for _, b := range all {
		if b.language == "json" {
			shown = append(shown, b.text)
		}
	}
	for i, name := range []string{"events", "records", "executions", "verdicts"} {
		lines, err := os.ReadFile("../../examples/import/" + name + ".jsonl")
		require.NoError(t, err)
		assert.Equal(t, string(lines), shown[i], name)
	}
}
