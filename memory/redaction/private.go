package redaction

import (
	"regexp"
	"strings"
)

const (
	privateName = "private"
	// privateMark stands where a private span was.
	privateMark = "[private]"
)

// privateTag is a tag in any case, with white space around slash and name. JSON may have a backslash before the slash.
// An opening tag may have anything behind the name; a closing one may not, since another tag in it would go unseen.
var privateTag = func() *regexp.Regexp {
	const space = `[\s\v\x{85}\p{Z}]`
	return regexp.MustCompile(`(?i)<` + space + `*(?:private(` + space + `[^>]*)?|\\*(/)` + space + `*private` + space + `*)>`)
}()

// Redact replaces every <private>…</private> span by "[private]" and counts the spans. Nested spans
// are one; an unclosed tag redacts to the end. A closing tag that nothing opened stays as it is, as
// does an empty <private />: neither says what to hide. Redacting twice changes nothing more.
//
// Tags that are encoded or disguised (see Reading) count, too. They are looked for in a second step, so that none of
// them closes a plain one, nor the other way round.
func Redact(text string) (clean string, redactions int) {
	clean, redactions = redactSpans(text, Reading{Text: text})
	if read := ReadingOf(clean, nil); read.Changed() {
		var more int
		clean, more = redactSpans(clean, read)
		redactions += more
	}
	return clean, redactions
}

// redactSpans redacts between the tags of a reading, except those that are plain in the text of another reading.
func redactSpans(text string, read Reading) (clean string, redactions int) {
	var out strings.Builder
	kept, depth := 0, 0 // text before kept is dealt with
	for _, tag := range privateTag.FindAllStringSubmatchIndex(read.Text, -1) {
		from, to := read.Place(tag[0], tag[1])
		_, bracket := read.Place(tag[0], tag[0]+1)
		if own := text[bracket-1 : to]; read.Changed() && privateTag.FindString(own) == own {
			continue
		}
		closing := tag[4] >= 0
		empty := tag[2] >= 0 && strings.TrimSpace(read.Text[tag[2]:tag[3]]) == "/"
		switch {
		case empty, closing && depth == 0:
		case closing:
			depth--
			kept = to
		default:
			if depth == 0 {
				out.WriteString(text[kept:from])
				out.WriteString(privateMark)
				redactions++
			}
			depth++
		}
	}
	if depth == 0 {
		out.WriteString(text[kept:])
	}
	return out.String(), redactions
}
