package memory

import (
	"regexp"
	"strings"
	"time"
)

// The times there are: from EarliestTime up to, and without, the year 10000. Every time that comes in lies among
// them, whichever way it comes, so that whatever was kept can be shown, paged through, exported and imported.
var (
	EarliestTime = time.Unix(0, 0).UTC()
	afterTime    = time.Date(10000, time.January, 1, 0, 0, 0, 0, time.UTC)
)

// CheckTime says what is wrong with a time that comes in, or returns nil.
func CheckTime(field string, at time.Time) error {
	if at.Before(EarliestTime) || !at.Before(afterTime) {
		return Invalid(field, "must be from 1970-01-01T00:00:00Z to 9999-12-31T23:59:59.999Z")
	}
	return nil
}

// rfc3339 is the form of a time. time.Parse takes more than the RFC: commas, hours of one digit, and zones of 24 hours.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// ParseTime reads an RFC 3339 time from 1970 to the end of 9999, or a day, which begins in UTC, and gives it in UTC.
// Lower-case t and z are read as the RFC allows, and a leap second as the second that follows it, as computers do.
func ParseTime(field, text string) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day, CheckTime(field, day)
	}
	text = strings.ToUpper(text)
	leap := len(text) > 19 && text[17:19] == "60"
	if leap {
		text = text[:17] + "59" + text[19:]
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil || !rfc3339.MatchString(text) {
		return time.Time{}, Invalid(field, "must be an RFC 3339 time such as 2026-03-01T12:00:00Z, or a day such as 2026-03-01")
	}
	if leap {
		at = at.Truncate(time.Second).Add(time.Second)
	}
	at = at.UTC()
	return at, CheckTime(field, at)
}
