package neo4j

import (
	"testing"

	"mneme/store/lexical"
)

// FuzzQuery: nothing in a text is syntax of the index's queries, nor in a term that no analysis makes.
func FuzzQuery(f *testing.F) {
	f.Add(`a" OR words:(b) "`)
	f.Add(`\" AND NOT x~2 [a TO *]^9`)
	f.Add("日本 \xff 'c:\\temp' a\\")
	f.Fuzz(func(t *testing.T, text string) {
		requireQuoted(t, text, askedOf(terms(text)))
		requireQuoted(t, text, askedOf([]lexical.Term{{Word: text, Stem: text}, {Word: "a", Stem: "a"}}))
	})
}
