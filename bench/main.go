// Command bench measures mneme against the raw drivers and against its peers, over the same data in one
// run, and writes what it saw. Ratios of one run are what counts; absolute figures belong to a machine.
//
//	go run ./bench quick [flags]
//	go run ./bench scale [flags]
//	go run ./bench write [flags]
//	go run ./bench requests [flags]
//	go run ./bench holding [flags]
//	go run ./bench attacks [flags]
//	go run ./bench locomo -data FILE [flags]
//	go run ./bench credit
//
// quick needs Node.js for the peer, and a Neo4j named by MNEME_TEST_NEO4J (scripts/neo4j.sh starts one). scale,
// holding and attacks, with -store neo4j, start one of their own.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New("say what to measure: quick, scale, write, requests, holding, attacks, locomo, credit")
	}
	switch args[0] {
	case "quick":
		return quick(ctx, quickFlags(args[1:]))
	case "scale":
		return scale(ctx, args[1:])
	case "write":
		return write(ctx, args[1:])
	case "requests":
		return requests(ctx, requestsFlags(args[1:]))
	case "holding":
		return holding(ctx, holdingFlags(args[1:]))
	case "attacks":
		return runAttacks(ctx, attacksFlags(args[1:]))
	case "locomo":
		return locomo(ctx, args[1:])
	case "credit":
		return credit(ctx, args[1:])
	case "bare-neo4j": // started by quick in a process of its own
		return serveBare(ctx, args[1:], bareNeo4j)
	case "empty-neo4j":
		return serveBare(ctx, args[1:], emptyNeo4j)
	case "bare-sqlite":
		return serveBare(ctx, args[1:], bareSQLite)
	default:
		return fmt.Errorf("%q is nothing to measure; there is: quick, scale, write, requests, holding, attacks, locomo, credit", args[0])
	}
}

// plan is what a quick run does.
type plan struct {
	episodes, connections, rounds int
	duration, warmUp              time.Duration
	results                       string
}

func quickFlags(args []string) plan {
	var p plan
	flags := flag.NewFlagSet("quick", flag.ExitOnError)
	flags.IntVar(&p.episodes, "episodes", 20_000, "episodes to read from, each with 3 canvases and 2 feedbacks")
	flags.IntVar(&p.connections, "connections", 8, "connections at a time")
	flags.IntVar(&p.rounds, "rounds", 5, "rounds; the systems take turns in each")
	flags.DurationVar(&p.duration, "duration", 5*time.Second, "how long each system is under load in a round")
	flags.DurationVar(&p.warmUp, "warm-up", 15*time.Second, "how long each system is under load before the rounds, for compilers to settle")
	flags.StringVar(&p.results, "results", "bench/RESULTS.md", "the file to write")
	_ = flags.Parse(args) // ExitOnError
	return p
}
