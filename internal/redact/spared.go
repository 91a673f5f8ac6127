package redact

import (
	"regexp"
	"strings"
)

// standIns are what texts begin with that stand for a secret: $PASSWORD, {password}, <password>, %PASSWORD%.
const standIns = "$<{[(%"

// standsIn says whether a text stands for a secret: ****, ${PASSWORD}.
func standsIn(value string) bool {
	return value == "" || strings.ContainsAny(value[:1], standIns) || strings.Trim(value, "*•.xX") == ""
}

// isReal tells a secret from what stands for one, also in words: YOUR_API_KEY, "string".
func isReal(value string) bool { return !standsIn(value) && !isPlaceholder(value) }

// maxPlaceholder is longer than those are.
const maxPlaceholder = 64

// isPlaceholder says whether a value is made of no more than words for what is to be put in.
func isPlaceholder(value string) bool {
	if len(value) > maxPlaceholder || strings.ContainsFunc(value, func(r rune) bool { return !(isWord(r) || strings.ContainsRune(" .-", r)) }) {
		return false
	}
	for _, word := range wordsIn(value) {
		if !placeholders[word] {
			return false
		}
	}
	return true
}

var placeholders = wordsOf(`
	a access api auth authentication bearer client db default described example goes here hidden id key my name optional pass
	passcode passphrase passwd password placeholder put pw pwd redacted replace required secret string text the this token user username value
	with your
`)

// isPhrase tells a password in quotes from a text for people: "must not be blank", "Forgot your password?".
func isPhrase(value string) bool {
	return isReal(value) && !(strings.Contains(value, " ") && forPeople.MatchString(value)) && !directory.MatchString(value)
}

var (
	forPeople = regexp.MustCompile(`(?i)\b(?:blank|characters?|empty|forgot|forgotten|incorrect|invalid|match|missing|passwords?|required|too (?:long|short|weak)|wrong)\b`)
	// directory has parts that are words or numbered words; a secret with slashes mixes capitals and digits.
	directory = regexp.MustCompile(`^(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\](?:[a-z0-9_. -]+|[A-Za-z_. -]+)){2,}[/\\]?$`)
)

// leastNamed is the fewest bytes of a value that its name alone makes a secret; shorter are "none", "text" or "***".
const leastNamed = 6

// isUnquoted tells a password without quotes from the next word of a sentence or of code: it has a digit, or a sign
// that words have not.
func isUnquoted(value string) bool {
	word := strings.TrimRight(value, "!?")
	return len(value) >= leastNamed && strings.ContainsAny(word, "0123456789!@#$%^&*+=~") && isReal(word) &&
		!notBare.MatchString(value) && !directory.MatchString(value)
}

// notBare is a line of /etc/passwd, a tag of YAML, a text of stars, and code: a call, an element of a list.
var notBare = regexp.MustCompile(`^(?:[^\s:]*:\d+:\d+:.*|![A-Za-z_]+|[a-z]["'][*.]+|[A-Za-z_.]+(?:\(.*\)|\[.*\])|[A-Za-z_.]{4,}[(\[][a-z]?["'].*)$`)

// isGiven tells what an option is given, which may be any word, from what is written about it.
func isGiven(value string) bool {
	return len(value) >= 4 && isReal(value) && !isDescribing(value) && !strings.ContainsAny(value[:1], "([{") && !directory.MatchString(value)
}

// isAssigned is isGiven for a variable, which code assigns calls: DB_PASSWORD=getenv("A").
func isAssigned(value string) bool { return isGiven(value) && !strings.ContainsAny(value, "([{") }

// isArgument is isGiven for the option -p, which may be a port in another program.
func isArgument(value string) bool {
	return isReal(value) && !isDescribing(value) && !port.MatchString(value)
}

var port = regexp.MustCompile(`^(?:\d{1,5}|[\d.:-]*[.:-][\d.:-]*)(?:/tcp|/udp)?$`)

// isDescribing says whether a value is the next option, or a word of a text about options.
func isDescribing(value string) bool {
	return value[0] == '-' || describing[strings.ToLower(strings.TrimRight(value, ".:)?!"))]
}

