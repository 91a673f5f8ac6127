package bolt

import (
	"context"
	"errors"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/store"
)

// Row is one of an answer, with what cannot be read of it.
type Row[T any] struct {
	Value T
	Cost  Cost
	left  []*store.Damaged
	lost  bool // it cannot be read at all
}

// Take gives the value of a row that can be read, and tells who listens of what cannot.
func (r *Row[T]) Take(ctx context.Context) (value T, ok bool) {
	for _, damaged := range r.left {
		store.NoteDamage(ctx, damaged)
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

// rowOf decodes a row. What is written meanwhile may be read as damaged: that is an error until it was seen for long.
func rowOf[T any](record *neo4j.Record, decode Decoder[T], seen sightings) (row Row[T], err error) {
	f := FieldsOf(record.AsMap())
	row.Value = decode(f)
	row.Cost.add(record.Values)
	row.Cost.Records = max(row.Cost.Records, 1)
	if row.lost = f.LeaveOut(); f.Err != nil {
		return row, seen.fault(f.Err)
	}
	row.left = f.left
	for _, damaged := range row.left {
		if fault := seen.fault(damaged); raced(fault) {
			err = fault
		}
	}
	return row, err
}

// lasting is how often something is read in the same wrong way before it is damaged. Neo4j reads a node's properties
// one by one without a lock, so that a write may show in part, such as lists of different lengths. The next look finds
// a whole record, or other numbers, unless the store is broken.
const lasting = 5

// sightings counts how often each fault was there, by what it says.
type sightings map[string]int

// fault is the error of what cannot be read: a race, until it was there for so long that nobody is writing.
func (s sightings) fault(err error) error {
	if err == nil {
		return nil
	}
	if s[err.Error()]++; s[err.Error()] >= lasting || raced(err) {
		return err
	}
	return &Raced{Cause: err}
}

// raced says whether an error may be gone at the next try.
func raced(err error) bool {
	_, is := errors.AsType[*Raced](err)
	return is
}
