package neo4j

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// Neo4j keeps a plan for each mixture of types and lengths of parameters, so all values go in one.
func TestAllValuesGoInOneParameter(t *testing.T) {
	values := parameters{"tenant": "t", "keys": []string{"a"}, "limit": 3, "agent": nil}
	text, sent := sendable(statement{"test", "// of $5 or more\nMATCH (e:Episode {tenant: $tenant}) WHERE e.key IN $keys AND ($agent IS NULL OR e.agent=$agent)\n" +
		"WITH collect(e) AS found RETURN found[..$limit]"}, values)
	require.Equal(t, "// of $5 or more\nMATCH (e:Episode {tenant: $p.tenant}) WHERE e.key IN $p.keys AND ($p.agent IS NULL OR e.agent=$p.agent)\n"+
		"WITH collect(e) AS found RETURN found[..$p.limit]", text)
	require.Equal(t, parameters{"p": values}, sent)
}

func TestAStatementIsWhatStandsBelowItsHeading(t *testing.T) {
	const file = "// What the file is about.\n\n// name: a\n// It does this\n// and that.\nRETURN 1 // one\n// sent\n{{template \"c\"}}\n\n// part: c\n\nAS n\n"
	var text strings.Builder
	require.NoError(t, load(fstest.MapFS{"cypher/x.cypher": {Data: []byte(file)}}).ExecuteTemplate(&text, "a", nil))
	require.Equal(t, "RETURN 1 // one\n// sent\nAS n", text.String())
	require.Panics(t, func() {
		load(fstest.MapFS{"cypher/x.cypher": {Data: []byte(file)}, "cypher/y.cypher": {Data: []byte("// name: c\nRETURN 1\n")}})
	})
	require.Panics(t, func() { load(fstest.MapFS{"cypher/x.cypher": {Data: []byte(file + "\n// part: a\nRETURN 1\n")}}) })
	require.Panics(t, func() { load(fstest.MapFS{"cypher/x.cypher": {Data: []byte("// Has no name.\nRETURN 1\n")}}) })
	require.Panics(t, func() { named("none") })
}

// No statement is there that no code names, no part that no statement has, nor is any named that is not there.
func TestEachStatementIsUsed(t *testing.T) {
	there, included := map[string]keySet{"name": {}, "part": {}}, keySet{}
	paths, err := fs.Glob(cypherFiles, "cypher/*.cypher")
	require.NoError(t, err)
	for _, path := range paths {
		text, err := cypherFiles.ReadFile(path)
		require.NoError(t, err)
		for _, found := range heading.FindAllStringSubmatch(string(text), -1) {
			there[found[1]].add(found[2])
		}
		for _, found := range regexp.MustCompile(`template "(\w+)"`).FindAllStringSubmatch(string(text), -1) {
			included.add(found[1])
		}
	}
	statements, parts, sent := there["name"], there["part"], namesInCode(t)
	require.Empty(t, lacking(sent, statements), "the code names these, and they are not there")
	require.Empty(t, lacking(statements, sent), "no code names these")
	require.Empty(t, lacking(parts, included), "no statement has these parts")
	require.Empty(t, slices.DeleteFunc(lacking(included, parts), statements.has), "these parts are not there")
}

// lacking are those of names that others lack.
func lacking(names, others keySet) []string { return slices.DeleteFunc(names.sorted(), others.has) }

// namesInCode are the statements that the code of the package asks for, always by their names as they are written.
func namesInCode(t *testing.T) keySet {
	t.Helper()
	names := keySet{}
	paths, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, path := range paths {
		if path == "cypher.go" || strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(node ast.Node) bool {
			call, _ := node.(*ast.CallExpr)
			if call == nil {
				return true
			}
			if function, ok := call.Fun.(*ast.Ident); ok && (function.Name == "named" || function.Name == "rendered") {
				name, ok := call.Args[0].(*ast.BasicLit)
				require.True(t, ok, "%s: a statement is named by a variable", path)
				written, err := strconv.Unquote(name.Value)
				require.NoError(t, err)
				names.add(written)
			}
			return true
		})
	}
	return names
}
