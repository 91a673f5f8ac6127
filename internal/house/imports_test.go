package house_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// mayImport is the order of the house: each package of the module with the packages of the module
// that it may import. A name that ends in "/..." stands for what is below it. CONTRIBUTING.md shows
// the same as a picture; .golangci.yml refuses the most tempting shortcuts at the import itself.
var mayImport = map[string][]string{
	"mneme":                   {"mneme/internal/cli"},
	"mneme/memory":            {},
	"mneme/store":             {"mneme/memory"},
	"mneme/store/lexical":     {"mneme/memory"},
	"mneme/store/storetest":   {"mneme/memory", "mneme/store", "mneme/store/lexical"},
	"mneme/store/sqlite":      {"mneme/memory", "mneme/store", "mneme/store/lexical"},
	"mneme/store/neo4j":       {"mneme/memory", "mneme/store", "mneme/store/lexical"},
	"mneme/service":           {"mneme/memory", "mneme/store"},
	"mneme/schema":            {},
	"mneme/graph":             {"mneme/memory", "mneme/service"},
	"mneme/resolvers":         {"mneme/memory", "mneme/service", "mneme/graph"},
	"mneme/internal/embed":    {"mneme/memory"},
	"mneme/internal/auth":     {"mneme/memory"},
	"mneme/internal/web":      {},
	"mneme/internal/demo":     {"mneme/memory", "mneme/service"},
	"mneme/internal/importer": {"mneme/memory", "mneme/service"},
	"mneme/internal/app": {
		"mneme/memory", "mneme/store", "mneme/store/sqlite", "mneme/store/neo4j", "mneme/service",
		"mneme/schema", "mneme/graph", "mneme/resolvers",
		"mneme/internal/embed", "mneme/internal/auth", "mneme/internal/web",
	},
	"mneme/internal/cli": {
		"mneme/memory", "mneme/service",
		"mneme/internal/app", "mneme/internal/demo", "mneme/internal/importer",
	},
	"mneme/internal/testneo4j": {},
	"mneme/internal/e2e":       {},
	"mneme/internal/house":     {},
}

// A test may reach further than its package, because it needs a real store and sample data; the
// packages of ideas and the contract may not even there.
var pureInTests = []string{"mneme/memory", "mneme/store", "mneme/store/lexical"}

type listed struct {
	ImportPath                         string
	Imports, TestImports, XTestImports []string
}

func TestImportsGoDownOnly(t *testing.T) {
	packages := list(t)
	require.Greater(t, len(packages), 5, "go list found too little to say anything")
	for _, p := range packages {
		allowed, placed := mayImport[p.ImportPath]
		if !placed {
			t.Errorf("%s has no place in the house yet: add it to mayImport and to CONTRIBUTING.md", p.ImportPath)
			continue
		}
		refuse(t, p.ImportPath, "imports", p.Imports, allowed)
	}
}

func TestIdeasAndContractAreTestedAlone(t *testing.T) {
	for _, p := range list(t) {
		for _, pure := range pureInTests {
			if p.ImportPath == pure {
				allowed := append([]string{pure}, mayImport[pure]...)
				refuse(t, pure, "tests import", append(p.TestImports, p.XTestImports...), allowed)
			}
		}
	}
}

func TestMemoryIsStandardLibraryOnly(t *testing.T) {
	for _, p := range list(t) {
		if p.ImportPath != "mneme/memory" {
			continue
		}
		for _, path := range p.Imports {
			first, _, _ := strings.Cut(path, "/")
			if strings.Contains(first, ".") {
				t.Errorf("mneme/memory imports %s, which is not of the standard library", path)
			}
		}
	}
}

func TestBackendsAreReachedOnlyWhereTheyAreWired(t *testing.T) {
	drivers := []string{"github.com/neo4j/neo4j-go-driver", "modernc.org/sqlite", "database/sql"}
	for _, p := range list(t) {
		if strings.HasPrefix(p.ImportPath, "mneme/store/") {
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

func refuse(t *testing.T, from, verb string, imports, allowed []string) {
	t.Helper()
	for _, path := range imports {
		if path != "mneme" && !strings.HasPrefix(path, "mneme/") {
			continue
		}
		if !contains(allowed, path) {
			t.Errorf("%s %s %s; it may import %v", from, verb, path, allowed)
		}
	}
}

func contains(allowed []string, path string) bool {
	for _, a := range allowed {
		if a == path {
			return true
		}
		if below, all := strings.CutSuffix(a, "/..."); all && strings.HasPrefix(path, below+"/") {
			return true
		}
	}
	return false
}

// list asks the go command, which knows build constraints and does not need the packages to compile.
func list(t *testing.T) []listed {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "list", "-e", "-json=ImportPath,Imports,TestImports,XTestImports", "mneme/...")
	command.Dir = "../.."
	out, err := command.Output()
	require.NoError(t, err)
	var packages []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages
		} else {
			require.NoError(t, err)
		}
		packages = append(packages, p)
	}
}
