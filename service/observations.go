package service

import (
	"cmp"
	"context"
	"errors"
	"time"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/store"
)

// RecordObservation keeps something an agent noticed.
func (k *Knowledge) RecordObservation(ctx context.Context, input RecordObservationInput) (*memory.Observation, error) {
	return recordOne[memory.Observation](ctx, k.tenant, memory.KindObservation, input, k.observationRecord, keeper[store.ObservationRecord](k.tenant))
}

// RecordObservations keeps a batch in order and reports each item.
func (k *Knowledge) RecordObservations(ctx context.Context, input RecordObservationsInput) (*BatchResult, error) {
	return recordBatch(ctx, k.tenant, memory.KindObservation, "observations", input.Observations, k.observationRecord, keeper[store.ObservationRecord](k.tenant))
}

func (t *tenant) observationRecord(ctx context.Context, input RecordObservationInput) (store.ObservationRecord, error) {
	b := t.boundary(ctx)
	importance := valueOr(input.Importance, memory.ImportanceMedium)
	clean := RecordObservationInput{
		ID: b.optionalKey(memory.KindObservation, "id", input.ID), Importance: &importance,
		SessionID: b.optionalKey(memory.KindSession, "sessionId", input.SessionID), UserID: b.userID(input.UserID),
		AboutIDs: b.globalIDs("aboutIds", input.AboutIDs), At: b.optionalTime("at", input.At),
		Content: "", // below
	}
	b.importance(importance)
	content, compact := b.requiredProse("content", input.Content)
	clean.Content = content
	record := store.ObservationRecord{
		InputHash: t.inputHash(ctx, b, clean),
		Observation: memory.Observation{
			Key: keyOr(clean.ID), SessionKey: clean.SessionID, UserID: clean.UserID, Content: compact, Importance: importance,
			About: clean.AboutIDs, Receipt: b.redactor.Receipt(), CreatedAt: valueOr(clean.At, t.clock()),
			AccessCount: 0, LastAccessedAt: nil, // until it is read
		},
	}
	return record, b.err
}

func (b *boundary) importance(importance memory.Importance) {
	if !importance.Valid() {
		b.fail(memory.Invalid("importance", "must be CRITICAL, HIGH, MEDIUM or LOW"))
	}
}

// globalIDs checks ids of records of any kind, which must be in their global form.
func (b *boundary) globalIDs(field string, ids []string) []string {
	return distinct(each(b, field, ids, b.globalID))
}

func (b *boundary) globalID(field, id string) string {
	kind, key, ok := memory.SplitID(id)
	if !ok {
		b.fail(memory.CheckID(field, id))
		return ""
	}
	id = memory.NodeID(kind, memory.MapKey(kind, key, func(part string) string { return b.formed(field, part) }))
	if err := memory.CheckID(field, id); err != nil {
		b.fail(err)
		return ""
	}
	_, key, _ = memory.SplitID(id)
	for _, part := range memory.KeysWithin(kind, key) {
		b.checkName(field, part)
	}
	return id
}

// Weight is what an observation weighs now, by the deployment's decay policy.
func (k *Knowledge) Weight(observation *memory.Observation) float64 {
	return k.decay.Weight(observation, k.clock())
}

// Observation reads one observation, which counts as an access; nil where there is none.
func (k *Knowledge) Observation(ctx context.Context, id string) (*memory.Observation, error) {
	return readByID(ctx, k.tenant, memory.KindObservation, id, k.ObservationsByKey)
}

// ObservationsByKey reads observations in the order of the keys, nil where there is none. Each that is
// found counts as accessed.
func (k *Knowledge) ObservationsByKey(ctx context.Context, keys []string) ([]*memory.Observation, error) {
	observations, err := store.Get[memory.Observation](ctx, k.store, keys)
	if err != nil {
		return nil, fault("the observation", err)
	}
	for _, observation := range observations {
		if observation != nil {
			k.accesses.note(observation.Key)
		}
	}
	return observations, nil
}

// ObservationFilter bounds a list of observations by weight, inclusive.
type ObservationFilter struct {
	UserFilter
	MinWeight *float64 `json:"minWeight,omitempty"`
	MaxWeight *float64 `json:"maxWeight,omitempty"`
}

