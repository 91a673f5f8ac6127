package cli_test

import (
	"bufio"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

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
