package tenancy

import (
	"context"
	"errors"

	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/store"
)

// RecordBatch builds records of the items of a batch, writes them in order and reports each; a faulty one does not keep
// the others out. The batch is refused as a whole where it is empty or too long.
func RecordBatch[In, Record any](
	ctx context.Context, t *Tenant, kind memory.Kind, field string, items []In,
	build func(*boundary.Boundary, In) (Record, error), write func(context.Context, *Tenant, []Record) ([]store.Recorded, error),
) (*BatchResult, error) {
	if len(items) == 0 {
		return nil, memory.Invalid(field, "must not be empty")
	}
	if b := t.Question(ctx); !b.List(field, len(items)) {
		return nil, b.Err()
	}
	records, refused := Convert(items, func(item In) (Record, error) { return build(t.Boundary(ctx), item) })
	for _, err := range refused {
		if errors.Is(err, store.ErrUnavailable) { // which is no item's fault: all may be sent again
			return nil, err
		}
	}
	recorded, err := write(ctx, t, records)
	if err != nil {
		return nil, faults.Of("the "+string(kind), err)
	}
	result := batch(kind, len(items), refused, recorded)
	t.logUnforeseen(ctx, kind, result.Errors)
	return result, nil
}

// RecordOne builds the record of an input, writes it, and reads it back.
func RecordOne[T, In, Record any](
	ctx context.Context, t *Tenant, kind memory.Kind, input In,
	build func(*boundary.Boundary, In) (Record, error), write func(context.Context, *Tenant, []Record) ([]store.Recorded, error),
) (*T, error) {
	record, err := build(t.Boundary(ctx), input)
	if err != nil {
		return nil, err
	}
	subject := "the " + string(kind)
	recorded, err := write(ctx, t, []Record{record})
	if err := faults.Of(subject, ItemOf(recorded, err)); err != nil {
		return nil, err
	}
	return reading.MustRead(ctx, subject, recorded[0].Key, reading.ByKey[T](t.Store))
}

// logUnforeseen logs what failed in a way that nobody foresaw, which the answer does not tell: how much of a batch, and
// why the first did.
func (t *Tenant) logUnforeseen(ctx context.Context, kind memory.Kind, refused []BatchError) {
	var why error
	failed := 0
	for _, f := range refused {
		if f.Code != memory.CodeInternal {
			continue
		}
		if failed++; failed == 1 {
			why = f.Cause
		}
	}
	if failed == 0 || errors.Is(why, context.Canceled) || errors.Is(why, context.DeadlineExceeded) { // who gave up knows
		return
	}
	if known, ok := errors.AsType[*memory.Error](why); ok && known.Cause != nil {
		why = known.Cause
	}
	t.Log.ErrorContext(ctx, "items of a batch failed", "kind", kind, "failed", failed, "error", why)
}

// BatchResult reports each item of a batch: IDs has an entry per item, nil where it failed.
type BatchResult struct {
	Succeeded int          `json:"succeeded"`
	Failed    int          `json:"failed"`
	IDs       []*string    `json:"ids"`
	Errors    []BatchError `json:"errors"`
	// Created says of each item whether it was not there before; one that was recorded in another call is not.
	Created []bool `json:"-"`
}

// New counts the items that were not there before.
func (r *BatchResult) New() int {
	count := 0
	for _, created := range r.Created {
		if created {
			count++
		}
	}
	return count
}

// BatchError is the fault of one item.
type BatchError struct {
	Index   int         `json:"index" jsonschema:"Which item of the call, from 0."`
	Code    memory.Code `json:"code"`
	Message string      `json:"message"`
	Field   *string     `json:"field,omitempty"`
	// Cause is not shown.
	Cause error `json:"-"`
}

// Convert brings the items of a batch to records; the refused are kept by index.
func Convert[In, Out any](items []In, one func(In) (Out, error)) ([]Out, map[int]error) {
	records, refused := make([]Out, 0, len(items)), map[int]error{}
	for i, item := range items {
		record, err := one(item)
		if err != nil {
			refused[i] = err
			continue
		}
		records = append(records, record)
	}
	return records, refused
}

// batch reports what became of each item. refused holds those that failed before the store was asked,
// by index; recorded holds the others in order.
func batch(kind memory.Kind, size int, refused map[int]error, recorded []store.Recorded) *BatchResult {
	result := &BatchResult{IDs: make([]*string, size), Errors: []BatchError{}, Created: make([]bool, size)}
	next := 0
	for i := range size {
		err := refused[i]
		if err == nil {
			outcome := recorded[next]
			next++
			if err = faults.Of("the "+string(kind), outcome.Err); err == nil {
				id := memory.NodeID(kind, outcome.Key)
				result.IDs[i], result.Created[i] = &id, outcome.Created
				result.Succeeded++
				continue
			}
		}
		known := &memory.Error{Code: memory.CodeInternal, Message: "internal error"}
		errors.As(err, &known)
		report := BatchError{Index: i, Code: known.Code, Message: known.Text(), Cause: err}
		if known.Field != "" {
			report.Field = &known.Field
		}
		result.Failed++
		result.Errors = append(result.Errors, report)
	}
	return result
}

// ItemOf is what went wrong with a batch of one.
func ItemOf(recorded []store.Recorded, err error) error {
	if err == nil {
		err = recorded[0].Err
	}
	return err
}
