package importer

import (
	"context"

	"mneme/memory"
	"mneme/service"
)

// kindRelation is a line that links two concepts. A relation is no record of its own and has no key.
const kindRelation memory.Kind = "relation"

// kinds are what a record of a line may be, in the order in which an account names them.
var kinds = []memory.Kind{
	memory.KindAgent, memory.KindSession, memory.KindMemoir, memory.KindConcept, memory.KindEpisode, memory.KindCanvas,
	memory.KindFeedback, memory.KindObservation, memory.KindCorrection, memory.KindExecution, memory.KindVerdict, kindRelation,
}

// takeKnowledge takes the lines of what agents know.
func (r *jsonl) takeKnowledge(ctx context.Context, number int, line envelope) error {
	switch line.Kind {
	case memory.KindMemoir:
		return r.takeMemoir(ctx, number, line)
	case memory.KindConcept:
		return r.takeConcept(ctx, number, line)
	case kindRelation:
		return r.takeRelation(ctx, number, line)
	case memory.KindObservation:
		return r.takeObservation(ctx, number, line)
	case memory.KindCorrection:
		return r.takeCorrection(ctx, number, line)
	case memory.KindExecution:
		return r.takeExecution(ctx, number, line)
	case memory.KindVerdict:
		return r.takeVerdict(ctx, number, line)
	default:
		return r.fault(number, memory.Invalid("kind", "is none of %v", kinds))
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

func (r *jsonl) takeMemoir(ctx context.Context, number int, line envelope) error {
	var input service.CreateMemoirInput
	if err := decode(line.Record, &input); err != nil {
		return r.fault(number, err)
	}
	input.ID = r.keyOr(input.ID, line)
	if err := r.comesLate(ctx, memory.KindMemoir, *input.ID); err != nil {
		return err
	}
	r.memoirs.add(number, input)
	return r.flushAt(ctx, len(r.memoirs.items))
}

func (r *jsonl) takeConcept(ctx context.Context, number int, line envelope) error {
	var input service.AddConceptInput
	if err := decode(line.Record, &input); err != nil {
		return r.fault(number, err)
	}
	input.ID = r.keyOr(input.ID, line)
	if err := r.comesLate(ctx, memory.KindConcept, *input.ID); err != nil {
		return err
	}
	r.concepts.add(number, input)
	r.name(memory.KindMemoir, input.MemoirID)
	return r.flushAt(ctx, len(r.concepts.items))
}

func (r *jsonl) takeRelation(ctx context.Context, number int, line envelope) error {
	var input service.LinkConceptsInput
	if err := decode(line.Record, &input); err != nil {
		return r.fault(number, err)
	}
	r.relations.add(number, input)
	r.name(memory.KindConcept, input.SourceID, input.TargetID)
	return r.flushAt(ctx, len(r.relations.items))
}

func (r *jsonl) takeObservation(ctx context.Context, number int, line envelope) error {
	var input service.RecordObservationInput
	if err := decode(line.Record, &input); err != nil {
		return r.fault(number, err)
	}
	input.ID = r.keyOr(input.ID, line)
	r.observations.add(number, input)
	return r.flushAt(ctx, len(r.observations.items))
}

func (r *jsonl) takeCorrection(ctx context.Context, number int, line envelope) error {
	var input service.RecordCorrectionInput
	if err := decode(line.Record, &input); err != nil {
		return r.fault(number, err)
	}
	input.ID = r.keyOr(input.ID, line)
	r.corrections.add(number, input)
	return r.flushAt(ctx, len(r.corrections.items))
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
	return flushBatch(s, &s.relations, kindRelation, func(items []service.LinkConceptsInput) (*service.BatchResult, error) {
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
