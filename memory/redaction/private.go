package redaction

import "strings"

// privateMark stands where a private span was.
const privateMark = "[private]"

// Redact replaces every <private>…</private> span by "[private]" and counts the spans. Nested spans
// are one; an unclosed tag redacts to the end. A closing tag that nothing opened stays as it is, as
// does an empty <private />: neither says what to hide. An encoded tag does not close a plain one, nor the other way
// round. Redacting twice changes nothing more. privateTags says what a tag may look like.
func Redact(text string) (clean string, redactions int) {
	var out strings.Builder
	kept, depth := 0, 0 // text before kept is dealt with
	open := map[bool]int{}
	for _, tag := range privateTags(text) {
		switch {
		case tag.empty:
		case !tag.closing:
			if depth == 0 {
				out.WriteString(text[kept:tag.start])
				out.WriteString(privateMark)
				redactions++
			}
			depth++
			open[tag.plain]++
		case open[tag.plain] > 0:
			depth--
			open[tag.plain]--
			kept = tag.end
		}
	}
	if depth == 0 {
		out.WriteString(text[kept:])
	}
	return out.String(), redactions
}
