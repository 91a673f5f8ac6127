package redact

import (
	"regexp"
	"strings"
	"unicode"
)

const passWord = "pass"

// otherPasses are what stands before "pass" where that is no password.
var otherPasses = wordsOf(`
	all band boarding bus by com compass day each final first free guest high last low max min month multi next one over per post pre
	previous rail render season second seven single sky stage surface test third through tour travel two under
`)

// passName says whether a name is that of a password since its last word is "pass", and whether it leaves no doubt:
// DB_PASS and smtpPass, not pass, which may count what passed, and neither boarding_pass nor bypass.
func passName(name string) (is, sure bool) {
	at := len(name) - len(passWord)
	if at < 0 || !strings.EqualFold(name[at:], passWord) {
		return false, false
	}
	before := strings.TrimRight(name[:at], "_-. ")
	if before == "" {
		return !isUpper(name), false // PASS is what test runners say
	}
	if before == name[:at] && (name[at] != 'P' || !unicode.IsLower(rune(before[at-1]))) {
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
		is, sure := passName(s.text.Slice(s.identifierStart(at), named))
		if !is {
			return 0, 0, false
		}
		sure = sure && s.isOneOf(start, `"'`)
		value, start, ok := s.argument(start)
		return start, start + len(value), ok && isGiven(value) && (sure || isBarePassword(value) && len(value) >= leastNamed &&
			strings.ContainsFunc(value, unicode.IsLetter) && !strings.ContainsAny(value, "([{"))
	}}
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
	anchors := []string{"pass=", "passwd=", "password=", "passphrase=", "_pwd="}
	return &rule{kind: passwordKind, anchors: anchors, find: func(s *scan, at int) (start, end int, ok bool) {
		start = at + s.text.Index(at, min(at+len("passphrase="), s.text.Len()), "=") - at + 1
		name := s.text.Slice(s.identifierStart(at), start-1)
		if !isUpper(name) {
			return 0, 0, false
		}
		alone := strings.EqualFold(name, passWord)
		if is, _ := passName(name); !is && !alone && strings.HasSuffix(name, strings.ToUpper(passWord)) {
			return 0, 0, false
		}
		value, start, ok := s.argument(start)
		counts := alone && strings.Trim(value, "0123456789") == ""
		return start, start + len(value), ok && isGiven(value) && !counts && !strings.ContainsAny(value, "([{")
	}}
}

// passwordNames are the names that a password goes by.
var passwordNames = []string{"password", "passwd", "passphrase", "passcode", "pwd"}

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
			return s.listOfPasswords(at + 1)
		}
		return s.lineBelow(s.fewBlanks(at))
	}}
}

// listOfPasswords is all from the first item of a list to its last.
func (s *scan) listOfPasswords(at int) (start, end int, ok bool) {
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
		if separator := strings.TrimSpace(item); separator != "," && (strings.ContainsAny(item, " \t") || !isGiven(item)) {
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
