package testneo4j

import (
	"os"
	"testing"
)

// The variables through which tests learn of a server; `scripts/neo4j.sh env` prints them.
const (
	EnvURL      = "MNEME_TEST_NEO4J"
	EnvUser     = "MNEME_TEST_NEO4J_USER"
	EnvPassword = "MNEME_TEST_NEO4J_PASSWORD" //nolint:gosec // the name of a variable, not a password
	// EnvRequired makes the absence of a server a failure instead of a reason to skip.
	EnvRequired = "MNEME_TEST_NEO4J_REQUIRED"
)

// Reach gives the server that the environment names, once no other package is testing on it. Without
// one the test is skipped, or fails where EnvRequired is set.
func Reach(t testing.TB) Server {
	t.Helper()
	server := named()
	switch {
	case server.URL != "":
	case os.Getenv(EnvRequired) != "":
		t.Fatalf("%s is not set: start a server with `make neo4j-up`", EnvURL)
	default:
		t.Skipf("needs a Neo4j: `make neo4j-up`, then set %s and the variables beside it (`make test` does)", EnvURL)
	}
	if err := takeTurn(server); err != nil {
		t.Fatal(err)
	}
	return server
}

// named is the server that the environment names, without a URL where it names none.
func named() Server {
	return Server{URL: os.Getenv(EnvURL), User: os.Getenv(EnvUser), Password: os.Getenv(EnvPassword)}
}
