package importer

import (
	"context"
	"reflect"

	"mneme/internal/transfer"
	"mneme/memory"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/tenancy"
)

// kinds are what a record of a line may be, in the order in which an account names them, and in which they are written:
// what others need first.
var kinds = []memory.Kind{
	memory.KindAgent, memory.KindSession, memory.KindMemoir, memory.KindConcept, memory.KindEpisode, memory.KindCanvas,
	memory.KindFeedback, memory.KindObservation, memory.KindCorrection, memory.KindExecution, memory.KindVerdict, transfer.KindRelation,
}

// pending are the records of a kind that are queued.
type pending interface {
	// take queues the record of a line, and answers how much is queued, of batchSize.
	take(ctx context.Context, r *jsonl, number int, line envelope) (queued int, err error)
	waits() bool
	write(ctx context.Context, s *sink, kind memory.Kind) error
	clear()
}

// newPending are the queues of all kinds but agents, which are written at once, and sessions, which are never written.
func newPending() map[memory.Kind]pending {
	return map[memory.Kind]pending{
		memory.KindMemoir:     recorded(func(t *service.Tenant) recorder[boundary.CreateMemoirInput] { return t.Knowledge.CreateMemoirs }),
		memory.KindConcept:    recorded(func(t *service.Tenant) recorder[boundary.AddConceptInput] { return t.Knowledge.AddConcepts }),
		transfer.KindRelation: recorded(func(t *service.Tenant) recorder[boundary.LinkConceptsInput] { return t.Knowledge.ImportRelations }),
		memory.KindFeedback:   recorded(func(t *service.Tenant) recorder[boundary.SubmitFeedbackInput] { return t.Reactions.RecordFeedback }),
		memory.KindCorrection: recorded(func(t *service.Tenant) recorder[boundary.RecordCorrectionInput] { return t.Knowledge.RecordCorrections }),
		memory.KindEpisode: recorded(func(t *service.Tenant) recorder[boundary.RecordEpisodeInput] {
			return func(ctx context.Context, items []boundary.RecordEpisodeInput) (*tenancy.BatchResult, error) {
				return t.Episodes.RecordEpisodes(ctx, boundary.RecordEpisodesInput{Episodes: items})
			}
		}),
		memory.KindObservation: recorded(func(t *service.Tenant) recorder[boundary.RecordObservationInput] {
			return func(ctx context.Context, items []boundary.RecordObservationInput) (*tenancy.BatchResult, error) {
				return t.Knowledge.RecordObservations(ctx, boundary.RecordObservationsInput{Observations: items})
			}
		}),
		memory.KindExecution: recorded(recordExecutions),
		memory.KindVerdict:   verdicts{&inputs[verdictRecord]{}},
		memory.KindCanvas:    &canvases{},
	}
}

func recorded[T any](record func(*service.Tenant) recorder[T]) *inputs[T] {
	return &inputs[T]{record: record}
}

// keyOf is where an input of the service has its key; nil for one that has none.
func keyOf(input any) **string {
	if field := reflect.ValueOf(input).Elem().FieldByName("ID"); field.IsValid() {
		return field.Addr().Interface().(**string) //nolint:forcetypeassert // all inputs have it so
	}
	return nil
}

// needsOf are the ids of the records that must be there before an input.
func needsOf(input any) []string {
	switch in := input.(type) {
	case *boundary.AddConceptInput:
		return idsOf(memory.KindMemoir, in.MemoirID)
	case *boundary.LinkConceptsInput:
		return idsOf(memory.KindConcept, in.SourceID, in.TargetID)
	}
	return nil
}

func idsOf(kind memory.Kind, keys ...string) []string {
	return memory.Mapped(keys, func(key string) string { return memory.NodeID(kind, memory.KeyOf(kind, key)) })
}

// inputs are records that are inputs of the service as they stand on their lines.
type inputs[T any] struct {
	queue[T]
	record func(*service.Tenant) recorder[T]
}

func (q *inputs[T]) take(ctx context.Context, r *jsonl, number int, line envelope) (queued int, err error) {
	input, err := read[T](line.Record)
	if err != nil {
		return 0, r.fault(number, err)
	}
	if id := keyOf(&input); id != nil && r.named[idsOf(line.Kind, r.key(id, line))[0]] { // by what is queued, and would be written before it
		if err := r.flush(ctx); err != nil {
			return 0, err
		}
	}
	for _, id := range needsOf(&input) {
		r.named[id] = true
	}
	q.add(number, input)
	return len(q.items), nil
}

func (q *inputs[T]) write(ctx context.Context, s *sink, kind memory.Kind) error {
	return recordAll(ctx, s, q.lines, q.items, kind, q.record(s.service))
}

// key is the record's key, which is made of its content where it has none.
func (r *jsonl) key(id **string, line envelope) string {
	if *id == nil {
		*id = new(r.keys.of(line.Kind, line.Record))
	}
	return **id
}
