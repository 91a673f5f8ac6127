package lexical

import (
	"strings"
	"unicode"

	"github.com/clipperhouse/uax29/v2/words"
)

// MaxWordBytes is the longest word that counts. Longer ones (encoded blobs, mostly) are dropped on
// either side of a comparison.
const MaxWordBytes = 100

// Term is a content word of a text.
type Term struct {
	// Word is the word in lower case, without a possessive ending.
	Word string
	// Stem is what is compared: equal for "flights" and "flight".
	Stem string
}

// Terms returns the content words of a text, each stem once, in the order of their first appearance.
// A text without any gives an empty list.
func Terms(text string) []Term {
	terms := []Term{}
	seen := map[string]bool{}
	for analysis := newAnalysis(text); analysis.next(); {
		if stem := analysis.stem(); !seen[stem] {
			seen[stem] = true
			terms = append(terms, Term{Word: analysis.word, Stem: stem})
		}
	}
	return terms
}

// Stems returns the stems of all content words of a text, repeated as they are, joined by spaces: what
// an index of its own is fed with. No stem contains white space, a control character or a '"'.
func Stems(text string) string {
	var joined strings.Builder
	for analysis := newAnalysis(text); analysis.next(); {
		if joined.Len() > 0 {
			joined.WriteByte(' ')
		}
		joined.WriteString(analysis.stem())
	}
	return joined.String()
}

// analysis walks over the content words of a text.
type analysis struct {
	tokens *words.Iterator[string]
	word   string
	stems  map[string]string // of the words seen so far: texts repeat their words
}

func newAnalysis(text string) *analysis {
	valid := strings.ToValidUTF8(text, "\uFFFD") // the segmentation asks for it
	return &analysis{tokens: words.FromString(valid), stems: map[string]string{}}
}

// next moves to the next content word and says whether there is one.
func (a *analysis) next() bool {
	for a.tokens.Next() {
		token := a.tokens.Value()
		if len(token) > MaxWordBytes || !hasLetterOrNumber(token) {
			continue
		}
		word := foldWord(token)
		if word != "" && !stopWords[word] {
			a.word = word
			return true
		}
	}
	return false
}

func (a *analysis) stem() string {
	stem, known := a.stems[a.word]
	if !known {
		stem = stemOf(a.word)
		a.stems[a.word] = stem
	}
	return stem
}

func hasLetterOrNumber(token string) bool {
	for _, r := range token {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			return true
		}
	}
	return false
}

// foldWord lower-cases a token, writes its apostrophes in one way and drops the possessive. It answers
// "" for a stop word that only the whole token shows ("let's").
func foldWord(token string) string {
	word := strings.Map(visible, spellings.Replace(strings.ToLower(token)))
	if stopWords[word] {
		return ""
	}
	return strings.TrimSuffix(word, "'s")
}

// visible drops what nobody sees in a word: soft hyphens, joiners, marks of direction, and control characters and white space, which
// come before a mark of a sound.
func visible(r rune) rune {
	if unicode.In(r, unicode.Cf, unicode.Cc) || unicode.IsSpace(r) {
		return -1
	}
	return r
}

// spellings writes apostrophes in one way. It also drops what UAX #29 keeps inside words but an index's
// query syntax may give a meaning: the quotation mark of Hebrew.
var spellings = strings.NewReplacer("’", "'", "＇", "'", `"`, "")
