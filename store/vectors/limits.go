package vectors

import (
	"math"
	"time"
)

// Limits are what a passage must be to be found: it has each of the marks that are not 0, or in its place that of Or,
// and is of a time from From on and before Until; a zero time bounds nothing.
type Limits struct {
	Marks, Or   Marks
	From, Until time.Time
}

// bounds are limits as they are checked for each of many, with times in milliseconds.
type bounds struct {
	marks, or   Marks
	from, until int64
}

func boundsOf(limits []Limits) (all []bounds) {
	for _, l := range limits {
		b := bounds{l.Marks, l.Or, math.MinInt64, math.MaxInt64}
		if !l.From.IsZero() {
			b.from = l.From.UnixMilli()
		}
		if !l.Until.IsZero() {
			b.until = l.Until.UnixMilli()
		}
		all = append(all, b)
	}
	return all
}

// let says whether marks and a time are within the bounds.
func (b *bounds) let(marks *Marks, at int64) bool {
	for i, mark := range &b.marks {
		if mark != 0 && mark != marks[i] && (b.or[i] == 0 || b.or[i] != marks[i]) {
			return false
		}
	}
	return b.from <= at && at < b.until
}
