package meaning

import (
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
	marks  []byte // room for what a character is composed of
	ids    [longestWord]int
}

// split calls token for each token of a text, in order, and says how many pieces of words have three letters or more.
// What it keeps does not grow with the text.
func (p *pieces) split(text string, token func(id int)) (known int) {
	s := splitter{pieces: p, token: token, word: make([]byte, 0, longestWord*utf8.UTFMax), marks: make([]byte, 0, 64)}
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			s.ascii(c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r != utf8.RuneError {
			s.beyondASCII(r, text[i:i+size])
		}
		i += size
	}
	s.end()
	return s.known
}

func (s *splitter) ascii(c byte) {
	switch {
	case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
		s.add(rune(c))
	case 'A' <= c && c <= 'Z':
		s.add(rune(c) + 'a' - 'A')
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		s.end()
	case c > ' ' && c < 0x7f:
		s.alone(rune(c))
	}
}

func (s *splitter) beyondASCII(r rune, spelt string) {
	switch {
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co): // U+0085 too, although it is white space
		return
	case unicode.Is(unicode.White_Space, r):
		s.end()
		return
	}
	chinese := isChinese(r)
	if chinese {
		s.end()
	}
	s.marks = norm.NFD.AppendString(s.marks[:0], spelt)
	for rest := s.marks; len(rest) > 0; {
		part, size := utf8.DecodeRune(rest)
		rest = rest[size:]
		switch {
		case part < utf8.RuneSelf: // of é, of ≠
			s.ascii(byte(part))
		case unicode.Is(unicode.Mn, part):
		case unicode.IsPunct(part):
			s.alone(part)
		default:
			s.add(unicode.ToLower(part))
		}
	}
	if chinese {
		s.end()
	}
}

func (s *splitter) alone(r rune) {
	s.end()
	s.add(r)
	s.end()
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
