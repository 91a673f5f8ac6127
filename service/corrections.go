package service

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
)

// RecordCorrection keeps what a person put right.
func (k *Knowledge) RecordCorrection(ctx context.Context, input RecordCorrectionInput) (*memory.Correction, error) {
	record, err := k.correctionRecord(ctx, input)
	if err != nil {
		return nil, err
	}
	recorded, err := k.recordCorrections(ctx, []store.CorrectionRecord{record})
	if err := itemFault("the correction", recorded, err); err != nil {
		return nil, err
	}
	return only(k.store.Corrections(ctx, []string{record.Correction.Key}))("the correction")
}

// RecordCorrections keeps corrections in order and reports each.
func (k *Knowledge) RecordCorrections(ctx context.Context, inputs []RecordCorrectionInput) (*BatchResult, error) {
	return recordBatch(ctx, k.tenant, memory.KindCorrection, "corrections", inputs, k.correctionRecord, k.recordCorrections)
}

func (k *Knowledge) correctionRecord(ctx context.Context, input RecordCorrectionInput) (store.CorrectionRecord, error) {
	record, hash, err := identified(ctx, k.tenant, func(b *boundary) (store.CorrectionRecord, any) { return k.correctionOf(b, input) })
	record.InputHash = hash
	return record, err
}

func (k *Knowledge) correctionOf(b *boundary, input RecordCorrectionInput) (store.CorrectionRecord, any) {
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
	if b.err != nil {
		return store.CorrectionRecord{}, nil
	}
	correction.Receipt = b.redactor.Receipt()
	return store.CorrectionRecord{Correction: correction}, clean
}

// CorrectionsByKey reads corrections in the order of the keys, nil where there is none.
func (k *Knowledge) CorrectionsByKey(ctx context.Context, keys []string) ([]*memory.Correction, error) {
	corrections, err := k.store.Corrections(ctx, keys)
	return corrections, fault("the correction", err)
}

// Corrections lists corrections, newest first, of one topic where it is given.
func (k *Knowledge) Corrections(ctx context.Context, topic *string, input PageInput) (*Page[*memory.Correction], error) {
	request, err := pageRequest(input, fingerprint("corrections", topic), nil)
	if err != nil {
		return nil, err
	}
	b := k.question(ctx)
	if topic = b.optionalName("topic", topic); b.err != nil {
		return nil, b.err
	}
	corrections, more, err := k.store.ListCorrections(ctx, topic, request.page)
	if err != nil {
		return nil, fault("the correction", err)
	}
	count := func(ctx context.Context) (int, error) { return k.store.CountCorrections(ctx, topic) }
	return newPage(request, corrections, more, counted("the correction", count), func(c *memory.Correction) store.Position {
		return store.Position{At: c.CreatedAt, Key: c.Key}
	}), nil
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
