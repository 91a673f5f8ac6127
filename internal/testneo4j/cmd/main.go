// Command cmd starts and stops a Neo4j for tests: up, down, or how to reach it: env prints that for tests, use for
// mneme itself.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"mneme/internal/testneo4j"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, out, progress io.Writer) error {
	root, err := testneo4j.Root()
	if err != nil {
		return err
	}
	if len(args) != 1 {
		return fmt.Errorf("usage: neo4j up|down|env|use")
	}
	switch args[0] {
	case "up":
		_, err = testneo4j.Up(ctx, root, progress)
		return err
	case "down":
		return testneo4j.Down(ctx, root, progress)
	case "env":
		return reach(ctx, root, out, testneo4j.EnvURL, testneo4j.EnvUser, testneo4j.EnvPassword)
	case "use":
		return use(ctx, root, out)
	}
	return fmt.Errorf("%q is none of up, down, env, use", args[0])
}

// use prints shell commands that point mneme at the running server.
func use(ctx context.Context, root string, out io.Writer) error {
	var said bytes.Buffer
	if err := reach(ctx, root, &said, "MNEME_STORE", "MNEME_NEO4J_USER", "MNEME_NEO4J_PASSWORD"); err != nil {
		return err
	}
	if said.Len() == 0 {
		return errors.New("no Neo4j of this clone runs: make neo4j-up starts one")
	}
	_, err := said.WriteTo(out)
	return err
}

// reach prints shell commands that tell of the running server in variables of these names; nothing where none runs.
func reach(ctx context.Context, root string, out io.Writer, url, user, password string) error {
	server, err := testneo4j.Load(root)
	if err != nil || server == nil || !server.Alive(ctx) {
		return err
	}
	_, err = fmt.Fprintf(out, "export %s=%s\nexport %s=%s\nexport %s=%s\n", url, server.URL, user, server.User, password, server.Password)
	return err
}
