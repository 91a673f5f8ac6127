package cli_test

import (
	"errors"
	"fmt"
	"io"
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

// smallDisk mounts a disk of 4 MiB of its own.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=4m")
	if errors.Is(err, syscall.EPERM) && os.Getenv("MNEME_TEST_MOUNT_REQUIRED") == "" {
		t.Skip("left out: this user may not mount a disk (root may)")
	}
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	return dir
}

// fill leaves no room on a disk, until it is called again.
func fill(t *testing.T, disk string) (makeRoom func()) {
	t.Helper()
	path := filepath.Join(disk, "filling")
	file, err := os.Create(path)
	require.NoError(t, err)
	block := make([]byte, 4096)
	for err == nil {
		_, err = file.Write(block)
	}
	require.ErrorIs(t, err, syscall.ENOSPC)
	require.NoError(t, file.Close())
	return func() { require.NoError(t, os.Remove(path)) }
}

// reads uses what must work on a disk that cannot be written, and tries what cannot.
func reads(t *testing.T, data, says string) {
	t.Helper()
	out, err := command(t, nil, "recall", "--data", data, "Something").CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	assert.Contains(t, string(out), "episode:kept")
	file := filepath.Join(t.TempDir(), "elsewhere.jsonl")
	out, err = command(t, nil, "export", "--data", data, file).CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	lines, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Contains(t, string(lines), `"kept"`)
	out, err = command(t, nil, "doctor", "--data", data).CombinedOutput()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit, "%s", out)
	assert.Equal(t, 1, exit.ExitCode())
	assert.Contains(t, string(out), "it cannot be written")
	assert.Equal(t, 1, strings.Count(string(out), "FAULT"), "the rest is sound: %s", out)
	writing := command(t, nil, "import", "--format", "jsonl", "--data", data, "-")
	writing.Stdin = strings.NewReader(`{"kind": "episode", "record": {"id": "late", "agentId": "a", "observation": "Imported."}}`)
	out, err = writing.CombinedOutput()
	require.ErrorAs(t, err, &exit, "%s", out)
	assert.Contains(t, string(out), says)
	out, err = command(t, nil, "forget", "--data", data, "--agent", "a", "--yes").CombinedOutput()
	require.ErrorAs(t, err, &exit, "%s", out)
	assert.Contains(t, string(out), says, "a delete needs room, too")
	backup := filepath.Join(t.TempDir(), "elsewhere.db")
	out, err = command(t, nil, "backup", "--data", data, backup).CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
	assert.FileExists(t, backup)
}

// killed leaves a directory as a server does that was killed: its latest writes are in the log only.
func killed(t *testing.T, data string) {
	t.Helper()
	s := serve(t, data)
	require.NoError(t, s.record(t.Context(), "kept"))
	s.kill(t)
}

