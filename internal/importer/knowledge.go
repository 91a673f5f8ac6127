package importer

import (
	"context"

	"mneme/internal/transfer"
	"mneme/memory"
	"mneme/service"
)

// kinds are what a record of a line may be, in the order in which an account names them.
var kinds = []memory.Kind{
	memory.KindAgent, memory.KindSession, memory.KindMemoir, memory.KindConcept, memory.KindEpisode, memory.KindCanvas,
	memory.KindFeedback, memory.KindObservation, memory.KindCorrection, memory.KindExecution, memory.KindVerdict, transfer.KindRelation,
}

// takeKnowledge takes the lines of what agents know.
func (r *jsonl) takeKnowledge(ctx context.Context, number int, line envelope) error {
	switch line.Kind {
	case memory.KindMemoir:
		return takeLine(ctx, r, number, line, &r.memoirs, func(input *service.CreateMemoirInput) error {
			input.ID = r.keyOr(input.ID, line)
			return r.comesLate(ctx, memory.KindMemoir, *input.ID)
		})
	case memory.KindConcept:
		return takeLine(ctx, r, number, line, &r.concepts, func(input *service.AddConceptInput) error {
			input.ID = r.keyOr(input.ID, line)
			err := r.comesLate(ctx, memory.KindConcept, *input.ID)
			r.name(memory.KindMemoir, input.MemoirID)
			return err
		})
	case transfer.KindRelation:
		return takeLine(ctx, r, number, line, &r.relations, func(input *service.LinkConceptsInput) error {
			r.name(memory.KindConcept, input.SourceID, input.TargetID)
			return nil
		})
	case memory.KindObservation:
		return takeLine(ctx, r, number, line, &r.observations, func(input *service.RecordObservationInput) error {
			input.ID = r.keyOr(input.ID, line)
			return nil
		})
	case memory.KindCorrection:
		return takeLine(ctx, r, number, line, &r.corrections, func(input *service.RecordCorrectionInput) error {
			input.ID = r.keyOr(input.ID, line)
			return nil
		})
	case memory.KindExecution:
		return r.takeExecution(ctx, number, line)
	default: // a verdict: what is none of the kinds was refused
		return r.takeVerdict(ctx, number, line)
	}
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

// keyOr is the record's key, or one made of its content.
func (r *jsonl) keyOr(chosen *string, line envelope) *string {
	if chosen != nil {
		return chosen
	}
	key := r.keys.of(line.Kind, line.Record)
	return &key
}

func (s *sink) flushMemoirs(ctx context.Context) error {
	return flushBatch(s, &s.memoirs, memory.KindMemoir, func(items []service.CreateMemoirInput) (*service.BatchResult, error) {
		return s.service.Knowledge.CreateMemoirs(ctx, items)
	})
}

func (s *sink) flushConcepts(ctx context.Context) error {
	return flushBatch(s, &s.concepts, memory.KindConcept, func(items []service.AddConceptInput) (*service.BatchResult, error) {
		return s.service.Knowledge.AddConcepts(ctx, items)
	})
}

func (s *sink) flushRelations(ctx context.Context) error {
	return flushBatch(s, &s.relations, transfer.KindRelation, func(items []service.LinkConceptsInput) (*service.BatchResult, error) {
		return s.service.Knowledge.ImportRelations(ctx, items)
	})
}

func (s *sink) flushObservations(ctx context.Context) error {
	return flushBatch(s, &s.observations, memory.KindObservation, func(items []service.RecordObservationInput) (*service.BatchResult, error) {
		return s.service.Knowledge.RecordObservations(ctx, service.RecordObservationsInput{Observations: items})
	})
}

func (s *sink) flushCorrections(ctx context.Context) error {
	return flushBatch(s, &s.corrections, memory.KindCorrection, func(items []service.RecordCorrectionInput) (*service.BatchResult, error) {
		return s.service.Knowledge.RecordCorrections(ctx, items)
	})
}
