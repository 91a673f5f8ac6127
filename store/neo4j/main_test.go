package neo4j

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/internal/testneo4j"
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

// ownText begins a statement that is a test's own.
const ownText = "// of a test\n"

// schemaText is a statement about the schema, which has no plan.
var schemaText = regexp.MustCompile(`^(SHOW|DROP|CREATE (CONSTRAINT|(\w+ )?INDEX)|CALL dbm?s?\.)`)

// looksThroughAll are the statements of the doctor and of migrations whose task that is, and those that look at the
// one node of the schema.
var looksThroughAll = []string{
	"examine_*", "mend_*", "complete_links.*", "delete_profile.*", "miscounted_profiles.*", "profile_parts.*",
	"drop_old_tokens.*", "tenants.*", "tenants_of.*", "uncounted_tenants.*", "check.*", "version.*", "set_version.*",
}

// mayLookThroughAll are these statements, each as far as it is the same whatever it is about.
func mayLookThroughAll() (beginnings []string, err error) {
	for _, pattern := range looksThroughAll {
		names, err := fs.Glob(cypherFiles, "cypher/"+pattern)
		if err != nil {
			return nil, err
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("no statement is called %s", pattern)
		}
		for _, name := range names {
			text, err := cypherFiles.ReadFile(name)
			if err != nil {
				return nil, err
			}
			beginning, _, _ := strings.Cut(string(text), "{{")
			if beginning = strings.TrimSpace(beginning); beginning == "" {
				return nil, fmt.Errorf("%s begins with a template: every statement would begin as it does", name)
			}
			beginnings = append(beginnings, beginning)
		}
	}
	return beginnings, nil
}

// scan is a step of a plan that looks through all there is.
var scan = regexp.MustCompile(`\+(\w*Scan)\b.*`)

// explainAll fails where a plan has a step that looks through all there is. Plans that are still kept are not made
// again for it.
func explainAll(ctx context.Context) error {
	texts, err := sentTexts()
	if err != nil || len(texts) == 0 || os.Getenv(testneo4j.EnvURL) == "" {
		return err
	}
	server := testneo4j.Server{URL: os.Getenv(testneo4j.EnvURL), User: os.Getenv(testneo4j.EnvUser), Password: os.Getenv(testneo4j.EnvPassword)}
	driver, err := neo4j.NewDriverWithContext(server.URL, neo4j.BasicAuth(server.User, server.Password, ""))
	if err != nil {
		return err
	}
	defer driver.Close(ctx)
	session := driver.NewSession(ctx, neo4j.SessionConfig{AccessMode: neo4j.AccessModeWrite})
	defer session.Close(ctx)
	for _, text := range texts {
		if fault := explain(ctx, session, text); fault != nil {
			err = errors.Join(err, fmt.Errorf("%w\n%s", fault, text))
		}
	}
	return err
}

// explain fails where the plan of a statement looks through all there is.
func explain(ctx context.Context, session neo4j.SessionWithContext, text string) error {
	sent, values := sendable(text, parameters{})
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

// sentTexts are the statements that the store sent, but for those that may look through all there is.
func sentTexts() (texts []string, err error) {
	exempt, err := mayLookThroughAll()
	sendables.Range(func(key, _ any) bool {
		text, _ := key.(string)
		spared := slices.ContainsFunc(exempt, func(beginning string) bool { return strings.HasPrefix(text, beginning) })
		if !spared && !strings.HasPrefix(text, ownText) && !schemaText.MatchString(text) {
			texts = append(texts, text)
		}
		return true
	})
	slices.Sort(texts)
	return texts, err
}
