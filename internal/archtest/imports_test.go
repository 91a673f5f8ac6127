package archtest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// ideas are the records of a memory and the rooms of its rules, the lowest first. Nobody but tests imports
// memorytest, which is none of them.
var ideas = []string{
	"mneme/memory/stats", "mneme/memory", "mneme/memory/access", "mneme/memory/prose", "mneme/memory/compaction", "mneme/memory/traversal",
	"mneme/memory/decay", "mneme/memory/redaction", "mneme/memory/engagement", "mneme/memory/summary", "mneme/memory/capture", "mneme/memory/passages",
	"mneme/memory/retrieval", "mneme/memory/nextsteps", "mneme/memory/ranking", "mneme/memory/trends", "mneme/memory/graduation", "mneme/memory/selection",
	"mneme/memory/consolidation", "mneme/memory/judging", "mneme/memory/alerts",
}

// module is the path of the module: make module-path changes it here too.
const module = "mneme"

const memorytest = "mneme/memory/memorytest"

func and(list []string, more ...string) []string { return slices.Concat(list, more) }

// mayImport is the order of imports: each package of the module with the packages of the module
// that it may import. CONTRIBUTING.md has a sketch of it; .golangci.yml says at the import
// itself why one is refused.
var mayImport = map[string][]string{
	module:                       {"mneme/internal/cli"},
	"mneme/memory/stats":         {},
	"mneme/memory":               {"mneme/memory/stats"},
	"mneme/memory/access":        {"mneme/memory"},
	"mneme/memory/prose":         {},
	"mneme/memory/compaction":    {},
	"mneme/memory/traversal":     {},
	"mneme/memory/decay":         {"mneme/memory"},
	"mneme/memory/redaction":     {"mneme/memory", "mneme/memory/compaction"},
	"mneme/memory/engagement":    {"mneme/memory", "mneme/memory/stats", "mneme/memory/prose", "mneme/memory/decay"},
	"mneme/memory/summary":       {"mneme/memory", "mneme/memory/prose"},
	"mneme/memory/capture":       {"mneme/memory", "mneme/memory/prose", "mneme/memory/summary"},
	"mneme/memory/passages":      {"mneme/memory", "mneme/memory/prose", "mneme/memory/summary"},
	"mneme/memory/retrieval":     {"mneme/memory", "mneme/memory/stats", "mneme/memory/prose"},
	"mneme/memory/nextsteps":     {"mneme/memory", "mneme/memory/retrieval"},
	"mneme/memory/ranking":       {"mneme/memory", "mneme/memory/prose", "mneme/memory/decay", "mneme/memory/engagement", "mneme/memory/summary"},
	"mneme/memory/trends":        {"mneme/memory", "mneme/memory/stats"},
	"mneme/memory/graduation":    {"mneme/memory", "mneme/memory/stats"},
	"mneme/memory/selection":     {"mneme/memory", "mneme/memory/stats", "mneme/memory/prose", "mneme/memory/decay", "mneme/memory/ranking"},
	"mneme/memory/consolidation": {"mneme/memory", "mneme/memory/prose", "mneme/memory/engagement", "mneme/memory/summary"},
	"mneme/memory/judging":       {"mneme/memory", "mneme/memory/prose"},
	"mneme/memory/alerts":        {"mneme/memory", "mneme/memory/stats", "mneme/memory/prose", "mneme/memory/selection", "mneme/memory/judging"},
	memorytest:                   {"mneme/memory"},
	"mneme/store":                {"mneme/memory", "mneme/memory/access", "mneme/memory/capture", "mneme/memory/decay", "mneme/memory/judging", "mneme/memory/nextsteps", "mneme/memory/passages", "mneme/memory/ranking", "mneme/memory/retrieval", "mneme/store/fields", "mneme/store/meaning", "mneme/store/vectors"},
	"mneme/store/fields":         {"mneme/memory"},
	"mneme/store/vectors":        {},
	"mneme/store/async":          {},
	"mneme/store/lexical":        {},
	"mneme/store/meaning":        {"mneme/store/vectors"},
	"mneme/store/linking":        {"mneme/memory", "mneme/store"},
	"mneme/store/forgetting":     {"mneme/memory", "mneme/memory/consolidation", "mneme/store", "mneme/store/linking", "mneme/store/profiles"},
	"mneme/store/invariants":     {"mneme/memory", "mneme/store"},
	"mneme/store/restoring":      {"mneme/memory", "mneme/store", "mneme/store/linking"},
	"mneme/store/profiles":       {"mneme/memory", "mneme/store"},
	"mneme/store/storetest":      and(ideas, "mneme/store", "mneme/store/lexical", "mneme/store/linking", "mneme/store/meaning"),
	"mneme/store/sqlite": {
		"mneme/memory", "mneme/memory/judging", "mneme/memory/prose", "mneme/store", "mneme/store/fields", "mneme/store/forgetting", "mneme/store/invariants", "mneme/store/linking", "mneme/store/profiles", "mneme/store/restoring",
		"mneme/store/sqlite/db", "mneme/store/sqlite/schema", "mneme/store/sqlite/file", "mneme/store/sqlite/graph",
		"mneme/store/sqlite/learning", "mneme/store/sqlite/keyring", "mneme/store/sqlite/passages", "mneme/store/sqlite/search",
	},
	"mneme/store/sqlite/keyring":  {"mneme/memory/access", "mneme/store", "mneme/store/sqlite/db", "mneme/store/sqlite/file"},
	"mneme/store/sqlite/learning": {"mneme/memory", "mneme/store", "mneme/store/fields", "mneme/store/profiles", "mneme/store/sqlite/db", "mneme/store/sqlite/graph"},
	"mneme/store/sqlite/search":   {"mneme/memory", "mneme/memory/capture", "mneme/memory/nextsteps", "mneme/memory/passages", "mneme/memory/ranking", "mneme/memory/retrieval", "mneme/store", "mneme/store/async", "mneme/store/lexical", "mneme/store/meaning", "mneme/store/vectors", "mneme/store/sqlite/db", "mneme/store/sqlite/graph", "mneme/store/sqlite/passages"},
	"mneme/store/sqlite/passages": {"mneme/memory", "mneme/memory/passages", "mneme/store", "mneme/store/async", "mneme/store/lexical", "mneme/store/meaning", "mneme/store/vectors", "mneme/store/sqlite/db", "mneme/store/sqlite/schema"},
	"mneme/store/sqlite/db":       {"mneme/memory", "mneme/store", "mneme/store/fields"},
	"mneme/store/sqlite/schema":   {"mneme/store", "mneme/store/fields", "mneme/store/sqlite/db"},
	"mneme/store/sqlite/file":     {"mneme/store", "mneme/store/sqlite/db", "mneme/store/sqlite/schema"},
	"mneme/store/sqlite/graph":    {"mneme/memory", "mneme/memory/decay", "mneme/store", "mneme/store/linking", "mneme/store/sqlite/db", "mneme/store/sqlite/schema", "mneme/store/sqlite/passages"},
	"mneme/store/neo4j": {
		"mneme/memory", "mneme/memory/decay", "mneme/memory/judging", "mneme/memory/passages", "mneme/store", "mneme/store/fields", "mneme/store/forgetting", "mneme/store/invariants", "mneme/store/linking", "mneme/store/meaning", "mneme/store/profiles", "mneme/store/restoring", "mneme/store/vectors",
		"mneme/store/neo4j/cypher", "mneme/store/neo4j/bolt", "mneme/store/neo4j/graph", "mneme/store/neo4j/settings", "mneme/store/neo4j/keyring", "mneme/store/neo4j/learning", "mneme/store/neo4j/notices", "mneme/store/neo4j/passages",
	},
	"mneme/store/neo4j/cypher":   {"mneme/memory", "mneme/store/fields"},
	"mneme/store/neo4j/bolt":     {"mneme/memory", "mneme/store", "mneme/store/fields", "mneme/store/neo4j/cypher"},
	"mneme/store/neo4j/graph":    {"mneme/memory", "mneme/memory/decay", "mneme/store", "mneme/store/fields", "mneme/store/linking", "mneme/store/neo4j/cypher", "mneme/store/neo4j/bolt"},
	"mneme/store/neo4j/settings": {"mneme/store", "mneme/store/neo4j/cypher", "mneme/store/neo4j/bolt"},
	"mneme/store/neo4j/keyring":  {"mneme/memory/access", "mneme/store", "mneme/store/neo4j/cypher", "mneme/store/neo4j/bolt"},
	"mneme/store/neo4j/learning": {"mneme/memory", "mneme/store", "mneme/store/fields", "mneme/store/linking", "mneme/store/profiles", "mneme/store/neo4j/cypher", "mneme/store/neo4j/bolt", "mneme/store/neo4j/graph"},
	"mneme/store/neo4j/passages": {"mneme/memory", "mneme/memory/capture", "mneme/memory/nextsteps", "mneme/memory/passages", "mneme/memory/ranking", "mneme/memory/retrieval", "mneme/store", "mneme/store/async", "mneme/store/lexical", "mneme/store/meaning", "mneme/store/vectors", "mneme/store/neo4j/cypher", "mneme/store/neo4j/bolt", "mneme/store/neo4j/graph", "mneme/store/neo4j/settings"},
	"mneme/store/neo4j/notices":  {"mneme/memory", "mneme/store", "mneme/store/neo4j/cypher", "mneme/store/neo4j/bolt", "mneme/store/neo4j/graph"},
	// the front of the use cases, what their rooms share, and the rooms, of which hardly any imports another
	"mneme/service":           and(ideas, "mneme/store", "mneme/service/faults", "mneme/service/boundary", "mneme/service/tenancy", "mneme/service/recording", "mneme/service/recalling", "mneme/service/knowledge", "mneme/service/learning", "mneme/service/verdicts", "mneme/service/traces", "mneme/service/upkeep", "mneme/service/live", "mneme/service/events"),
	"mneme/service/faults":    {"mneme/memory", "mneme/store"},
	"mneme/service/reading":   {"mneme/memory", "mneme/memory/decay", "mneme/store", "mneme/service/faults"},
	"mneme/service/userview":  {"mneme/memory", "mneme/memory/ranking", "mneme/store", "mneme/service/reading"},
	"mneme/service/boundary":  and(ideas, "mneme/store", "mneme/service/reading"),
	"mneme/service/tenancy":   and(ideas, "mneme/store", "mneme/service/faults", "mneme/service/reading", "mneme/service/userview", "mneme/service/boundary"),
	"mneme/service/summaries": {"mneme/memory", "mneme/memory/graduation", "mneme/memory/selection"},
	"mneme/service/recording": and(ideas, "mneme/store", "mneme/service/faults", "mneme/service/reading", "mneme/service/boundary", "mneme/service/tenancy"),
	"mneme/service/recalling": and(ideas, "mneme/store", "mneme/store/async", "mneme/store/lexical", "mneme/store/meaning", "mneme/service/faults", "mneme/service/reading", "mneme/service/boundary", "mneme/service/tenancy"),
	"mneme/service/knowledge": and(ideas, "mneme/store", "mneme/service/faults", "mneme/service/reading", "mneme/service/boundary", "mneme/service/tenancy"),
	"mneme/service/learning":  and(ideas, "mneme/store", "mneme/service/faults", "mneme/service/reading", "mneme/service/boundary", "mneme/service/tenancy", "mneme/service/summaries", "mneme/service/recalling"), // similar episodes are found as a recall finds them
	"mneme/service/verdicts":  and(ideas, "mneme/store", "mneme/service/faults", "mneme/service/reading", "mneme/service/boundary", "mneme/service/tenancy"),
	"mneme/service/traces":    and(ideas, "mneme/store", "mneme/service/faults", "mneme/service/boundary", "mneme/service/tenancy"),
	"mneme/service/upkeep":    and(ideas, "mneme/store", "mneme/service/faults", "mneme/service/reading", "mneme/service/boundary", "mneme/service/tenancy"),
	"mneme/service/live":      and(ideas, "mneme/store", "mneme/service/faults", "mneme/service/reading", "mneme/service/boundary", "mneme/service/tenancy", "mneme/service/learning", "mneme/service/events"), // learning finds the alerts that are told
	"mneme/service/events":    {"mneme/memory", "mneme/memory/access", "mneme/store", "mneme/service/faults"},
	"mneme/service/keyring":   {"mneme/memory", "mneme/memory/access", "mneme/service/faults", "mneme/store"},
	"mneme/schema":            {},
	"mneme/schema/generate":   {"mneme/schema"},
	"mneme/graph/answering":   {"mneme/memory", "mneme/service", "mneme/service/reading", "mneme/service/boundary"},
	"mneme/graph/scalar":      {"mneme/memory"},
	"mneme/graph/relay":       {"mneme/memory", "mneme/service/reading", "mneme/service/recalling"},
	"mneme/graph": and(ideas,
		"mneme/service/boundary", "mneme/service/tenancy", "mneme/service/recording", "mneme/service/recalling", "mneme/service/learning", "mneme/service/verdicts", "mneme/service/upkeep", "mneme/service/live", "mneme/service/keyring",
		"mneme/graph/relay", "mneme/graph/scalar",
	),
	"mneme/resolvers": and(ideas,
		"mneme/service", "mneme/service/reading", "mneme/service/boundary", "mneme/service/recording", "mneme/service/recalling", "mneme/service/learning", "mneme/service/verdicts", "mneme/service/upkeep", "mneme/service/live", "mneme/service/keyring", "mneme/schema",
		"mneme/graph", "mneme/graph/answering", "mneme/graph/relay",
	),
	"mneme/internal/budget":    {"mneme/memory"},
	"mneme/internal/inbound":   {"mneme/memory", "mneme/internal/budget"},
	"mneme/internal/auth":      {"mneme/memory", "mneme/memory/access", "mneme/internal/inbound"},
	"mneme/internal/openai":    {},
	"mneme/internal/redact":    {"mneme/memory", "mneme/memory/redaction"},
	"mneme/internal/web":       {},
	"mneme/internal/telemetry": {"mneme/memory", "mneme/store", "mneme/service/events", "mneme/internal/inbound"},
	"mneme/internal/mcpserver": and(ideas, "mneme/service", "mneme/service/faults", "mneme/service/reading", "mneme/service/boundary", "mneme/service/tenancy", "mneme/service/summaries", "mneme/service/recording", "mneme/service/recalling", "mneme/service/verdicts", "mneme/service/upkeep", "mneme/internal/inbound", "mneme/internal/budget", "mneme/internal/telemetry"),
	"mneme/internal/otlp":      and(ideas, "mneme/service/boundary", "mneme/service/traces", "mneme/internal/budget", "mneme/internal/inbound", "mneme/internal/telemetry"),
	"mneme/internal/gqlhttp":   {"mneme/internal/telemetry", "mneme/memory", "mneme/memory/access", "mneme/memory/prose", "mneme/service", "mneme/service/faults", "mneme/service/reading", "mneme/service/boundary", "mneme/service/recalling", "mneme/service/events", "mneme/service/keyring", "mneme/graph/answering", "mneme/graph/scalar", "mneme/resolvers", "mneme/schema", "mneme/internal/inbound", "mneme/internal/budget"},
	"mneme/internal/demo":      {"mneme/memory", "mneme/service", "mneme/service/boundary", "mneme/service/tenancy", "mneme/internal/importer"},
	"mneme/internal/importer":  {"mneme/memory", "mneme/memory/capture", "mneme/memory/prose", "mneme/service", "mneme/service/faults", "mneme/service/boundary", "mneme/service/tenancy", "mneme/service/upkeep", "mneme/internal/inbound", "mneme/internal/transfer"},
	"mneme/internal/transfer":  and(ideas, "mneme/store", "mneme/service", "mneme/service/faults", "mneme/service/upkeep", "mneme/internal/inbound"),
	"mneme/internal/app": and(ideas, // the only place that knows which backends there are
		"mneme/store", "mneme/store/sqlite", "mneme/store/neo4j", "mneme/service", "mneme/service/tenancy", "mneme/service/keyring",
		"mneme/internal/auth", "mneme/internal/budget", "mneme/internal/gqlhttp", "mneme/internal/inbound", "mneme/internal/mcpserver", "mneme/internal/openai", "mneme/internal/otlp", "mneme/internal/redact", "mneme/internal/telemetry", "mneme/internal/web",
	),
	"mneme/internal/cli": and(ideas,
		"mneme/service", "mneme/service/faults", "mneme/service/reading", "mneme/service/boundary", "mneme/service/summaries", "mneme/service/recalling", "mneme/service/upkeep", "mneme/service/keyring",
		"mneme/internal/app", "mneme/internal/demo", "mneme/internal/importer", "mneme/internal/transfer",
	),
	// tests and what they need
	"mneme/service/servicetest":    {"mneme/memory", "mneme/service", "mneme/service/boundary", "mneme/store/sqlite"},
	"mneme/internal/archtest":      {},
	"mneme/internal/testneo4j":     {},
	"mneme/internal/testneo4j/cmd": {"mneme/internal/testneo4j"},
	"mneme/internal/testsecret":    {"mneme/service", "mneme/service/upkeep", "mneme/service/servicetest", "mneme/store/sqlite", "mneme/internal/redact"},
	"mneme/internal/e2e":           {},
	"mneme/internal/crashtest":     {"mneme/internal/testneo4j"},
}

