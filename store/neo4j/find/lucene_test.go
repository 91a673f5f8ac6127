package find

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/store/lexical"
	"mneme/store/neo4j/words"
)

func terms(text string) []lexical.Term { return lexical.Terms(text) }

// asked is the form of every query: all that comes from a user stands between quotes.
var asked = regexp.MustCompile(`^words:\(WORDS\)$`)

var quotedWords = regexp.MustCompile(`"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*`)

func requireQuoted(t require.TestingT, text, q string) {
	if q != "" {
		require.Regexp(t, asked, quotedWords.ReplaceAllString(q, "WORDS"), "%q becomes %q", text, q)
	}
}

// askedOf is what the index is asked for a situation.
func askedOf(terms []lexical.Term) string {
	v := words.Vocabulary("v")
	chosen, _ := (&sample{}).choose(v, terms)
	return words.AnyOf("words", v.WordsOf(chosen)...)
}

func TestQueryTexts(t *testing.T) {
	require.Empty(t, askedOf(terms("")))
	require.Empty(t, askedOf(terms("what is the")))
	require.Equal(t, `words:("v_refund")`, askedOf(terms("Refunds!")))
	require.Equal(t, `words:("v_novemb" "v_lima")`, askedOf(terms("lima november")))
	require.Equal(t, `words:("a")`, words.Within(words.AnyOf("words", "a")))
	require.Equal(t, `+words:("a") +boosted:("b")^0 +words:[c TO d]^0`, words.Within(words.AnyOf("words", "a"), words.AnyOf("boosted", "b"), words.InRange("c", "d")))
}

func TestQueriesTakeAFewClauses(t *testing.T) {
	var long strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&long, "word%d ", i)
	}
	require.LessOrEqual(t, strings.Count(askedOf(terms(long.String())), `"`)/2+scoresPerLookup, 1024, "Lucene takes no more clauses")
}

func TestNothingOfAUserIsSyntax(t *testing.T) {
	rapid.Check(t, func(random *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune(`+-&|!(){}[]^"~*?:\/'`)), rapid.Rune())).Draw(random, "text")
		requireQuoted(random, text, askedOf(terms(text)))
	})
	hostile := []lexical.Term{{Word: "a", Stem: `a" OR words:8 "`}, {Word: "b", Stem: `\`}, {Word: "c", Stem: `\"`}}
	requireQuoted(t, "hostile terms", askedOf(hostile))
}

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
