package meaning

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// longestWord is how many characters a word may have; longer ones are unknown, as in BERT's own WordPiece.
const longestWord = 100

// shortestKnown is the least bytes of a piece that says something: the vocabulary has all letters, and most pairs.
const shortestKnown = 3

// unknown is the token of a word that cannot be put together of pieces.
const unknown = 100

// splitter splits a text into tokens of BERT's uncased WordPiece, as the library tokenizers does: no control
// characters, no accents, lower case, punctuation and Chinese characters alone, words of the longest pieces from the
// left.
type splitter struct {
	pieces *pieces
	token  func(id int)
	word   []byte // what the current word has so far
	runes  int    // its characters; those beyond longestWord are not in word
	known  int    // pieces that say something
	ids    [longestWord]int
}

// split calls token for each token of a text, in order, and says how many pieces of words have three letters or more.
func (p *pieces) split(text string, token func(id int)) (known int) {
	s := splitter{pieces: p, token: token, word: make([]byte, 0, longestWord*utf8.UTFMax)}
	for _, r := range norm.NFD.String(strings.ToValidUTF8(text, "")) {
		switch {
		case strings.ContainsRune(" \n\t\r", r) || r > '\u0085' && unicode.Is(unicode.White_Space, r):
			s.end()
		case r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r)):
			s.add(unicode.ToLower(r))
		case r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Mn):
		case isChinese(r) || unicode.IsPunct(r) || r < utf8.RuneSelf:
			s.end()
			s.add(r)
			s.end()
		default:
			s.add(unicode.ToLower(r))
		}
	}
	s.end()
	return s.known
}

func (s *splitter) add(r rune) {
	if s.runes++; s.runes <= longestWord {
		s.word = utf8.AppendRune(s.word, r)
	}
}

// end gives the tokens of the current word. They are known only when the whole word is: one that cannot be put
// together to its end is one unknown token.
func (s *splitter) end() {
	if s.runes == 0 {
		return
	}
	word, found := s.word, 0
	whole := s.runes <= longestWord
	for whole && len(word) > 0 {
		id, size := s.pieces.longest(word, found == 0)
		if whole = size > 0; whole {
			if size >= shortestKnown && (word[0] < '0' || word[0] > '9') {
				s.known++
			}
			s.ids[found] = id
			found++
			word = word[size:]
		}
	}
	if whole {
		for _, id := range s.ids[:found] {
			s.token(id)
		}
	} else {
		s.token(unknown)
	}
	s.word, s.runes = s.word[:0], 0
}

// isChinese is whether BERT takes a character for one that is a word of its own: CJK ideographs, and neither kana nor
// Hangul.
func isChinese(r rune) bool {
	switch {
	case r < 0x3400:
		return false
	case r <= 0x4dbf, 0x4e00 <= r && r <= 0x9fff, 0xf900 <= r && r <= 0xfaff, 0x20000 <= r && r <= 0x2a6df,
		0x2a700 <= r && r <= 0x2b73f, 0x2b740 <= r && r <= 0x2b81f, 0x2b920 <= r && r <= 0x2ceaf, 0x2f800 <= r && r <= 0x2fa1f:
		return true
	}
	return false
}
