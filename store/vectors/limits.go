package vectors

import (
	"cmp"
	"math"
	"time"
)

// Limits are what a passage must be to be found: it has each of the marks that are not 0, or in its place that of Or, and is
// of a time from From on and before Until; a zero time bounds nothing.
type Limits struct {
	Marks, Or   Marks
	From, Until time.Time
}

// passing are limits as they are compared with each passage.
type passing struct {
	asked       []askedMark
	from, until int64 // milliseconds
}

type askedMark struct {
	place    int
	mark, or uint32
}

// compiled are limits ready to be compared; nil lets all pass.
func compiled(limits []Limits) []passing {
	if limits == nil {
		return nil
	}
	all := make([]passing, len(limits))
	for i, l := range limits {
		all[i] = passing{from: math.MinInt64, until: math.MaxInt64}
		for place, mark := range l.Marks {
			if mark != 0 {
				all[i].asked = append(all[i].asked, askedMark{place, mark, cmp.Or(l.Or[place], mark)})
			}
		}
		if !l.From.IsZero() {
			all[i].from = l.From.UnixMilli()
		}
		if !l.Until.IsZero() {
			all[i].until = l.Until.UnixMilli()
		}
	}
	return all
}

// passes says whether the passage at a place passes one of the limits.
func (m *columns) passes(place int, among []passing) bool {
next:
	for i := range among {
		limits, marks := &among[i], &m.marks[place]
		for _, a := range limits.asked {
			if mark := marks[a.place]; mark != a.mark && mark != a.or {
				continue next
			}
		}
		if at := m.times[place]; at >= limits.from && at < limits.until {
			return true
		}
	}
	return false
}
