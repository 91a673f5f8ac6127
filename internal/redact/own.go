package redact

import (
	"regexp"
	"strings"
)

// ownRules are the rules that gitleaks has not, or not for prose.
func ownRules() []*rule {
	return []*rule{
		privateKey(),
		own("url-password", `://[^\s/?#:@"'<>\\]*:([^\s/"'<>\\]+)@[\w\[]`, func(secret string) bool {
			return isPassword(secret) && !portAndMore.MatchString(secret)
		}),
		own("authorization", `(?i)authorization["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:basic|bearer|token|api-?key|digest|negotiate)[ \t]{1,3}["']?([^\s"',;]{6,})`, isPassword),
		own("authorization", `(?i)authorization["']?[ \t]{0,3}[:=][ \t]{0,3}["']?([^\s"',;]{16,})`, hasDigit),
		own("authorization", `(?i)\bbearer[ \t]{1,3}([\w.~+/-]{20,}={0,2})`, hasDigit),
		own("api-key-header", `(?i)\bx-(?:api-?key|auth-?(?:token|key)|access-?token|secret-?key|client-?secret|vault-token|gitlab-token|goog-api-key|amz-security-token|shopify-access-token)["']?[ \t]{0,3}[:=][ \t]{0,3}["']?([^\s"',;]{8,})`, hasDigit),
		own("password", passwordName+`["'`+"`"+`]?(?:[ \t]{0,3}(?::=|=>|=|:)[*_]{0,2}|[ \t]{1,3}is:?)[ \t]{0,3}(?:"([^"\n]{4,})"|'([^'\n]{4,})'|`+"`([^`\n]{4,})`)", isPassword),
		own("password", passwordName+`["'`+"`"+`]?(?:[ \t]{0,3}(?::=|=>|=|:)[*_]{0,2}|[ \t]{1,3}is:?)[ \t]{0,3}([^\s"'`+"`"+`<>;]{5,}[^\s"'`+"`"+`<>.,;:)\]}!?])`, isBarePassword),
		own("aws-access-token", `\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`, nil),
		own("aws-secret-access-key", `(?i)secret[ _-]?(?:access[ _-]?)?key["']?[ \t]{0,3}(?::=|=>|=|:|is)[ \t]{0,3}["']?([a-z0-9/+]{40})(?:[^a-z0-9/+=]|\z)`, nil),
		own("sk-key", `\b(sk-[\w-]{20,})`, func(secret string) bool { return hasDigit(secret) && entropyOf(secret) >= 2.5 }),
		basicAuth(),
	}
}

// portAndMore is what stands behind a host rather than a user: ://localhost:3000?mail=me@example.com.
var portAndMore = regexp.MustCompile(`^\d{1,5}[?#]`)

const passwordName = `(?i)(?:password|passwd|passphrase|passcode|pwd)`

// ownReach is how far a match of our own rules is followed.
const ownReach = 4096

func own(kind, source string, accepts func(string) bool) *rule {
	r := newRule(kind, source)
	r.accepts, r.reach = accepts, min(r.reach, ownReach)
	return r
}

// basicAuth is the user and the password that curl is given.
func basicAuth() *rule {
	r := own("basic-auth", `(?:-u|--user)[ =]["']?[^\s:"']{1,64}:([^\s"']{3,})`, func(secret string) bool {
		return isPassword(secret) && strings.Trim(secret, "0123456789") != "" // -u 1000:1000 is a user and a group
	})
	r.needs = []string{"curl", "wget", "http"}
	return r
}

func hasDigit(secret string) bool { return strings.ContainsAny(secret, "0123456789") }

// isPassword tells a password from what stands for one: $PASSWORD, {password}, <password>, ****.
func isPassword(secret string) bool {
	return !strings.ContainsAny(secret[:1], "$<{[(%") && strings.Trim(secret, "*•.xX") != ""
}

// isBarePassword tells a password without quotes from the next word of a sentence: it has a digit, or a
// sign that words have not.
func isBarePassword(secret string) bool {
	return isPassword(secret) && strings.ContainsAny(secret, "0123456789!@#$%^&*+=~") && !strings.Contains(secret, "://")
}

const (
	keyBegin = "-----begin"
	keyEnd   = "-----END"
	keyDash  = "-----"
	keyName  = "PRIVATE KEY"
	// mostKey is the most bytes of a key, and mostLabel of what its first and last line say.
	mostKey   = 64 << 10
	mostLabel = 100
)

// privateKey is a private key in PEM, from its first line to its last, also where the lines are joined
// by "\n" in letters. Of one that was cut off it is all that looks like a key.
func privateKey() *rule {
	return &rule{kind: "private-key", anchors: []string{keyBegin}, find: func(text string, at int) (end int, ok bool) {
		from := labelEnd(text, at+len(keyBegin))
		if from < 0 || !strings.Contains(strings.ToUpper(text[at:from]), keyName) {
			return 0, false
		}
		body := text[from:min(len(text), from+mostKey)]
		if next := strings.Index(body, strings.ToUpper(keyBegin)); next >= 0 {
			body = body[:next]
		}
		if last := strings.Index(body, keyEnd); last >= 0 {
			return max(labelEnd(text, from+last+len(keyEnd)), from+last+len(keyEnd)), true
		}
		size := keyWords(body)
		return from + size, size > 0
	}}
}

// labelEnd is the end of the first or last line of a key, from behind its first word; −1 where it has none.
func labelEnd(text string, at int) int {
	if i := strings.Index(text[at:min(len(text), at+mostLabel)], keyDash); i >= 0 {
		return at + i + len(keyDash)
	}
	return -1
}

// keyWords is the length of what a text begins with and is part of a key.
func keyWords(text string) int {
	end := 0
	for at := 0; at < len(text); {
		switch rest := text[at:]; {
		case strings.HasPrefix(rest, `\n`), strings.HasPrefix(rest, `\r`):
			at += 2
		case isSpace(rest[0]):
			at++
		default:
			size := keyWord(rest)
			if !isKeyWord(rest[:size]) {
				return end
			}
			at += size
			end = at
		}
	}
	return end
}

// keyWord is the length of the next word of a key.
func keyWord(text string) int {
	size := 0
	for size < len(text) && !isSpace(text[size]) && text[size] != '\\' && text[size] != '-' && text[size] != '"' {
		size++
	}
	return max(size, 1)
}

// isKeyWord says whether a word is part of a key: base64, at the length of a line or with its padding,
// or one of the header lines that say how it is encrypted.
func isKeyWord(word string) bool {
	for i := range len(word) {
		if !isWord(word[i]) && !strings.ContainsRune("+/=:,-", rune(word[i])) {
			return false
		}
	}
	return len(word) >= 16 || strings.HasSuffix(word, "=") || strings.HasSuffix(word, ":") || strings.HasPrefix(word, "4,")
}

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

func isWord(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}
