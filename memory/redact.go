package memory

import (
	"regexp"
	"strings"
)

// privateMark stands where a private span was.
const privateMark = "[private]"

// privateTag is an opening or closing tag in any case, with white space or attributes inside, and
// also as it looks in text that went through an HTML or a JSON encoder. The groups are the slash of
// a closing tag and what follows the name.
var privateTag = regexp.MustCompile(`(?is)(?:<|&lt;|\\u003c)[\s\p{Z}]*(/?)[\s\p{Z}]*private((?:[\s\p{Z}].*?)?)(?:>|&gt;|\\u003e)`)

// Redact replaces every <private>…</private> span by "[private]" and counts the spans. Nested spans
// are one; an unclosed tag redacts to the end. A closing tag that nothing opened stays as it is, as
// does an empty <private/>: neither says what to hide. Redacting twice changes nothing more.
func Redact(text string) (clean string, redactions int) {
	if !strings.ContainsAny(text, `<&\`) {
		return text, 0
	}
	var out strings.Builder
	kept, depth := 0, 0 // text before kept is dealt with
	for _, tag := range privateTag.FindAllStringSubmatchIndex(text, -1) {
		closing := tag[3] > tag[2]
		switch {
		case !closing && strings.HasSuffix(text[tag[4]:tag[5]], "/"):
		case !closing:
			if depth == 0 {
				out.WriteString(text[kept:tag[0]])
				out.WriteString(privateMark)
				redactions++
			}
			depth++
		case depth > 0:
			depth--
			kept = tag[1]
		}
	}
	if depth == 0 {
		out.WriteString(text[kept:])
	}
	return out.String(), redactions
}
