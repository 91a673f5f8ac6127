package redact

import (
	"slices"
	"strings"
)

// unquoted is a password without quotes: all to the next white space, but for what closes what stands around it and
// what the next name of a list of names and values begins with. Where all that is none, what stands before the first sign in
// it may be one; where neither is, the name of another password may stand behind that sign.
func (s *scan) unquoted(name, start int) (end int, ok bool) {
	if start >= s.refused {
		if end, ok = s.unquotedTo(name, start, false); ok {
			return end, true
		}
		s.refused = end // nothing in it is looked at as far again
	}
	return s.unquotedTo(name, start, true)
}

// unquotedTo is the password without quotes that ends no later than a short one, or as late as any.
func (s *scan) unquotedTo(name, start int, short bool) (end int, ok bool) {
	sign := s.text.Slice(name, start)
	in := around{
		json:  strings.ContainsAny(sign, `"'`),
		tight: strings.HasSuffix(sign, "=") || strings.HasSuffix(sign, ":"),
		short: short,
	}
	end, next := s.unquotedEnd(start, in)
	value := s.text.Slice(start, end)
	if in.json {
		value = strings.TrimRight(value, "{[") // of what comes next in a list
	}
	value = value[:closedAt(value)]
	// what others are assigned beside is a password, whatever it looks like; a word is none for a mark of the sentence behind it
	ok = len(value) >= leastNamed && isUnquoted(strings.TrimRight(value, "!?")) || next == '=' && isGiven(value) && !strings.ContainsAny(value, "([{")
	return start + len(value), ok
}

// around is how a value without quotes stands among others.
type around struct {
	json  bool // the name has quotes
	tight bool // no blank stands behind the sign
	short bool // the value ends at the first sign that a text around it may have
}

// endings are the signs that may end a value without quotes.
const endings = "\"'`\\<>;,&|/("

// unquotedEnd is where a value without quotes ends, and the sign of the next name where a list of names and values goes on
// behind "&" or ",".
func (s *scan) unquotedEnd(at int, in around) (end int, next byte) {
	limit := min(s.text.Len(), at+ownReach)
	var sign, closing span // the last sign, and the last that a text around it may have
	for end = at; end < limit; end++ {
		b := s.text.At(end)
		switch {
		case isSpace(b) || b == '\f':
			return end, 0
		case b|0x20 == 'p' && sign.to > 0:
			if before := s.beforeAnother(end, sign, closing); before > 0 {
				return before, 0
			}
		case strings.IndexByte(endings, b) >= 0:
			after, quoted := s.quotesEnd(end)
			sign = span{end, max(after, end+1)}
			if quoted || strings.IndexByte("<>;", b) >= 0 {
				closing = sign
			}
			if next, ends := s.endsBetween(sign, quoted, in); ends || in.short && closing == sign {
				return end, next
			}
			end = sign.to - 1
		}
	}
	return end, 0
}

// endsBetween says whether a value ends at a sign or quotes, and gives the sign of the next name where that stands behind
// "&" or ",".
func (s *scan) endsBetween(sign span, quoted bool, in around) (next byte, ends bool) {
	if s.isLink(sign.to) {
		return 0, true
	}
	switch b := s.text.At(sign.from); b {
	case '<':
		return 0, s.isTag(sign.to)
	case ';', '&', ',':
		return s.listGoesOn(sign.from, b, in.tight)
	}
	return 0, quoted && (in.json || s.closes(sign.to))
}

// beforeAnother is where a value ends before the name of another password at a position, the value of which may stand behind
// all that belongs together: at the sign right before it, else at the last that a text around it may have; 0 where it does not.
func (s *scan) beforeAnother(at int, sign, closing span) int {
	switch {
	case !s.isAnother(at):
		return 0
	case sign.to == s.identifierStart(at):
		return sign.from
	}
	return closing.from
}

// isLink says whether a link begins at a position.
func (s *scan) isLink(at int) bool {
	end := at
	for ; end < s.text.Len() && end-at < mostNextName && isWord(s.text.At(end)); end++ {
	}
	return end > at && s.text.Has(end, "://")
}

// isAnother says whether the name of a password begins at a position, with its sign.
func (s *scan) isAnother(at int) bool {
	if !s.isOneOf(at+1, "aAwW") {
		return false
	}
	name := strings.ToLower(s.text.Slice(at, min(s.text.Len(), at+len("passphrase"))))
	known := slices.IndexFunc(passwordNames, func(known string) bool { return strings.HasPrefix(name, known) })
	if known < 0 {
		return false
	}
	end := s.over(at+len(passwordNames[known]), 1, "\"'`")
	sign := s.fewBlanks(end)
	return s.isOneOf(sign, "=:") || sign > end && s.text.Has(sign, "is") && s.isOneOf(sign+len("is"), ": \t")
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
	return at >= s.text.Len() || s.isOneOf(at, " \t\r\n\f,.:;)]}<>") || s.text.Has(at, "/>") || s.text.Has(at, `\n`) || s.text.Has(at, `\r`) || s.text.Has(at, `\t`)
}

// mostTag is the longest of the tags.
const mostTag = 6

// tags are those of HTML that stand behind a value.
var tags = wordsOf("a b br code div em font hr i img input li ol p pre small span strong table td th tr u ul")

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