var describing = wordsOf(`
	argument arguments because before below blank cannot does doesn't default empty file flag from given have instead into isn't
	just must null none option options parameter parameters possible required secret should since stdin string switch text that the
	then they this true false value values variable when where which will with without your password
`)

var (
	variableName = regexp.MustCompile(`(?:^|[^\w.-])[A-Z0-9_]+=["'\x60]?$`)
	workingPath  = regexp.MustCompile(`\b(?:OLD)?PWD=["'\x60]?$`)
)

// isVariable says whether a name is that of a variable of the environment, and not of the working directory.
func isVariable(name string) bool {
	return variableName.MatchString(name) && !workingPath.MatchString(name)
}

// isUserinfo tells the password in a URL from what stands behind a host: ://localhost:3000?mail=me@example.com.
func isUserinfo(value string) bool { return !standsIn(value) && !portAndMore.MatchString(value) }

var portAndMore = regexp.MustCompile(`^\d{1,5}[?#]`)

// leastToken is the length from which what is no word may be a token.
const leastToken = 8

// isToken tells a token from a word or a number, and from what stands for one.
func isToken(value string) bool {
	return isReal(value) && hasDigit(value) && strings.Trim(value, "0123456789.,-") != ""
}

// isMixed says whether a value is too irregular for a name.
func isMixed(value string) bool { return hasDigit(value) && entropyOf(value) >= 2.5 }

// isNoNumber tells a password behind a number, such as an account's, from the group in 1000:1000.
func isNoNumber(value string) bool {
	return isReal(value) && strings.Trim(value, "0123456789") != ""
}

func hasDigit(value string) bool { return strings.ContainsAny(value, "0123456789") }

// isCookie tells a header's cookies from what is written about them: one has a value that was made for it.
func isCookie(cookies string) bool {
	for pair := range strings.SplitSeq(cookies, ";") {
		if _, value, _ := strings.Cut(pair, "="); len(value) >= leastToken && isToken(value) {
			return true
		}
	}
	return false
}

// isGivenCookie is isCookie for those that a program is given, which may be any word.
func isGivenCookie(cookies string) bool {
	_, value, _ := strings.Cut(cookies, "=")
	return len(value) >= leastNamed && isReal(value)
}

// isParameter says whether a name is that of a secret in a URL: access_token, but not monkey or page_token.
func isParameter(name string) bool {
	words := wordsIn(name)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	return (parameters[last] || strings.HasSuffix(last, "token") || strings.HasSuffix(last, "secret")) && namesSecret(name)
}

var parameters = wordsOf("accesskey apikey appkey auth authkey clientkey jwt key licensekey masterkey privatekey secretkey session sessionkey sid sig signature")

// namesSecret says whether a name is a secret's: "API key:", not "API key id:", "Idempotency-Key:" or "commit key:".
func namesSecret(name string) bool { return !plainName.MatchString(strings.Join(wordsIn(name), " ")) }

// plainName is the name of a key that says what is meant, and of what is said about a key.
var plainName = regexp.MustCompile(`(?:^| )(?:blob|branch|cache|cmp|commit|compare|comparison|composite|compound|correlation|dedup|deduplication|dict|etag|event|` +
	`foreign|group|grouping|idempotency|index|issue|join|lookup|map|message|metadata|object|order|partition|primary|public|` +
	`record|request|revision|routing|row|shard|sort|surrogate|translation|tree|unique) key(?: token)?$` +
	`|(?:^| )(?:ids?|identifiers?|uuid|guid|fingerprint|names?|hash|digest|checksum|count|length|size|type|version)$`)

// wordsIn is the words of a name, in lower case.
func wordsIn(name string) []string {
	return strings.FieldsFunc(strings.ToLower(camelCase.ReplaceAllString(name, "$1 $2")), func(r rune) bool { return !('a' <= r && r <= 'z' || '0' <= r && r <= '9') })
}

// camelCase is where a word begins in a name without signs.
var camelCase = regexp.MustCompile(`([a-z])([A-Z])`)

func wordsOf(list string) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		words[word] = true
	}
	return words
}

func isWord(r rune) bool {
	return r == '_' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z'
}
