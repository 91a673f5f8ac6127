package redact

import (
	"regexp"
	"strings"
	"unicode"
)

// opened is the blanks before a value in a sentence, and its quote.
const opened = `:?[ \t]{1,3}["'` + "`" + `]?`

// said are the rules for what is said of secrets in sentences, without a sign between the name and the value.
func said() []*rule {
	const (
		first = `([^\s"'` + "`" + `<>;])`
		been  = `(?:(?:is|was|got|has been|had been|will be) )?(?:now )?`
		made  = `(?:(?:re)?set|changed|updated|rotated|switched)`
	)
	return []*rule{
		own(passwordKind, passwordName+`(?:(?:'|’)s|[ \t]{1,3}(?:`+been+`(?:`+made+` )?to|(?:is|was) now|was))`+opened+first, nil).followed((*scan).saidPassword),
		own(passwordKind, passwordName+`(?:s(?:[ \t]{0,3}[:=]|[ \t]{1,3}(?:are|were))|[ \t]{1,3}`+been+`(?:`+made+` )?from)`+opened+first, nil).followed((*scan).saidPasswords),
		own(passwordKind, passwordName+opened+first, nil).named(introduces).followed((*scan).barePassword),
		saidToken(),
	}
}

// saidPassword is the password that a sentence says behind a verb: the password was reset to hunter22.
func (s *scan) saidPassword(name, start int) (end int, ok bool) {
	end, ok = s.saidAt(start)
	return end, ok && s.isChanged(name, start, "to")
}

// saidPasswords is all from the first password of a list in a sentence to its last.
func (s *scan) saidPasswords(name, start int) (end int, ok bool) {
	end, ok = s.saidAt(start)
	ok = ok && hasLetter(s.text.Slice(start, end)) && s.isChanged(name, start, "from") // passwords: 12345678 leaked
	for more := ok; more; {
		var next int
		if next, more = s.saidAt(s.over(s.nextSaid(end), 1, "\"'`")); more {
			end = next
		}
	}
	return end, ok
}

// isChanged says whether a password that no more than a word stands behind, such as "to", is one that is changed: others are
// told one, or have one from somebody.
func (s *scan) isChanged(name, start int, word string) bool {
	said := strings.Fields(strings.TrimRight(s.text.Slice(name, start), ": \t\"'`"))
	return len(said) != 2 || !strings.EqualFold(said[1], word) || changing.MatchString(s.text.Slice(max(0, name-mostChange), name))
}

// mostChange is how far before a password it is said that it is changed.
const mostChange = 40

var changing = regexp.MustCompile(`(?i)\b(?:chang|set|reset|updat|rotat|switch)[a-z]*\b[^.\n]*$`)

// nextSaid goes on behind what stands between two items of a list in a sentence.
func (s *scan) nextSaid(at int) int {
	at = s.fewBlanks(s.over(at, 2, "\"'`,"))
	for _, word := range []string{"and ", "or ", "to "} {
		if s.text.Has(at, word) {
			return s.fewBlanks(at + len(word))
		}
	}
	return at
}

// saidAt is the word of a sentence that begins at a position, and whether it may be a password.
func (s *scan) saidAt(start int) (end int, ok bool) {
	quoted := start > 0 && s.isOneOf(start-1, "\"'`")
	end, _ = s.unquotedEnd(start, around{json: quoted})
	value := s.text.Slice(start, end)
	value = value[:closedAt(value)]
	return start + len(value), len(value) >= leastNamed && isSaid(value)
}

// barePassword is the password right behind its name: with password hunter22.
func (s *scan) barePassword(_, start int) (end int, ok bool) {
	end, ok = s.saidAt(start)
	value := s.text.Slice(start, end)
	return end, ok && !ticket.MatchString(value)
}