func TestDiskIsFull(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t)
	data := filepath.Join(disk, "data")
	killed(t, data)
	makeRoom := fill(t, disk)
	reads(t, data, "the disk is full")
	backup := filepath.Join(disk, "backup.db")
	out, err := command(t, nil, "backup", "--data", data, backup).CombinedOutput()
	require.Error(t, err)
	assert.Contains(t, string(out), "the disk of "+backup+" is full")
	assert.NotContains(t, string(out), "not an error")
	assert.NoFileExists(t, backup)
	for _, name := range []string{"export.jsonl", "export.jsonl.gz"} {
		file := filepath.Join(disk, name)
		out, err := command(t, nil, "export", "--data", data, file).CombinedOutput()
		require.Error(t, err)
		assert.Equal(t, "mneme: the disk of "+file+" is full: make room on it, or name a file on another\n", string(out))
		assert.NoFileExists(t, file)
	}
	s := serve(t, data)
	assert.True(t, s.has(t, "kept"))
	require.ErrorContains(t, s.record(t.Context(), "refused"), "the disk is full")
	assert.Equal(t, http.StatusServiceUnavailable, s.status(t, "/readyz"))
	makeRoom()
	require.NoError(t, s.record(t.Context(), "later"), "as soon as there is room")
	assert.Eventually(t, func() bool { return s.status(t, "/readyz") == http.StatusOK }, time.Minute, 50*time.Millisecond)
	ended(t, s)
	assert.Contains(t, s.err.String(), "the disk is full", "the start says so")

	s = serve(t, data)
	require.NoError(t, s.record(t.Context(), "early"))
	makeRoom = fill(t, disk) // under a server that writes
	var refused error
	for n := 0; refused == nil && n < 1000; n++ {
		refused = s.record(t.Context(), "more"+strings.Repeat("+", n))
	}
	require.ErrorContains(t, refused, "the disk is full")
	require.ErrorContains(t, s.record(t.Context(), "refused"+strings.Repeat("+", 400)), "the disk is full")
	assert.Contains(t, s.spans(t), "the disk is full")
	assert.True(t, s.has(t, "later"))
	makeRoom()
	require.NoError(t, s.record(t.Context(), "latest"))
	ended(t, s)
	assert.Equal(t, 1, strings.Count(s.err.String(), "the store is not as it should be"), "the log says it once: %s", s.err)
	assert.Contains(t, s.err.String(), "the disk is full")
	out, err = command(t, nil, "doctor", "--data", data).CombinedOutput()
	require.NoErrorf(t, err, "%s", out)
}

// The first key, for which there is no room, does not close the server that runs, nor what else reads keys.
func TestDiskHasNoRoomForTheFirstKey(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t)
	data := filepath.Join(disk, "data")
	s := serve(t, data)
	require.NoError(t, s.record(t.Context(), "kept"))
	makeRoom := fill(t, disk)
	made := mneme(t, nil, "", "keys", "create", "--data", data)
	assert.Equal(t, 1, made.status)
	assert.Contains(t, made.err, "the disk is full")
	assert.True(t, s.has(t, "kept"), "it is open as before")
	assert.Contains(t, done(t, "", "keys", "list", "--data", data), "No keys. mneme keys create makes one.\n")
	makeRoom()
	require.NoError(t, s.record(t.Context(), "later"))
	made = mneme(t, nil, "", "keys", "create", "--data", data)
	require.Zero(t, made.status, made.err)
	assert.Equal(t, 1, strings.Count(done(t, "", "keys", "list", "--data", data), "good"))
	require.Error(t, s.record(t.Context(), "latest"), "without the key")
	ended(t, s)
}

func TestDiskBehindStandardOutputIsFull(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	for _, args := range [][]string{{"export"}, {"export", "-"}} {
		var says strings.Builder
		export := command(t, nil, append(args, "--data", beginning(t))...)
		export.Stdout, export.Stderr = full, &says
		var exit *exec.ExitError
		require.ErrorAs(t, export.Run(), &exit)
		assert.Equal(t, 1, exit.ExitCode())
		assert.Equal(t, "mneme: the disk of standard output is full: make room on it, or name a file on another\n", says.String())
	}
}

// What is lost on its way out is no success, whatever asked for it.
func TestAnswersThatAreLostAreFaults(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	require.NoError(t, err)
	defer full.Close()
	const says = "mneme: the disk of standard output is full: make room on it, or name a file on another\n"
	data := beginning(t)
	lost := func(args ...string) string {
		var told strings.Builder
		asked := command(t, nil, args...)
		asked.Stdout, asked.Stderr = full, &told
		var exit *exec.ExitError
		require.ErrorAs(t, asked.Run(), &exit, "%s", args)
		assert.Equal(t, 1, exit.ExitCode(), args)
		return told.String()
	}
	for _, args := range [][]string{{"recall", "x"}, {"doctor"}, {"demo"}, {"keys", "list"}} {
		assert.Equal(t, says, lost(append(args, "--data", data)...), args)
		assert.Equal(t, says, lost(append(args, "--json", "--data", data)...), args)
	}
	assert.Equal(t, says, lost("version"))
	assert.Equal(t, says, lost("--help"))
	assert.True(t, strings.HasSuffix(lost("keys", "create", "--data", data), "\n"+says))
}

