package redact

import (
	"regexp"
	"strings"
)

// basicAuth is the user and the password that curl is given.
func basicAuth() *rule {
	return &rule{
		kind: "basic-auth", anchors: []string{"u ", "-u=", " -u", "-user ", "-user="}, needs: []string{"curl", "wget", "http"},
		find: func(s *scan, at int) (start, end int, ok bool) {
			from, ok := s.userStart(at)
			if !ok {
				return 0, 0, false
			}
			if s.isOneOf(from, `"'`) {
				from++
			}
			colon := s.until(from, mostUser+1, endOfUser)
			if colon == from || !s.isOneOf(colon, ":") {
				return 0, 0, false
			}
			start = colon + 1
			end = s.until(start, ownReach, endOfWord)
			if end == start || s.isStandIn(start) {
				return 0, 0, false
			}
			// -u 1000:1000 is a user and a group
			return start, end, isReal(s.text.Slice(start, end)) && strings.Trim(s.text.Slice(from, end), "0123456789:") != ""
		},
	}
}

// userStart is where the user begins that an option gives: -u, alone, as the last of several letters or, for curl, joined
// to it, or one whose name ends in user.
func (s *scan) userStart(at int) (start int, ok bool) {
	ofCurl := s.command.option == curlUser && at-s.command.at < mostCommand
	switch {
	case s.isOneOf(at, " "):
		start = at + 1 + len(curlUser)
		return start, ofCurl && s.text.Has(at+1, curlUser) && !s.isOneOf(start, " =")
	case s.isOneOf(at, "-"):
		return s.until(at, mostUser, endOfName) + 1, true
	}
	letters := at
	for ; at-letters < mostLetters && letters > 0 && isWord(s.text.At(letters-1)); letters-- {
	}
	dash := letters - 1
	alone := dash >= 0 && s.text.At(dash) == '-' && (dash == 0 || isSpace(s.text.At(dash-1)))
	return at + len("u "), alone && (letters == at || ofCurl)
}

// curlUser is the option of curl for a user and a password, and mostLetters how many others it may stand behind.
const (
	curlUser    = "-u"
	mostLetters = 8
)

// mostUser is the longest name of a user.
const mostUser = 64

// The bytes that parts of a text end before, by which scan.until finds those.
const (
	endOfName = iota
	endOfOption
	endOfUser
	endOfWord
	endOfValue
	endOfDouble
	endOfSingle
	endOfElementName
	endOfTag
	endOfElement
	endOfList
	endOfCommand
)

var ends = [...]alphabet{
	endOfName: allBut(" ="), endOfOption: allBut(" =\"'"), endOfUser: allBut(" \t\r\n:\"'"), endOfWord: allBut(" \t\r\n\"'"),
	endOfValue: allBut(" \t\r\n\"'`;|&,"), endOfDouble: allBut("\"\n"), endOfSingle: allBut("'\n"),
	endOfElementName: allBut(" >&"), endOfTag: allBut(">\n<"), endOfElement: allBut("<>&\r\n"),
	endOfList: allBut("[]"), endOfCommand: allBut("\n;|&"),
}

func allBut(bytes string) (a alphabet) {
	for b := range a {
		a[b] = strings.IndexByte(bytes, byte(b)) < 0
	}
	return a
}

// until is the place, at most so many bytes on, before which one of the ends stands. What is known of the text is
// kept, since many may be asked for that go to the same end.
func (s *scan) until(from, most, end int) int {
	limit := min(s.text.Len(), from+most)
	return min(s.letterEnd(&ends[end], &s.untils[end], min(from, limit), limit), limit)
}

// isOneOf says whether one of some bytes stands at a position.
func (s *scan) isOneOf(at int, bytes string) bool {
	return at < s.text.Len() && strings.IndexByte(bytes, s.text.At(at)) >= 0
}

// isStandIn says of a value, before all of it is looked at, that it stands for another.
func (s *scan) isStandIn(start int) bool { return s.isOneOf(start, standIns) }

// option is what a program is given behind an option such as --password.
func option() *rule {
	return &rule{
		kind: passwordKind, anchors: optionNames,
		find: func(s *scan, at int) (start, end int, ok bool) {
			name := s.identifierStart(at)
			if !s.text.Has(name, "--") || name > 0 && s.text.At(name-1) == '-' {
				return 0, 0, false
			}
			start = s.until(at, mostUser, endOfOption)
			if start >= s.text.Len() || !isOptionName(s.text.Slice(at, start)) {
				return 0, 0, false
			}
			if s.isOneOf(start, `"'`) {
				return s.nextItem(start)
			}
			for start++; s.isOneOf(start, " "); start++ {
			}
			ending := endOfValue
			switch {
			case s.isOneOf(start, `"`):
				ending = endOfDouble
				start++
			case s.isOneOf(start, "'"):
				ending = endOfSingle
				start++
			}
			if s.isOneOf(start, "-") || s.isStandIn(start) {
				return 0, 0, false
			}
			end = s.until(start, ownReach, ending)
			return start, end, isGiven(s.text.Slice(start, end))
		},
	}
}

