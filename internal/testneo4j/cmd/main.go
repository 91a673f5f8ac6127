// Command cmd starts and stops a Neo4j for tests, or as many as stand after up: up, down, or how to reach them: env prints
// that for tests, use for mneme itself, which takes the first.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"

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
	count := 1
	if len(args) == 2 && args[0] == "up" {
		if count, err = strconv.Atoi(args[1]); err != nil || count < 1 {
			return fmt.Errorf("up %q: how many servers is a number, 1 or more", args[1])
		}
	} else if len(args) != 1 {
		return errors.New("usage: neo4j up [COUNT]|down|env|use")
	}
	switch args[0] {
	case "up":
		return testneo4j.UpAll(ctx, root, count, progress)
	case "down":
		return testneo4j.Down(ctx, root, progress)
	case "env":
		return reach(ctx, root, math.MaxInt, out, testneo4j.EnvURL, testneo4j.EnvUser, testneo4j.EnvPassword)
	case "use":
		return use(ctx, root, out)
	}
	return fmt.Errorf("%q is none of up, down, env, use", args[0])
}

// use prints shell commands that point mneme at the running server.
func use(ctx context.Context, root string, out io.Writer) error {
	var said bytes.Buffer
	if err := reach(ctx, root, 1, &said, "MNEME_STORE", "MNEME_NEO4J_USER", "MNEME_NEO4J_PASSWORD"); err != nil {
		return err
	}
	if said.Len() == 0 {
		return errors.New("no Neo4j of this clone runs: make neo4j-up starts one")
	}
	_, err := said.WriteTo(out)
	return err
}

// reach prints shell commands that tell of the running servers, at most so many, in variables of these names; nothing where
// none runs.
func reach(ctx context.Context, root string, most int, out io.Writer, url, user, password string) error {
	servers, err := testneo4j.All(root)
	if err != nil {
		return err
	}
	servers = slices.DeleteFunc(servers, func(server *testneo4j.Server) bool { return !server.Alive(ctx) })
	if len(servers) == 0 {
		return nil
	}
	var urls []string
	for _, server := range servers[:min(most, len(servers))] {
		urls = append(urls, server.URL)
	}
	_, err = fmt.Fprintf(out, "export %s='%s'\nexport %s=%s\nexport %s=%s\n", url, strings.Join(urls, " "), user, servers[0].User, password, servers[0].Password)
	return err
}
