package neo4j

import (
	"context"
	"errors"

	"mneme/store"
)

// leftOut is the fault of a record that cannot be read, and is left out of what is read with it.
type leftOut struct {
	*store.Damaged
	err  error // as it came
	torn bool  // it may be whole the next time
}

// faultIn is the record that an error is about; nil for other errors.
func faultIn(err error) *leftOut {
	var race *raced
	var damaged *store.Damaged
	switch {
	case errors.As(err, &race):
		if race.record != nil {
			return &leftOut{race.record, err, true}
		}
	case errors.As(err, &damaged):
		return &leftOut{damaged, err, false}
	}
	return nil
}

// partly is the error of what was read but for some records that cannot be.
type partly struct{ left []*leftOut }

func (p *partly) Error() string { return p.left[0].err.Error() }

func (p *partly) Unwrap() error { return p.left[0].err }

// leftOutError is the error of what was read but for some records; nil for none.
func leftOutError(left []*leftOut) error {
	if len(left) == 0 {
		return nil
	}
	return &partly{left}
}

// collectLeftOut makes an error of what is left out nothing, and remembers it.
func collectLeftOut(err error, left *[]*leftOut) error {
	var part *partly
	if !errors.As(err, &part) {
		return err
	}
	*left = append(*left, part.left...)
	return nil
}

// reading collects what one statement's answer leaves out.
type reading struct {
	sightings sightings
	seen      sightings // what was not decoded in the looks before; nil in the last one
	found     []*leftOut
	rows      int   // that are left out whole
	race      error // of what may be whole the next time
}

// separate takes what cannot be read out of an error, and says whether the row is to be left out.
func (r *reading) separate(err error) (leave bool, other error) {
	var left []*leftOut
	if err = collectLeftOut(err, &left); err != nil {
		fault := faultIn(err)
		if fault == nil {
			return false, err
		}
		leave = true
		r.rows++
		left = append(left, fault)
	}
	for _, fault := range left {
		switch {
		case fault.torn && !r.sightings.last(fault, lastingSightings):
			r.race = fault.err
		case !fault.torn && !r.seen.last(fault, lastingFaults):
			r.race = &torn{fault.err}
		default:
			r.found = append(r.found, fault)
		}
	}
	return leave, nil
}

// done tells who listens of what was left out.
func (r *reading) done(ctx context.Context) error {
	if r.race != nil {
		return r.race
	}
	for _, fault := range r.found {
		store.NoteDamage(ctx, fault.Damaged)
	}
	if left, counts := ctx.Value(leftKey{}).(*int); counts {
		*left += r.rows
	}
	return nil
}

type leftKey struct{}

// countLeft counts how many rows reads of a context leave out.
func countLeft(ctx context.Context) (context.Context, *int) {
	left := new(int)
	return context.WithValue(ctx, leftKey{}, left), left
}

// lastingSightings is how often something is found torn in the same way before it is damaged. A write between two looks
// leaves other checksums, or a whole record.
const lastingSightings = 5

// lastingFaults is how often what has no checksum is found as damaged in the same way.
const lastingFaults = 2

// sightings counts in how many looks each fault was there, by what it says.
type sightings map[string]int

type sightingsKey struct{}

func withSightings(ctx context.Context) context.Context {
	return context.WithValue(ctx, sightingsKey{}, sightings{})
}

func sightingsOf(ctx context.Context) sightings {
	seen, _ := ctx.Value(sightingsKey{}).(sightings)
	return seen
}

// last says whether a fault has been there for so long that nobody is writing. Where nobody looks again it is now.
func (t sightings) last(fault *leftOut, looks int) bool {
	if t == nil {
		return true
	}
	t[fault.Damaged.Error()]++
	return t[fault.Damaged.Error()] >= looks
}

// steady reads what is decoded later, again where some of it is damaged: what stays so is.
func steady[T any](ctx context.Context, read func() ([]T, error), fault func(T) error) ([]T, error) {
	before := ""
	for look := 0; ; look++ {
		rows, err := read()
		if err != nil {
			return nil, err
		}
		now := ""
		for _, row := range rows {
			if err := fault(row); err != nil {
				now += err.Error() + "\n"
			}
		}
		if now == "" || now == before || look+1 == maxReads {
			return rows, nil
		}
		if err := pause(ctx, look); err != nil {
			return nil, err
		}
		before = now
	}
}

// torn makes the fault of a record one that may be gone the next time.
func (f *fields) torn() {
	var damaged *store.Damaged
	var race *raced
	if errors.As(f.err, &race) {
		return
	}
	if errors.As(f.err, &damaged) {
		f.err = &raced{cause: f.err, record: damaged}
	} else if f.err != nil {
		f.err = &raced{cause: f.err}
	}
}
