// Command generate makes package graph and schema.graphql of the *.graphqls files. `go generate ./schema`
// runs it in the schema's folder.
//
// Package graph is gqlgen's, with one change: gqlgen gives every field a context, closures and a panic
// handler of its own, which for a field that only looks at a struct costs ten times as much as writing
// it. So the functions that answer objects are written anew from objects.gotpl, and take the place of
// gqlgen's. Fields with resolvers stay as they are.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"

	"mneme/schema"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	log.SetOutput(io.Discard)                                                           // gqlgen's remarks on its search for methods
	if err := os.WriteFile("schema.graphql", []byte(schema.SDL()), 0o644); err != nil { //nolint:gosec // meant to be read
		return err
	}
	if err := os.Chdir(".."); err != nil {
		return err
	}
	settings, err := config.LoadConfig("gqlgen.yml")
	if err != nil {
		return err
	}
	settings.SkipModTidy, settings.SkipValidation = true, true // nothing compiles until rewrite is done
	var seen witness
	if err := api.Generate(settings, api.AddPlugin(&seen)); err != nil {
		return err
	}
	return rewrite(seen.data)
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
