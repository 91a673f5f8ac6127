package retrieval

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// The bounds of what is read: a long situation is full of times that it is not about.
const (
	maxRead   = 64 << 10 // bytes
	maxBefore = 80       // bytes before a date that tell whether it is one
	maxDates  = 8
)

// Dates reads the days, months and years that a query names in English, each once, in their order and at most eight: "7
// May 2023", "May 7th, 2023", "the 7th of May", "2023-05-07", "May 2023", "2023-05", "in May", "September", "in 2023".
// Words that are something else as well ("may", "march", "April", "Jan") are months only beside a day or a year, or
// after a preposition such as "in". Neither what depends on the day of the question ("last week") nor what is written
// differently in different countries ("5/7/2023") is read. A day that there is not (31 February) is none.
func Dates(query string) []Date {
	if len(query) > maxRead {
		query = strings.ToValidUTF8(query[:maxRead], "")
	}
	var found []Date
	for at := 0; len(found) < maxDates; {
		next := mayBegin.FindStringIndex(query[at:])
		if next == nil {
			break
		}
		at += next[0]
		d, length := spot{query[max(0, at-maxBefore):at], query[at:]}.date()
		if length > 0 && !slices.Contains(found, d) {
			found = append(found, d)
		}
		at += cmp.Or(length, next[1]-next[0])
	}
	return found
}

// How dates are written, and what stands before and after one. A space in a pattern is white space of any length.
var (
	mayBegin  = pattern(`\d+|MONTH`)
	numeric   = pattern(`^(\d{4})[-/](\d{1,2})(?:[-/](\d{1,2}))?`)
	dayMonth  = pattern(`^(\d{1,2})(st|nd|rd|th)? (of )?MONTH`)
	monthDay  = pattern(`^MONTH (the )?(\d{1,2})(st|nd|rd|th)?`)
	monthOnly = pattern(`^MONTH`)
	yearAfter = pattern(`^(?:\s*,| of)? (\d{4})`)
	yearOnly  = pattern(`^\d{4}`)

	opens      = pattern(`(?:^|[\s\p{Z}\x{85}(\[{"'‘“,;–—])$`)
	closes     = pattern(`^(?:$|[\s\p{Z}\x{85}]|[.,;:!?)\]}"'’”\-–—](?:$|[^0-9]))`)
	stops      = pattern(`^[\s\p{Z}\x{85}]*(?:$|[.,;:!?)])`)
	wordBefore = pattern(`([\p{L}\p{N}_]+)[\s\p{Z}]*(?:(?:the|-)[\s\p{Z}]*)?$`)
	beforeOf   = pattern(`([\p{L}\p{N}_]+) of $`)
	wordAfter  = pattern(`^ ([\p{L}\p{N}_]+)`)
)

