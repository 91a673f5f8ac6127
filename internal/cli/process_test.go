package cli_test

import (
	"bufio"
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver, to write a file as another version would

	"mneme/internal/demo"
	"mneme/internal/testneo4j"
)

// What was acknowledged before a kill -9 is there after a restart, also where many write at once.
func TestAcknowledgedWritesSurviveKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	acknowledged := map[string]bool{}
	for round := range 4 {
		s := serve(t, dir)
		for key := range acknowledged {
			require.True(t, s.has(t, key), "%s was acknowledged", key)
		}
		for key := range writeUntilKilled(t, s, round) {
			acknowledged[key] = true
		}
	}
	assert.Greater(t, len(acknowledged), 4*8)
}

// writeUntilKilled lets eight clients write, and kills the server right after an acknowledgement.
func writeUntilKilled(t *testing.T, s *server, round int) map[string]bool {
	t.Helper()
	var mu sync.Mutex
	acknowledged := map[string]bool{}
	enough := make(chan struct{})
	var clients sync.WaitGroup
	for client := range 8 {
		clients.Go(func() {
			for n := 0; ; n++ {
				key := fmt.Sprintf("round-%d-client-%d-%d", round, client, n)
				if err := s.record(t.Context(), key); err != nil {
					return // the server is gone
				}
				mu.Lock()
				acknowledged[key] = true
				if len(acknowledged) == 40 {
					close(enough)
				}
				mu.Unlock()
			}
		})
	}
	gone := make(chan struct{})
	go func() { clients.Wait(); close(gone) }()
	select {
	case <-enough:
	case <-gone:
		require.Fail(t, "the server answers no more", s.err)
	}
	s.kill(t)
	<-gone
	return acknowledged
}

func TestServeImportAndDemoSideBySide(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := serve(t, dir)
	var lines strings.Builder
	for n := range 300 {
		fmt.Fprintf(&lines, `{"kind": "episode", "record": {"id": "imported-%d", "agentId": "a", "observation": "Imported."}}`+"\n", n)
	}
	importing := command(t, nil, "import", "--format", "jsonl", "--data", dir, "-")
	importing.Stdin = strings.NewReader(lines.String())
	loading := command(t, nil, "demo", "--data", dir)
	var beside sync.WaitGroup
	for _, cmd := range []*exec.Cmd{importing, loading} {
		beside.Go(func() {
			out, err := cmd.CombinedOutput()
			assert.NoErrorf(t, err, "%s: %s", cmd.Args[1], out)
		})
	}
	for n := range 100 {
		require.NoError(t, s.record(t.Context(), fmt.Sprintf("served-%d", n)))
	}
	beside.Wait()
	assert.Equal(t, 300+200+100, s.episodes(t), "the server sees what the others wrote")
}

// What `mneme demo` prints to try is answered, and not with nothing.
func TestExamplesAnswer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out, err := command(t, nil, "demo", "--data", dir).CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	s := serve(t, dir)
	assert.Contains(t, string(out), demo.Examples)
	for example := range strings.SplitSeq(demo.Examples, "\n\n") {
		var data map[string]json.RawMessage
		require.NoError(t, s.ask(t.Context(), example, &data), example)
		for field, answer := range data {
			assert.Regexp(t, `"(hits|byType|nodes)":\[\{|^\[\{|"promptBlock":"#|"dos":\["|"verdicts":[1-9]`, string(answer), "%s of %q finds something", field, example)
		}
	}
}

func TestImportIsInterruptedWhileItWaits(t *testing.T) {
	t.Parallel()
	requireInterrupted(t, "-")
}

func requireInterrupted(t *testing.T, file string) {
	t.Helper()
	cmd := command(t, nil, "import", "--format", "jsonl", "--data", beginning(t), file)
	stdin, err := cmd.StdinPipe()
	require.NoError(t, err)
	defer stdin.Close()
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	said := bufio.NewReader(stderr)
	begun, err := said.ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, begun, "Importing into")
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	rest, err := io.ReadAll(said)
	require.NoError(t, err)
	assert.Contains(t, string(rest), "import again to go on")
	var exit *exec.ExitError
	require.ErrorAs(t, cmd.Wait(), &exit)
	assert.Equal(t, 1, exit.ExitCode())
}

func TestServeEndsCleanly(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		dir := t.TempDir()
		s := serve(t, dir)
		require.NoError(t, s.record(t.Context(), "e"))
		require.NoError(t, s.Process.Signal(signal))
		require.NoErrorf(t, s.Wait(), "exit status 0 on %v: %s", signal, s.err)
		assert.NotContains(t, s.err.String(), "level=ERROR")
		left, err := filepath.Glob(filepath.Join(dir, "*-wal"))
		require.NoError(t, err)
		assert.Empty(t, left, "the database is closed")
		assert.Equal(t, 1, serve(t, dir).episodes(t))
	}
}

