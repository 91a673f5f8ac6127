package redact

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// undisguised is a text without the letters that do not show, and with those that stand for one of ASCII's, such as
// the full-width ones, as that; dropped are the bytes that it leaves out.
func undisguised(text string) (bare string, dropped []int) {
	at := nextDisguise(text, 0)
	if at == len(text) {
		return text, nil
	}
	plain := make([]byte, 0, len(text))
	for from := 0; ; at = nextDisguise(text, from) {
		plain = append(plain, text[from:at]...)
		if at == len(text) {
			return string(plain), dropped
		}
		letter, size := utf8.DecodeRuneInString(text[at:])
		from = at + size
		kept := norm.NFKC.PropertiesString(text[at:]).Decomposition()
		switch {
		case doesNotShow(letter):
			kept = nil
		case len(kept) != 1 || letter < utf8.RuneSelf: // it stands for itself, or for several
			plain = append(plain, text[at:from]...)
			continue
		}
		plain = append(plain, kept...)
		for i := at; i < from-len(kept); i++ {
			dropped = append(dropped, i)
		}
	}
}

// nextDisguise is the next place from which on anything but a letter that shows of ASCII stands, or white space.
func nextDisguise(text string, from int) int {
	for from < len(text) && text[from] < 0x7f && (text[from] >= ' ' || isSpace(text[from])) {
		from++
	}
	return from
}

func doesNotShow(letter rune) bool {
	return unicode.In(letter, unicode.Cc, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// letterStart is where the letter begins that a place is in.
func letterStart(text string, at int) int {
	for back := 0; back < utf8.UTFMax-1 && at > 0 && !utf8.RuneStart(text[at]); back++ {
		at--
	}
	return at
}
