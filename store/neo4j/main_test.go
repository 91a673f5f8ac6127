package neo4j

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"mneme/internal/testneo4j"
	"mneme/store/neo4j/cypher"
)

// TestMain runs the tests and then asks Neo4j for the plan of every statement that the store sent in them: none may
// look through all records of a kind, whatever the statistics are at that moment.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		if err := explainAll(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, "--- FAIL: plans:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// schemaText is a statement about the schema, which has no plan.
var schemaText = regexp.MustCompile(`^(SHOW|DROP|CREATE (CONSTRAINT|(\w+ )?INDEX)|CALL dbm?s?\.)`)

// looksThroughAll are the statements of the doctor whose task that is, those that look at the one node of the schema,
// and those of keys, of which there are few (whether there is one ends with the first), as patterns of names.
var looksThroughAll = []string{
	"examine_*", "homeless", "invariant_*", "count_*", "mend_*", "miscounted_profiles", "tenants",
	"due_tenants", "check", "version", "set_version", "add_key", "list_keys", "has_keys", "reset_keys",
}

// isCalled says whether a statement has a name of the pattern.
func isCalled(pattern, name string) bool {
	called, err := path.Match(pattern, name)
	return err == nil && called
}

func TestWhatLooksThroughAllIsThere(t *testing.T) {
	for _, pattern := range looksThroughAll {
		require.True(t, slices.ContainsFunc(cypher.Names(), func(name string) bool { return isCalled(pattern, name) }), pattern)
	}
}

// scan is a step of a plan that looks through all there is.
var scan = regexp.MustCompile(`\+(\w*Scan)\b.*`)

// explained are the statements whose plans were looked at.
var explained = map[cypher.Statement]bool{}

// explainAll fails where a plan has a step that looks through all there is.
func explainAll(ctx context.Context) error {
	asked := planned()
	if len(asked) == 0 || os.Getenv(testneo4j.EnvURL) == "" {
		return nil
	}
	server := testneo4j.Server{URL: os.Getenv(testneo4j.EnvURL), User: os.Getenv(testneo4j.EnvUser), Password: os.Getenv(testneo4j.EnvPassword)}
	driver, err := neo4j.NewDriverWithContext(server.URL, neo4j.BasicAuth(server.User, server.Password, ""))
	if err != nil {
		return err
	}
	defer driver.Close(ctx)
	asked = slices.DeleteFunc(asked, func(one cypher.Statement) bool { return explained[one] })
	faults := make([]error, len(asked))
	var group errgroup.Group
	group.SetLimit(planners)
	for i, one := range asked {
		explained[one] = true
		group.Go(func() error {
			session := driver.NewSession(ctx, neo4j.SessionConfig{AccessMode: neo4j.AccessModeWrite})
			defer session.Close(ctx)
			if fault := explain(ctx, session, one); fault != nil {
				faults[i] = fmt.Errorf("%s: %w\n%s", one.Name, fault, one.Text)
			}
			return nil
		})
	}
	_ = group.Wait() // it has no errors
	return errors.Join(faults...)
}

// planners is how many plans are asked for at once: each keeps a processor of the server busy for some 30 ms.
const planners = 4

// explain fails where the plan of a statement looks through all there is.
func explain(ctx context.Context, session neo4j.SessionWithContext, asked cypher.Statement) error {
	sent, values := cypher.Sendable(asked, cypher.Parameters{})
	result, err := session.Run(ctx, "EXPLAIN "+sent, values)
	if err != nil {
		return err
	}
	summary, err := result.Consume(ctx)
	if err != nil {
		return err
	}
	// The table of the whole plan; the driver gives the last child of a step for each of its children.
	table, _ := summary.Plan().Arguments()["string-representation"].(string)
	if !strings.Contains(table, "+ProduceResults") && !strings.Contains(table, "+EmptyResult") {
		return fmt.Errorf("no table of a plan: %q", table)
	}
	if step := scan.FindString(table); step != "" {
		return fmt.Errorf("looks through all there is: %s", step)
	}
	return nil
}

// planned are the embedded statements that the store sent, but for those that may look through all there is.
func planned() []cypher.Statement {
	known, asked := cypher.Names(), cypher.Sent()
	asked = slices.DeleteFunc(asked, func(one cypher.Statement) bool {
		spared := slices.ContainsFunc(looksThroughAll, func(pattern string) bool { return isCalled(pattern, one.Name) })
		return spared || !slices.Contains(known, one.Name) || schemaText.MatchString(one.Text) // a name that is not known is a test's
	})
	slices.SortFunc(asked, func(a, b cypher.Statement) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Text, b.Text))
	})
	return asked
}