// What was read right before the end is counted: it waits for no window that never comes.
func TestServeCountsReadsToTheEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := serve(t, dir)
	var recorded struct{}
	require.NoError(t, s.ask(t.Context(), `mutation { recordObservation(input: {id: "o", content: "The printer jams."}) { observation { id } } }`, &recorded))
	for range 5 {
		require.NoError(t, s.ask(t.Context(), `{ node(id: "observation:o") { id } }`, &recorded))
	}
	require.NoError(t, s.Process.Signal(syscall.SIGTERM))
	require.NoErrorf(t, s.Wait(), "%s", s.err)
	var data struct {
		Observations struct{ Nodes []struct{ AccessCount int } }
	}
	require.NoError(t, serve(t, dir).ask(t.Context(), `{ observations { nodes { accessCount } } }`, &data))
	assert.Equal(t, 5, data.Observations.Nodes[0].AccessCount)
}

// fails runs a command that cannot start and wants it to say why, and what to do, in few words.
func fails(t *testing.T, cmd *exec.Cmd, status int, says ...string) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	require.Truef(t, errors.As(cmd.Run(), &exit), "it fails, but said %s", &out)
	assert.Equal(t, status, exit.ExitCode(), errs.String())
	assert.True(t, strings.HasPrefix(errs.String(), "mneme: "), errs.String())
	assert.LessOrEqual(t, strings.Count(errs.String(), "\n"), 3, errs.String())
	for _, words := range says {
		assert.Contains(t, errs.String(), words)
	}
	assert.Empty(t, out.String(), "nothing is served")
}

func TestPortIsTaken(t *testing.T) {
	t.Parallel()
	other, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer other.Close()
	address := other.Addr().String()
	fails(t, command(t, nil, "serve", "--listen", address), 1, "another program listens at "+address, "choose another port with --listen")
}

func TestNoKeyBeyondThisMachine(t *testing.T) {
	t.Parallel()
	fails(t, command(t, []string{"MNEME_LISTEN=0.0.0.0:0"}), 2, "0.0.0.0:0", "Set MNEME_API_KEY")
}

func TestDataIsAFile(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for _, args := range [][]string{{"serve", "--listen", "127.0.0.1:0"}, {"demo"}} {
		cmd := command(t, nil, append(args, "--data", file)...)
		fails(t, cmd, 1, file+" cannot be used", "A file is in its place")
	}
}

func TestDataIsNotWritable(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "data")
	require.NoError(t, os.Mkdir(dir, 0o555))
	for _, at := range []string{dir, filepath.Join(dir, "below")} {
		cmd := command(t, nil, "demo", "--data", at)
		if os.Getuid() == 0 { // who may write everywhere
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
			for parent := filepath.Dir(at); len(parent) > len(os.TempDir()); parent = filepath.Dir(parent) {
				require.NoError(t, os.Chmod(parent, 0o755))
			}
			cmd.Dir = "/"
		}
		fails(t, cmd, 1, at+" cannot be used: permission denied", "the right to write there")
	}
}

func TestDataIsOfAnotherVersion(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, "default.db"))
	require.NoError(t, err)
	_, err = db.Exec("PRAGMA application_id = 0x6d6e656d; PRAGMA user_version = 9999; CREATE TABLE later (id)")
	require.NoError(t, err)
	require.NoError(t, db.Close())
	fails(t, command(t, nil, "serve", "--listen", "127.0.0.1:0", "--data", dir), 1, "made by another version: it needs a later version than this one", "9999", "Nothing was changed")
}

// Keys of another version, or another program's file in their place, are left alone: without any, a server is open.
func TestKeysAreNotThisProgramsToRead(t *testing.T) {
	t.Parallel()
	for says, mark := range map[string]string{"made by another version": "PRAGMA user_version = 99", "database of another program": "PRAGMA application_id = 7"} {
		dir := t.TempDir()
		made(t, dir)
		db, err := sql.Open("sqlite", filepath.Join(dir, "_keys.db"))
		require.NoError(t, err)
		_, err = db.Exec(mark)
		require.NoError(t, err)
		require.NoError(t, db.Close())
		for _, listen := range []string{"127.0.0.1:0", "0.0.0.0:0"} {
			fails(t, command(t, nil, "serve", "--listen", listen, "--data", dir), 1, dir, says)
		}
		listed := mneme(t, nil, "", "keys", "list", "--data", dir)
		assert.Equal(t, 1, listed.status)
		assert.Contains(t, listed.err, says)
		told := mneme(t, nil, "", "doctor", "--data", dir)
		assert.Equal(t, 1, told.status)
		assert.Contains(t, told.out, "access keys: they cannot be read: ")
		assert.Contains(t, told.out, says)
		assert.NotContains(t, told.out, "delete")
	}
}

