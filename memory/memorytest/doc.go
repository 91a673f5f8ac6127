// Package memorytest has instants, records and real runs for the tests of memory and its rooms, and the tests of what
// holds across several of them.
package memorytest
