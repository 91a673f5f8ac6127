package cypher

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
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
	values := Parameters{"tenant": "t", "keys": []string{"a"}, "limit": 3, "agent": nil}
	text, sent := Sendable(Statement{"test", "// of $5 or more\nMATCH (e:Episode {tenant: $tenant}) WHERE e.key IN $keys AND ($agent IS NULL OR e.agent=$agent)\n" +
		"WITH collect(e) AS found RETURN found[..$limit]"}, values)
	require.Equal(t, "// of $5 or more\nMATCH (e:Episode {tenant: $p.tenant}) WHERE e.key IN $p.keys AND ($p.agent IS NULL OR e.agent=$p.agent)\n"+
		"WITH collect(e) AS found RETURN found[..$p.limit]", text)
	require.Equal(t, Parameters{"p": values}, sent)
}

func TestAStatementIsWhatStandsBelowItsHeading(t *testing.T) {
	const file = "// What the file is about.\n\n// name: a\n// It does this\n// and that.\nRETURN 1 // one\n// sent\n{{template \"c\"}}\n\n// part: c\n\nAS n\n"
	var text strings.Builder
	require.NoError(t, load(fstest.MapFS{"x.cypher": {Data: []byte(file)}}).ExecuteTemplate(&text, "a", nil))
	require.Equal(t, "RETURN 1 // one\n// sent\nAS n", text.String())
	require.Panics(t, func() {
		load(fstest.MapFS{"x.cypher": {Data: []byte(file)}, "y.cypher": {Data: []byte("// name: c\nRETURN 1\n")}})
	})
	require.Panics(t, func() { load(fstest.MapFS{"x.cypher": {Data: []byte(file + "\n// part: a\nRETURN 1\n")}}) })
	require.Panics(t, func() { Named("none") })
}

// What finds and ranks passages fits on a screen: Neo4j plans each text anew at its first use.
func TestStatementsOfPassagesAreShort(t *testing.T) {
	text, err := cypherFiles.ReadFile("passages.cypher")
	require.NoError(t, err)
	names := []string{"newest", "trajectories"}
	for _, found := range heading.FindAllStringSubmatch(string(text), -1) {
		if found[1] == "name" {
			names = append(names, found[2])
		}
	}
	for _, name := range names {
		for _, asked := range []map[string]any{ // of episodes to be ranked, of all kinds, and of observations
			{"AsOf": true, "ByScore": true, "ByCanvas": true, "Episodes": true, "Filtered": true, "ToRank": true, "Index": "index", "Sort": "sort", "Fixed": "fixed"},
			{"AsOf": true, "ByScore": true, "ByCanvas": true, "Episodes": true, "Filtered": true, "Others": true, "OfFeedback": true, "Index": "index", "Sort": "sort", "Fixed": "fixed"},
			{"AsOf": true, "Others": true, "Weight": strings.Repeat("w", 500), "Index": "index", "Sort": "sort", "Fixed": "fixed"},
		} {
			sent := Rendered(name, asked).Text
			require.LessOrEqual(t, len(sent), 2500, name)
			require.LessOrEqual(t, strings.Count(sent, "\n")+1, 40, name)
		}
	}
}

// set is a set of names.
type set map[string]bool

// No statement is there that no code names, no part that no statement has, nor is any named that is not there.
func TestEachStatementIsUsed(t *testing.T) {
	there, included := map[string]set{"name": {}, "part": {}}, set{}
	paths, err := fs.Glob(cypherFiles, "*.cypher")
	require.NoError(t, err)
	for _, path := range paths {
		text, err := cypherFiles.ReadFile(path)
		require.NoError(t, err)
		for _, found := range heading.FindAllStringSubmatch(string(text), -1) {
			there[found[1]][found[2]] = true
		}
		for _, found := range regexp.MustCompile(`template "(\w+)"`).FindAllStringSubmatch(string(text), -1) {
			included[found[1]] = true
		}
	}
	statements, parts, sent := there["name"], there["part"], namesInCode(t)
	require.Empty(t, lacking(sent, statements), "the code names these, and they are not there")
	require.Empty(t, lacking(statements, sent), "no code names these")
	require.Empty(t, lacking(parts, included), "no statement has these parts")
	require.Empty(t, slices.DeleteFunc(lacking(included, parts), func(name string) bool { return statements[name] }), "these parts are not there")
}

// lacking are those of names that others lack.
func lacking(names, others set) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(names)), func(name string) bool { return others[name] })
}

// namesInCode are the statements that the code of the store asks for, always by their names as they are written.
func namesInCode(t *testing.T) set {
	t.Helper()
	names := set{}
	require.NoError(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(node ast.Node) bool {
			call, _ := node.(*ast.CallExpr)
			if call == nil {
				return true
			}
			function, _ := call.Fun.(*ast.SelectorExpr)
			if function == nil || !slices.Contains([]string{"Named", "Rendered", "Shaped", "Forms"}, function.Sel.Name) {
				return true
			}
			if from, ok := function.X.(*ast.Ident); !ok || from.Name != "cypher" {
				return true
			}
			name, ok := call.Args[0].(*ast.BasicLit)
			require.True(t, ok, "%s: a statement is named by a variable", path)
			written, err := strconv.Unquote(name.Value)
			require.NoError(t, err)
			names[written] = true
			return true
		})
		return nil
	}))
	return names
}
