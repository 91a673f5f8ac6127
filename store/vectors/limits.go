package vectors

import (
	"cmp"
	"math"
	"time"
)

// Limits are what a passage must be to be found: it has each of the marks that are not 0, or in its place that of Or,
// and is of a time from From on and before Until; a zero time bounds nothing.
type Limits struct {
	Marks, Or   Marks
	From, Until time.Time
}

// bounds are limits as they are checked for each of many: the marks that count, and times in milliseconds.
type bounds struct {
	marks       []mark
	from, until int64
}

// mark is what an entry must have at a place of its marks: one or the other.
type mark struct {
	place    int
	this, or uint32
}

func boundsOf(limits []Limits) (all []bounds) {
	for _, l := range limits {
		b := bounds{nil, math.MinInt64, math.MaxInt64}
		for place, this := range l.Marks {
			if this != 0 {
				b.marks = append(b.marks, mark{place, this, cmp.Or(l.Or[place], this)})
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
	for _, m := range b.marks {
		if has := marks[m.place]; has != m.this && has != m.or {
			return false
		}
	}
	return b.from <= at && at < b.until
}

// anyLets says whether one of some bounds lets pass; it is asked of each entry there is.
func anyLets(all []bounds, marks *Marks, at int64) bool {
	for i := range all {
		if all[i].let(marks, at) {
			return true
		}
	}
	return false
}
