package main

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// buildMneme builds the binary into a directory.
func buildMneme(ctx context.Context, dir string) (string, error) {
	binary := filepath.Join(dir, "mneme")
	if out, err := exec.CommandContext(ctx, "go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return binary, nil
}

// serve starts mneme, as one who installs it would, on what is stored.
func (s *scaled) serve(ctx context.Context) (*process, time.Duration, error) {
	binary, err := buildMneme(ctx, s.dir)
	if err != nil {
		return nil, 0, err
	}
	began := time.Now()
	p, err := start(ctx, s.server, func(address string) []string { return []string{binary, "serve", "--listen", address} })
	return p, time.Since(began), err
}

// measureCost measures what so many episodes take while nobody asks for them.
func measureCost(ctx context.Context, _ scalePlan, s *scaled) (string, error) {
	var text strings.Builder
	note, err := s.noted()
	if err != nil {
		return "", err
	}
	if note.Seconds > 0 {
		fmt.Fprintf(&text, "Recorded in batches of 1,000 episodes with their canvases and feedback, a tenth each: %.0f episodes/s.\n", float64(s.size)/note.Seconds)
		fmt.Fprintf(&text, "Size of the data: %.0f MB, %.1f kB an episode.\n", float64(note.Bytes)/1e6, float64(note.Bytes)/1e3/float64(s.size))
	}
	process, took, err := s.serve(ctx)
	if err != nil {
		return "", err
	}
	defer process.stop()
	select {
	case <-time.After(15 * time.Second):
	case <-ctx.Done():
		return "", ctx.Err()
	}
	resident, err := process.resident()
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&text, "From its start to its first answer a server takes %.1f s, and 15 s later it has %.0f MB resident.\n", took.Seconds(), resident)
	return text.String(), nil
}

// resident is how much memory a process has, in MB.
func (p *process) resident() (float64, error) {
	u, err := p.memory()
	return float64(u.now) / 1e6, err
}