// A test may reach further than its package, because it needs a real store and sample data; the
// packages of ideas and the contract may not even there.
var pureInTests = and(ideas, "mneme/store", "mneme/store/lexical", "mneme/store/linking")

type listed struct {
	ImportPath, Dir                    string
	GoFiles                            []string
	Imports, TestImports, XTestImports []string
}

func TestImportsGoDownOnly(t *testing.T) {
	t.Parallel()
	for _, p := range list(t) {
		if strings.HasPrefix(p.ImportPath, "mneme/bench") {
			continue // it measures anything, and nothing imports it
		}
		allowed, placed := mayImport[p.ImportPath]
		if !placed {
			t.Errorf("%s has no place in the order yet: add it to mayImport", p.ImportPath)
			continue
		}
		refuse(t, p.ImportPath, "imports", p.Imports, allowed)
	}
}

func TestEveryPermissionIsUsed(t *testing.T) {
	t.Parallel()
	for _, p := range list(t) {
		allowed, used := mayImport[p.ImportPath], p.Imports
		if slices.Contains(pureInTests, p.ImportPath) {
			used = slices.Concat(used, p.TestImports, p.XTestImports)
		}
		allIdeas := len(allowed) >= len(ideas) && slices.Equal(allowed[:len(ideas)], ideas)
		for _, permission := range allowed {
			if !slices.Contains(used, permission) && !(allIdeas && slices.Contains(ideas, permission)) {
				t.Errorf("%s does not import %s: take the permission out of mayImport", p.ImportPath, permission)
			}
		}
	}
}

