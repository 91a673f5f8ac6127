package boundary

import (
	"strings"
	"time"

	"mneme/memory"
	"mneme/store"
)

// Observation is the record of an observation.
func (b *Boundary) Observation(input RecordObservationInput) (store.ObservationRecord, error) {
	content, compact := b.requiredProse("content", input.Content)
	at := b.OptionalTime("at", input.At)
	observation := memory.Observation{
		Key: keyOr(b.OptionalKey(memory.KindObservation, "id", input.ID)), Importance: b.importance(input.Importance), Content: content,
		SessionKey: b.OptionalKey(memory.KindSession, "sessionId", input.SessionID), UserID: b.userID(input.UserID),
		About: memory.Distinct(b.GlobalIDs("aboutIds", input.AboutIDs)), CreatedAt: memory.OrZero(at),
		AccessCount: 0, LastAccessedAt: nil, // until it is read
		Receipt: memory.Receipt{}, // below
	}
	record := store.ObservationRecord{InputHash: b.hash(observation), Observation: observation}
	record.Observation.Content, record.Observation.CreatedAt, record.Observation.Receipt = compact, memory.ValueOr(at, b.Clock()), b.redacting.Receipt()
	return record, b.err
}

// importance is one that is chosen, or the middle one.
func (b *Boundary) importance(chosen *memory.Importance) memory.Importance {
	importance := memory.ValueOr(chosen, memory.ImportanceMedium)
	b.Require(importance.Valid(), "importance", "must be CRITICAL, HIGH, MEDIUM or LOW")
	return importance
}

// Correction is the record of a correction.
func (b *Boundary) Correction(input RecordCorrectionInput) (store.CorrectionRecord, error) {
	prediction, shortPrediction := b.requiredProse("prediction", input.Prediction)
	correction, shortCorrection := b.requiredProse("correction", input.Correction)
	context, shortContext := b.optionalProse("context", input.Context)
	record := store.CorrectionRecord{Correction: memory.Correction{
		Key: keyOr(b.OptionalKey(memory.KindCorrection, "id", input.ID)), Topic: b.name("topic", input.Topic), Importance: b.importance(input.Importance),
		Prediction: prediction, Correction: correction, Context: context,
		CreatedBy: b.OptionalLabel("createdBy", input.CreatedBy), About: memory.Distinct(b.GlobalIDs("aboutIds", input.AboutIDs)),
		CreatedAt: time.Time{}, Receipt: memory.Receipt{}, // below
	}}
	record.InputHash = b.hash(record.Correction)
	c := &record.Correction
	c.Prediction, c.Correction, c.Context = shortPrediction, shortCorrection, shortContext
	c.CreatedAt, c.Receipt = b.Clock(), b.redacting.Receipt()
	return record, b.err
}

// Memoir is the record of a memoir.
func (b *Boundary) Memoir(input CreateMemoirInput) (store.MemoirRecord, error) {
	record := store.MemoirRecord{Memoir: memory.Memoir{
		Key: keyOr(b.OptionalKey(memory.KindMemoir, "id", input.ID)), Name: b.name("name", input.Name),
		Description: b.Optional("description", input.Description), CreatedAt: time.Time{}, // below
	}}
	record.InputHash = b.hash(record.Memoir)
	record.Memoir.CreatedAt = b.Clock()
	return record, b.err
}

// Concept is the record of a concept.
func (b *Boundary) Concept(input AddConceptInput) (store.ConceptRecord, error) {
	content, compact := b.requiredProse("content", input.Content)
	record := store.ConceptRecord{Concept: memory.Concept{
		Key: keyOr(b.OptionalKey(memory.KindConcept, "id", input.ID)), MemoirKey: b.Key(memory.KindMemoir, "memoirId", input.MemoirID),
		Name: b.name("name", input.Name), Content: content, Labels: b.Labels("labels", input.Labels), Revisions: nil,
		CreatedAt: time.Time{}, UpdatedAt: time.Time{}, Receipt: memory.Receipt{}, // below
	}}
	record.InputHash = b.hash(record.Concept)
	c, now := &record.Concept, b.Clock()
	c.Content, c.CreatedAt, c.UpdatedAt, c.Receipt = compact, now, now, b.redacting.Receipt()
	return record, b.err
}

// Relation is the record of a relation of two concepts.
func (b *Boundary) Relation(input LinkConceptsInput) (memory.Relation, error) {
	relation := memory.Relation{
		Type: memory.RelationType(strings.ToUpper(string(input.Type))), CreatedAt: b.Clock(),
		SourceKey: b.Key(memory.KindConcept, "sourceId", input.SourceID),
		TargetKey: b.Key(memory.KindConcept, "targetId", input.TargetID),
	}
	b.Fail(relation.Check())
	return relation, b.err
}

// Refinement is what is to be changed of a concept.
func (b *Boundary) Refinement(input RefineConceptInput) (store.ConceptRefinement, error) {
	refinement := store.ConceptRefinement{Key: b.Key(memory.KindConcept, "id", input.ID), At: b.Clock(), Purge: memory.ValueOr(input.Purge, false)}
	if input.Content != nil {
		_, compact := b.requiredProse("content", *input.Content)
		refinement.Content = &compact
	}
	if input.Labels != nil {
		labels := b.Labels("labels", *input.Labels)
		refinement.Labels = &labels
	}
	refinement.Receipt = b.redacting.Receipt()
	return refinement, b.err
}