// introduces says whether a name, with the word before it, is followed by a password: with password, the password. What is
// done to "the password 100000 times" is counted.
func introduces(name, secret string) bool {
	words := strings.Fields(strings.TrimRight(name, "\"'`"))
	if len(words) != 2 || !introducing[strings.ToLower(words[0])] || strings.Trim(words[1], "\"'`") == "" {
		return false
	}
	with := strings.EqualFold(words[0], "with") || strings.EqualFold(words[0], "using")
	if strings.EqualFold(words[1], "pwd") {
		return with
	}
	return with || strings.EqualFold(words[0], "and") || hasLetter(secret)
}

// introducing are the words before the name of a password that stands right behind.
var introducing = wordsOf("and default her his initial my new old our root temporary the their use using with your")

// isSaid tells a password in a sentence from the next word of it: it has a digit, and is no number with a unit, no date,
// no file, and nothing that goes by a number.
func isSaid(value string) bool {
	return isUnquoted(value) && hasDigit(value) && !otherSaid.MatchString(value) && !numbered[strings.ToLower(value[:lettersOf(value)])]
}

// otherSaid is what else has a digit: 2026-01-31, 12-character, 90days, 1.2.3-rc1, /etc/x1, file1.txt, bob1@example.com, #12345,
// f1(x), 2FA-protected.
var otherSaid = regexp.MustCompile(`^(?:v?\d+(?:[-.,:/+]\d+)*-[a-z][a-z-]*\d*|v?\d+(?:[-.,:/]\d+)+\S{0,10}|\d{4}-\d\d-\d\d\S*|\d+\+?` +
	`(?:st|nd|rd|th|[smhdkx%+]|ms|[kmg]b|px|mins?|minutes?|hours?|days?|weeks?|months?|years?|seconds?|times|chars?|characters?|bytes?|bits?|digits?|letters?|attempts?|rounds|iterations)` +
	`|(?:[/~]|\.{1,2}/|[A-Za-z]:\\)\S*|[\w./-]+\.(?:txt|json|ya?ml|md|go|py|js|ts|html?|env|conf|cfg|ini|xml|csv|log|sh|sql|pem|key|crt|php|java|rb|rs|zip|gz|docx?|xlsx?|pdf|png)` +
	`|[\w.+-]+@[\w-]+\.[\w.-]+|#\d+|[A-Za-z_][\w.]*\(.*|[12](?:FA|Password).*)$`)

// ticket is the number of an issue: ABC-123.
var ticket = regexp.MustCompile(`^[A-Z]{2,10}-\d+$`)

// numbered are words that stand before a number without a sign: manager2, SHA256, OAuth2.
var numbered = wordsOf(`
	aes argon argument attempt auth base bcrypt blowfish case chapter column crypt cve des entry example field file form generator group hash http https
	ipv iso issue keepass kerberos ldap ldapv level line list manager md module nist node ntlm ntlmv oauth openssl option otp page param parameter part
	pbkdf pkcs policy prompt protection reset rfc rsa rule salted scram script scrypt section sha slot snmpv soc ssl sslv step table task ticket tls
	tlsv totp type utf v vault ver version wpa
`)

// lettersOf is how many letters of ASCII a text begins with.
func lettersOf(text string) int {
	end := strings.IndexFunc(text, func(r rune) bool { return r < 'A' || 'Z' < r && r < 'a' || 'z' < r })
	if end < 0 {
		return len(text)
	}
	return end
}

func hasLetter(text string) bool { return strings.ContainsFunc(text, unicode.IsLetter) }

