package retrieval

import (
	"math"
	"strconv"
	"strings"
	"time"

	"mneme/memory/prose"
)

// Date is a time as a query names it: a day, a month or a year. What it leaves open is 0.
type Date struct {
	Year  int
	Month time.Month // 0 in a year
	Day   int        // 0 in a month or a year
}

// String writes it as people do: "7 May 2023", "7 May", "May 2023", "May", "2023".
func (d Date) String() string {
	var parts []string
	if d.Day != 0 {
		parts = append(parts, strconv.Itoa(d.Day))
	}
	if d.Month != 0 {
		parts = append(parts, d.Month.String())
	}
	if d.Year != 0 {
		parts = append(parts, strconv.Itoa(d.Year))
	}
	return strings.Join(parts, " ")
}

// span is the time that the date is of, in UTC, in that year where it names none; until is the first instant after it.
func (d Date) span(year int) (from, until time.Time) {
	if d.Year != 0 {
		year = d.Year
	}
	utc := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC) // 29 February is 1 March where there is none
	}
	switch {
	case d.Month == 0:
		return utc(year, time.January, 1), utc(year+1, time.January, 1)
	case d.Day == 0:
		return utc(year, d.Month, 1), utc(year, d.Month+1, 1)
	}
	return utc(year, d.Month, d.Day), utc(year, d.Month, d.Day+1)
}

// away is how many days of 24 hours a time is after the date, less than 0 before it and 0 in it. Of a date without a
// year it is from the nearest.
func (d Date) away(at time.Time) float64 {
	at = at.UTC()
	years := []int{at.Year() - 1, at.Year(), at.Year() + 1}
	if d.Year != 0 {
		years = []int{d.Year}
	}
	nearest := math.Inf(1)
	for _, year := range years {
		from, until := d.span(year)
		days := 0.0
		switch {
		case at.Before(from):
			days = at.Sub(from).Hours() / 24
		case !at.Before(until):
			days = at.Sub(until.Add(-time.Millisecond)).Hours() / 24 // times are whole milliseconds
		}
		if math.Abs(days) < math.Abs(nearest) {
			nearest = days
		}
	}
	return nearest
}

// dateHalfLife is after how many days a record is half as near.
const dateHalfLife = 7

// Near is how near a record of that time is to the nearest of the dates: 2^(−days/7), and 1 in one of them; 0 where
// there are none. Days count from the end of the date, or to its beginning, in UTC; a date without a year is that of
// the record's year, or of the year before or after.
func Near(dates []Date, at time.Time) (nearness float64, which Date) {
	for _, d := range dates {
		if n := math.Exp2(-math.Abs(d.away(at)) / dateHalfLife); n > nearness {
			nearness, which = n, d
		}
	}
	return nearness, which
}

// DateReason says where a record stands to the nearest of the dates, "" where that is far.
func DateReason(dates []Date, at time.Time) string {
	nearness, d := Near(dates, at)
	if nearness < leastNear {
		return ""
	}
	switch days := d.away(at); {
	case days == 0 && d.Day != 0:
		return "on " + d.String()
	case days == 0:
		return "in " + d.String()
	case days < 0:
		return prose.Plural(int(math.Ceil(-days)), "day") + " before " + d.String()
	default:
		return prose.Plural(int(math.Ceil(days)), "day") + " after " + d.String()
	}
}
