package redact

import (
	"regexp"
	"strings"
	"unicode"
)

const passWord = "pass"

// otherPasses are what stands before "pass" where that is no password.
var otherPasses = wordsOf(`
	all band boarding bus by com compass day each encom final first free guest high im last low max min month multi next one over per post
	pre previous rail render season second seven single sky stage sub sur surface test third through tour travel tres two under
`)

// passName says whether a name is that of a password since its last word is "pass", and whether it leaves no doubt:
// DB_PASS, DBPASS and smtpPass, not pass, which may count what passed, and neither boarding_pass nor bypass.
func passName(name string) (is, sure bool) {
	at := len(name) - len(passWord)
	if at < 0 || !strings.EqualFold(name[at:], passWord) {
		return false, false
	}
	before := strings.TrimRight(name[:at], "_-. ")
	if before == "" {
		return !isUpper(name), false // PASS is what test runners say
	}
	switch {
	case isUpper(name):
		before = strings.ToLower(before)
	case before == name[:at] && (name[at] != 'P' || !unicode.IsLower(rune(before[at-1]))):
		return false, false
	}
	from := strings.LastIndexFunc(before, func(r rune) bool { return !unicode.IsLower(r) })
	return !otherPasses[strings.ToLower(before[max(from, 0):])] && !otherPasses[strings.ToLower(before[from+1:])], true
}

func isUpper(name string) bool { return name == strings.ToUpper(name) }

// passValue is the value of a name such as DB_PASS.
func passValue() *rule {
	return &rule{kind: passwordKind, anchors: []string{passWord}, find: func(s *scan, at int) (start, end int, ok bool) {
		named := at + len(passWord)
		if named == s.text.Len() || isWord(s.text.At(named)) {
			return 0, 0, false
		}
		start, ok = s.signEnd(named)
		if !ok {
			return 0, 0, false
		}
		name := s.identifierStart(at)
		is, sure := passName(s.text.Slice(name, named))
		if !is || name == at && s.isOtherPass(at) {
			return 0, 0, false
		}
		sure = sure && s.isOneOf(start, `"'`)
		value, start, ok := s.argument(start)
		return start, start + len(value), ok && isGiven(value) && (sure || isBarePassword(value) && !hasBlank(value) && len(value) >= leastNamed &&
			strings.ContainsFunc(value, unicode.IsLetter) && !strings.ContainsAny(value, "([{"))
	}}
}

// isOtherPass says whether the word before makes "pass" none: boarding pass.
func (s *scan) isOtherPass(at int) bool {
	word := s.blanksBefore(at)
	return word < at && otherPasses[strings.ToLower(s.text.Slice(s.identifierStart(word), word))]
}

// signEnd goes on over a quote, and a sign of assignment with the blanks around it.
func (s *scan) signEnd(at int) (end int, ok bool) {
	if s.isOneOf(at, `"'`) {
		at++
	}
	sign := s.fewBlanks(at)
	for end = sign; end-sign < len(":=") && s.isOneOf(end, ":=>"); end++ {
	}
	return s.fewBlanks(end), end > sign
}

func (s *scan) fewBlanks(at int) int { return s.over(at, 3, " \t") }

// environment is the password of a line such as DB_PASSWORD=swordfish, which may be any word.
func environment() *rule {
	anchors := []string{"pass=", "pw="}
	for _, name := range passwordNames {
		anchors = append(anchors, name+"=")
	}
	return &rule{kind: passwordKind, anchors: anchors, find: func(s *scan, at int) (start, end int, ok bool) {
		start = s.text.Index(at, min(at+len("passphrase="), s.text.Len()), "=") + 1
		name := s.text.Slice(s.identifierStart(at), start-1)
		if !isUpper(name) || name == "PWD" || name == "OLDPWD" {
			return 0, 0, false
		}
		alone := strings.EqualFold(name, passWord)
		if is, _ := passName(name); !is && !alone && strings.HasSuffix(name, strings.ToUpper(passWord)) {
			return 0, 0, false
		}
		value, start, ok := s.argument(start)
		counts := alone && strings.Trim(value, "0123456789") == ""
		return start, start + len(value), ok && isGiven(value) && !counts && !saysElse(name, value) && !strings.ContainsAny(value, "([{")
	}}
}

