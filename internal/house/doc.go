// Package house holds the tests of the house itself: who may import whom, and that its documents hang together.
package house
