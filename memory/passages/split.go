package passages

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// maxWords is how many words a passage has at most.
	maxWords = 80
	// wordBytes is what a word may have; a longer one counts as several, so that text without spaces is split as well.
	wordBytes = 12
)

// split cuts a text into passages: by paragraphs, then by lines, sentences and words, then anywhere. Nothing but
// white space is lost.
func split(text string) []string {
	var trimmed []string
	for _, piece := range splitBy(text, paragraph, line, sentence, word, chunk) {
		if piece = strings.TrimSpace(piece); piece != "" {
			trimmed = append(trimmed, piece)
		}
	}
	return trimmed
}

// splitBy cuts by a rule, and what is still too long by finer ones. It joins what is short, to
// pieces of about the same length.
func splitBy(text string, cut func(string) int, finer ...func(string) int) []string {
	words := weigh(text)
	if words <= maxWords {
		return []string{text}
	}
	pieceCount := (words + maxWords - 1) / maxWords
	usual := (words + pieceCount - 1) / pieceCount
	var pieces []string
	begin, end, has := 0, 0, 0 // of the piece in the making
	for end < len(text) {
		unit := text[end : end+cut(text[end:])]
		more := weigh(unit)
		if has > 0 && (has+more > maxWords || has >= usual) {
			pieces = append(pieces, text[begin:end])
			begin, has = end, 0
		}
		end += len(unit)
		if more > maxWords && len(finer) > 0 {
			pieces = append(pieces, splitBy(unit, finer[0], finer[1:]...)...)
			begin = end
			continue
		}
		has += more
	}
	if has > 0 {
		pieces = append(pieces, text[begin:end])
	}
	return pieces
}

// weigh counts the words of a text.
func weigh(text string) (words int) {
	for field := range strings.FieldsSeq(text) {
		words += (len(field) + wordBytes - 1) / wordBytes
	}
	return words
}

// The rules answer how many bytes at the beginning of a text make its first unit, with the white space behind it.

func paragraph(text string) int {
	from := 0
	for {
		end := line(text[from:]) + from
		next := line(text[end:]) + end
		if end == len(text) || next > end && strings.TrimSpace(text[end:next]) == "" {
			return next
		}
		from = end
	}
}

func line(text string) int {
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return end + 1
	}
	return len(text)
}

func sentence(text string) int {
	ended := false
	for i, r := range text {
		switch {
		case ended && unicode.IsSpace(r):
			return i + utf8.RuneLen(r)
		case strings.ContainsRune("。！？", r):
			return i + utf8.RuneLen(r)
		default:
			ended = strings.ContainsRune(".!?:;", r) || ended && strings.ContainsRune(`"')]}`, r)
		}
	}
	return len(text)
}

func word(text string) int {
	spaced := false
	for i, r := range text {
		space := unicode.IsSpace(r)
		if spaced && !space {
			return i
		}
		spaced = space
	}
	return len(text)
}

func chunk(text string) int {
	end := min(len(text), maxWords*wordBytes/2)
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	return end
}