func TestIdeasAndContractAreTestedAlone(t *testing.T) {
	t.Parallel()
	for _, p := range list(t) {
		for _, pure := range pureInTests {
			if p.ImportPath == pure {
				allowed := and(mayImport[pure], pure, memorytest)
				refuse(t, pure, "tests import", append(p.TestImports, p.XTestImports...), allowed)
			}
		}
	}
}

func TestMemoryIsStandardLibraryOnly(t *testing.T) {
	t.Parallel()
	for _, p := range list(t) {
		if !slices.Contains(ideas, p.ImportPath) {
			continue
		}
		for _, path := range p.Imports {
			first, _, _ := strings.Cut(path, "/")
			if strings.Contains(first, ".") {
				t.Errorf("%s imports %s, which is not of the standard library", p.ImportPath, path)
			}
		}
	}
}

func TestDriversBelongToBackends(t *testing.T) {
	t.Parallel()
	drivers := []string{"github.com/neo4j/neo4j-go-driver", "modernc.org/sqlite", "database/sql"}
	const waits = "mneme/internal/testneo4j" // for a server to answer
	for _, p := range list(t) {
		if strings.HasPrefix(p.ImportPath, "mneme/store/") || strings.HasPrefix(p.ImportPath, "mneme/bench") || p.ImportPath == waits {
			continue
		}
		for _, path := range p.Imports {
			for _, driver := range drivers {
				if strings.HasPrefix(path, driver) {
					t.Errorf("%s imports the driver %s, which belongs to a package below mneme/store", p.ImportPath, path)
				}
			}
		}
	}
}

