package importer

import (
	"context"
	"errors"
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
	take(ctx context.Context, s *sink, number int, line envelope) (queued int, err error)
	waits() bool
	write(ctx context.Context, s *sink, kind memory.Kind) error
	clear()
}

// newPending are the queues of all kinds but agents, which are written at once, and sessions, which are never written.
func newPending(t *service.Tenant) map[memory.Kind]pending {
	return map[memory.Kind]pending{
		memory.KindMemoir:     &inputs[boundary.CreateMemoirInput]{record: t.Knowledge.CreateMemoirs},
		memory.KindConcept:    &inputs[boundary.AddConceptInput]{record: t.Knowledge.AddConcepts},
		transfer.KindRelation: &inputs[boundary.LinkConceptsInput]{record: t.Knowledge.ImportRelations},
		memory.KindFeedback:   &inputs[boundary.SubmitFeedbackInput]{record: t.Reactions.RecordFeedback},
		memory.KindCorrection: &inputs[boundary.RecordCorrectionInput]{record: t.Knowledge.RecordCorrections},
		memory.KindEpisode: &inputs[boundary.RecordEpisodeInput]{record: func(ctx context.Context, items []boundary.RecordEpisodeInput) (*tenancy.BatchResult, error) {
			return t.Episodes.RecordEpisodes(ctx, boundary.RecordEpisodesInput{Episodes: items})
		}},
		memory.KindObservation: &inputs[boundary.RecordObservationInput]{record: func(ctx context.Context, items []boundary.RecordObservationInput) (*tenancy.BatchResult, error) {
			return t.Knowledge.RecordObservations(ctx, boundary.RecordObservationsInput{Observations: items})
		}},
		memory.KindExecution: &inputs[boundary.RecordExecutionInput]{record: func(ctx context.Context, items []boundary.RecordExecutionInput) (*tenancy.BatchResult, error) {
			return t.Learning.RecordExecutions(ctx, boundary.RecordExecutionsInput{Executions: items})
		}},
		memory.KindVerdict: &inputs[verdictRecord]{record: recordVerdicts(t), after: labelVerdicts},
		memory.KindCanvas:  &inputs[canvasRecord]{record: recordCanvases(t)},
	}
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
	record func(context.Context, []T) (*tenancy.BatchResult, error)
	// after, where set, does what is to be done once some are recorded, under these ids.
	after func(ctx context.Context, s *sink, lines []int, items []T, ids []*string) error
}

func (q *inputs[T]) take(ctx context.Context, s *sink, number int, line envelope) (queued int, err error) {
	input, err := read[T](line.Record, mustHave[line.Kind]...)
	if err != nil {
		return 0, s.fault(number, err)
	}
	if id := keyOf(&input); id != nil && s.named[idsOf(line.Kind, s.key(id, line))[0]] { // by what is queued, and would be written before it
		if err := s.flush(ctx); err != nil {
			return 0, err
		}
	}
	if canvas, ok := any(&input).(*canvasRecord); ok {
		if err := canvas.readActions(s.keys); err != nil {
			return 0, s.fault(number, err)
		}
	}
	for _, id := range needsOf(&input) {
		s.named[id] = true
	}
	q.add(number, input)
	return len(q.items), nil
}

func (q *inputs[T]) write(ctx context.Context, s *sink, kind memory.Kind) error {
	return q.writeSome(ctx, s, kind, 0, len(q.items))
}

// writeSome writes some of what is queued. What is too much together is tried in halves, so that a fault is that of its
// own line and keeps no other record out.
func (q *inputs[T]) writeSome(ctx context.Context, s *sink, kind memory.Kind, from, to int) error {
	result, err := q.record(ctx, q.items[from:to])
	if known, ok := errors.AsType[*memory.Error](err); ok && known.Code == memory.CodeLimitExceeded && to-from > 1 {
		half := (from + to) / 2
		if err := q.writeSome(ctx, s, kind, from, half); err != nil {
			return err
		}
		return q.writeSome(ctx, s, kind, half, to)
	}
	if err != nil {
		return s.judge(q.lines[from], err)
	}
	s.count(kind, result.Succeeded, result.New())
	if q.after != nil {
		err = q.after(ctx, s, q.lines[from:to], q.items[from:to], result.IDs)
	}
	return earliest(err, s.batchFaults(q.lines[from:to], result.Errors))
}

// key is the record's key, which is made of its content where it has none.
func (s *sink) key(id **string, line envelope) string {
	if *id == nil {
		*id = new(s.keys.of(line.Kind, line.Record))
	}
	return **id
}