// saidToken is the token behind its name in a sentence, and at most a few verbs. It is looked for by hand, since names of
// tokens stand in many texts.
func saidToken() *rule {
	return &rule{kind: genericKind, anchors: []string{"key", "token", "secret"}, find: func(s *scan, at int) (start, end int, ok bool) {
		word := s.wordEnd(at)
		switch strings.TrimSuffix(strings.ToLower(s.text.Slice(at, word)), "s") {
		case "key", "token", "secret":
		default:
			return 0, 0, false
		}
		if start = s.fewBlanks(word); start == word {
			return 0, 0, false
		}
		for range mostVerbs {
			word = s.wordEnd(start)
			if !verbs[strings.ToLower(s.text.Slice(start, word))] {
				break
			}
			start = s.fewBlanks(s.over(word, 1, ":"))
		}
		start = s.over(start, 1, "\"'`")
		for end = start; end < min(s.text.Len(), start+ownReach) && (isWord(s.text.At(end)) || s.isOneOf(end, "+/=-") ||
			s.isOneOf(end, ".") && end+1 < s.text.Len() && isWord(s.text.At(end+1))); end++ {
		}
		if end-start < leastSaid || !isSaidToken(s.text.Slice(start, end)) {
			return 0, 0, false
		}
		name := s.identifierStart(s.blanksBefore(s.identifierStart(at)))
		return start, end, namesSaidToken(s.text.Slice(name, start), s.text.Slice(start, end))
	}}
}

const (
	leastSaid = 20 // the bytes from which a word of a sentence may be a token
	mostVerbs = 5
	mostVerb  = len("switched")
)

// wordEnd is the end of the word that begins at a position, so far that it is longer than all that are looked for.
func (s *scan) wordEnd(at int) int {
	end := at
	for ; end < s.text.Len() && end-at <= mostVerb && isWord(s.text.At(end)); end++ {
	}
	return end
}

// namesSaidToken says whether what stands before a token gives it a secret's name: API key, the token was. A key of other
// things may be made of words and numbers; so without a verb it is a secret only where it is of one piece.
func namesSaidToken(name, secret string) bool {
	words := wordsIn(name)
	last := len(words) - 1
	if strings.Contains(name, "--") { // an option, which has rules of its own
		return false
	}
	for ; last > 0 && verbs[words[last]]; last-- {
	}
	if last < 0 {
		return false
	}
	verb := last < len(words)-1
	noun := strings.TrimSuffix(words[last], "s")
	words = append(words[:last:last], noun)
	if isPlain(words) {
		return false
	}
	switch {
	case verb || strings.HasSuffix(noun, "token"):
		return true
	case strings.HasSuffix(noun, "secret"):
		return false
	}
	return noun != "key" || last > 0 && joined[words[last-1]] || !strings.ContainsAny(secret, "+-_./")
}

// isPlain says whether the words of a name name no secret.
func isPlain(words []string) bool {
	plain := strings.Join(words, " ")
	if !namesSecret(plain) || endsAsWord(plain) || strings.HasSuffix(plain, "gpg key") || strings.HasSuffix(plain, "pgp key") {
		return true
	}
	return len(words) > 1 && plainSaid[strings.Join(words[len(words)-2:], " ")]
}

// plainSaid are the keys and tokens that say what is meant or where to go on, and give nothing away.
var plainSaid = func() map[string]bool {
	plain := map[string]bool{}
	for of := range wordsOf("concept episode record run section session span task trace") {
		plain[of+" key"] = true
	}
	for of := range wordsOf("continuation cursor next page") {
		plain[of+" token"] = true
	}
	return plain
}()

// verbs are the words between the name of a secret and its value.
var verbs = wordsOf("is are was were got has had been will be now set reset changed updated rotated switched to")

// isSaidToken tells a token in a sentence from an identifier, which is made of words and numbers: its letters and digits
// are mixed.
func isSaidToken(secret string) bool {
	if !isReal(secret) || entropyOf(secret) < 3 || address.MatchString(secret) || otherSaid.MatchString(secret) {
		return false
	}
	changes := 0
	for i := 1; i < len(secret); i++ {
		if isDigit(secret[i-1]) && isLetter(secret[i]) || isLetter(secret[i-1]) && isDigit(secret[i]) {
			changes++
		}
	}
	if strings.ToLower(secret) != secret && strings.ToUpper(secret) != secret {
		changes++
	}
	return changes >= 4
}

// address is where a token of a block chain is, for everybody to see.
var address = regexp.MustCompile(`^0x[0-9A-Fa-f]{40}$`)

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
