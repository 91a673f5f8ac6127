// Package schema holds the API contract: one *.graphqls file for each concept. schema.graphql is all of
// them composed, for readers and tools, and a test keeps it in step.
package schema

import (
	"embed"
	"io/fs"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

//go:generate go run ./generate

//go:embed *.graphqls
var files embed.FS

// Load gives the schema that is served, parsed once. It is shared: do not change it. Of the directives that
// the parser brings along, @defer is left out, because answers come in one piece.
var Load = sync.OnceValue(func() *ast.Schema {
	names, err := fs.Glob(files, "*.graphqls")
	if err != nil {
		panic("schema: " + err.Error()) // the pattern is constant
	}
	sources := make([]*ast.Source, 0, len(names))
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			panic("schema: " + err.Error()) // the files are embedded
		}
		sources = append(sources, &ast.Source{Name: name, Input: string(text)})
	}
	loaded := gqlparser.MustLoadSchema(sources...)
	delete(loaded.Directives, "defer")
	return loaded
})

// SDL is the composed schema in the schema definition language.
func SDL() string {
	var text strings.Builder
	formatter.NewFormatter(&text, formatter.WithIndent("  ")).FormatSchema(Load())
	return text.String()
}
