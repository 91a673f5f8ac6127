package service

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
)

// RecordCorrection keeps what a person put right.
func (k *Knowledge) RecordCorrection(ctx context.Context, input RecordCorrectionInput) (*memory.Correction, error) {
	return recordOne(ctx, memory.KindCorrection, input, k.correctionRecord, k.recordCorrections, k.store.Corrections)
}

// RecordCorrections keeps corrections in order and reports each.
func (k *Knowledge) RecordCorrections(ctx context.Context, inputs []RecordCorrectionInput) (*BatchResult, error) {
	return recordBatch(ctx, k.tenant, memory.KindCorrection, "corrections", inputs, k.correctionRecord, k.recordCorrections)
}

func (k *Knowledge) correctionRecord(ctx context.Context, input RecordCorrectionInput) (store.CorrectionRecord, error) {
	b := k.boundary(ctx)
	importance := valueOr(input.Importance, memory.ImportanceMedium)
	b.importance(importance)
	clean := RecordCorrectionInput{
		ID: b.optionalKey(memory.KindCorrection, "id", input.ID), Topic: b.name("topic", input.Topic), Importance: &importance,
		CreatedBy: b.optionalLabel("createdBy", input.CreatedBy), AboutIDs: b.globalIDs("aboutIds", input.AboutIDs),
		Prediction: "", Correction: "", Context: nil, // below
	}
	correction := memory.Correction{
		Key: keyOr(clean.ID), Topic: clean.Topic, Importance: importance, CreatedBy: clean.CreatedBy,
		About: clean.AboutIDs, CreatedAt: k.clock(),
		Prediction: "", Correction: "", Context: nil, Receipt: memory.Receipt{}, // below
	}
	clean.Prediction, correction.Prediction = b.requiredProse("prediction", input.Prediction)
	clean.Correction, correction.Correction = b.requiredProse("correction", input.Correction)
	clean.Context, correction.Context = b.optionalProse("context", input.Context)
	correction.Receipt = b.redactor.Receipt()
	record := store.CorrectionRecord{Correction: correction, InputHash: k.inputHash(ctx, b, clean)}
	return record, b.err
}

// Corrections lists corrections, newest first, of one topic where it is given.
func (k *Knowledge) Corrections(ctx context.Context, topic *string, input PageInput) (*Page[*memory.Correction], error) {
	b := k.question(ctx)
	named := b.optionalName("topic", topic)
	if b.err != nil {
		return nil, b.err
	}
	corrections := list[*memory.Correction]{
		subject: "the correction",
		read: func(ctx context.Context, page store.Page) ([]*memory.Correction, bool, error) {
			return k.store.ListCorrections(ctx, named, page)
		},
		count: func(ctx context.Context) (int, error) { return k.store.CountCorrections(ctx, named) },
		place: func(c *memory.Correction) store.Position { return store.Position{At: c.CreatedAt, Key: c.Key} },
	}
	return corrections.page(ctx, input, fingerprint("corrections", topic))
}

// CorrectionStats counts the corrections since an instant, or all of them.
func (k *Knowledge) CorrectionStats(ctx context.Context, since *time.Time) (*memory.CorrectionStats, error) {
	b := k.question(ctx)
	since = b.optionalTime("since", since)
	if b.err != nil {
		return nil, b.err
	}
	stats, err := k.store.CorrectionStats(ctx, since)
	if err != nil {
		return nil, fault("the correction", err)
	}
	return &stats, nil
}