func pattern(text string) *regexp.Regexp {
	const month = `(january|february|march|april|may|june|july|august|september|october|november|december|(?:jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\.?)`
	return regexp.MustCompile(`(?i)` + strings.NewReplacer("MONTH", month, " ", `[\s\p{Z}\x{85}]+`).Replace(text))
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

// spot is a place at which a date may begin: what is written before it, and from it on.
type spot struct{ before, text string }

// date reads the date, and says how long it is; 0 where there is none.
func (s spot) date() (Date, int) {
	for _, form := range []func(spot) (Date, int){spot.numeric, spot.dayMonth, spot.monthDay, spot.month, spot.year} {
		if d, length := form(s); length > 0 && d.exists() {
			return d, length
		}
	}
	return Date{}, 0
}

// exists says whether the calendar has such a date; of a year that is open it may be a leap day.
func (d Date) exists() bool {
	const leap = 2000
	return d.Month <= time.December && (d.Day == 0 || time.Date(cmp.Or(d.Year, leap), d.Month, d.Day, 0, 0, 0, 0, time.UTC).Day() == d.Day)
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

func isYear(year int) bool { return year >= 1900 && year < 2100 }

// numeric reads 2023-05-07, also with a time after it, and 2023-05.
func (s spot) numeric() (Date, int) {
	m := numeric.FindStringSubmatch(s.text)
	if m == nil || !opens.MatchString(s.before) || !isYear(number(m[1])) || number(m[2]) == 0 {
		return Date{}, 0
	}
	rest, day := s.text[len(m[0]):], m[3] != ""
	ends := closes.MatchString(rest) || day && strings.EqualFold(rest[:min(len(rest), 1)], "t")
	if !ends || day && number(m[3]) == 0 || !day && (len(m[2]) == 1 || m[0][4] == '/') {
		return Date{}, 0
	}
	return Date{Year: number(m[1]), Month: time.Month(number(m[2])), Day: number(m[3])}, len(m[0])
}

// dayMonth reads "7 May", "7th of May, 2023".
func (s spot) dayMonth() (Date, int) {
	m := dayMonth.FindStringSubmatch(s.text)
	if m == nil || number(m[1]) == 0 || !opens.MatchString(s.before) && !strings.HasSuffix(s.before, "-") && !strings.HasSuffix(s.before, "/") { // "3-7 May"
		return Date{}, 0
	}
	return s.day(m[1], m[4], len(m[0]), m[2] != "" || m[3] != "" || isTitle(m[4]) || s.follows(beforeDay))
}

// monthDay reads "May 7", "May the 7th, 2023".
func (s spot) monthDay() (Date, int) {
	m := monthDay.FindStringSubmatch(s.text)
	if m == nil || number(m[3]) == 0 || m[2] != "" && m[4] == "" || !s.opensMonth() {
		return Date{}, 0
	}
	return s.day(m[3], m[1], len(m[0]), m[4] != "" || isTitle(m[1]) && s.before != "" || s.follows(beforeDay) || s.follows(beforeMonth))
}

// day is a day of a month with the year after it, where it is sure to be one.
func (s spot) day(day, month string, length int, sure bool) (Date, int) {
	rest := s.text[length:]
	year, longer := s.yearAfter(length)
	if verb := strings.EqualFold(month, "may") || strings.EqualFold(month, "march"); !closes.MatchString(rest) ||
		verb && !sure && year == 0 && !stops.MatchString(rest) { // "2 may enter", "march 3 miles"
		return Date{}, 0
	}
	return Date{Year: year, Month: monthOf(month), Day: number(day)}, longer
}

func monthOf(name string) time.Month { return months[strings.TrimSuffix(strings.ToLower(name), ".")] }

// isTitle says whether a word begins as names do.
func isTitle(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(first) && word != strings.ToUpper(word)
}

func (s spot) opensMonth() bool {
	return opens.MatchString(s.before) || strings.HasSuffix(s.before, "-")
}

// yearAfter reads a year that ends a date; 0 where there is none.
func (s spot) yearAfter(length int) (year, longer int) {
	if m := yearAfter.FindStringSubmatch(s.text[length:]); m != nil && isYear(number(m[1])) && closes.MatchString(s.text[length+len(m[0]):]) {
		return number(m[1]), length + len(m[0])
	}
	return 0, length
}

// follows says whether one of the words stands before, but for an article.
func (s spot) follows(words map[string]bool) bool {
	m := wordBefore.FindStringSubmatch(s.before)
	return m != nil && words[strings.ToLower(m[1])]
}

var last = wordSet("last")

// month reads "May 2023", "May of 2023", "September", "in May", "last March".
func (s spot) month() (Date, int) {
	name := monthOnly.FindString(s.text)
	if name == "" || !s.opensMonth() {
		return Date{}, 0
	}
	rest := s.text[len(name):]
	if year, length := s.yearAfter(len(name)); year != 0 {
		return Date{Year: year, Month: monthOf(name)}, length
	}
	owns := strings.HasPrefix(rest, "'") || strings.HasPrefix(rest, "’") // "in April's car"
	meant := plainMonths[strings.ToLower(name)] || !owns && (s.follows(beforeMonth) || isTitle(name) && s.follows(last))
	if !meant || !closes.MatchString(rest) {
		return Date{}, 0
	}
	return Date{Month: monthOf(name)}, len(name)
}

// year reads "in 2023", "the summer of 2023".
func (s spot) year() (Date, int) {
	digits := yearOnly.FindString(s.text)
	if !isYear(number(digits)) || !closes.MatchString(s.text[len(digits):]) || strings.TrimRightFunc(s.before, unicode.IsSpace) == s.before {
		return Date{}, 0
	}
	of := beforeOf.FindStringSubmatch(s.before)
	if !s.follows(beforeYear) && (of == nil || !ofYear[strings.ToLower(of[1])]) {
		return Date{}, 0
	}
	if after := wordAfter.FindStringSubmatch(s.text[len(digits):]); after != nil {
		if word := strings.ToLower(after[1]); strings.HasSuffix(word, "s") && !notCounted[word] {
			return Date{}, 0 // "in 2000 steps"
		}
	}
	return Date{Year: number(digits)}, len(digits)
}
