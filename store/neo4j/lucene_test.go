package neo4j

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/store"
	"mneme/store/lexical"
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
	v := vocabulary("v")
	chosen, _ := (&sample{}).choose(v, terms)
	return anyOf("words", v.wordsOf(chosen)...)
}

func TestQueryTexts(t *testing.T) {
	require.Empty(t, askedOf(terms("")))
	require.Empty(t, askedOf(terms("what is the")))
	require.Equal(t, `words:("v_refund")`, askedOf(terms("Refunds!")))
	require.Equal(t, `words:("v_novemb" "v_lima")`, askedOf(terms("lima november")))
	require.Equal(t, `words:("a")`, within(anyOf("words", "a")))
	require.Equal(t, `+words:("a") +boosted:("b")^0 +words:[c TO d]^0`, within(anyOf("words", "a"), anyOf("boosted", "b"), inRange("c", "d")))
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

// sentences are 200 ordinary sentences, in twenty of which each of ten habits of writing occurs.
func sentences() []string {
	habits := []string{
		"%s!", "Note: %s.", "Is it true that %s?", `He said "%s" twice.`, "%s and/or nothing (see §3)", "%s AND NOT that",
		"%s OR else; it's 50% off @ https://example.org/a?b=c&d=[1]", "~ %s ^2 * {draft} \\ end", "%s -- TO be continued...", "'%s' (a.k.a. #%[1]s) + more -- or less",
	}
	subjects := []string{
		"refund", "the flight", "a walrus", "user_id", "C:\\temp", "order W5061109", "3.5 hours", "e-mail", "O'Brien", "R&D",
		"naïveté", "Zürich", "日本", "v1.26.8", "node:agent", "a/b/c", "1/2", "foo(bar)", "x=y", "price: $5",
	}
	var all []string
	for _, habit := range habits {
		for _, subject := range subjects {
			all = append(all, strings.TrimSuffix(fmt.Sprintf(habit, subject), "%!(EXTRA string="+subject+")"))
		}
	}
	return all
}

func TestOrdinarySentencesAreAnswered(t *testing.T) {
	all := sentences()
	require.Len(t, all, 200)
	tenant := freshStore(t, mustConnect(t))
	var records []store.EpisodeRecord
	for i, text := range all {
		records = append(records, draft(fmt.Sprintf("e%03d", i), func(r *store.EpisodeRecord) { r.Episode.Observation = text }))
	}
	mustRecord(t, tenant, records...)
	for i, text := range all {
		found, err := tenant.Candidates(t.Context(), store.RecallQuery{Text: text, Limit: 300})
		require.NoError(t, err, "%q", text)
		lexicalOf := 0.0
		for _, item := range found.Items {
			if item.Key == fmt.Sprintf("e%03d", i) {
				lexicalOf = item.Lexical
			}
		}
		require.Positive(t, lexicalOf, "%q finds itself", text)
	}
}
