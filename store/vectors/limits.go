package vectors

import "time"

// Limits are what a passage must be to be found: it has each of the marks that are not 0, or in its place that of Or,
// and is of a time from From on and before Until; a zero time bounds nothing.
type Limits struct {
	Marks, Or   Marks
	From, Until time.Time
}

// within says whether marks and a time in milliseconds are within any of the limits, of which nil are none.
func within(limits []Limits, marks *Marks, at int64) bool {
	for i := range limits {
		if limits[i].let(marks, at) {
			return true
		}
	}
	return limits == nil
}

func (l *Limits) let(marks *Marks, at int64) bool {
	for i, mark := range l.Marks {
		if mark != 0 && mark != marks[i] && (l.Or[i] == 0 || l.Or[i] != marks[i]) {
			return false
		}
	}
	return (l.From.IsZero() || at >= l.From.UnixMilli()) && (l.Until.IsZero() || at < l.Until.UnixMilli())
}
