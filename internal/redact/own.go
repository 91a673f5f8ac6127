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
		own("authorization", `(?i)authorization["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:basic|bearer|token|api-?key|digest|negotiate)[ \t]{1,3}["']?([^\s"',;]{6,})`, isReal),
		own("authorization", `(?i)authorization["']?[ \t]{0,3}[:=][ \t]{0,3}["']?([^\s"',;]{16,})`, hasDigit),
		own("authorization", `(?i)\bbearer[ \t]{1,3}([\w.~+/-]{20,}={0,2})`, hasDigit),
		own("api-key-header", `(?i)\bx-(?:api-?key|auth-?(?:token|key)|access-?token|secret-?key|client-?secret|vault-token|gitlab-token|goog-api-key|amz-security-token|shopify-access-token)["']?[ \t]{0,3}[:=][ \t]{0,3}["']?([^\s"',;]{8,})`, hasDigit),
		own("password", passwordName+`["'`+"`"+`]?(?:[ \t]{0,3}(?::=|=>|=|:)[*_]{0,2}|[ \t]{1,3}is:?)[ \t]{0,3}(?:"([^"\n]{4,})"|'([^'\n]{4,})'|`+"`([^`\n]{4,})`)", isReal).named(isPasswordOf),
		own("password", passwordName+`["'`+"`"+`]?(?:[ \t]{0,3}(?::=|=>|=|:)[*_]{0,2}|[ \t]{1,3}is:?)[ \t]{0,3}([^\s"'`+"`"+`<>;])`, nil).named(isPasswordOf).followed((*scan).unquoted),
		own("aws-access-token", `\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`, nil),
		own("aws-secret-access-key", `(?i)secret[ _-]?(?:access[ _-]?)?key["']?[ \t]{0,3}(?::=|=>|=|:|is)[ \t]{0,3}["']?([a-z0-9/+]{40})(?:[^a-z0-9/+=]|\z)`, nil),
		own("sk-key", `\b(sk-[\w-]{20,})`, func(secret string) bool { return hasDigit(secret) && entropyOf(secret) >= 2.5 }),
		basicAuth(),
		puttyKey(),
		option(),
		programRule(),
		optionOfProgram(),
		passValue(),
		environment(),
		passwordBelow(),
		keyList(),
		own("password", `(?i)\b(?:machine\s{1,20}[^\s]{1,64}|default)\s{1,20}login\s{1,20}[^\s]{1,64}\s{1,20}password\s{1,20}([^\s]{2,})`, isReal),
		own("password", `(?i)\blogin\s{1,20}[^\s]{1,64}\s{1,20}password\s{1,20}([^\s]{6,})`, isBarePassword),
		element(),
		own("cookie", `(?i)(?:cookie["']?[ \t]{0,3}[:=]|--cookie[ =])[ \t]{0,3}["']?([\w.-]+=[^\s;"',\\]+(?:;[ ]?[\w.-]+(?:=[^\s;"',\\]*)?)*)`, isCookie),
		own("url-token", `(?i)(?:token|key|secret|signature|[?&]sig|[?&]auth|jwt|[?&;]sid|session)=([^\s&"'<>#;\\]{6,})`, isToken).named(func(name, _ string) bool { return namesSecret(name) && !endsAsWord(name) }),
		own("password", passwordName+`["'][ \t]{1,3}value[ \t]{0,3}=[ \t]{0,3}(?:"([^"\n]{4,})"|'([^'\n]{4,})')`, isReal),
		own("password", passwordName+`["']\s{0,3}(?::\s{0,3}\{|,)\s{0,40}["']value["']`+jsonValue, isReal),
		own("password", `(?i)["']value["']`+jsonValue+`\s{0,3},\s{0,40}["'](?:name|key)["']\s{0,3}:\s{0,3}["'][\w.-]{0,50}`+passwordName+`["']`, isReal),
		curlCookie(),
		own("groq-api-key", `\b(gsk_[A-Za-z0-9]{20,})`, nil),
		own("replicate-api-token", `\b(r8_[A-Za-z0-9]{20,})`, hasDigit),
		own("google-oauth-token", `\b(ya29\.[\w-]{20,})`, nil),
		own("google-oauth-client-secret", `\b(GOCSPX-[\w-]{20,})`, nil),
		own("google-oauth-refresh-token", `\b(1//0[\w-]{30,})`, nil),
		own("xai-api-key", `\b(xai-[A-Za-z0-9]{40,})`, nil),
		own("nvidia-api-key", `\b(nvapi-[\w-]{40,})`, nil),
		own("tavily-api-key", `\b(tvly-[\w-]{20,})`, hasDigit),
		own("docker-pat", `\b(dckr_[po]at_[\w-]{20,})`, nil),
		own("huggingface-access-token", `\b(hf_[A-Za-z0-9]{30,})`, hasDigit), // gitleaks' rule is for letters alone
		own("huggingface-organization-api-token", `\b(api_org_[A-Za-z0-9]{30,})`, hasDigit),
		own("langsmith-api-key", `\b(lsv2_[a-z]{2}_[\w-]{20,})`, nil),
	}
}

