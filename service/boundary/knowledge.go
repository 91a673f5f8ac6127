package boundary

import (
	"strings"

	"mneme/memory"
	"mneme/store"
)

// Observation is the record of an observation.
func (b *Boundary) Observation(input RecordObservationInput) (store.ObservationRecord, error) {
	importance := b.importance(input.Importance)
	clean := RecordObservationInput{
		ID: b.OptionalKey(memory.KindObservation, "id", input.ID), Importance: &importance,
		SessionID: b.OptionalKey(memory.KindSession, "sessionId", input.SessionID), UserID: b.userID(input.UserID),
		AboutIDs: Distinct(b.GlobalIDs("aboutIds", input.AboutIDs)), At: b.OptionalTime("at", input.At),
		Content: "", // below
	}
	content, compact := b.requiredProse("content", input.Content)
	clean.Content = content
	record := store.ObservationRecord{
		InputHash: b.hash(clean),
		Observation: memory.Observation{
			Key: keyOr(clean.ID), SessionKey: clean.SessionID, UserID: clean.UserID, Content: compact, Importance: importance,
			About: clean.AboutIDs, Receipt: b.redacting.Receipt(), CreatedAt: ValueOr(clean.At, b.Clock()),
			AccessCount: 0, LastAccessedAt: nil, // until it is read
		},
	}
	return record, b.err
}

// importance is one that is chosen, or the middle one.
func (b *Boundary) importance(chosen *memory.Importance) memory.Importance {
	importance := ValueOr(chosen, memory.ImportanceMedium)
	b.Require(importance.Valid(), "importance", "must be CRITICAL, HIGH, MEDIUM or LOW")
	return importance
}

// Correction is the record of a correction.
func (b *Boundary) Correction(input RecordCorrectionInput) (store.CorrectionRecord, error) {
	importance := b.importance(input.Importance)
	clean := RecordCorrectionInput{
		ID: b.OptionalKey(memory.KindCorrection, "id", input.ID), Topic: b.name("topic", input.Topic), Importance: &importance,
		CreatedBy: b.OptionalLabel("createdBy", input.CreatedBy), AboutIDs: Distinct(b.GlobalIDs("aboutIds", input.AboutIDs)),
		Prediction: "", Correction: "", Context: nil, // below
	}
	correction := memory.Correction{
		Key: keyOr(clean.ID), Topic: clean.Topic, Importance: importance, CreatedBy: clean.CreatedBy,
		About: clean.AboutIDs, CreatedAt: b.Clock(),
		Prediction: "", Correction: "", Context: nil, Receipt: memory.Receipt{}, // below
	}
	clean.Prediction, correction.Prediction = b.requiredProse("prediction", input.Prediction)
	clean.Correction, correction.Correction = b.requiredProse("correction", input.Correction)
	clean.Context, correction.Context = b.optionalProse("context", input.Context)
	correction.Receipt = b.redacting.Receipt()
	record := store.CorrectionRecord{Correction: correction, InputHash: b.hash(clean)}
	return record, b.err
}

// Memoir is the record of a memoir.
func (b *Boundary) Memoir(input CreateMemoirInput) (store.MemoirRecord, error) {
	clean := CreateMemoirInput{
		ID: b.OptionalKey(memory.KindMemoir, "id", input.ID), Name: b.name("name", input.Name),
		Description: b.Optional("description", input.Description),
	}
	record := store.MemoirRecord{
		InputHash: b.hash(clean),
		Memoir:    memory.Memoir{Key: keyOr(clean.ID), Name: clean.Name, Description: clean.Description, CreatedAt: b.Clock()},
	}
	return record, b.err
}

// Concept is the record of a concept.
func (b *Boundary) Concept(input AddConceptInput) (store.ConceptRecord, error) {
	clean := AddConceptInput{
		ID: b.OptionalKey(memory.KindConcept, "id", input.ID), MemoirID: b.Key(memory.KindMemoir, "memoirId", input.MemoirID),
		Name: b.name("name", input.Name), Labels: b.Labels("labels", input.Labels), Content: "", // below
	}
	content, compact := b.requiredProse("content", input.Content)
	clean.Content = content
	now := b.Clock()
	record := store.ConceptRecord{InputHash: b.hash(clean), Concept: memory.Concept{
		Key: keyOr(clean.ID), MemoirKey: clean.MemoirID, Name: clean.Name, Content: compact, Labels: clean.Labels,
		Revisions: nil, Receipt: b.redacting.Receipt(), CreatedAt: now, UpdatedAt: now,
	}}
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
	refinement := store.ConceptRefinement{Key: b.Key(memory.KindConcept, "id", input.ID), At: b.Clock(), Purge: ValueOr(input.Purge, false)}
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
