// Command compose writes the composed schema to schema.graphql; go generate runs it in the schema's folder.
package main

import (
	"fmt"
	"os"

	"mneme/schema"
)

func main() {
	if err := os.WriteFile("schema.graphql", []byte(schema.SDL()), 0o644); err != nil { //nolint:gosec // meant to be read
		fmt.Fprintln(os.Stderr, "compose:", err)
		os.Exit(1)
	}
}
