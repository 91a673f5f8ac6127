package bolt

import (
	"context"
	"errors"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

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

// Row is one of an answer, with what cannot be read of it.
type Row[T any] struct {
	Value T
	Cost  Cost
	left  []*LeftOut
	lost  bool // it cannot be read at all
}

// Take gives the value of a row that can be read, and tells who listens of what cannot.
func (r *Row[T]) Take(ctx context.Context) (value T, ok bool) {
	for _, fault := range r.left {
		store.NoteDamage(ctx, fault.Damaged)
	}
	if r.lost {
		return value, false
	}
	return r.Value, true
}

// readable are the values of rows that can be read.
func readable[T any](ctx context.Context, rows []Row[T]) []T {
	values := make([]T, 0, len(rows))
	for i := range rows {
		if value, ok := rows[i].Take(ctx); ok {
			values = append(values, value)
		}
	}
	return values
}

// answer is what a statement answers, in one look after the other: what is written meanwhile may be read as damaged.
type answer[T any] struct {
	decode    Decoder[T]
	looks     int
	sightings sightings
	rows      []Row[T]
	race      error // of what may be whole the next time
}

func (a *answer[T]) look() {
	a.looks++
	a.rows, a.race = []Row[T]{}, nil
}

// take decodes a row. Only what is no fault of a record is an error.
func (a *answer[T]) take(row *neo4j.Record) error {
	f := FieldsOf(row.AsMap())
	one := Row[T]{Value: a.decode(f), left: f.left}
	one.Cost.add(row.Values)
	one.Cost.Records = max(one.Cost.Records, 1)
	if f.Err != nil {
		fault := FaultIn(f.Err)
		if fault == nil {
			return f.Err
		}
		one.lost, one.left = true, append(one.left, fault)
	}
	for _, fault := range one.left {
		switch {
		case fault.torn && !a.sightings.last(fault, lastingSightings):
			a.race = fault.Err
		case !fault.torn && !a.sightings.last(fault, lastingFaults) && a.looks < maxReads:
			a.race = &torn{fault.Err}
		}
	}
	a.rows = append(a.rows, one)
	return nil
}

// lastingSightings is how often something is found torn in the same way before it is damaged. A write between two looks
// leaves other checksums, or a whole record.
const lastingSightings = 5

// lastingFaults is how often what has no checksum is found as damaged in the same way.
const lastingFaults = 2

// sightings counts in how many looks each fault was there, by what it says.
type sightings map[string]int

// last says whether a fault has been there for so long that nobody is writing.
func (t sightings) last(fault *LeftOut, looks int) bool {
	t[fault.Damaged.Error()]++
	return t[fault.Damaged.Error()] >= looks
}
