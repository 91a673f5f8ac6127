package redact

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// isReal tells a secret from what stands for one, also in words: YOUR_API_KEY, PASS, "password", "string".
func isReal(secret string) bool { return isPassword(secret) && !isPlaceholder(secret) }

// isPlaceholder says whether a value is made of no more than words for what is to be put in.
func isPlaceholder(value string) bool {
	if len(value) > mostPlaceholder || strings.ContainsFunc(value, func(r rune) bool { return !(r < utf8.RuneSelf && isWord(byte(r)) || strings.ContainsRune(" .-", r)) }) {
		return false
	}
	for _, word := range wordsIn(value) {
		if !placeholders[word] {
			return false
		}
	}
	return true
}

// mostPlaceholder is longer than those are.
const mostPlaceholder = 64

var placeholders = wordsOf(`
	a access api auth authentication bearer client db default described example goes here hidden id key my name optional pass
	passcode passphrase passwd password placeholder put pw pwd redacted replace required secret string text the this token user username value
	with your
`)

// wordsIn is the words of a name, in lower case.
func wordsIn(name string) []string {
	return strings.FieldsFunc(strings.ToLower(camelCase.ReplaceAllString(name, "$1 $2")), func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') })
}

func hasBlank(value string) bool { return strings.ContainsAny(value, " \t\r\n") }

// isPasswordOf says whether a name, with the sign behind it, is that of a password, and a value not something else.
func isPasswordOf(name, value string) bool {
	name = strings.TrimRight(name, " \t=:>\"'`*_")
	return !saysElse(name[strings.LastIndexAny(name, " \t")+1:], value)
}

// saysElse says whether a value is what its name has besides passwords: a directory, or a text for people.
func saysElse(name, value string) bool {
	if hasBlank(value) {
		if complaint.MatchString(value) {
			return true
		}
		for _, word := range wordsIn(name[max(0, len(name)-mostNamed):]) {
			if speaking[word] {
				return true
			}
		}
	}
	return directory.MatchString(value) && strings.HasSuffix(strings.ToLower(name), "pwd")
}

// speaking are words of the names that texts for people go by: forgotPassword, errors.password.
var speaking = wordsOf("error errors forgot forgotten hint invalid label labels message messages placeholder validation")

// complaint is how a text begins that tells what is wrong with a password.
var complaint = regexp.MustCompile(`(?i)^(?:(?:the |your |this )?(?:field|password|value) )?(?:must|must not|should|should not|can't|cannot|can not|may not|is|has|does not|doesn't|needs to|too)` +
	` (?:at|be|been|blank|contain|empty|have|include|incorrect|invalid|long|match|missing|not|required|short|too|weak|wrong)\b[a-z ,.()'-]*(?:\b\d{1,3}\b[a-z ,.()'-]*)?$`)

var directory = regexp.MustCompile(`^(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][\w. -]+){2,}[/\\]?$`)

// endsAsWord says whether a name ends in a word that ends as names of secrets do: monkey, possession.
func endsAsWord(name string) bool {
	words := wordsIn(name)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	for _, ending := range []string{"key", "session"} {
		if before, ends := strings.CutSuffix(last, ending); ends {
			return before != "" && !joined[before]
		}
	}
	return false
}

// joined are what stands before "key" and the like without a sign between, where that is a secret.
var joined = wordsOf(`
	access account admin api app auth aws client customer encryption gpg hmac jwt license login master my pgp php private root s3 sas secret security
	server service session shared signing ssh storage sub subscription user web
`)