// maxFiles is how many files a package may have that somebody reads from top to bottom.
const maxFiles = 40

// large are the packages that may have more, and why.
var large = map[string]string{
	"mneme/store/storetest": "a suite, a file for each part of the contract",
}

func TestNoPackageHasTooManyFiles(t *testing.T) {
	t.Parallel()
	generated := regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)
	for _, p := range list(t) {
		written := 0
		for _, file := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, file))
			require.NoError(t, err)
			if !generated.Match(text) {
				written++
			}
		}
		switch reason := large[p.ImportPath]; {
		case written > maxFiles && reason == "":
			t.Errorf("%s has %d files; the most is %d: give what belongs together a package below it", p.ImportPath, written, maxFiles)
		case written <= maxFiles && reason != "":
			t.Errorf("%s has no more than %d files: take it out of the exceptions", p.ImportPath, maxFiles)
		}
	}
}

func refuse(t *testing.T, from, verb string, imports, allowed []string) {
	t.Helper()
	for _, path := range imports {
		if path != module && !strings.HasPrefix(path, module+"/") {
			continue
		}
		if !slices.Contains(allowed, path) {
			t.Errorf("%s %s %s; it may import %v", from, verb, path, allowed)
		}
	}
}

func list(t *testing.T) []listed {
	t.Helper()
	packages, err := packages()
	require.NoError(t, err)
	require.Greater(t, len(packages), 10, "go list found too little to say anything")
	return packages
}

// packages asks the go command, which knows build constraints and does not need the packages to compile.
var packages = sync.OnceValues(func() ([]listed, error) {
	command := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,GoFiles,Imports,TestImports,XTestImports", "./...")
	command.Dir = "../.."
	var faults strings.Builder
	command.Stderr = &faults
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, &faults)
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
})
