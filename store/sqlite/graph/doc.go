// Package graph is what records of all kinds have in common: a row of nodes each, links between those, what waits for a
// record that is not there yet, the aggregates of episodes that follow from links, and vectors.
package graph
