package neo4j

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/auth"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/config"
	"github.com/neo4j/neo4j-go-driver/v5/neo4j/db"

	"mneme/internal/testneo4j"
)

// TestMain runs the tests and then has Neo4j explain every statement that the store sent in them: none may look
// through all records of a kind, whatever the statistics are at that moment.
func TestMain(m *testing.M) {
	flag.Parse()
	dial = func(url string, token auth.TokenManager, configurers ...func(*config.Config)) (neo4j.DriverWithContext, error) {
		driver, err := neo4j.NewDriverWithContext(url, token, configurers...)
		return watchedDriver{driver}, err
	}
	code := m.Run()
	if code == 0 {
		if err := explainAll(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, "--- FAIL: plans:", err)
			code = 1
		}
	}
	os.Exit(code)
}

// watchedDriver notes the statements that the store sends.
type watchedDriver struct{ neo4j.DriverWithContext }

type watchedSession struct{ neo4j.SessionWithContext }

type watchedTransaction struct{ neo4j.ManagedTransaction }

func (d watchedDriver) NewSession(ctx context.Context, c neo4j.SessionConfig) neo4j.SessionWithContext {
	return watchedSession{d.DriverWithContext.NewSession(ctx, c)}
}

func (s watchedSession) Run(ctx context.Context, text string, values map[string]any, configurers ...func(*neo4j.TransactionConfig)) (neo4j.ResultWithContext, error) {
	sent.note(text)
	return s.SessionWithContext.Run(ctx, text, values, configurers...)
}

func (s watchedSession) ExecuteWrite(ctx context.Context, work neo4j.ManagedTransactionWork, configurers ...func(*neo4j.TransactionConfig)) (any, error) {
	return s.SessionWithContext.ExecuteWrite(ctx, func(tx neo4j.ManagedTransaction) (any, error) {
		return work(watchedTransaction{tx})
	}, configurers...)
}

func (t watchedTransaction) Run(ctx context.Context, text string, values map[string]any) (neo4j.ResultWithContext, error) {
	sent.note(text)
	return t.ManagedTransaction.Run(ctx, text, values)
}

// sentStatements are statements by what they have in common but the names of labels and types.
type sentStatements struct {
	mutex sync.Mutex
	texts map[string]string
}

var sent = sentStatements{texts: map[string]string{}}

var graphNames = regexp.MustCompile(`([:|] ?)[A-Z][A-Za-z_]*\b`)

func (s *sentStatements) note(text string) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if !testsOwn.MatchString(text) {
		s.texts[graphNames.ReplaceAllString(text, "$1")] = text
	}
}

// ownText begins a statement that is the test's own.
const ownText = "// of a test\n"

// testsOwn are statements that tests themselves send, and those about the schema.
var testsOwn = regexp.MustCompile(`^(EXPLAIN|PROFILE|SHOW|DROP|CREATE (CONSTRAINT|INDEX|FULLTEXT|VECTOR)|CALL dbm?s?\.|// of a test\n)`)

// looksThroughAll are the statements of the doctor and of migrations whose task that is, and those that look at the
// one node of the schema.
var looksThroughAll = []string{"examine_*", "tenants_of.*", "uncounted_tenants.*", "version.*", "set_version.*", "check.*"}

// mayLookThroughAll are the first lines of these.
func mayLookThroughAll() (lines []string, err error) {
	for _, pattern := range looksThroughAll {
		names, err := fs.Glob(cypherFiles, "cypher/"+pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := cypherFiles.ReadFile(name)
			if err != nil {
				return nil, err
			}
			line, _, _ := strings.Cut(string(text), "\n")
			lines = append(lines, line)
		}
	}
	return lines, nil
}

var scans = regexp.MustCompile(`^(AllNodesScan|\w*ByLabels?Scan|\w*ByElementId\w*Scan|\w*Relationship\w*Scan|NodeIndex\w*Scan)`)

// explainAll fails where a plan has a step that looks through all there is.
func explainAll(ctx context.Context) error {
	if len(sent.texts) == 0 {
		return nil
	}
	server := testneo4j.Server{URL: os.Getenv(testneo4j.EnvURL), User: os.Getenv(testneo4j.EnvUser), Password: os.Getenv(testneo4j.EnvPassword)}
	driver, err := neo4j.NewDriverWithContext(server.URL, neo4j.BasicAuth(server.User, server.Password, ""))
	if err != nil {
		return err
	}
	defer driver.Close(ctx)
	session := driver.NewSession(ctx, neo4j.SessionConfig{AccessMode: neo4j.AccessModeWrite})
	defer session.Close(ctx)
	exempt, err := mayLookThroughAll()
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(sent.texts)) {
		text := sent.texts[key]
		if slices.ContainsFunc(exempt, func(line string) bool { return strings.HasPrefix(text, line) }) {
			continue
		}
		result, err := session.Run(ctx, "EXPLAIN "+text, nil)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, text)
		}
		summary, err := result.Consume(ctx)
		if err != nil {
			return fmt.Errorf("%w\n%s", err, text)
		}
		for _, step := range stepsOf(summary.Plan()) {
			if scans.MatchString(step) {
				return fmt.Errorf("%s looks through all there is\n%s", step, text)
			}
		}
	}
	return nil
}

// stepsOf are the steps of an explained plan. The driver gives the last child of a step for each of its children, so
// they are read behind its back.
func stepsOf(plan neo4j.Plan) (steps []string) {
	var walk func(p *db.Plan)
	walk = func(p *db.Plan) {
		details, _ := p.Arguments["Details"].(string)
		steps = append(steps, p.Operator+" "+details)
		for i := range p.Children {
			walk(&p.Children[i])
		}
	}
	walk((*db.Plan)(reflect.ValueOf(plan).Elem().Field(0).UnsafePointer()))
	return steps
}
