// Command generate makes package graph and schema.graphql of the *.graphqls files. `go generate ./schema`
// runs it in the schema's folder. What it does to gqlgen's code is in package rewrite.
package main

import (
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"

	"github.com/99designs/gqlgen/codegen/config"

	"mneme/graph/answering/rewrite"
	"mneme/schema"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run() error {
	log.SetOutput(io.Discard)                                                           // what gqlgen prints of its search for methods
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
	stock, err := filepath.Abs("bin/stock")
	if err != nil {
		return err
	}
	return rewrite.Generate(settings, stock)
}
