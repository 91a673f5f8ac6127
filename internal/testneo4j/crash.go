package testneo4j

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"time"
)

// Crash ends the server at once, as a power cut would. Its data stays, for Restart or Down.
func (s *Server) Crash(ctx context.Context) error {
	if s.Container != "" {
		return docker(ctx, "kill", s.Container)
	}
	if !s.owns(ctx) {
		return fmt.Errorf("process %d is not the server any more", s.PID)
	}
	process, err := os.FindProcess(s.PID)
	if err != nil {
		return err
	}
	if err := process.Kill(); err != nil {
		return err
	}
	for s.owns(ctx) {
		time.Sleep(10 * time.Millisecond)
	}
	return nil
}

// Restart starts a server that crashed again, on its data and at its address, and waits until it answers. root
// is the directory that Up was given.
func (s *Server) Restart(ctx context.Context, root string, progress io.Writer) error {
	if s.Container != "" {
		if err := docker(ctx, "start", s.Container); err != nil {
			return err
		}
		return s.wait(ctx, progress)
	}
	address, err := url.Parse(s.URL)
	if err != nil {
		return err
	}
	classpath, err := os.ReadFile(classpathList(root))
	if err != nil {
		return err
	}
	if err := s.launch(ctx, root, strings.TrimSpace(string(classpath)), address.Port()); err != nil {
		return err
	}
	return s.wait(ctx, progress)
}

func docker(ctx context.Context, verb, container string) error {
	if output, err := exec.CommandContext(ctx, "docker", verb, container).CombinedOutput(); err != nil {
		return fmt.Errorf("docker %s %s: %w\n%s", verb, container, err, output)
	}
	return nil
}
