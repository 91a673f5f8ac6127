package find

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store/lexical"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/settings"
	"mneme/store/neo4j/words"
)

func terms(text string) []lexical.Term { return lexical.Terms(text) }

// asked is the form of every query: all that comes from a user stands between quotes.
var asked = regexp.MustCompile(`^words:\(WORDS\)$`)

var quotedWords = regexp.MustCompile(`"(?:[^"\\]|\\.)*"(?:\^[0-9]+\.[0-9]{6})?(?: "(?:[^"\\]|\\.)*"(?:\^[0-9]+\.[0-9]{6})?)*`)

func requireQuoted(t require.TestingT, text, q string) {
	if q != "" {
		require.Regexp(t, asked, quotedWords.ReplaceAllString(q, "WORDS"), "%q becomes %q", text, q)
	}
}

// askedOf is what the index is asked for each term of a situation.
func askedOf(terms []lexical.Term) []string {
	var asked []string
	s := &Recaller{Settings: &settings.Settings{Tenant: &bolt.Tenant{TenantID: "t"}}}
	for _, term := range terms {
		asked = append(asked, s.having([]memory.Kind{memory.KindEpisode, memory.KindConcept}, term.Stem))
	}
	if len(terms) > 0 {
		asked = append(asked, bestOf(terms, 3, 10).best(words.VocabularyOf("t", memory.KindEpisode), memory.KindEpisode, 10))
	}
	return asked
}

// bestOf is a question for terms that so many of a tenant's records have.
func bestOf(terms []lexical.Term, having, all int) *question {
	q := &question{looked: len(terms), records: map[memory.Kind]int{memory.KindEpisode: all}}
	for _, term := range terms {
		q.Stems, q.IDF, q.having = append(q.Stems, term.Stem), append(q.IDF, matching.Rarity(having, all)), append(q.having, having)
	}
	return q
}

// A word weighs as it is rare in the tenant, over what Lucene makes of it among all that it holds.
func TestWeightsOfWords(t *testing.T) {
	for _, tt := range []struct {
		name                 string
		having, all, indexed int
		weight               string
	}{
		{"a tenant by itself", 3, 10, 10, "1.000000"},
		{"one among others", 5, 2000, 1_000_000, "0.486894"}, // ln(1 + 1995.5/5.5) / ln(1 + 999995.5/5.5)
		{"common in a tenant among others", 1000, 2000, 1_000_000, "0.100351"},
		{"more than there were", 50, 100, 0, "1.000000"},
		{"more than are counted", 100, 10, 20, "1.000000"},
		{"in all of many", 1_000_000, 1_000_000, 100_000_000, "0.000001"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := bestOf(terms("lima"), tt.having, tt.all).best("v", memory.KindEpisode, float64(tt.indexed))
			require.Equal(t, `words:("v_lima"^`+tt.weight+`)`, asked)
		})
	}
}

func TestQueryTexts(t *testing.T) {
	require.Empty(t, askedOf(terms("what is the")))
	episodes, concepts := words.VocabularyOf("t", memory.KindEpisode), words.VocabularyOf("t", memory.KindConcept)
	require.Equal(t, []string{`words:("` + episodes.Word("lima") + `" "` + concepts.Word("lima") + `")`, `words:("` + episodes.Word("lima") + `"^1.000000)`}, askedOf(terms("Lima")))
	require.Equal(t, `words:("a")`, words.Within(words.AnyOf("words", "a")))
	require.Equal(t, `+words:("a") +boosted:("b")^0 +words:[c TO d]^0`, words.Within(words.AnyOf("words", "a"), words.AnyOf("boosted", "b"), words.InRange("c", "d")))
	require.Equal(t, `(words:v@00* words:v@1*)`, words.Any(words.Vocabulary("v").IDs("00"), words.Vocabulary("v").IDs("1")))
}

func TestNothingOfAUserIsSyntax(t *testing.T) {
	rapid.Check(t, func(random *rapid.T) {
		text := rapid.StringOf(rapid.OneOf(rapid.SampledFrom([]rune(`+-&|!(){}[]^"~*?:\/'`)), rapid.Rune())).Draw(random, "text")
		for _, asked := range askedOf(terms(text)) {
			requireQuoted(random, text, asked)
		}
	})
	hostile := []lexical.Term{{Word: "a", Stem: `a" OR words:8 "`}, {Word: "b", Stem: `\`}, {Word: "c", Stem: `\"`}}
	for _, asked := range askedOf(hostile) {
		requireQuoted(t, "hostile terms", asked)
	}
}

// FuzzQuery: nothing in a text is syntax of the index's queries, nor in a term that no analysis makes.
func FuzzQuery(f *testing.F) {
	f.Add(`a" OR words:(b) "`)
	f.Add(`\" AND NOT x~2 [a TO *]^9`)
	f.Add("日本 \xff 'c:\\temp' a\\")
	f.Fuzz(func(t *testing.T, text string) {
		for _, asked := range askedOf(append(terms(text), lexical.Term{Word: text, Stem: text}, lexical.Term{Word: "a", Stem: "a"})) {
			requireQuoted(t, text, asked)
		}
	})
}