// passwordBelow is the values that stand in a list behind the name of a password, and the one on the line below.
func passwordBelow() *rule {
	return &rule{kind: passwordKind, anchors: passwordNames, find: func(s *scan, at int) (start, end int, ok bool) {
		for from := at; at-from < len("passphrases") && at < s.text.Len() && isWord(s.text.At(at)); at++ {
		}
		at, ok = s.signEnd(s.over(at, 3, "\"'*_`"))
		at = s.over(at, 3, "*_`|>+-") // and how YAML says that lines follow
		switch {
		case !ok:
			return 0, 0, false
		case s.isOneOf(at, "["):
			return s.listOf(at+1, isGiven)
		}
		return s.lineBelow(s.fewBlanks(at))
	}}
}

// keyList is the values of a list under names such as tokens.
func keyList() *rule {
	anchors := []string{"tokens", "secrets", "api_keys", "api-keys", "apikeys"}
	return &rule{kind: genericKind, anchors: anchors, find: func(s *scan, at int) (start, end int, ok bool) {
		for from := at; at-from < len("api_keys") && at < s.text.Len() && (isWord(s.text.At(at)) || s.isOneOf(at, "-")); at++ {
		}
		at, ok = s.signEnd(at)
		if !ok || !s.isOneOf(at, "[") {
			return 0, 0, false
		}
		return s.listOf(at+1, isListedToken)
	}}
}

// isListedToken tells a token from the words and numbers that a list of tokens may be, too.
func isListedToken(item string) bool {
	return len(item) >= 2*leastToken && isToken(item) && entropyOf(item) >= 3
}

// listOf is all from the first item of a list to its last, if all are accepted.
func (s *scan) listOf(at int, accepts func(string) bool) (start, end int, ok bool) {
	start = s.blanksEnd(at)
	if !s.isOneOf(start, `"'`) {
		return 0, 0, false
	}
	quotes := string(s.text.At(start))
	end = s.until(start+1, mostElement, endOfList)
	if !s.isOneOf(end, "]") {
		return 0, 0, false
	}
	list, closed := strings.CutSuffix(strings.TrimRight(s.text.Slice(start+1, end), " \t\r\n"), quotes)
	if !closed {
		return 0, 0, false
	}
	for item := range strings.SplitSeq(list, quotes) {
		if separator := strings.TrimSpace(item); separator != "," && (hasBlank(item) || !accepts(item)) {
			return 0, 0, false // what is wrong with a password, in words
		}
	}
	return start + 1, start + 1 + len(list), true
}

// lineBelow is the line after the one that ends at a position, if it is no more than a word.
func (s *scan) lineBelow(at int) (start, end int, ok bool) {
	at = s.over(at, 1, "\r")
	if !s.isOneOf(at, "\n") {
		return 0, 0, false
	}
	start = s.over(at+1, 40, " \t")
	if s.text.Has(start, "- ") {
		start += len("- ")
	}
	start = s.over(start, 2, "\"'`")
	end = s.until(start, mostArgument, endOfWord)
	if end == start+mostArgument || s.isStandIn(start) {
		return 0, 0, false
	}
	value := strings.TrimRight(s.text.Slice(start, end), "`")
	end = start + len(value)
	after := s.over(end, 3, "\"'`\r \t")
	alone := after == s.text.Len() || s.isOneOf(after, "\n")
	return start, end, alone && len(value) >= leastNamed && isBarePassword(value) && !anotherLine.MatchString(value)
}

// anotherLine is what is no password on the line below: a name and its value, a prompt, a path, a date.
var anotherLine = regexp.MustCompile(`^(?:[A-Za-z_][\w.-]*[:=].*[^=]|.*:|[\w.-]+@[\w.-]+[:~].*|[/~.@#>-].*|\d+[-./:]\d.*)$`)
