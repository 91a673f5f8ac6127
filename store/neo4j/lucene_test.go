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
var asked = regexp.MustCompile(`^\+tenantToken:7\^0 \+\(FIELDS\)( FIELDS)? ?$`)

var inTheFields = regexp.MustCompile(`title:\((WORDS)\)\^[0-9.]+ observation:\((WORDS)\)\^[0-9.]+ result:\((WORDS)\)\^[0-9.]+ insight:\((WORDS)\)\^[0-9.]+`)

var quotedWords = regexp.MustCompile(`"(?:[^"\\]|\\.)*"(?: "(?:[^"\\]|\\.)*")*`)

func requireQuoted(t require.TestingT, text, q string) {
	if q == "" {
		return
	}
	form := inTheFields.ReplaceAllString(quotedWords.ReplaceAllString(q, "WORDS"), "FIELDS")
	require.Regexp(t, asked, form, "%q becomes %q", text, q)
}

func TestTextQuery(t *testing.T) {
	require.Empty(t, textQuery("7", terms("")))
	require.Empty(t, textQuery("7", terms("what is the")))
	require.Equal(t, `+tenantToken:7^0 +(title:("refunds")^2 observation:("refunds")^4 result:("refunds")^1 insight:("refunds")^1) `,
		textQuery("7", terms("Refunds!")))
	many := textQuery("7", terms("alpha bravo charlie delta echoes foxtrot golf hotel india juliet kilo lima mike november"))
	require.Contains(t, many, `+(title:("november" "charlie" "foxtrot" "echoes" "juliet" "alpha" "bravo" "delta" "hotel" "india" "golf" "kilo")^2`)
	require.Contains(t, many, `title:("lima" "mike")^0.5 observation:("lima" "mike")^1 result:("lima" "mike")^0.25`)
}

func TestTextQueryTakesAFewClauses(t *testing.T) {
	var long strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&long, "word%d ", i)
	}
	q := textQuery("7", terms(long.String()))
	require.LessOrEqual(t, strings.Count(q, `"`)/2+bite+1, 1024, "Lucene takes no more clauses")
}

func TestNothingOfAUserIsSyntax(t *testing.T) {
	rapid.Check(t, func(random *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune(`+-&|!(){}[]^"~*?:\/'`)), rapid.Rune())).Draw(random, "text")
		requireQuoted(random, text, textQuery("7", terms(text)))
	})
	hostile := []lexical.Term{{Word: `a" OR tenantToken:8 "`, Stem: "a"}, {Word: `\`, Stem: "b"}, {Word: `\"`, Stem: "c"}}
	requireQuoted(t, "hostile terms", textQuery("7", hostile))
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
