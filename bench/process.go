package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// process is a system under load, in a process of its own so that it shares nothing with the load.
type process struct {
	command *exec.Cmd
	said    *bytes.Buffer
	url     string // without a path
}

// start runs a command that serves on a free port of loopback and waits until it answers. args gets the
// address host:port.
func start(ctx context.Context, env []string, args func(address string) []string) (*process, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	line := args(address)
	p := &process{command: exec.CommandContext(ctx, line[0], line[1:]...), said: &bytes.Buffer{}, url: "http://" + address}
	p.command.Env = append(os.Environ(), env...)
	p.command.Stdout, p.command.Stderr = p.said, p.said
	p.command.Cancel = func() error { return p.command.Process.Signal(syscall.SIGTERM) }
	p.command.WaitDelay = 10 * time.Second
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	for range 300 {
		if response, err := http.Get(p.url + "/healthz"); err == nil {
			_ = response.Body.Close()
			return p, nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	p.stop()
	return nil, fmt.Errorf("%v did not answer within 30 s; it said:\n%s", line, p.said)
}

func (p *process) stop() {
	_ = p.command.Process.Signal(syscall.SIGTERM)
	var exit *exec.ExitError
	if err := p.command.Wait(); err != nil && !errors.As(err, &exit) {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
}

func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}
