// Package testneo4j starts and stops a real Neo4j for tests and tells tests how to reach it.
//
// The server runs in Docker where an engine answers. Otherwise it is Neo4j Community as a library,
// fetched by Maven and started by a few lines of Java (server/Server.java): the same storage, indexes
// and Bolt protocol, without an installation.
package testneo4j
