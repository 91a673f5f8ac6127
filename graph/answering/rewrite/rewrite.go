// Package rewrite makes package graph: gqlgen's code, with one change. gqlgen gives every field a context, closures and
// a panic handler of its own, which for a field that only looks at a struct costs ten times as much as writing it. So
// the functions that answer objects are written anew from objects.gotpl, upon package answering, and take the place of
// gqlgen's. Fields with resolvers stay as they are.
package rewrite

import (
	"path/filepath"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
)

// Generate runs gqlgen and writes the functions that answer objects anew. The files as gqlgen wrote them are kept in
// the folder stock, with an overlay.json by which `go test -overlay` takes them instead.
func Generate(settings *config.Config, stock string) error {
	settings.SkipModTidy, settings.SkipValidation = true, true // nothing compiles until all is done
	var seen witness
	if err := api.Generate(settings, api.AddPlugin(&seen)); err != nil {
		return err
	}
	folder := settings.Exec.DirName
	rewritten := filepath.Join(folder, "objects.generated.go")
	if err := keep(folder, rewritten, stock); err != nil {
		return err
	}
	if err := writeObjects(seen.data, rewritten); err != nil {
		return err
	}
	written, err := functions(rewritten)
	if err != nil {
		return err
	}
	return removeElsewhere(folder, rewritten, written)
}

// witness is a plugin that remembers what gqlgen found out about the schema and the Go types.
type witness struct{ data *codegen.Data }

// Name names the plugin to gqlgen.
func (*witness) Name() string { return "objects" }

// GenerateCode is gqlgen's call with what it found out.
func (w *witness) GenerateCode(data *codegen.Data) error {
	w.data = data
	return nil
}
