package bolt

import (
	"context"
	"errors"

	"mneme/store"
)

// LeftOut is the fault of a record that cannot be read, and is left out of what is read with it.
type LeftOut struct {
	*store.Damaged
	Err  error // as it came
	torn bool  // it may be whole the next time
}

// FaultIn is the record that an error is about; nil for other errors.
func FaultIn(err error) *LeftOut {
	var race *Raced
	var damaged *store.Damaged
	switch {
	case errors.As(err, &race):
		if race.record != nil {
			return &LeftOut{race.record, err, true}
		}
	case errors.As(err, &damaged):
		return &LeftOut{damaged, err, false}
	}
	return nil
}

// Partial is the error of what was read but for some records that cannot be.
type Partial struct{ Left []*LeftOut }

func (p *Partial) Error() string { return p.Left[0].Err.Error() }

func (p *Partial) Unwrap() error { return p.Left[0].Err }

// LeftOutError is the error of what was read but for some records; nil for none.
func LeftOutError(left []*LeftOut) error {
	if len(left) == 0 {
		return nil
	}
	return &Partial{left}
}

// CollectLeftOut makes an error of what is left out nothing, and remembers it.
func CollectLeftOut(err error, left *[]*LeftOut) error {
	var part *Partial
	if !errors.As(err, &part) {
		return err
	}
	*left = append(*left, part.Left...)
	return nil
}

// reading collects what one statement's answer leaves out.
type reading struct {
	sightings sightings
	seen      sightings // what was not decoded in the looks before; nil in the last one
	found     []*LeftOut
	rows      int   // that are left out whole
	race      error // of what may be whole the next time
}

// separate takes what cannot be read out of an error, and says whether the row is to be left out.
func (r *reading) separate(err error) (leave bool, other error) {
	var left []*LeftOut
	if err = CollectLeftOut(err, &left); err != nil {
		fault := FaultIn(err)
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
			r.race = fault.Err
		case !fault.torn && !r.seen.last(fault, lastingFaults):
			r.race = &torn{fault.Err}
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
func (t sightings) last(fault *LeftOut, looks int) bool {
	if t == nil {
		return true
	}
	t[fault.Damaged.Error()]++
	return t[fault.Damaged.Error()] >= looks
}

// Steady reads what is decoded later, again where some of it is damaged: what stays so is.
func Steady[T any](ctx context.Context, read func() ([]T, error), fault func(T) error) ([]T, error) {
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

// Whole reads again while what it reads is torn by writes. What it finds torn in the same way again and again
// is damaged.
func Whole[T any](ctx context.Context, read func(context.Context) (T, error)) (T, error) {
	ctx = withSightings(ctx)
	for attempt := 0; ; attempt++ {
		value, err := read(ctx)
		var race *Raced
		if !errors.As(err, &race) || attempt == maxRaces {
			return value, err
		}
		if err := pause(ctx, attempt); err != nil {
			return value, err
		}
	}
}