// nextItem is the text behind one that ends at a quote, in a list: ["--password", "secret"].
func (s *scan) nextItem(quote int) (start, end int, ok bool) {
	comma := s.blanksEnd(quote + 1)
	start = s.blanksEnd(comma + 1)
	if !s.isOneOf(comma, ",") || !s.isOneOf(start, string(s.text.At(quote))) {
		return 0, 0, false
	}
	ending := endOfDouble
	if s.isOneOf(start, "'") {
		ending = endOfSingle
	}
	if start++; s.isOneOf(start, "-") || s.isStandIn(start) {
		return 0, 0, false
	}
	end = s.until(start, ownReach, ending)
	return start, end, isGiven(s.text.Slice(start, end))
}

// blanksEnd goes on over the blanks between the items of a list, at most so many as a line begins with.
func (s *scan) blanksEnd(at int) int { return s.over(at, 40, " \t\r\n") }

// over goes on over at most so many of some bytes.
func (s *scan) over(at, most int, bytes string) int {
	for from := at; at-from < most && s.isOneOf(at, bytes); at++ {
	}
	return at
}

// optionNames are what the names of options begin with that take a secret, or a part of the name does.
var optionNames = append([]string{"pass ", "pass=", "token", "secret", "api-key", "apikey", "api_key", "access-key"}, passwordNames...)

// isOptionName says whether the rest of a name leaves it that of a secret: --password, but not --password-file.
func isOptionName(name string) bool { return secretOptions[strings.ToLower(name)] }

var secretOptions = wordsOf(`
	secret-key secret-access-key token-secret secret token api-key apikey api_key access-key pass
` + strings.Join(passwordNames, " "))

// isGiven tells what an option is given from what is written about the option.
func isGiven(value string) bool {
	return len(value) >= 4 && isReal(value) && !describing[strings.ToLower(strings.TrimRight(value, ".:)?!"))]
}

// describing are words that stand behind the name of an option where a text speaks of it.
var describing = wordsOf(`
	argument arguments because before below blank cannot does doesn't default empty file flag from given have instead into isn't
	just must null none option options parameter parameters possible required secret should since stdin string switch text that the
	then they this true false value values variable when where which will with without your password
`)

func wordsOf(list string) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		words[word] = true
	}
	return words
}

// element is the text of an XML element that is named as a secret, also as it looks in text that went through an
// HTML encoder.
func element() *rule {
	return &rule{
		kind: passwordKind, anchors: []string{"password>", "passwd>", "passphrase>", "pwd>", "password&gt;", "password ", "secret>", "token>", "key>"},
		find: func(s *scan, at int) (start, end int, ok bool) {
			start = s.until(at, mostUser, endOfElementName)
			if s.text.Has(start, "&gt;") {
				start += len("&gt;")
			} else {
				start = s.until(start, mostAttributes, endOfTag) + 1
				if start > s.text.Len() || s.text.At(start-1) != '>' {
					return 0, 0, false
				}
			}
			end = s.until(start, mostElement, endOfElement)
			if end == start || s.isStandIn(start) || !s.text.Has(end, "</") && !s.text.Has(end, "&lt;") {
				return 0, 0, false
			}
			value := s.text.Slice(start, end)
			switch s.text.At(at) {
			case 'p', 'P':
				return start, end, len(value) >= 4 && isReal(value)
			}
			return start, end, len(value) >= leastToken && isToken(value)
		},
	}
}

// mostAttributes is how much may stand between the name of an element and the end of its tag.
const mostAttributes = 100

// mostElement is the longest text of an element.
const mostElement = 512

// genericKind is the kind of what is a secret by its name only.
const genericKind = "generic-api-key"

// plainKeys are what stands before "key" and the like where that names no secret.
var plainKeys = wordsOf(`
	blob branch cache cmp commit compare comparison composite compound correlation dedup deduplication dict etag event
	foreign group grouping idempotency index issue join lookup map message metadata object order partition primary public
	record request revision routing row shard sort surrogate translation tree unique
`)

// describedKeys are the words behind "key" and the like that make it the name of something else.
var describedKeys = wordsOf("id ids identifier identifiers uuid guid fingerprint name names hash digest checksum count length size type version")

// namesSecret says whether a name, from its first word to the sign behind it, is that of a secret: "API key:",
// not "API key id:", "Idempotency-Key:" or "commit key:".
func namesSecret(name string) bool {
	words := wordsIn(name)
	if len(words) == 0 {
		return true
	}
	if describedKeys[words[len(words)-1]] {
		return false
	}
	if last := len(words) - 1; last > 0 && words[last] == "token" {
		words = words[:last] // the public key token of .NET
	}
	last := len(words) - 1
	return last == 0 || words[last] != "key" || !plainKeys[words[last-1]]
}

// camelCase is where a word begins in a name without signs.
var camelCase = regexp.MustCompile(`([a-z])([A-Z])`)
