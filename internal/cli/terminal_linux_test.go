package cli_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// On a terminal a deletion says what would go, and asks.
func TestDeletionsAsk(t *testing.T) {
	t.Parallel()
	keyboard, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("left out: there are no terminals here: %v", err)
	}
	defer keyboard.Close()
	require.NoError(t, unix.IoctlSetPointerInt(int(keyboard.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(keyboard.Fd()), unix.TIOCGPTN)
	require.NoError(t, err)
	terminal, err := os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	require.NoError(t, err)
	defer terminal.Close()
	dir := t.TempDir()
	done(t, twoEpisodes, "import", "--format", "jsonl", "--data", dir, "-")
	for _, answer := range []string{"", "n", "yes"} {
		cmd := command(t, nil, "forget", "--agent", "a", "--data", dir)
		cmd.Stdin = terminal
		var out, err strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &err
		_, failed := keyboard.WriteString(answer + "\n")
		require.NoError(t, failed)
		failed = cmd.Run()
		assert.Contains(t, err.String(), "This deletes agent:a, and with it 2 episodes, for good.\nGo on? [y/N] ")
		if answer == "yes" {
			require.NoError(t, failed, err.String())
			assert.Equal(t, "Deleted agent:a, and with it 2 episodes.\n", out.String())
			continue
		}
		require.Error(t, failed)
		assert.Contains(t, err.String(), "mneme: nothing was done")
		assert.Empty(t, out.String())
	}
}

// Who starts it by hand is told what it waits for.
func TestMCPOnATerminalSaysWhatItWaitsFor(t *testing.T) {
	t.Parallel()
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("left out: there are no terminals here: %v", err)
	}
	defer terminal.Close()
	cmd := command(t, nil, "mcp", "--data", t.TempDir())
	cmd.Stdin = terminal
	stderr, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	said, err := bufio.NewReader(stderr).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, said, "Model Context Protocol")
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, cmd.Wait())
}

func TestImportIsInterruptedWhileAPipeHasNoWriter(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	requireInterrupted(t, pipe)
}
