package memory

import "time"

// TimeRange is a stretch of time that ends now.
type TimeRange string

// The time ranges, in days of 24 hours.
const (
	Last1Day   TimeRange = "LAST_1D"
	Last7Days  TimeRange = "LAST_7D"
	Last30Days TimeRange = "LAST_30D"
	Last90Days TimeRange = "LAST_90D"
)

var timeRangeDays = map[TimeRange]int{Last1Day: 1, Last7Days: 7, Last30Days: 30, Last90Days: 90}

// Valid says whether r is one of the time ranges.
func (r TimeRange) Valid() bool { return timeRangeDays[r] > 0 }

// Since is the start of the range that ends now, inclusive; now itself where r is not Valid.
func (r TimeRange) Since(now time.Time) time.Time {
	return now.Add(-time.Duration(timeRangeDays[r]) * 24 * time.Hour)
}
