package retrieval

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The bounds of what is read: a long situation is full of times that it is not about.
const (
	maxRead  = 64 << 10 // bytes
	maxDates = 8
)

// Dates reads the days, months and years that a query names in English, each once, in their order and at most eight:
// "7 May 2023", "May 7th, 2023", "the 7th of May", "2023-05-07", "May 2023", "2023-05", "in May", "September", "in 2023".
// Words that are something else as well ("may", "march", "April", "Jan") are months only beside a day or a year, or after
// a preposition such as "in". Neither what depends on the day of the question ("last week") nor what is written differently in different
// countries ("5/7/2023") is read. A day that there is not (31 February) is none.
func Dates(query string) []Date {
	if len(query) > maxRead {
		query = strings.ToValidUTF8(query[:maxRead], "")
	}
	r := reader{tokens: tokensOf(query)}
	var found []Date
	for i := 0; i < len(r.tokens) && len(found) < maxDates; {
		d, next := r.date(i)
		if next == i {
			i++
			continue
		}
		i = next
		if !slices.Contains(found, d) {
			found = append(found, d)
		}
	}
	return found
}

// token is a word, a number or a sign of a text.
type token struct {
	text    string // of a word in lower case
	number  int    // of up to four digits; −1 for what is none
	digits  int
	ordinal bool // "7th"
	title   bool // a word that begins as names do
	spaced  bool // white space, or nothing, stands before it
}

func tokensOf(text string) []token {
	var tokens []token
	spaced := true
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		t := token{number: -1, spaced: spaced}
		switch {
		case unicode.IsSpace(r):
			text, spaced = text[size:], true
			continue
		case isDigit(r):
			size = spanOf(text, isDigit)
			t.digits = size
			if size <= 4 {
				t.number, _ = strconv.Atoi(text[:size])
			}
			if letters := spanOf(text[size:], inWord); isOrdinal(text[size : size+letters]) {
				t.ordinal = true
				size += letters
			}
		case unicode.IsLetter(r):
			size = spanOf(text, inWord)
			t.title = unicode.IsUpper(r) && text[:size] != strings.ToUpper(text[:size])
		}
		t.text = strings.ToLower(text[:size])
		tokens = append(tokens, t)
		text, spaced = text[size:], false
	}
	return tokens
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_' }

func isOrdinal(letters string) bool {
	switch strings.ToLower(letters) {
	case "st", "nd", "rd", "th":
		return true
	}
	return false
}

// spanOf is how many bytes of a text belong together.
func spanOf(text string, belongs func(rune) bool) int {
	if end := strings.IndexFunc(text, func(r rune) bool { return !belongs(r) }); end >= 0 {
		return end
	}
	return len(text)
}

var months = func() map[string]time.Month {
	named := map[string]time.Month{"sept": time.September}
	for month := time.January; month <= time.December; month++ {
		name := strings.ToLower(month.String())
		named[name], named[name[:3]] = month, month
	}
	return named
}()

// plainMonths are months and nothing else.
var plainMonths = wordSet("january february july september october november december")

// What stands before a month, a day or a year that is meant as one.
var (
	beforeMonth = wordSet("in during since until till throughout early mid late")
	beforeDay   = wordSet("on since until till from before after around by")
	beforeYear  = wordSet("in during since until till throughout early mid late before after between around year")
	// ofYear may stand before "of" and a year.
	ofYear = wordSet("spring summer autumn fall winter beginning start middle end rest")
	// notCounted are words in s that are no plural, so that a number before them counts nothing.
	notCounted = wordSet("was is has does as us this his its")
)

