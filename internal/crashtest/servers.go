package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"mneme/internal/testneo4j"
)

// build makes the program that is put to the test.
func (s *session) build(ctx context.Context) error {
	root, err := testneo4j.Root()
	if err != nil {
		return err
	}
	command := exec.CommandContext(ctx, "go", "build", "-o", s.path("mneme"), ".")
	command.Dir = root
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("go build: %w\n%s", err, output)
	}
	return nil
}

// mneme is a run of the program on the store of the session.
func (s *session) mneme(ctx context.Context, args ...string) *exec.Cmd {
	command := exec.CommandContext(ctx, s.path("mneme"), append(args, s.store.flags...)...)
	command.Env = append([]string{"PATH=" + os.Getenv("PATH"), "MNEME_TRACE_QUIET=200ms", "MNEME_TRACE_SILENCE=500ms"}, s.store.env...)
	command.Dir = s.dir
	return command
}

// server is one of the processes that serve; it keeps its address when it is started again.
type server struct {
	*session
	number  int
	address string
	command *exec.Cmd
	ended   chan struct{}
}

func newServer(ctx context.Context, s *session, number int) (*server, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return &server{session: s, number: number, address: listener.Addr().String()}, listener.Close()
}

func (s *server) url() string { return "http://" + s.address }

// start runs the server and waits until it is ready, as long as it takes: Neo4j may just be down.
func (s *server) start(ctx context.Context) error {
	log, err := os.OpenFile(s.path(fmt.Sprintf("server-%d.log", s.number)), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer log.Close()
	for deadline := time.Now().Add(settling); ; {
		command := s.mneme(context.WithoutCancel(ctx), "serve", "--listen", s.address)
		command.Stdout, command.Stderr = log, log
		if err := command.Start(); err != nil {
			return err
		}
		ended := make(chan struct{})
		go func() { _ = command.Wait(); close(ended) }()
		s.command, s.ended = command, ended
		if s.ready(ctx) {
			return nil
		}
		s.kill()
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("server %d is not ready after %s; see its log", s.number, settling)
		}
	}
}

// ready waits until the server says so; false where it ended before.
func (s *server) ready(ctx context.Context) bool {
	for {
		if answer, err := http.Get(s.url() + "/readyz"); err == nil { // it is near, and answers or not
			_ = answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return true
			}
		}
		select {
		case <-s.ended:
			return false
		case <-ctx.Done():
			return false
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// kill ends the server at once, as a power cut would.
func (s *server) kill() {
	if s.command != nil {
		_ = s.command.Process.Kill() // it may have ended by itself
		<-s.ended
	}
}

// storage is where the memory under test is kept.
type storage struct {
	flags, env []string // that lead the program there
	neo4j      *testneo4j.Server
	dir        string
}

func openStorage(ctx context.Context, kind, dir string, progress io.Writer) (*storage, error) {
	if kind == "sqlite" {
		return &storage{flags: []string{"--data", filepath.Join(dir, "data")}}, nil
	}
	if kind != "neo4j" {
		return nil, fmt.Errorf("-store is sqlite or neo4j, not %q", kind)
	}
	started, err := testneo4j.Up(ctx, dir, progress)
	if err != nil {
		return nil, err
	}
	return &storage{
		neo4j: started, dir: dir, flags: []string{"--store", started.URL},
		env: []string{"MNEME_NEO4J_USER=" + started.User, "MNEME_NEO4J_PASSWORD=" + started.Password},
	}, nil
}

// crash kills Neo4j and starts it again.
func (s *storage) crash(ctx context.Context) error {
	ctx = context.WithoutCancel(ctx)
	if err := s.neo4j.Crash(ctx); err != nil {
		return err
	}
	return s.neo4j.Restart(ctx, s.dir, os.Stderr)
}

func (s *storage) remove(ctx context.Context) error {
	if s.neo4j == nil {
		return nil
	}
	return testneo4j.Down(ctx, s.dir, os.Stderr)
}
