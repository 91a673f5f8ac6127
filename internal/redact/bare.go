package redact

import (
	"regexp"
	"strings"
)

// maxBare bounds how much of an unquoted value is judged: passwords are shorter, and one may go on behind many names.
const maxBare = 128

// bareValue is where the value without quotes ends that begins at a position, and whether it is a secret. In a list
// such as "?password=x&page=2" any word may be one.
func (s *scan) bareValue(start int, accepts func(string) bool) (end int, ok bool) {
	if start < s.began || start > s.unbroken {
		s.began, s.unbroken = start, len(s.text)
		if blank := strings.IndexAny(s.text[start:], " \t\r\n\f\v"); blank >= 0 {
			s.unbroken = start + blank
		}
	}
	limit, sign := min(len(s.text), start+maxBare), s.text[start-1]
	value, listed := valueOf(s.text[start:limit], min(s.unbroken, limit)-start, sign == '=' || sign == ':')
	if len(value) == maxBare {
		return s.unbroken, accepts(value)
	}
	value = unclosed(value)
	return start + len(value), accepts(value) || listed && isGiven(value)
}

var (
	// closes is what ends a value: quotes before a sign or nothing, a tag, a letter that is escaped or encoded.
	closes = regexp.MustCompile("^(?:[\"'`][!?]{0,3}(?:[,.:;)\\]}>\\\\]|/>|$)|<(?:[/!]|[A-Za-z]{1,6}(?:[/>]|$))|\\\\[nrt\"']|&(?:quot|apos|lt|gt|#\\w{1,4});)")
	// nextName is the name of the next value in a list, up to its sign.
	nextName = regexp.MustCompile(`^(?:;[A-Za-z_][\w. -]{0,40}=|[;&,|](?:amp;)?["'{\[]{0,3}[A-Za-z_][\w.-]{0,40}["']?[=:])`)
)

// valueOf is the value that a text begins with, of which the first bytes, up to an end, have no white space: all of
// these, less a link and what closes a quotation or an element of HTML. Where no blank stood before it, the next name
// of a list ends it, too; listed says that any word may be a value there.
func valueOf(text string, end int, tight bool) (value string, listed bool) {
	for i := 0; i < end; i++ {
		switch sign := text[i]; sign {
		case ':':
			if strings.HasPrefix(text[i:], "://") {
				end = len(strings.TrimRightFunc(text[:i], isWord))
			}
		case ';', '&', ',', '|', '"', '\'', '`', '<', '\\':
			next := ""
			if tight {
				next = nextName.FindString(text[i:])
			}
			if next != "" || closes.MatchString(text[i:end]) {
				end, listed = i, sign != ';' && strings.HasSuffix(next, "=")
			}
		}
	}
	return text[:end], listed
}

// unclosed is a value without the signs at its end that belong to what stands around it: those of a sentence, quotes,
// and brackets that are not opened in it.
func unclosed(value string) string {
	const opening, closing = "([{<", ")]}>"
	for value != "" {
		last := len(value) - 1
		bracket := strings.IndexByte(closing, value[last])
		if bracket >= 0 && strings.Count(value, opening[bracket:bracket+1]) >= strings.Count(value, closing[bracket:bracket+1]) ||
			bracket < 0 && strings.IndexByte(".,:;|<\"'`", value[last]) < 0 {
			return value
		}
		value = value[:last]
	}
	return value
}
