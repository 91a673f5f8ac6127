package testneo4j

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
)

// leftBehind matches the names that tests give their tenants: "t-", or what a test is about, before 26 random letters
// and digits, "e2e-" before an instant and a number. Nothing else is ever deleted.
const leftBehind = "(t|damaged|settings-[a-z-]+)-[a-z2-7]{26}(-[0-9]+)?|e2e-[0-9a-f]{16}-[0-9]+"

// Sweep deletes what the tests that are done left on the server that Reach gave, for a test that looks at all of the
// database. None of those that are under way may be in need of it.
func Sweep(t testing.TB) {
	t.Helper()
	if err := sweep(named()); err != nil {
		t.Fatal(err)
	}
}

// sweep deletes what the tests of other packages left on the server, so that looking at all of the database, as
// a doctor does, costs a package the same in whatever order they run. It must be called with the turn taken.
func sweep(server Server) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	driver, err := neo4j.NewDriverWithContext(server.URL, neo4j.BasicAuth(server.User, server.Password, ""))
	if err != nil {
		return err
	}
	defer driver.Close(ctx)
	session := driver.NewSession(ctx, neo4j.SessionConfig{})
	defer session.Close(ctx)
	begin := time.Now()
	deleted := 0
	// Bit by bit: one statement would hold all that is to go in the memory of its transaction, as are all links of a node.
	for _, text := range []string{
		// Keys go with the mark that there were any, or everybody else would find them lost.
		`OPTIONAL MATCH (k:AccessKey) WHERE k.tenant =~ $names DELETE k WITH count(k) AS gone
		 MATCH (s:MnemeSchema) WHERE NOT EXISTS { (:AccessKey) } REMOVE s.keyed`,
		`MATCH (n)-[r]->() WHERE n.tenant =~ $names OR n:Tenant AND n.key =~ $names WITH r LIMIT 10 * $most DELETE r`,
		`MATCH (n) WHERE n.tenant =~ $names OR n:Tenant AND n.key =~ $names WITH n LIMIT $most DETACH DELETE n`,
	} {
		most := 512
		for again := true; again; {
			summary, err := consume(session.Run(ctx, text, map[string]any{"names": leftBehind, "most": most}))
			if most > 1 && err != nil && strings.Contains(err.Error(), "MemoryPoolOutOfMemoryError") { // a few are large
				most /= 8
				continue
			}
			if err != nil {
				return fmt.Errorf("delete what tests left on %s: %w", server.URL, err)
			}
			counted := summary.Counters()
			again = counted.NodesDeleted()+counted.RelationshipsDeleted() > 0
			deleted += counted.NodesDeleted()
		}
	}
	if deleted > 0 {
		fmt.Printf("deleted %d records of earlier tests in %.1f s\n", deleted, time.Since(begin).Seconds())
	}
	return nil
}

func consume(result neo4j.ResultWithContext, err error) (neo4j.ResultSummary, error) {
	if err != nil {
		return nil, err
	}
	return result.Consume(context.Background())
}
