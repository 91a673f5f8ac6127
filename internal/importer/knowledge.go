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

// takeKnowledge takes the lines of what agents know. Memoirs, concepts and relations are written at once,
// since a concept needs its memoir and a relation its concepts.
func (r *jsonl) takeKnowledge(ctx context.Context, number int, line envelope) error {
	switch line.Kind {
	case memory.KindMemoir:
		return takeOne(ctx, r, number, line, func(input *service.CreateMemoirInput) error {
			input.ID = r.keyOr(input.ID, line)
			_, err := r.service.Knowledge.CreateMemoir(ctx, *input)
			return err
		}, r.judge)
	case memory.KindConcept:
		return takeOne(ctx, r, number, line, func(input *service.AddConceptInput) error {
			input.ID = r.keyOr(input.ID, line)
			_, err := r.service.Knowledge.AddConcept(ctx, *input)
			return err
		}, r.judge)
	case kindRelation:
		return takeOne(ctx, r, number, line, func(input *service.LinkConceptsInput) error {
			_, err := r.service.Knowledge.LinkConcepts(ctx, *input)
			return err
		}, r.judge)
	case memory.KindCorrection:
		return takeOne(ctx, r, number, line, func(input *service.RecordCorrectionInput) error {
			input.ID = r.keyOr(input.ID, line)
			_, err := r.service.Knowledge.RecordCorrection(ctx, *input)
			return err
		}, r.judgeRead)
	case memory.KindObservation:
		var input service.RecordObservationInput
		if err := decode(line.Record, &input); err != nil {
			return r.fault(number, err)
		}
		input.ID = r.keyOr(input.ID, line)
		return r.addObservation(ctx, number, input)
	case memory.KindExecution:
		return r.takeExecution(ctx, number, line)
	case memory.KindVerdict:
		return r.takeVerdict(ctx, number, line)
	default:
		return r.fault(number, memory.Invalid("kind", "is none of %v", kinds))
	}
}

// takeOne decodes a line and writes it at once.
func takeOne[T any](ctx context.Context, r *jsonl, number int, line envelope, write func(*T) error, judge func(line int, err error) error) error {
	var input T
	if err := decode(line.Record, &input); err != nil {
		return r.fault(number, err)
	}
	if err := r.written(); err != nil {
		return err
	}
	before := service.ImportCreated(ctx)
	if err := write(&input); err != nil {
		return judge(number, err)
	}
	r.countOne(ctx, line.Kind, before)
	r.progressAt(line.Kind)
	return nil
}

// keyOr is the record's key, or one made of its content.
func (r *jsonl) keyOr(chosen *string, line envelope) *string {
	if chosen != nil {
		return chosen
	}
	key := r.keys.of(line.Kind, line.Record)
	return &key
}

// progressAt tells of records that are written one by one now and then.
func (s *sink) progressAt(kind memory.Kind) {
	if (s.report.Imported[kind]+s.report.Present[kind])%100 == 0 {
		s.progress()
	}
}

func (s *sink) addObservation(ctx context.Context, line int, input service.RecordObservationInput) error {
	s.observations.add(line, input)
	return s.flushAt(ctx, len(s.observations.items))
}

func (s *sink) flushObservations(ctx context.Context) error {
	return flushBatch(s, &s.observations, memory.KindObservation, func(items []service.RecordObservationInput) (*service.BatchResult, error) {
		return s.service.Knowledge.RecordObservations(ctx, service.RecordObservationsInput{Observations: items})
	})
}
