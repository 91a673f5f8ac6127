// Command torture holds mneme to its promise: nothing acknowledged is lost, nothing forgotten comes back, nobody gets
// another's. Several servers on one store, behind a load balancer, take writes through GraphQL, MCP and OTLP from
// clients of two tenants that keep a ledger. Meanwhile servers (and Neo4j) are killed, files are moved away, keys are
// changed, models fall silent, agents are forgotten, memories are imported and consolidated, and subscribers change
// servers or hear all from the beginning. What was acknowledged must be found at once at the next server. In the end
// the store and what subscribers were told are compared with the ledger, and the doctor looks at it.
//
//	go run ./internal/crashtest -store sqlite -time 20m -kills 100
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// plan is how hard a run is.
type plan struct {
	store      string // sqlite or neo4j
	time       time.Duration
	servers    int
	kills      int // of servers
	neo4jKills int
	moves      int // of tenants' files
	seed       uint64
	keep       bool // the data and logs, to be looked at
}

func main() {
	var p plan
	flag.StringVar(&p.store, "store", "sqlite", "sqlite or neo4j, which is started for the run")
	flag.DurationVar(&p.time, "time", 20*time.Minute, "how long the load lasts")
	flag.IntVar(&p.servers, "servers", 2, "how many servers there are on the store")
	flag.IntVar(&p.kills, "kills", 100, "how often a server is killed")
	flag.IntVar(&p.neo4jKills, "neo4j-kills", 10, "how often Neo4j is killed, with -store neo4j")
	flag.IntVar(&p.moves, "moves", 20, "how often a tenant's file is moved away, with -store sqlite")
	flag.Uint64Var(&p.seed, "seed", 1, "what the choices of the clients follow from; their timing does not")
	flag.BoolVar(&p.keep, "keep", false, "keep the data and the logs")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, p, os.Stdout)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1)
	}
}
