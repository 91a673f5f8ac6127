package importer

import (
	"context"

	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/tenancy"
)

const (
	// batchSize is the number of records of a kind that are written together, half of what a call takes, for the memory of
	// a transaction of Neo4j. Canvases go by as many actions as a call takes.
	batchSize = boundary.MaxList / 2
	// maxBytes is how many bytes of lines are written together, so that long records need little memory.
	maxBytes = 4 << 20
)

// queue collects records of a kind, with the lines they came from.
type queue[T any] struct {
	items []T
	lines []int
}

func (q *queue[T]) add(line int, item T) {
	q.items, q.lines = append(q.items, item), append(q.lines, line)
}

func (q *queue[T]) clear() { q.items, q.lines = q.items[:0], q.lines[:0] }

func (q *queue[T]) waits() bool { return len(q.items) > 0 }

// flushAt has what is queued written, where it is enough.
func (s *sink) flushAt(ctx context.Context, queued int) error {
	if queued < batchSize && s.bytes < maxBytes {
		return nil
	}
	return s.flush(ctx)
}

// flush writes all that is queued, kind by kind: what others need first. It returns the fault earliest in the file.
func (s *sink) flush(ctx context.Context) error {
	s.bytes = 0
	clear(s.named)
	err := s.flushKept(ctx)
	for _, kind := range kinds {
		if queued := s.records[kind]; queued != nil && queued.waits() {
			err = earliest(err, queued.write(ctx, s, kind))
			queued.clear()
		}
	}
	s.progress()
	return err
}

// batchFaults notes the faulty items of a batch; the first ends the import unless it is to go on.
func (s *sink) batchFaults(lines []int, faults []tenancy.BatchError) error {
	for _, fault := range faults {
		err := &memory.Error{Code: fault.Code, Message: fault.Message, Cause: fault.Cause} // the message names the field
		if err := s.judge(lines[fault.Index], err); err != nil {
			return err
		}
	}
	return nil
}
