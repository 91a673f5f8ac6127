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

// bounds are limits as they are checked for each of many: at which places there are marks, and times in milliseconds.
type bounds struct {
	Limits
	places      []int
	from, until int64
}

func boundsOf(limits []Limits) (all []*bounds) {
	for _, l := range limits {
		b := &bounds{Limits: l, from: math.MinInt64, until: math.MaxInt64}
		for place, mark := range l.Marks {
			if mark != 0 {
				b.places = append(b.places, place)
			}
		}
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
	for _, i := range b.places {
		if marks[i] != b.Marks[i] && (b.Or[i] == 0 || marks[i] != b.Or[i]) {
			return false
		}
	}
	return b.from <= at && at < b.until
}
