package memory

import "time"

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
