// Package traversal walks a graph, whoever holds it: breadth first around a node, a page at a time, and from both ends
// for the shortest path between two. It asks for neighbours in bounded batches, so that a node with a great many
// links is never read whole.
package traversal
