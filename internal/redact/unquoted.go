package redact

import "strings"

// unquoted is a password without quotes: all to the next white space, but for what closes what stands around it and
// what the next name of a list of names and values begins with.
func (s *scan) unquoted(name, start int) (end int, ok bool) {
	sign := s.text.Slice(name, start)
	json := strings.ContainsAny(sign, `"'`)
	end, next := s.unquotedEnd(start, json, strings.HasSuffix(sign, "=") || strings.HasSuffix(sign, ":"))
	value := s.text.Slice(start, end)
	if json {
		value = strings.TrimRight(value, "{[") // of what comes next in a list
	}
	value = value[:closedAt(value)]
	// what others are assigned beside is a password, whatever it looks like
	ok = len(value) >= leastNamed && isUnquoted(value) || next == '=' && isGiven(value) && !strings.ContainsAny(value, "([{")
	return start + len(value), ok
}

// unquotedEnd is where a value without quotes ends, and the sign of the next name where a list of names and values goes on
// behind "&" or ",". In a list no blank stands behind the sign; the name of a value of JSON has quotes.
func (s *scan) unquotedEnd(at int, json, tight bool) (end int, next byte) {
	limit := min(s.text.Len(), at+ownReach)
	for end = at; end < limit; end++ {
		switch b := s.text.At(end); b {
		case ' ', '\t', '\r', '\n', '\f':
			return end, 0
		case '"', '\'', '`', '\\':
			after, quoted := s.quotesEnd(end)
			if quoted && (json || s.closes(after)) {
				return end, 0
			}
			end = after - 1
		case '<':
			if s.isTag(end + 1) {
				return end, 0
			}
		case ';', '&', ',':
			if next, ends := s.listGoesOn(end, b, tight); ends {
				return end, next
			}
		}
	}
	return end, 0
}

// listGoesOn says whether a value ends at a sign between the items of a list, and gives the sign of the next name where it stands
// behind "&" or ",".
func (s *scan) listGoesOn(at int, between byte, tight bool) (next byte, ends bool) {
	switch {
	case between == ';':
		sign := s.nextName(at+1, " ")
		return 0, sign == '=' || tight && sign == ':'
	case between == '&' && s.isEncoded(at): // what it stands for is judged where the text is read decoded
		return 0, true
	case !tight:
		return 0, false
	}
	from := at + 1
	if s.text.Has(from, "amp;") {
		from += len("amp;")
	}
	next = s.nextName(from, "")
	return next, next != 0
}

// mostNextName is the longest name of the next value: "Trust Server Certificate".
const mostNextName = 40

// nextName is the sign of assignment behind the name that begins at a position, which may have some blanks in it;
// 0 where there is none.
func (s *scan) nextName(at int, blanks string) byte {
	if !s.isOneOf(at, "_") && (at >= s.text.Len() || s.text.At(at)|0x20 < 'a' || s.text.At(at)|0x20 > 'z') {
		return 0
	}
	end := at
	for ; end < s.text.Len() && end-at < mostNextName && (isWord(s.text.At(end)) || s.isOneOf(end, "-."+blanks)); end++ {
	}
	if !s.isOneOf(end, "=:") || s.text.Has(end, "==") {
		return 0
	}
	return s.text.At(end)
}

// quotesEnd is the end of the quotes that begin at a position, with the backslashes before each, and of backslashes alone
// where there are none.
func (s *scan) quotesEnd(at int) (end int, quoted bool) {
	for ; s.isOneOf(at, "\"'`\\"); at++ {
		if s.text.At(at) != '\\' {
			end, quoted = at+1, true
		}
	}
	if !quoted {
		end = at
	}
	return end, quoted
}

// closes says whether quotes that end at a position close something: what follows is no letter of a password.
func (s *scan) closes(at int) bool {
	at = s.over(at, 3, "!?")
	return at >= s.text.Len() || s.isOneOf(at, " \t\r\n\f,.:;)]}<>") || s.text.Has(at, `\n`) || s.text.Has(at, `\r`) || s.text.Has(at, `\t`)
}

// mostTag is the longest of the tags.
const mostTag = 6

// tags are those of HTML that stand behind a value.
var tags = wordsOf("br div hr li ol p pre span table td th tr ul")

// isTag says whether a tag goes on at a position behind "<": one that closes, a comment, or one that is known.
func (s *scan) isTag(at int) bool {
	if s.isOneOf(at, "/!") {
		return true
	}
	end := at
	for ; end < s.text.Len() && end-at < mostTag && isWord(s.text.At(end)); end++ {
	}
	return s.isOneOf(end, " />") && tags[strings.ToLower(s.text.Slice(at, end))]
}

// encoded are the signs that close a value as HTML writes them in a text.
var encoded = []string{"&quot;", "&apos;", "&lt;", "&gt;", "&#34;", "&#39;", "&#60;", "&#62;", "&#x22;", "&#x27;", "&#x3c;", "&#x3e;"}

// mostEncoded is the longest of these.
const mostEncoded = 6

func (s *scan) isEncoded(at int) bool {
	return hasAnyPrefix(strings.ToLower(s.text.Slice(at, min(s.text.Len(), at+mostEncoded))), encoded)
}

// closedAt is where what closes something else begins at the end of a value: brackets that are opened before it, and a
// mark of the sentence behind and before these.
func closedAt(value string) int {
	const opening, closing = "([{<", ")]}>"
	var open [len(opening)]int
	for i := range len(value) {
		if bracket := strings.IndexByte(opening, value[i]); bracket >= 0 {
			open[bracket]++
		} else if bracket = strings.IndexByte(closing, value[i]); bracket >= 0 {
			open[bracket]--
		}
	}
	marked := false
	end := len(value)
	for ; end > 0; end-- {
		if strings.IndexByte(".,:;", value[end-1]) >= 0 && !marked {
			marked = true
			continue
		}
		bracket := strings.IndexByte(closing, value[end-1])
		if bracket < 0 || open[bracket] >= 0 {
			break
		}
		open[bracket]++
		marked = false
	}
	return end
}
