package redaction

import (
	"html"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reading is a text as whoever decodes it or sees it reads it: without letters that do not show, with full-width
// letters as those of ASCII, and with what HTML, URLs or JSON write in place of a letter of ASCII as that letter.
type Reading struct {
	Text string
	// ends is where each byte of Text ends in the original, behind a 0; nil where Text is the original.
	ends []int32
}

// ReadingOf reads a text, in one pass. fold, where it is not nil, gives the letter of ASCII that another one stands
// for, or the letter itself.
func ReadingOf(text string, fold func(rune) rune) Reading { return readingOf(text, fold, letterAt) }

// UnescapedOf is ReadingOf without URL encoding: "%41" stays.
func UnescapedOf(text string, fold func(rune) rune) Reading {
	return readingOf(text, fold, unescapedAt)
}

func readingOf(text string, fold func(rune) rune, letterAt func(string) (rune, int)) Reading {
	var plain []byte
	var ends []int32
	done := 0 // how much of the text is in plain
	keep := func(to int) {
		if ends == nil {
			plain, ends = make([]byte, 0, len(text)), append(make([]int32, 0, len(text)+1), 0)
		}
		plain = append(plain, text[done:to]...)
		for done < to {
			done++
			ends = append(ends, int32(done))
		}
	}
	for at := nextOdd(text, 0); at < len(text); at = nextOdd(text, at) {
		letter, size := letterAt(text[at:])
		letter = asShown(letter, fold)
		if letter < 0 || letter < utf8.RuneSelf && size > 1 {
			keep(at)
			done = at + size
			if letter >= 0 {
				plain, ends = append(plain, byte(letter)), append(ends, int32(done))
			}
		}
		at += size
	}
	if ends == nil {
		return Reading{Text: text}
	}
	keep(len(text))
	return Reading{Text: string(plain), ends: ends}
}

// Changed says whether the reading is another than the text itself.
func (r *Reading) Changed() bool { return r.ends != nil }

// Place is where a part of the reading, which is not empty, stands in the text, with all that its letters are written
// as, and with those right before it that do not show.
func (r *Reading) Place(start, end int) (from, to int) {
	if !r.Changed() {
		return start, end
	}
	return int(r.ends[start]), int(r.ends[end])
}

// nextOdd is the next byte that is no white space and no character of ASCII that shows and means itself.
func nextOdd(text string, from int) int {
	for from < len(text) && !isOdd[text[from]] {
		from++
	}
	return from
}

var isOdd = func() (odd [256]bool) {
	for b := range odd {
		odd[b] = b < ' ' && !strings.ContainsRune(" \t\n\v\f\r", rune(b)) || b >= 0x7f || strings.ContainsRune(`\&%`, rune(b))
	}
	return odd
}()

// asShown is a letter as it is seen, −1 where it does not show.
func asShown(letter rune, fold func(rune) rune) rune {
	const wide, widest, toASCII = '！', '～', '！' - '!'
	switch {
	case letter < utf8.RuneSelf && letter >= ' ' && letter != 0x7f, unicode.IsSpace(letter):
		return letter
	case unicode.In(letter, unicode.Cc, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return -1
	case wide <= letter && letter <= widest:
		return letter - toASCII
	case fold != nil:
		return fold(letter)
	}
	return letter
}

// letterAt is the letter that a text begins with, however it is written, and how many bytes that takes;
// utf8.RuneError where these stay as they are.
func letterAt(text string) (letter rune, size int) {
	if text[0] == '%' {
		return percent(text)
	}
	return unescapedAt(text)
}

// unescapedAt is letterAt without URL encoding.
func unescapedAt(text string) (letter rune, size int) {
	switch text[0] {
	case '\\':
		return backslashed(text)
	case '&':
		return entity(text)
	}
	return utf8.DecodeRuneInString(text)
}

// backslashed is a letter of a string of JSON, behind more than one backslash where that is in a string again.
func backslashed(text string) (letter rune, size int) {
	const digits = 4
	for size < len(text) && text[size] == '\\' {
		size++
	}
	switch rest := text[size:]; {
	case rest == "":
	case rest[0] == '"' || rest[0] == '/':
		return rune(rest[0]), size + 1
	case rest[0] == 'u' && len(rest) > digits:
		if code, err := strconv.ParseUint(rest[1:1+digits], 16, 32); err == nil {
			return rune(code), size + 1 + digits
		}
	}
	return utf8.RuneError, size
}

// maxEntity is the most bytes of the name of an entity.
const maxEntity = 32

// ands is what "&" is written as behind its first sign.
var ands = []string{"amp;", "#38;", "#038;", "#x26;", "#X26;"}

// entity is a letter as HTML may write it, with what "&" is written as before it.
func entity(text string) (letter rune, size int) {
	size = 1
	for i := 0; i < len(ands); i++ {
		if strings.HasPrefix(text[size:], ands[i]) {
			size, i = size+len(ands[i]), -1
		}
	}
	name := text[size:min(len(text), size+maxEntity)]
	name = "&" + name[:len(name)-len(strings.TrimLeft(name, "#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))]
	if strings.HasPrefix(text[size+len(name)-1:], ";") {
		name += ";"
	}
	decoded := html.UnescapeString(name)
	letter, of := utf8.DecodeRuneInString(decoded)
	if rest := decoded[of:]; decoded != name && strings.HasSuffix(name, rest) {
		return letter, size + len(name) - 1 - len(rest)
	}
	return '&', size
}

// percent is a letter as URLs may write it in UTF-8, with what "%" is written as before each byte.
func percent(text string) (letter rune, size int) {
	const digits = 2
	var encoded []byte
	for size < len(text) && text[size] == '%' && !utf8.FullRune(encoded) {
		from := size + signs(text[size:])
		code, err := strconv.ParseUint(text[from:min(len(text), from+digits)], 16, 8)
		if err != nil || from+digits > len(text) {
			break
		}
		encoded, size = append(encoded, byte(code)), from+digits
	}
	if letter, of := utf8.DecodeRune(encoded); of > 0 && of == len(encoded) && (letter != utf8.RuneError || of > 1) {
		return letter, size
	}
	return '%', signs(text)
}

// signs is how many bytes "%" takes, with what it is written as.
func signs(text string) (size int) {
	const sign = "25"
	for size = 1; strings.HasPrefix(text[size:], sign); size += len(sign) {
	}
	return size
}
