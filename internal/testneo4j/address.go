package testneo4j

import (
	"os"
	"strings"
	"testing"
)

// The variables through which tests learn of servers; `scripts/neo4j.sh env` prints them.
const (
	// EnvURL is its URL, or those of several with a space between, of which a package takes one.
	EnvURL      = "MNEME_TEST_NEO4J"
	EnvUser     = "MNEME_TEST_NEO4J_USER"
	EnvPassword = "MNEME_TEST_NEO4J_PASSWORD" //nolint:gosec // the name of a variable, not a password
	// EnvRequired makes the absence of a server a failure instead of a reason to skip.
	EnvRequired = "MNEME_TEST_NEO4J_REQUIRED"
)

// Reach gives a server that the environment names, the same each time, once no other package is testing on it. Without
// one the test is skipped, or fails where EnvRequired is set.
func Reach(t testing.TB) Server {
	t.Helper()
	servers := named()
	switch {
	case len(servers) > 0:
	case os.Getenv(EnvRequired) != "":
		t.Fatalf("%s is not set: start a server with `make neo4j-up`", EnvURL)
	default:
		t.Skipf("needs a Neo4j: `make neo4j-up`, then set %s and the variables beside it (`make test` does)", EnvURL)
	}
	server, err := takeTurn(servers)
	if err != nil {
		t.Fatal(err)
	}
	return server
}

// Reached is the server that Reach gave to this process; ok is false where it gave none.
func Reached() (server Server, ok bool) { return reached, reached.URL != "" }

var reached Server

// named are the servers that the environment names.
func named() (servers []Server) {
	for url := range strings.FieldsSeq(os.Getenv(EnvURL)) {
		servers = append(servers, Server{URL: url, User: os.Getenv(EnvUser), Password: os.Getenv(EnvPassword)})
	}
	return servers
}
