package cli_test

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readied is what a server tells its parent.
type readied struct{ Address, Key string }

// awaitReady waits for the ready file of a server, which comes into being whole.
func awaitReady(t *testing.T, file string) (told readied) {
	t.Helper()
	var text []byte
	require.Eventually(t, func() bool {
		var err error
		text, err = os.ReadFile(file)
		return err == nil
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, json.Unmarshal(text, &told), string(text))
	assert.Equal(t, 1, strings.Count(string(text), "\n"))
	return told
}

// asked is what a server answers to a GraphQL request.
func asked(t *testing.T, address, key, query string) (status int, answer string) {
	t.Helper()
	body, err := json.Marshal(map[string]string{"query": query})
	require.NoError(t, err)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/graphql", strings.NewReader(string(body)))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	if key != "" {
		request.Header.Set("Authorization", "Bearer "+key)
	}
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(text)
}

// Two servers on the same data end cleanly though their parent is killed, and with it whoever read their log.
func TestServersOfAnotherProcessEndWithIt(t *testing.T) {
	t.Parallel()
	dir, data := t.TempDir(), t.TempDir()
	files := []string{filepath.Join(dir, "one"), filepath.Join(dir, "two")}
	const start = `"$0" serve --listen 127.0.0.1:0 --data "$1" --log-level debug --exit-with-parent --ready-key --ready-file `
	parent := exec.Command("sh", "-c", start+`"$2" & `+start+`"$3" & wait`, binary, data, files[0], files[1])
	parent.Env = []string{"PATH=" + os.Getenv("PATH"), "MNEME_API_KEY=of-another-server"}
	log, out, err := os.Pipe()
	require.NoError(t, err)
	parent.Stdout, parent.Stderr = out, out
	require.NoError(t, parent.Start())
	require.NoError(t, out.Close())

	one, two := awaitReady(t, files[0]), awaitReady(t, files[1])
	require.NoError(t, log.Close())
	const count = "{ episodes(first: 1) { totalCount } }"
	for _, wrong := range []string{"", "of-another-server", two.Key} {
		status, _ := asked(t, one.Address, wrong, count)
		assert.Equal(t, 401, status, wrong)
	}
	_, answer := asked(t, one.Address, one.Key, `mutation { recordEpisode(input: {id: "e", agentId: "a", observation: "It rained."}) { episode { id } } }`)
	assert.Contains(t, answer, "episode:e")
	_, answer = asked(t, two.Address, two.Key, count)
	assert.Contains(t, answer, `"totalCount":1`)
	for _, file := range files {
		info, err := os.Stat(file)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
	kept, err := filepath.Glob(filepath.Join(data, "*"))
	require.NoError(t, err)
	require.NotEmpty(t, kept)
	for _, file := range kept {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.NotContains(t, string(text), one.Key, "a key is in no file but the one for the parent")
	}

	require.NoError(t, parent.Process.Signal(syscall.SIGKILL))
	_ = parent.Wait()
	for i, told := range []readied{one, two} {
		require.Eventually(t, func() bool {
			_, err := os.Stat(files[i])
			connection, refused := net.Dial("tcp", strings.TrimPrefix(told.Address, "http://"))
			if refused == nil {
				connection.Close()
			}
			return os.IsNotExist(err) && refused != nil
		}, time.Minute, 20*time.Millisecond)
	}
	require.Eventually(t, func() bool {
		left, err := filepath.Glob(filepath.Join(data, "*-wal"))
		return err == nil && len(left) == 0
	}, time.Minute, 20*time.Millisecond, "the database is closed")
}

// Ctrl-C at a terminal reaches the parent and the server. It is the parent's to end the server.
func TestServerLeavesCtrlCToItsParent(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ready")
	require.NoError(t, os.WriteFile(file, []byte("of one that was killed"), 0o600))
	server := command(t, nil, "serve", "--listen", "127.0.0.1:0", "--exit-with-parent", "--ready-file", file)
	require.NoError(t, server.Start())
	require.Eventually(t, func() bool {
		text, err := os.ReadFile(file)
		return err == nil && strings.HasPrefix(string(text), "{")
	}, time.Minute, 10*time.Millisecond)
	told := awaitReady(t, file)
	assert.Empty(t, told.Key, "none was asked for")
	require.NoError(t, server.Process.Signal(syscall.SIGINT))
	for range 20 {
		status, _ := asked(t, told.Address, "", "{ episodes(first: 1) { totalCount } }")
		assert.Equal(t, 200, status)
	}
	require.NoError(t, server.Process.Signal(syscall.SIGTERM))
	require.NoError(t, server.Wait())
	assert.NoFileExists(t, file)
}

func TestReadyFilesThatCannotBe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	made(t, dir)
	for says, args := range map[string][]string{
		"--ready-key makes a key that nobody is told": {"--ready-key"},
		"belongs to the data":                         {"--ready-file", filepath.Join(dir, "_keys.db")},
	} {
		fails(t, command(t, nil, append([]string{"serve", "--listen", "127.0.0.1:0", "--data", dir}, args...)...), 2, says)
	}
	fails(t, command(t, nil, "serve", "--listen", "127.0.0.1:0", "--data", dir, "--ready-file", filepath.Join(dir, "none", "ready")), 1, "cannot be written")
	assert.FileExists(t, filepath.Join(dir, "_keys.db"))
}
