package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// The targets that a run is held against, as parts of the bare handler's and the peer's requests/s.
const (
	bareOnNeo4j  = 1.2
	bareOnSQLite = 1.0
	overPeer     = 2.5
)

// report writes what was seen. All ratios are of one round, and the median of the rounds is what counts.
func report(ctx context.Context, p plan, neo4jVersion string, onNeo4j, onSQLite [][]measure) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, `# Measured

The read of an enriched episode by id: one of %d episodes, each with its agent, 3 canvases with their actions and
2 feedbacks. %d connections in a closed loop, %d rounds of %s for each system in turns, after %s to warm up; medians.
Each system, the databases and the load share one machine, so the ratios are worth more than the figures.

    make bench-quick

%s

## On Neo4j %s

%s
## On SQLite

%s`,
		p.episodes, p.connections, p.rounds, p.duration, p.warmUp, surroundings(ctx), neo4jVersion,
		table([]string{"bare handler (one Cypher, ExecuteQuery)", "mneme, GraphQL", "@neo4j/graphql 7.6.3, Apollo Server 5.5.1", "handler of an empty query (RETURN 1, ExecuteQuery)"}, onNeo4j),
		table([]string{"bare handler (same joins, database/sql)", "mneme, GraphQL"}, onSQLite))
	fmt.Fprintf(&text, "\n| target | wanted | measured |\n|---|---|---|\n")
	fmt.Fprintf(&text, "| of the bare handler on Neo4j | %.2f | %.2f |\n", bareOnNeo4j, ratio(onNeo4j, 1, 0))
	fmt.Fprintf(&text, "| times @neo4j/graphql | %.1f | %.1f |\n", overPeer, ratio(onNeo4j, 1, 2))
	fmt.Fprintf(&text, "| of the bare handler on SQLite | %.2f | %.2f |\n", bareOnSQLite, ratio(onSQLite, 1, 0))
	fmt.Fprintf(&text, "\nThe handler of an empty query, %.1f times @neo4j/graphql, is what one round trip a request leaves on this machine before anything is read.\n", ratio(onNeo4j, 3, 2))
	fmt.Print(text.String())
	return os.WriteFile(p.results, text.Bytes(), 0o644)
}

func table(names []string, rounds [][]measure) string {
	var text strings.Builder
	text.WriteString("| system | requests/s | p50 | p99 |\n|---|---|---|---|\n")
	for i, name := range names {
		fmt.Fprintf(&text, "| %s | %.0f | %.1f ms | %.1f ms |\n", name,
			median(rounds, func(row []measure) float64 { return row[i].perSecond }),
			median(rounds, func(row []measure) float64 { return milliseconds(row[i].p50) }),
			median(rounds, func(row []measure) float64 { return milliseconds(row[i].p99) }))
	}
	return text.String()
}

func ratio(rounds [][]measure, a, b int) float64 {
	return median(rounds, func(row []measure) float64 { return row[a].perSecond / row[b].perSecond })
}

func median(rounds [][]measure, of func([]measure) float64) float64 {
	values := make([]float64, len(rounds))
	for i, row := range rounds {
		values[i] = of(row)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// surroundings says what was measured with.
func surroundings(ctx context.Context) string {
	version := func(command ...string) string {
		out, err := exec.CommandContext(ctx, command[0], command[1:]...).Output()
		if err != nil {
			return "unknown"
		}
		return strings.TrimSpace(string(out))
	}
	return fmt.Sprintf("%s, %d processors, %s/%s, Node.js %s, %s.",
		runtime.Version(), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, version("node", "--version"), time.Now().UTC().Format(time.DateOnly))
}