// jsonValue is the sign behind a key of JSON, and a text.
const jsonValue = `\s{0,3}:\s{0,3}(?:"([^"\n]{4,200})"|'([^'\n]{4,200})')`

// curlCookie is the cookies that curl is given.
func curlCookie() *rule {
	r := own("cookie", `-b[ =]["']?([\w.-]+=[^\s;"',\\]{6,}(?:;[ ]?[\w.-]+(?:=[^\s;"',\\]*)?)*)`, func(cookies string) bool {
		_, value, _ := strings.Cut(cookies, "=")
		return isPassword(value)
	})
	r.needs = []string{"curl"}
	return r
}

// isCookie tells a header's cookies from what is written about them: one has a value that was made for it.
func isCookie(cookies string) bool {
	for pair := range strings.SplitSeq(cookies, ";") {
		if _, value, _ := strings.Cut(pair, "="); len(value) >= leastToken && isToken(value) {
			return true
		}
	}
	return false
}

// leastToken is the length from which what is no word may be a token.
const leastToken = 8

// isToken tells a token from a word or a number, and from what stands for one.
func isToken(secret string) bool {
	return isPassword(secret) && hasDigit(secret) && strings.Trim(secret, "0123456789.,-") != ""
}

// portAndMore is what stands behind a host rather than a user: ://localhost:3000?mail=me@example.com.
var portAndMore = regexp.MustCompile(`^\d{1,5}[?#]`)

// passwordNames are the names that a password goes by, and passwordName an expression for them.
var (
	passwordNames = []string{"password", "passwd", "passphrase", "passcode", "passwort", "pwd"}
	passwordName  = `(?i)(?:` + strings.Join(passwordNames, "|") + `)`
)

// ownReach is how far a match of our own rules is followed.
const ownReach = 4096

func own(kind, source string, accepts func(string) bool) *rule {
	r := newRule(kind, source)
	r.accepts, r.reach = accepts, min(r.reach, ownReach)
	return r
}

// named is the rule for names that are accepted, from the first word to the sign, of a secret.
func (r *rule) named(names func(name, secret string) bool) *rule {
	r.names = names
	return r
}

// followed is the rule for secrets of which the expression has the beginning, and value says where they end.
func (r *rule) followed(value func(s *scan, name, start int) (end int, ok bool)) *rule {
	r.value = value
	return r
}

func hasDigit(secret string) bool { return strings.ContainsAny(secret, "0123456789") }

// isPassword tells a password from what stands for one: $PASSWORD, {password}, <password>, ****.
func isPassword(secret string) bool {
	return secret != "" && !strings.ContainsAny(secret[:1], standIns) && strings.Trim(secret, "*•.xX") != ""
}

// standIns are what texts begin with that stand for a secret.
const standIns = "$<{[(%"

// isBarePassword tells a password without quotes from the next word of a sentence: it has a digit, or a
// sign that words have not.
func isBarePassword(secret string) bool {
	return isPassword(secret) && strings.ContainsAny(secret, "0123456789!@#$%^&*+=~") && !strings.Contains(secret, "://")
}

// isUnquoted is isBarePassword for the rest of a line, which may be one of /etc/passwd, begin with a tag of YAML or be
// a type of Rust, a call with a text or a text of stars.
func isUnquoted(secret string) bool {
	return isBarePassword(secret) && isReal(secret) && !otherBare.MatchString(secret)
}

var otherBare = regexp.MustCompile(`^(?:[^\s:]*:\d+:\d+:[^:]*:/.*|!(?:vault|vault-encrypted|unsafe|secret|env|env_var|ref|reference|include|file|Ref|Sub|Join|GetAtt|ImportValue)|&(?:amp;)?'\w+|(?:_|[A-Za-z_.]{4,})[(\[][a-z]?["'].*|[a-z]["'][*.]+)$`)

func isSpace(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

func isWord(b byte) bool {
	return b == '_' || '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z'
}
