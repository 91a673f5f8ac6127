package cli_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
	build := exec.Command("go", "build", "-o", binary, "../..")
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
func serve(t *testing.T, dir string, env ...string) *server {
	t.Helper()
	s := &server{Cmd: command(t, env, "serve", "--listen", "127.0.0.1:0", "--data", dir), err: &bytes.Buffer{}}
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

// ask sends a query and reads its data; it reports faults as an error, for it is called by many goroutines.
func (s *server) ask(ctx context.Context, query string, data any) error {
	body, err := json.Marshal(map[string]string{"query": query})
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var parsed struct {
		Data   json.RawMessage
		Errors []struct{ Message string }
	}
	if err := json.NewDecoder(answer.Body).Decode(&parsed); err != nil {
		return err
	}
	if len(parsed.Errors) > 0 {
		return errors.New(parsed.Errors[0].Message)
	}
	return json.Unmarshal(parsed.Data, data)
}

// episodes counts them.
func (s *server) episodes(t *testing.T) int {
	t.Helper()
	var data struct{ Episodes struct{ TotalCount int } }
	require.NoError(t, s.ask(t.Context(), `{ episodes(first: 1) { totalCount } }`, &data))
	return data.Episodes.TotalCount
}

// record writes an episode and returns once that is acknowledged.
func (s *server) record(ctx context.Context, key string) error {
	var data struct {
		RecordEpisode struct{ Episode struct{ ID string } }
	}
	err := s.ask(ctx, fmt.Sprintf(`mutation { recordEpisode(input: {id: %q, agentId: "a", observation: %q}) { episode { id } } }`,
		key, strings.Repeat("Something happened. ", 20)), &data)
	if err == nil && data.RecordEpisode.Episode.ID != "episode:"+key {
		err = fmt.Errorf("acknowledged as %q", data.RecordEpisode.Episode.ID)
	}
	return err
}

// has says whether an episode is there.
func (s *server) has(t *testing.T, key string) bool {
	t.Helper()
	var data struct{ Episode *struct{ ID string } }
	require.NoError(t, s.ask(t.Context(), fmt.Sprintf(`{ episode(id: %q) { id } }`, key), &data))
	return data.Episode != nil
}
