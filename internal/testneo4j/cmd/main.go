// Command cmd starts and stops a Neo4j for tests: up, down, or env, which prints how to reach it.
package main

import (
	"context"
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
		return fmt.Errorf("usage: neo4j up|down|env")
	}
	switch args[0] {
	case "up":
		_, err = testneo4j.Up(ctx, root, progress)
		return err
	case "down":
		return testneo4j.Down(ctx, root, progress)
	case "env":
		return env(ctx, root, out)
	}
	return fmt.Errorf("%q is none of up, down, env", args[0])
}

// env prints shell commands that point tests at the running server; nothing where none runs.
func env(ctx context.Context, root string, out io.Writer) error {
	server, err := testneo4j.Load(root)
	if err != nil || server == nil || !server.Alive(ctx) {
		return err
	}
	_, err = fmt.Fprintf(out, "export %s=%s\nexport %s=%s\nexport %s=%s\n",
		testneo4j.EnvURL, server.URL, testneo4j.EnvUser, server.User, testneo4j.EnvPassword, server.Password)
	return err
}