func TestDataIsNoDatabase(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "default.db"), []byte(strings.Repeat("not a database ", 100)), 0o600))
	fails(t, command(t, nil, "serve", "--listen", "127.0.0.1:0", "--data", dir), 1, dir, "--data")
}

// A database that is not mneme's is left alone, and a server that could never answer does not start.
func TestDataIsOfAnotherProgram(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{"", "PRAGMA application_id = 7; PRAGMA user_version = 9999;", "PRAGMA journal_mode = wal; PRAGMA user_version = 3;"} {
		dir := t.TempDir()
		db, err := sql.Open("sqlite", filepath.Join(dir, "default.db"))
		require.NoError(t, err)
		_, err = db.Exec(mark + "CREATE TABLE theirs (id); INSERT INTO theirs VALUES (1)")
		require.NoError(t, err)
		require.NoError(t, db.Close())
		path := filepath.Join(dir, "default.db")
		require.NoError(t, os.Chmod(path, 0o644))
		before, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, args := range [][]string{
			{"serve", "--listen", "127.0.0.1:0"}, {"export"}, {"recall", "x"}, {"demo"}, {"doctor"}, {"rebuild"}, {"backup", filepath.Join(t.TempDir(), "b.db")},
		} {
			out, err := command(t, nil, append(args, "--data", dir)...).CombinedOutput()
			var exit *exec.ExitError
			require.ErrorAs(t, err, &exit, "%s: %s", args, out)
			assert.Equal(t, 1, exit.ExitCode(), "%s: %s", args, out)
			assert.Contains(t, string(out), "database of another program", args)
			assert.NotContains(t, string(out), "chmod", args)
			after, err := os.ReadFile(path)
			require.NoError(t, err)
			assert.True(t, bytes.Equal(before, after), "changed by %s", args)
			info, err := os.Stat(path)
			require.NoError(t, err)
			assert.Equal(t, os.FileMode(0o644), info.Mode().Perm(), args)
		}
	}
}

func TestNeo4jDoesNotAnswer(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := "neo4j://" + listener.Addr().String()
	require.NoError(t, listener.Close())
	fails(t, command(t, nil, "serve", "--listen", "127.0.0.1:0", "--store", address), 1, "no Neo4j answers at "+address, "Start it")
}

func TestNeo4jRefuses(t *testing.T) {
	t.Parallel()
	server := testneo4j.Reach(t)
	// A user of its own, so that the wrong passwords lock out nobody else.
	fails(t, command(t, []string{"MNEME_NEO4J_USER=nobody", "MNEME_NEO4J_PASSWORD=wrong"}, "serve", "--listen", "127.0.0.1:0", "--store", server.URL),
		1, `does not accept the user "nobody"`, "MNEME_NEO4J_PASSWORD")
	fails(t, command(t, []string{"MNEME_NEO4J_USER=" + server.User, "MNEME_NEO4J_PASSWORD=" + server.Password, "MNEME_NEO4J_DATABASE=elsewhere"},
		"serve", "--listen", "127.0.0.1:0", "--store", server.URL), 1, `has no database "elsewhere"`, "MNEME_NEO4J_DATABASE")
}

func TestHealthcheck(t *testing.T) {
	t.Parallel()
	s := serve(t, t.TempDir())
	assert.Equal(t, s.url+" is ready\n", done(t, "", "healthcheck", s.url))
	s.kill(t)
	fails(t, command(t, nil, "healthcheck", s.url), 1, "connection refused")
	web := httptest.NewServer(http.NotFoundHandler())
	defer web.Close()
	fails(t, command(t, nil, "healthcheck", web.URL), 1, "is not ready: 404 Not Found")
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	fails(t, command(t, nil, "healthcheck", silent.URL), 1, "Client.Timeout exceeded")
}

func TestVersion(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "mneme")
	set := "-X mneme/internal/cli.version=1.2.3 -X mneme/internal/cli.commit=abc -X mneme/internal/cli.date=2026-11-28"
	built, err := exec.CommandContext(t.Context(), "go", "build", "-ldflags", set, "-o", program, "../..").CombinedOutput()
	require.NoError(t, err, string(built))
	for version, program := range map[string]string{`(\S+|development build)`: binary, `1.2.3 \(abc, 2026-11-28\)`: program} {
		said, err := exec.CommandContext(t.Context(), program, "version").Output()
		require.NoError(t, err)
		assert.Regexp(t, `^mneme `+version+`, go1\.\S+ \w+/\w+\n$`, string(said))
	}
}
