package redaction

import (
	"html"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Reading is a text as whoever decodes it or sees it reads it: without letters that do not show, with full-width
// letters as those of ASCII, and with what HTML, URLs or JSON write in place of a letter of ASCII as that letter.
type Reading struct {
	Text string
	cuts []cut
}

// cut says that from a byte of the reading on, the original is so many bytes ahead.
type cut struct{ at, ahead int32 }

// ReadingOf reads a text, in one pass. fold, where it is not nil, gives the letter of ASCII that another one stands for,
// or the letter itself.
func ReadingOf(text string, fold func(rune) rune) Reading {
	at := nextOdd(text, 0)
	if at == len(text) {
		return Reading{Text: text}
	}
	var r Reading
	plain := make([]byte, 0, len(text))
	for from := 0; ; at = nextOdd(text, from) {
		plain = append(plain, text[from:at]...)
		if at == len(text) {
			if len(r.cuts) == 0 {
				return Reading{Text: text}
			}
			r.Text = string(plain)
			return r
		}
		letter, size := letterAt(text[at:])
		from = at + size
		switch letter = asShown(letter, fold); {
		case letter < 0:
			r.cut(len(plain), size)
		case letter < utf8.RuneSelf && size > 1:
			r.cut(len(plain), size-1)
			plain = append(plain, byte(letter))
		default:
			plain = append(plain, text[at:from]...)
		}
	}
}

// Changed says whether the reading is another than the text itself.
func (r *Reading) Changed() bool { return len(r.cuts) > 0 }

// Place is where a part of the reading, which is not empty, stands in the text, with all that its letters are written as, and
// with those right before it that do not show.
func (r *Reading) Place(start, end int) (from, to int) {
	i := r.cutAt(start)
	from = start + r.ahead(i)
	if i >= 0 && int(r.cuts[i].at) == start {
		from = start + r.ahead(i-1)
	}
	return from, end + r.ahead(r.cutAt(end-1))
}

func (r *Reading) cut(at, size int) {
	last := len(r.cuts) - 1
	if ahead := int32(r.ahead(last) + size); last >= 0 && int(r.cuts[last].at) == at {
		r.cuts[last].ahead = ahead
	} else {
		r.cuts = append(r.cuts, cut{int32(at), ahead})
	}
}

// cutAt is the last cut at or before a byte, −1 where there is none.
func (r *Reading) cutAt(at int) int {
	i, found := slices.BinarySearchFunc(r.cuts, at, func(c cut, at int) int { return int(c.at) - at })
	if found {
		return i
	}
	return i - 1
}

func (r *Reading) ahead(cut int) int {
	if cut < 0 {
		return 0
	}
	return int(r.cuts[cut].ahead)
}

// nextOdd is the next place from which on anything but a letter of ASCII that shows and means itself, or white space, stands.
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
	case hides(letter):
		return -1
	case wide <= letter && letter <= widest:
		return letter - toASCII
	case fold != nil:
		return fold(letter)
	}
	return letter
}

// hides says whether a letter does not show.
func hides(letter rune) bool {
	if int(letter) < len(hiding()) {
		return hiding()[letter]
	}
	return isHiding(letter)
}

// hiding is hides for the letters of most texts.
var hiding = sync.OnceValue(func() []bool {
	hiding := make([]bool, 0x2100)
	for letter := range hiding {
		hiding[letter] = isHiding(rune(letter))
	}
	return hiding
})

func isHiding(letter rune) bool {
	return unicode.In(letter, unicode.Cc, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// letterAt is the letter that a text begins with, however it is written, and how many bytes that takes;
// utf8.RuneError where these stay as they are.
func letterAt(text string) (letter rune, size int) {
	switch text[0] {
	case '\\':
		return backslashed(text)
	case '&':
		return entity(text)
	case '%':
		return percent(text)
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

// mostEntity is the most bytes of the name of an entity.
const mostEntity = 32

// ands is what "&" is written as behind its first sign.
var ands = []string{"amp;", "#38;", "#038;", "#x26;", "#X26;"}

// entity is a letter as HTML may write it, with what "&" is written as before it.
func entity(text string) (letter rune, size int) {
	from := 1
	for i := 0; i < len(ands); i++ {
		if strings.HasPrefix(text[from:], ands[i]) {
			from, i = from+len(ands[i]), -1
		}
	}
	end, number := entityEnd(text, from)
	switch {
	case end < len(text) && text[end] == ';' && end > from:
		end++
	case !number:
		return '&', from
	}
	name := "&" + text[from:end]
	if decoded := html.UnescapeString(name); decoded != name {
		if letter, size = utf8.DecodeRuneInString(decoded); size == len(decoded) {
			return letter, end
		}
	}
	return '&', from
}

// entityEnd is where the name or number of an entity ends.
func entityEnd(text string, from int) (end int, number bool) {
	allowed := "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	name := text[from:min(len(text), from+mostEntity)]
	rest, number := strings.CutPrefix(name, "#")
	if number {
		allowed = allowed[:10]
		if rest != "" && rest[0]|0x20 == 'x' {
			rest, allowed = rest[1:], "0123456789abcdefABCDEF"
		}
	}
	return from + len(name) - len(strings.TrimLeft(rest, allowed)), number
}

// percent is a letter as URLs may write it in UTF-8, with what "%" is written as before each byte.
func percent(text string) (letter rune, size int) {
	var encoded []byte
	for size < len(text) && text[size] == '%' && len(encoded) < utf8.UTFMax {
		code, more, ok := percentByte(text[size:])
		if !ok {
			break
		}
		encoded, size = append(encoded, code), size+more
		if utf8.FullRune(encoded) {
			break
		}
	}
	if letter, of := utf8.DecodeRune(encoded); of > 0 && of == len(encoded) && (letter != utf8.RuneError || of > 1) {
		return letter, size
	}
	return '%', signs(text)
}

// percentByte is the byte that begins at a "%", and what that takes.
func percentByte(text string) (code byte, size int, ok bool) {
	const digits = 2
	size = signs(text)
	if len(text) < size+digits {
		return 0, 0, false
	}
	parsed, err := strconv.ParseUint(text[size:size+digits], 16, 8)
	return byte(parsed), size + digits, err == nil
}

// signs is how many bytes "%" takes, with what it is written as.
func signs(text string) (size int) {
	const sign = "25"
	for size = 1; strings.HasPrefix(text[size:], sign); size += len(sign) {
	}
	return size
}
