// Package passages keeps the passages that records are found by, with the index of their words. It writes them; package
// search finds them.
package passages