// Where there is no room to compact, what is deleted is deleted, and the rest stays due until there is.
func TestDiskHasNoRoomToCompact(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t)
	data, filling := filepath.Join(disk, "data"), filepath.Join(disk, "filling")
	var lines strings.Builder
	for n := range 60 {
		agent := []string{"victimzz", "a"}[n%2]
		fmt.Fprintf(&lines, `{"kind": "episode", "record": {"id": "e%d", "agentId": "%s", "observation": "It was %s%s"}}`+"\n", n, agent, agent, strings.Repeat(" and so on", 1500))
	}
	done(t, lines.String(), "import", "--format", "jsonl", "--data", data, "-")
	require.NoError(t, os.WriteFile(filling, make([]byte, 1200<<10), 0o600))
	forget := mneme(t, nil, "", "forget", "--data", data, "--agent", "victimzz", "--yes")
	assert.Equal(t, 3, forget.status, forget.err)
	assert.Contains(t, forget.out, "and with it 30 episodes")
	assert.Contains(t, forget.err, "it is deleted, but not yet out of the files: UNAVAILABLE: the disk is full")
	require.NoError(t, os.Remove(filling))
	assert.Contains(t, unwrapped(done(t, "", "doctor", "--data", data)), "mneme compact is due")
	assert.Regexp(t, `^Compacted [\d.]+ MB to [\d.]+ MB\.\n$`, done(t, "", "compact", "--data", data))
	assert.Contains(t, done(t, "", "doctor", "--data", data), "nothing of it is left in the file")
	assert.False(t, inFiles(t, data, "victimzz"))
}

func TestDiskIsReadOnly(t *testing.T) {
	t.Parallel()
	disk := smallDisk(t)
	data, clean := filepath.Join(disk, "data"), filepath.Join(disk, "clean")
	killed(t, data)
	killed(t, clean)
	s := serve(t, clean) // one that ended well leaves no log
	require.NoError(t, s.Process.Signal(syscall.SIGTERM))
	require.NoError(t, s.Wait())
	require.NoError(t, syscall.Mount("", disk, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""))
	for _, dir := range []string{data, clean} {
		reads(t, dir, "the disk is read-only")
		compact := mneme(t, nil, "", "compact", "--data", dir)
		assert.Equal(t, 1, compact.status)
		assert.Contains(t, compact.err, "the disk is read-only: nothing can be written")
		s := serve(t, dir)
		assert.True(t, s.has(t, "kept"))
		require.ErrorContains(t, s.record(t.Context(), "refused"), "the disk is read-only")
		require.NoError(t, s.Process.Signal(syscall.SIGTERM))
		require.NoErrorf(t, s.Wait(), "%s", s.err)
	}
}

// ended asks a server to end, after which its log can be read.
func ended(t *testing.T, s *server) {
	t.Helper()
	require.NoError(t, s.Process.Signal(syscall.SIGTERM))
	require.NoErrorf(t, s.Wait(), "%s", s.err)
}

// spans sends one, and answers why it was not kept.
func (s *server) spans(t *testing.T) string {
	t.Helper()
	const span = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331",` +
		`"name":"invoke_agent","startTimeUnixNano":"1780315200000000000","endTimeUnixNano":"1780315201000000000",` +
		`"attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"invoke_agent"}},{"key":"gen_ai.agent.name","value":{"stringValue":"%s"}}]}]}]}]}`
	answer, err := http.Post(s.url+"/v1/traces", "application/json", strings.NewReader(strings.Replace(span, "%s", strings.Repeat("a", 400), 1)))
	require.NoError(t, err)
	defer answer.Body.Close()
	assert.Equal(t, http.StatusServiceUnavailable, answer.StatusCode)
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return string(text)
}

// status answers that of a page.
func (s *server) status(t *testing.T, path string) int {
	t.Helper()
	answer, err := http.Get(s.url + path)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	return answer.StatusCode
}
