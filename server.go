// Mneme is the learning memory of AI agents: a GraphQL API over a graph of what agents did, what they
// showed and how people reacted. Without arguments it serves.
package main

import (
	"context"
	"os"

	"mneme/internal/cli"
)

func main() {
	os.Exit(cli.Run(context.Background(), os.Args[1:], cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, os.LookupEnv))
}