// Observations lists observations. It counts no access. All pages are weighed as of the first, so that what
// becomes lighter between them is neither left out nor repeated; only what is accessed between may move.
func (k *Knowledge) Observations(ctx context.Context, filter ObservationFilter, order ObservationOrder, input PageInput) (*Page[*memory.Observation], error) {
	b := k.question(ctx)
	query := store.ObservationQuery{
		UserFilter: b.users(filter.UserFilter), Order: b.observationOrder(order),
		MinWeight: b.share("minWeight", filter.MinWeight), MaxWeight: b.share("maxWeight", filter.MaxWeight),
	}
	if b.err != nil {
		return nil, b.err
	}
	request, err := pageRequest(input, fingerprint("observations", filter, order), nil)
	if err != nil {
		return nil, err
	}
	request.weighedAt = k.weighingOf(request)
	query.Policy, query.Now = request.policy, request.at
	observations := listOf(k.store, "the observation", query)
	return observations.requested(ctx, request)
}

// weighingOf is how a list has been weighed from its first page on.
func (t *tenant) weighingOf(r request) weighedAt {
	if r.policy != "" {
		return r.weighedAt
	}
	return weighedAt{policy: cmp.Or(t.decay, decay.UseFades), at: t.clock().Truncate(time.Millisecond)}
}

func (b *boundary) observationOrder(order ObservationOrder) store.ObservationOrder {
	switch order {
	case WeightDesc, "":
		return store.HeaviestFirst
	case WeightAsc:
		return store.LightestFirst
	case CreatedAtDesc:
		return store.LatestFirst
	default:
		b.fail(memory.Invalid("orderBy", "must be WEIGHT_DESC, WEIGHT_ASC or CREATED_AT_DESC"))
		return store.HeaviestFirst
	}
}

// PruneResult says how many observations a prune deleted, or would delete.
type PruneResult struct {
	Candidates int  `json:"candidates"`
	Deleted    int  `json:"deleted"`
	DryRun     bool `json:"dryRun"`
	Complete   bool `json:"complete"` // false where the time of the call was up first; Candidates are those that were come to
}

// Prune deletes the observations that weigh less than MinWeight, never critical or high ones.
func (u *Upkeep) Prune(ctx context.Context, input PruneInput) (*PruneResult, error) {
	ctx = store.Unmetered(ctx)
	dry := valueOr(input.DryRun, true)
	err := forReal(ctx, "to prune for real", !dry)
	b := u.question(ctx)
	b.fail(err)
	b.share("minWeight", &input.MinWeight)
	if b.err != nil {
		return nil, b.err
	}
	if err := u.accesses.flush(ctx); err != nil { // weights follow from them
		return nil, fault("the observation", err)
	}
	pruning := store.Pruning{Policy: u.decay, Now: u.clock(), MinWeight: input.MinWeight, DryRun: dry}
	result := &PruneResult{DryRun: dry, Complete: true}
	prune := func(ctx context.Context) (err error) {
		result.Candidates, err = u.store.PruneObservations(ctx, pruning)
		return err
	}
	if dry {
		return result, fault("the observation", prune(ctx))
	}
	err = inTime(ctx, prune)
	if errors.Is(err, errUnfinished) {
		result.Complete, err = false, nil
	}
	result.Deleted = result.Candidates
	return result, fault("the observation", err)
}

// RecordCorrection keeps what a person put right.
func (k *Knowledge) RecordCorrection(ctx context.Context, input RecordCorrectionInput) (*memory.Correction, error) {
	return recordOne[memory.Correction](ctx, k.tenant, memory.KindCorrection, input, k.correctionRecord, keeper[store.CorrectionRecord](k.tenant))
}

// RecordCorrections keeps corrections in order and reports each.
func (k *Knowledge) RecordCorrections(ctx context.Context, inputs []RecordCorrectionInput) (*BatchResult, error) {
	return recordBatch(ctx, k.tenant, memory.KindCorrection, "corrections", inputs, k.correctionRecord, keeper[store.CorrectionRecord](k.tenant))
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
	corrections := listOf(k.store, "the correction", store.CorrectionsOf{Topic: named})
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
