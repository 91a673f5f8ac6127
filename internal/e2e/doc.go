// Package e2e holds the tests of the whole: the API over HTTP on real stores. Every test runs on
// SQLite, and on Neo4j where the environment names one.
package e2e
