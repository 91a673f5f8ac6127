package testneo4j

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// Down stops the server that Up started and removes its data. Where none was started it does nothing.
func Down(ctx context.Context, root string, progress io.Writer) error {
	server, err := Load(root)
	if err != nil || server == nil {
		return err
	}
	if server.Container != "" {
		err = removeContainer(ctx, server.Container)
	} else {
		err = server.stopJava(ctx)
	}
	if err != nil {
		return err
	}
	if err := os.Remove(statePath(root)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	printProgress(progress, "Stopped Neo4j at %s and removed its data", server.URL)
	return nil
}

// Stop ends the server as one that shuts down does. Its data stays, for Restart or Down.
func (s *Server) Stop(ctx context.Context) error {
	if s.Container != "" {
		return docker(ctx, "stop", s.Container)
	}
	return s.end(ctx)
}

// stopJava ends the process and removes its data.
func (s *Server) stopJava(ctx context.Context) error {
	if err := s.end(ctx); err != nil || s.Directory == "" {
		return err
	}
	return os.RemoveAll(s.Directory)
}

// end asks the process to end, makes it end after ten seconds, and waits a minute for that.
func (s *Server) end(ctx context.Context) error {
	process, err := os.FindProcess(s.PID)
	if err != nil {
		return err
	}
	for tick := 0; s.owns(ctx); tick++ {
		switch {
		case tick == 0:
			err = process.Signal(syscall.SIGTERM)
		case tick == 100:
			err = process.Kill()
		case tick > 700:
			return fmt.Errorf("process %d does not end", s.PID)
		}
		if err != nil && !errors.Is(err, os.ErrProcessDone) {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return nil
}

// Alive says whether what was started still runs.
func (s *Server) Alive(ctx context.Context) bool {
	if s.Container != "" {
		return containerRuns(ctx, s.Container)
	}
	return s.owns(ctx)
}

// explain gives the last words of a server that did not come up.
func (s *Server) explain(ctx context.Context, root string) error {
	if s.Container != "" {
		return errors.New(containerLog(ctx, s.Container))
	}
	text, err := os.ReadFile(logPath(root))
	if err != nil {
		return err
	}
	return errors.New(string(text[max(0, len(text)-4000):]))
}
