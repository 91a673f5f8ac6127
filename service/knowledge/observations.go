package knowledge

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/tenancy"
	"mneme/store"
)

// RecordObservation keeps something an agent noticed.
func (k *Knowledge) RecordObservation(ctx context.Context, input boundary.RecordObservationInput) (*memory.Observation, error) {
	return tenancy.RecordOne[memory.Observation](ctx, k.t, memory.KindObservation, input, (*boundary.Boundary).Observation, tenancy.Keep)
}

// RecordObservations keeps a batch in order and reports each item.
func (k *Knowledge) RecordObservations(ctx context.Context, input boundary.RecordObservationsInput) (*tenancy.BatchResult, error) {
	return tenancy.RecordBatch(ctx, k.t, memory.KindObservation, "observations", input.Observations, (*boundary.Boundary).Observation, tenancy.Keep)
}

// Weight is what an observation weighs now, by the deployment's decay policy.
func (k *Knowledge) Weight(observation *memory.Observation) float64 {
	return k.t.Decay.Weight(observation, k.t.Clock())
}

// Observation reads one observation, which counts as an access; nil where there is none.
func (k *Knowledge) Observation(ctx context.Context, id string) (*memory.Observation, error) {
	return tenancy.ReadByID(ctx, k.t, memory.KindObservation, id, k.ObservationsByKey)
}

// ObservationsByKey reads observations in the order of the keys, nil where there is none. Each that is
// found counts as accessed.
func (k *Knowledge) ObservationsByKey(ctx context.Context, keys []string) ([]*memory.Observation, error) {
	observations, err := store.Get[memory.Observation](ctx, k.t.Store, keys)
	if err != nil {
		return nil, faults.Of("the observation", err)
	}
	for _, observation := range observations {
		if observation != nil {
			k.t.Accesses.Note(observation.Key)
		}
	}
	return observations, nil
}

// Observations lists observations. It counts no access. All pages are weighed as of the first, so that what
// becomes lighter between them is neither left out nor repeated; only what is accessed between may move.
func (k *Knowledge) Observations(ctx context.Context, filter boundary.ObservationFilter, order memory.ObservationOrder, input reading.PageInput) (*reading.Page[*memory.Observation], error) {
	b := k.t.Question(ctx)
	query := store.ObservationQuery{
		UserFilter: b.Users(filter.UserFilter), Order: b.ObservationOrder(order),
		MinWeight: b.Share("minWeight", filter.MinWeight), MaxWeight: b.Share("maxWeight", filter.MaxWeight),
	}
	if b.Err() != nil {
		return nil, b.Err()
	}
	request, err := reading.PageRequest(input, reading.Fingerprint("observations", filter, order), nil)
	if err != nil {
		return nil, err
	}
	request.WeighedAt = k.t.WeighingOf(request)
	query.Policy, query.Now = request.Policy, request.At
	observations := reading.ListOf(k.t.Store, "the observation", query)
	return observations.Requested(ctx, request)
}

// RecordCorrection keeps what a person put right.
func (k *Knowledge) RecordCorrection(ctx context.Context, input boundary.RecordCorrectionInput) (*memory.Correction, error) {
	return tenancy.RecordOne[memory.Correction](ctx, k.t, memory.KindCorrection, input, (*boundary.Boundary).Correction, tenancy.Keep)
}

// RecordCorrections keeps corrections in order and reports each.
func (k *Knowledge) RecordCorrections(ctx context.Context, inputs []boundary.RecordCorrectionInput) (*tenancy.BatchResult, error) {
	return tenancy.RecordBatch(ctx, k.t, memory.KindCorrection, "corrections", inputs, (*boundary.Boundary).Correction, tenancy.Keep)
}

// Corrections lists corrections, newest first, of one topic where it is given.
func (k *Knowledge) Corrections(ctx context.Context, topic *string, input reading.PageInput) (*reading.Page[*memory.Correction], error) {
	b := k.t.Question(ctx)
	named := b.OptionalName("topic", topic)
	if b.Err() != nil {
		return nil, b.Err()
	}
	corrections := reading.ListOf(k.t.Store, "the correction", store.CorrectionsOf{Topic: named})
	return corrections.Page(ctx, input, reading.Fingerprint("corrections", topic))
}

// CorrectionStats counts the corrections since an instant, or all of them.
func (k *Knowledge) CorrectionStats(ctx context.Context, since *time.Time) (*memory.CorrectionStats, error) {
	b := k.t.Question(ctx)
	since = b.OptionalTime("since", since)
	if b.Err() != nil {
		return nil, b.Err()
	}
	stats, err := k.t.Store.CorrectionStats(ctx, since)
	if err != nil {
		return nil, faults.Of("the correction", err)
	}
	return &stats, nil
}
