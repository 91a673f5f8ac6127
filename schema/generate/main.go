// Command generate makes package graph and schema.graphql of the *.graphqls files, by gqlgen.
// `go generate ./schema` runs it in the schema's folder.
package main

import (
	"fmt"
	"io"
	"log"
	"os"

	"github.com/99designs/gqlgen/api"
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
	log.SetOutput(io.Discard)                                                           // gqlgen reports its search for methods
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
	settings.SkipModTidy, settings.SkipValidation = true, true // the build follows
	return api.Generate(settings)
}
