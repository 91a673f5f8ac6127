package redact

import "strings"

// basicAuth is the user and the password that curl is given.
func basicAuth() *rule {
	return &rule{
		kind: "basic-auth", anchors: []string{"-u ", "-u=", "--user ", "--user="}, needs: []string{"curl", "wget", "http"},
		find: func(s *scan, at int) (start, end int, ok bool) {
			from := at + strings.IndexAny(s.text[at:], " =") + 1
			if from < len(s.text) && (s.text[from] == '"' || s.text[from] == '\'') {
				from++
			}
			colon := from + s.until(from, mostUser+1, " \t\r\n:\"'")
			if colon == from || colon >= len(s.text) || s.text[colon] != ':' {
				return 0, 0, false
			}
			start = colon + 1
			end = start + s.until(start, ownReach, " \t\r\n\"'")
			secret := s.text[start:end]
			// -u 1000:1000 is a user and a group
			return start, end, len(secret) >= 3 && isPassword(secret) && strings.Trim(secret, "0123456789") != ""
		},
	}
}

// mostUser is the longest name of a user.
const mostUser = 64

// until is the number of bytes, at most so many, before one of the given.
func (s *scan) until(from, most int, ends string) int {
	rest := s.text[from:min(len(s.text), from+most)]
	size := strings.IndexAny(rest, ends)
	if size < 0 {
		size = len(rest)
	}
	s.work += size
	return size
}

// option is what a program is given behind an option such as --password.
func option() *rule {
	return &rule{
		kind: passwordKind, anchors: optionNames,
		find: func(s *scan, at int) (start, end int, ok bool) {
			name := s.identifierStart(at)
			s.work += at - name
			if !strings.HasPrefix(s.text[name:], "--") || name > 0 && s.text[name-1] == '-' {
				return 0, 0, false
			}
			start = at + s.until(at, mostUser, " =")
			if start >= len(s.text) || !isOptionName(s.text[at:start]) {
				return 0, 0, false
			}
			for start++; start < len(s.text) && s.text[start] == ' '; start++ {
				s.work++
			}
			ends := " \t\r\n\"'`;|&,"
			if start < len(s.text) && (s.text[start] == '"' || s.text[start] == '\'') {
				ends = s.text[start:start+1] + "\n"
				start++
			}
			end = start + s.until(start, ownReach, ends)
			return start, end, isGiven(s.text[start:end])
		},
	}
}

// optionNames are what the names of options begin with that take a secret, or a part of the name does.
var optionNames = []string{"password", "passwd", "passphrase", "pass ", "pass=", "pwd", "token", "secret", "api-key", "apikey", "api_key", "access-key"}

// isOptionName says whether the rest of a name leaves it that of a secret: --password, but not --password-file.
func isOptionName(name string) bool {
	name = strings.ToLower(name)
	switch name {
	case "secret-key", "secret-access-key", "token-secret", "password", "secret", "token", "api-key", "apikey", "api_key", "access-key", "pass", "passwd", "passphrase", "pwd":
		return true
	}
	return false
}

// isGiven tells what an option is given from what is written about the option.
func isGiven(value string) bool {
	return len(value) >= 4 && value[0] != '-' && isPassword(value) && !describing[strings.ToLower(strings.TrimRight(value, ".:)?!"))]
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
			start = at + s.until(at, mostUser, " >&")
			if strings.HasPrefix(s.text[start:], "&gt;") {
				start += len("&gt;")
			} else {
				start += s.until(start, mostAttributes, ">\n<") + 1
				if start > len(s.text) || s.text[start-1] != '>' {
					return 0, 0, false
				}
			}
			end = start + s.until(start, mostElement, "<>&\r\n")
			value := s.text[start:end]
			closed := strings.HasPrefix(s.text[end:], "</") || strings.HasPrefix(s.text[end:], "&lt;")
			if strings.HasPrefix(strings.ToLower(s.text[at:]), "pass") || strings.HasPrefix(strings.ToLower(s.text[at:]), "pwd") {
				return start, end, closed && len(value) >= 4 && isPassword(value)
			}
			return start, end, closed && len(value) >= leastToken && isToken(value)
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
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') })
	if len(words) == 0 {
		return true
	}
	if describedKeys[words[len(words)-1]] {
		return false
	}
	last := len(words) - 1
	return last == 0 || words[last] != "key" || !plainKeys[words[last-1]]
}
