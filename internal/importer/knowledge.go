package importer

import (
	"context"

	"mneme/internal/transfer"
	"mneme/memory"
)

// kinds are what a record of a line may be, in the order in which an account names them.
var kinds = []memory.Kind{
	memory.KindAgent, memory.KindSession, memory.KindMemoir, memory.KindConcept, memory.KindEpisode, memory.KindCanvas,
	memory.KindFeedback, memory.KindObservation, memory.KindCorrection, memory.KindExecution, memory.KindVerdict, transfer.KindRelation,
}

// comesLate has what is queued written before a record that some of it names already: a memoir stands before its concepts
// and concepts before their relations, wherever a batch ends.
func (s *sink) comesLate(ctx context.Context, kind memory.Kind, key string) error {
	if !s.named[memory.NodeID(kind, memory.KeyOf(kind, key))] {
		return nil
	}
	return s.flush(ctx)
}

// takeLine queues the record of a line, once it is made ready.
func takeLine[T any](ctx context.Context, r *jsonl, number int, line envelope, queued *queue[T], ready func(*T) error) error {
	var input T
	if err := decode(line.Record, &input); err != nil {
		return r.fault(number, err)
	}
	if err := ready(&input); err != nil {
		return err
	}
	queued.add(number, input)
	return r.flushAt(ctx, len(queued.items))
}

// key is the record's key, which is made of its content where it has none.
func (r *jsonl) key(id **string, line envelope) string {
	if *id == nil {
		*id = new(r.keys.of(line.Kind, line.Record))
	}
	return **id
}
