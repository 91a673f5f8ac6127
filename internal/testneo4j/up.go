package testneo4j

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strconv"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// patience is how long a server may take from its start to its first answer.
const patience = 5 * time.Minute

// Up starts a server on a free port and waits until it answers, telling progress. Where one runs already it is left
// alone. It is noted below root, the root of the repository or any other directory: each has a server of its own.
func Up(ctx context.Context, root string, progress io.Writer) (*Server, error) {
	running, err := Load(root)
	if err != nil {
		return nil, err
	}
	if running != nil {
		if running.answers(ctx) == nil {
			printProgress(progress, "Neo4j is running already at %s", running.URL)
			return running, nil
		}
		if err := Down(ctx, root, progress); err != nil {
			return nil, err
		}
	}
	server, err := start(ctx, root, progress)
	if err != nil {
		return nil, err
	}
	if err := server.wait(ctx, progress); err != nil {
		return nil, errors.Join(err, server.explain(ctx, root), Down(context.WithoutCancel(ctx), root, progress))
	}
	printProgress(progress, "Neo4j answers at %s", server.URL)
	return server, nil
}

// start begins to run a server by whatever means the machine has, and notes it.
func start(ctx context.Context, root string, progress io.Writer) (*Server, error) {
	free, err := freePort(ctx)
	if err != nil {
		return nil, err
	}
	port := strconv.Itoa(free)
	server := &Server{URL: "neo4j://" + net.JoinHostPort("127.0.0.1", port), User: "neo4j", Password: rand.Text()}
	if exec.CommandContext(ctx, "docker", "info").Run() == nil {
		err = server.startContainer(ctx, root, port, progress)
	} else {
		err = server.startJava(ctx, root, port, progress)
	}
	return server, err
}

// freePort asks the system for a port that nothing listens on.
func freePort(ctx context.Context) (int, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer listener.Close()
	address, ok := listener.Addr().(*net.TCPAddr)
	if !ok {
		return 0, fmt.Errorf("unexpected address %v", listener.Addr())
	}
	return address.Port, nil
}

// wait returns when the server answers over Bolt, or an error when it ended or took too long.
func (s *Server) wait(ctx context.Context, progress io.Writer) error {
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	begin := time.Now()
	for tick := 1; ; tick++ {
		err := s.answers(waiting)
		if err == nil {
			return nil
		}
		if !s.Alive(ctx) {
			return fmt.Errorf("the server ended before it answered: %w", err)
		}
		if tick%10 == 0 {
			printProgress(progress, "  waiting for Neo4j (%.0f s)", time.Since(begin).Seconds())
		}
		select {
		case <-waiting.Done():
			return fmt.Errorf("no answer at %s after %.0f s: %w", s.URL, time.Since(begin).Seconds(), err)
		case <-time.After(time.Second):
		}
	}
}

// answers asks the server for a connection that can run queries.
func (s *Server) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	driver, err := neo4j.NewDriverWithContext(s.URL, neo4j.BasicAuth(s.User, s.Password, ""))
	if err != nil {
		return err
	}
	defer driver.Close(ctx)
	return driver.VerifyAuthentication(ctx, nil)
}

func printProgress(progress io.Writer, format string, args ...any) {
	_, _ = fmt.Fprintf(progress, format+"\n", args...) // progress is for people; losing a line is no fault
}
