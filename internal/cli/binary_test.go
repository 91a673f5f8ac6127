package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// binary is the program itself, built once for the tests that need processes.
var binary string

func TestMain(m *testing.M) {
	os.Exit(withBinary(m))
}

func withBinary(m *testing.M) int {
	dir, err := os.MkdirTemp("", "mneme-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "mneme")
	build := exec.Command("go", "build", "-o", binary, "mneme")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return 1
	}
	// Another user runs it in one of the tests.
	if err := os.Chmod(dir, 0o755); err != nil {
		return 1
	}
	return m.Run()
}

// command is a run of the binary with no variables but the given ones ("NAME=value").
func command(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, env...)
	cmd.Dir = t.TempDir()
	return cmd
}

// server is a process that serves.
type server struct {
	*exec.Cmd
	url string
	err *bytes.Buffer
}

var servedURL = regexp.MustCompile(`(http://\S+)/graphql`)

// serve starts a server on a free port and waits until it has said where.
func serve(t *testing.T, dir string) *server {
	t.Helper()
	s := &server{Cmd: command(t, nil, "serve", "--listen", "127.0.0.1:0", "--data", dir), err: &bytes.Buffer{}}
	s.Stderr = s.err
	out, err := s.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, s.Start())
	t.Cleanup(func() { _ = s.Process.Kill(); _ = s.Wait() })
	lines := bufio.NewScanner(out)
	for s.url == "" && lines.Scan() {
		if found := servedURL.FindStringSubmatch(lines.Text()); found != nil {
			s.url = found[1]
		}
	}
	require.NotEmpty(t, s.url, "the server says where it serves: %s", s.err)
	go func() { // a full pipe would hold the server up
		for lines.Scan() {
			continue
		}
	}()
	return s
}

// kill ends the server at once, as a power cut would.
func (s *server) kill(t *testing.T) {
	t.Helper()
	require.NoError(t, s.Process.Signal(syscall.SIGKILL))
	_ = s.Wait() // it reports the signal
}

// ask sends a query and returns its data; it reports faults as an error, for it is called by many goroutines.
func (s *server) ask(ctx context.Context, query string) (map[string]any, error) {
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	var parsed struct {
		Data   map[string]any
		Errors []struct{ Message string }
	}
	if err := json.NewDecoder(answer.Body).Decode(&parsed); err != nil {
		return nil, err
	}
	if len(parsed.Errors) > 0 {
		return nil, fmt.Errorf("%s", parsed.Errors[0].Message)
	}
	return parsed.Data, nil
}

// episodes counts them.
func (s *server) episodes(t *testing.T) int {
	t.Helper()
	data, err := s.ask(t.Context(), `{ episodes(first: 1) { totalCount } }`)
	require.NoError(t, err)
	return int(data["episodes"].(map[string]any)["totalCount"].(float64))
}

func record(key string) string {
	return fmt.Sprintf(`mutation { recordEpisode(input: {id: %q, agentId: "a", observation: %q}) { episode { id } } }`,
		key, strings.Repeat("Something happened. ", 20))
}
