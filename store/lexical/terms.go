package lexical

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// MaxWordBytes is the longest word that counts. Longer ones (encoded blobs, mostly) are dropped on
// either side of a comparison.
const MaxWordBytes = 100

// Term is a content word of a text.
type Term struct {
	// Word is the word with its case folded, without a possessive ending.
	Word string
	// Stem is what is compared: equal for "flights" and "flight".
	Stem string
}

// Terms returns the content words of a text, each stem once, in the order of their first appearance.
// A text without any gives an empty list.
func Terms(text string) []Term {
	terms := []Term{}
	seen := map[string]bool{}
	for term := range NewReader().each(text) {
		if !seen[term.Stem] {
			seen[term.Stem] = true
			terms = append(terms, term)
		}
	}
	return terms
}

// Stems returns the stems of all content words of a text, repeated as they are, joined by spaces: what
// an index of its own is fed with. No stem contains white space, a control character or a '"'.
func Stems(text string) string { return NewReader().Stems(text) }

// Stems is Stems for one of several texts.
func (r *Reader) Stems(text string) string {
	var joined strings.Builder
	for term := range r.each(text) {
		if joined.Len() > 0 {
			joined.WriteByte(' ')
		}
		joined.WriteString(term.Stem)
	}
	return joined.String()
}

// each walks over the content words of a text.
func (r *Reader) each(text string) iter.Seq[Term] {
	return func(yield func(Term) bool) {
		text := strings.ToValidUTF8(text, "\uFFFD") // the segmentation asks for it
		for tokens := words.FromString(text); tokens.Next(); {
			for _, term := range r.token(tokens.Value(), signAfter(text[tokens.End():])) {
				if !yield(term) {
					return
				}
			}
		}
	}
}

// Reader makes words of texts. It keeps what it made, as texts repeat their words. It is not safe for concurrent use.
type Reader struct {
	fold  cases.Caser
	terms map[string][]Term
}

// NewReader makes a Reader for texts that are read together.
func NewReader() *Reader { return &Reader{fold: cases.Fold(), terms: map[string][]Term{}} }

// token gives the words of a token: itself, and what it is put together of.
func (r *Reader) token(token, sign string) []Term {
	if len(token) > MaxWordBytes {
		return nil
	}
	whole := token + sign
	terms, known := r.terms[whole]
	if !known {
		terms = r.read(token, sign)
		r.terms[whole] = terms
	}
	return terms
}

func (r *Reader) read(token, sign string) (terms []Term) {
	add := func(word string) {
		if word != "" && !stopWords[word] {
			terms = append(terms, Term{Word: word, Stem: stemOf(word)})
		}
	}
	if !strings.ContainsFunc(token, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		add(emoji(token))
		return terms
	}
	word := r.word(token)
	if add(word + sign); sign != "" && utf8.RuneCountInString(word) > 1 {
		add(word)
	}
	for _, part := range parts(token) {
		if part = r.word(part); len(part) > 1 {
			add(part)
		}
	}
	if isCommit(word) {
		add(word[:shortCommit])
	}
	return terms
}

// word folds case and widths, writes apostrophes in one way and drops the possessive. It answers "" for a stop word
// that only the whole token shows ("let's").
func (r *Reader) word(token string) string {
	if isASCII(token) {
		token = strings.ToLower(token)
	} else {
		token = norm.NFKC.String(r.fold.String(norm.NFKC.String(token)))
	}
	word := strings.Map(visible, spellings.Replace(token))
	if stopWords[word] {
		return ""
	}
	return strings.TrimSuffix(word, "'s")
}

// visible drops what nobody sees in a word: soft hyphens, joiners, marks of direction, and control characters and white
// space, which come before a mark of a sound.
func visible(r rune) rune {
	if unicode.In(r, unicode.Cf, unicode.Cc) || unicode.IsSpace(r) {
		return -1
	}
	return r
}

// spellings writes apostrophes in one way. It also drops what UAX #29 keeps inside words but an index's
// query syntax may give a meaning: the quotation mark of Hebrew.
var spellings = strings.NewReplacer("’", "'", "＇", "'", `"`, "")

// signAfter is the sign that is part of the name before it: C++, C#.
func signAfter(rest string) string {
	if strings.HasPrefix(rest, "++") {
		return "++"
	}
	if after, ok := strings.CutPrefix(rest, "#"); ok {
		if next, _ := utf8.DecodeRuneInString(after); !unicode.IsLetter(next) && !unicode.IsNumber(next) {
			return "#"
		}
	}
	return ""
}

// parts are the words of an identifier: of getUserById, cancel_reservation, os.path. There are none of one word, nor of
// numbers such as 3.5.
func parts(token string) []string {
	if !strings.ContainsFunc(token, unicode.IsLetter) {
		return nil
	}
	var parts []string
	from := 0
	cut := func(to, next int) {
		if to > from {
			parts = append(parts, token[from:to])
		}
		from = next
	}
	runes := []rune(token)
	at := 0
	for i, r := range runes {
		size := utf8.RuneLen(r)
		switch {
		case r == '_' || r == '.' || r == ':':
			cut(at, at+size)
		case i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			cut(at, at)
		}
		at += size
	}
	if cut(at, at); len(parts) < 2 && strings.Join(parts, "") == token {
		return nil
	}
	return parts
}

// The least digits of a commit's id by which people name it, and how many are enough.
const (
	shortCommit = 7
	maxCommit   = 64
)

// isCommit says whether a word may be more than the beginning of a commit's id.
func isCommit(word string) bool {
	if len(word) <= shortCommit || len(word) > maxCommit {
		return false
	}
	return strings.Trim(word, "0123456789abcdef") == "" && strings.ContainsAny(word, "0123456789") && strings.ContainsAny(word, "abcdef")
}

// emoji is a token that is one, without its shade; "" for other signs.
func emoji(token string) string {
	is := false
	word := strings.Map(func(r rune) rune {
		switch {
		case r == 0xFE0F || 0x1F3FB <= r && r <= 0x1F3FF:
			return -1
		case 0x2600 <= r && r <= 0x27BF || 0x1F000 <= r && r <= 0x1FAFF:
			is = true
		}
		return visible(r)
	}, token)
	if !is {
		return ""
	}
	return word
}
