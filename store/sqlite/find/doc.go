// Package find is recall and search: it finds what matches by words or by vector through the indexes, looks at what is
// most promising, and hands over a pool that the ranking sorts. How much it looks at is bounded.
package find
