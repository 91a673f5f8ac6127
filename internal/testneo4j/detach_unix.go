//go:build unix

package testneo4j

import (
	"os/exec"
	"syscall"
)

// detach gives the process a session of its own, so that an interrupt from the terminal spares it.
func detach(command *exec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}