func wordSet(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

type reader struct{ tokens []token }

// at is the token at a place; one without text beyond the ends.
func (r *reader) at(i int) token {
	if i < 0 || i >= len(r.tokens) {
		return token{number: -1, spaced: true}
	}
	return r.tokens[i]
}

// date reads the date that begins at a token, and answers where the text goes on; at the same token where there is none.
func (r *reader) date(i int) (Date, int) {
	for _, form := range []func(int) (Date, int){r.numeric, r.dayMonth, r.monthDay, r.monthYear, r.month, r.year} {
		if d, next := form(i); next > i && d.exists() {
			return d, next
		}
	}
	return Date{}, i
}

// exists says whether the calendar has such a date.
func (d Date) exists() bool {
	year := d.Year
	if year == 0 {
		year = 2000 // which has a 29 February
	}
	if d.Day == 0 {
		return d.Month >= 0 && d.Month <= time.December
	}
	return time.Date(year, d.Month, d.Day, 0, 0, 0, 0, time.UTC).Day() == d.Day
}

// ends says whether what is written without a space ends before a token, or with the punctuation of a sentence.
func (r *reader) ends(i int) bool {
	if next := r.at(i); next.spaced {
		return true
	} else if !strings.Contains(".,;:!?)]}\"'’”-–—", next.text) {
		return false
	}
	after := r.at(i + 1)
	return after.spaced || after.digits == 0
}

// begins says whether what is written without a space begins at a token: nothing goes into it from before.
func (r *reader) begins(i int) bool {
	return r.at(i).spaced || strings.Contains("([{\"'‘“,;–—", r.at(i-1).text)
}

// numeric reads 2023-05-07, also with a time after it, and 2023-05.
func (r *reader) numeric(i int) (Date, int) {
	year, month, sign := r.at(i), r.at(i+2), r.signAt(i+1)
	if !isYear(year) || !r.begins(i) || sign == "" || month.spaced || !isCount(month, 12) {
		return Date{}, i
	}
	d := Date{Year: year.number, Month: time.Month(month.number)}
	if r.signAt(i+3) != sign {
		if sign == "-" && month.digits == 2 && r.ends(i+3) {
			return d, i + 3
		}
		return Date{}, i
	}
	day := r.at(i + 4)
	if day.spaced || !isCount(day, 31) || !r.ends(i+5) && !strings.HasPrefix(r.at(i+5).text, "t") {
		return Date{}, i
	}
	d.Day = day.number
	return d, i + 5
}

// signAt is what may stand between the numbers of a date; "" where something else does.
func (r *reader) signAt(i int) string {
	if sign := r.at(i); !sign.spaced && (sign.text == "-" || sign.text == "/") {
		return sign.text
	}
	return ""
}

func isYear(t token) bool {
	return t.digits == 4 && !t.ordinal && t.number >= 1900 && t.number < 2100
}

func isCount(t token, most int) bool {
	return (t.digits == 1 || t.digits == 2) && t.number >= 1 && t.number <= most
}

// monthAt reads the name of a month, with the point of a short one.
func (r *reader) monthAt(i int) (time.Month, int) {
	name := r.at(i)
	month, known := months[name.text]
	if !known || !r.begins(i) && r.at(i-1).text != "-" {
		return 0, i
	}
	if point := r.at(i + 1); point.text == "." && !point.spaced && name.text != strings.ToLower(month.String()) {
		return month, i + 2
	}
	return month, i + 1
}

// yearAfter reads a year that ends a date, also after a comma or "of"; 0 where there is none.
func (r *reader) yearAfter(i int) (year, next int) {
	at := i
	if t := r.at(at).text; t == "," || t == "of" {
		at++
	}
	if t := r.at(at); t.spaced && isYear(t) && r.ends(at+1) {
		return t.number, at + 1
	}
	return 0, i
}

// dayMonth reads "7 May", "7th of May, 2023".
func (r *reader) dayMonth(i int) (Date, int) {
	day, at := r.at(i), i+1
	if !isCount(day, 31) || !r.begins(i) && r.signAt(i-1) == "" { // "3-7 May"
		return Date{}, i
	}
	if r.at(at).text == "of" {
		at++
	}
	month, next := r.monthAt(at)
	if month == 0 || !r.at(at).spaced || !r.ends(next) {
		return Date{}, i
	}
	named := r.at(at)
	year, after := r.yearAfter(next)
	sure := day.ordinal || year != 0 || at > i+1 || named.title || r.after(beforeDay, i)
	if isVerb(named) && !sure && !r.stops(next) {
		return Date{}, i
	}
	return Date{Year: year, Month: month, Day: day.number}, after
}

// monthDay reads "May 7", "May the 7th, 2023".
func (r *reader) monthDay(i int) (Date, int) {
	month, at := r.monthAt(i)
	if month == 0 {
		return Date{}, i
	}
	if r.at(at).text == "the" && r.at(at+1).ordinal {
		at++
	}
	day := r.at(at)
	if !day.spaced || !isCount(day, 31) || !r.ends(at+1) {
		return Date{}, i
	}
	year, after := r.yearAfter(at + 1)
	sure := day.ordinal || year != 0 || r.at(i).title && i > 0 || r.after(beforeDay, i) || r.after(beforeMonth, i)
	if isVerb(r.at(i)) && !sure && !r.stops(at+1) {
		return Date{}, i
	}
	return Date{Year: year, Month: month, Day: day.number}, after
}

// isVerb says whether a month is a common verb, too, with which a number may go ("2 may enter", "march 3 miles").
func isVerb(name token) bool { return name.text == "may" || name.text == "march" }

// stops says whether a text, or a part of a sentence, ends before a token.
func (r *reader) stops(i int) bool {
	return i >= len(r.tokens) || strings.Contains(".,;:!?)", r.at(i).text)
}

// after says whether one of the words stands before a token, but for an article.
func (r *reader) after(words map[string]bool, i int) bool {
	i--
	if t := r.at(i).text; t == "the" || t == "-" {
		i--
	}
	return words[r.at(i).text]
}

// monthYear reads "May 2023", "May of 2023".
func (r *reader) monthYear(i int) (Date, int) {
	month, next := r.monthAt(i)
	if month == 0 {
		return Date{}, i
	}
	year, after := r.yearAfter(next)
	if year == 0 {
		return Date{}, i
	}
	return Date{Year: year, Month: month}, after
}

// month reads "September", "in May", "last March".
func (r *reader) month(i int) (Date, int) {
	month, next := r.monthAt(i)
	if month == 0 || !r.ends(next) {
		return Date{}, i
	}
	named := r.at(i)
	owns := (r.at(next).text == "'" || r.at(next).text == "’") && !r.at(next).spaced // "in April's car"
	if plainMonths[named.text] || !owns && (r.after(beforeMonth, i) || named.title && r.at(i-1).text == "last") {
		return Date{Month: month}, next
	}
	return Date{}, i
}

// year reads "in 2023", "the summer of 2023".
func (r *reader) year(i int) (Date, int) {
	year := r.at(i)
	if !isYear(year) || !year.spaced || !r.ends(i+1) {
		return Date{}, i
	}
	if !r.after(beforeYear, i) && !(r.at(i-1).text == "of" && ofYear[r.at(i-2).text]) {
		return Date{}, i
	}
	if next := r.at(i + 1).text; strings.HasSuffix(next, "s") && !notCounted[next] {
		return Date{}, i // "in 2000 steps"
	}
	return Date{Year: year.number}, i + 1
}
