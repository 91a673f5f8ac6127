package boundary

import (
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/store"
)

// ObservationFilter bounds a list of observations by weight, inclusive.
type ObservationFilter struct {
	UserFilter
	MinWeight *float64 `json:"minWeight,omitempty"`
	MaxWeight *float64 `json:"maxWeight,omitempty"`
}

// ObservationOrder is an order of observations.
func (b *Boundary) ObservationOrder(order memory.ObservationOrder) memory.ObservationOrder {
	known := []memory.ObservationOrder{"", memory.HeaviestFirst, memory.LightestFirst, memory.LatestFirst}
	b.Require(slices.Contains(known, order), "orderBy", "must be WEIGHT_DESC, WEIGHT_ASC or CREATED_AT_DESC")
	return order
}

// Filter checks a filter; a time range counts back from the given instant.
func (b *Boundary) Filter(input EpisodeFilter, now time.Time) store.EpisodeFilter {
	b.Require(input.TimeRange == nil || input.Since == nil, "timeRange", "cannot be combined with since; send one of them")
	filter := store.EpisodeFilter{
		UserFilter:  b.Users(input.UserFilter),
		Agent:       b.OptionalKey(memory.KindAgent, "agentId", input.AgentID),
		Session:     b.OptionalKey(memory.KindSession, "sessionId", input.SessionID),
		TaskType:    b.OptionalLabel("taskType", input.TaskType),
		Outcome:     input.Outcome,
		CanvasType:  b.OptionalLabel("canvasType", input.CanvasType),
		MinFeedback: b.score("minFeedbackScore", input.MinFeedbackScore),
		MaxFeedback: b.score("maxFeedbackScore", input.MaxFeedbackScore),
		Since:       b.OptionalTime("since", input.Since),
		Until:       b.OptionalTime("until", input.Until),

		CanvasAction: input.CanvasAction,
	}
	b.Require(input.Outcome == nil || input.Outcome.Valid(), "outcome", "must be SUCCESS, FAILURE or UNKNOWN")
	b.Require(input.CanvasAction == nil || input.CanvasAction.Valid(), "canvasAction", "must be PRESENT, CLOSE, SUBMIT, UPDATE or EXECUTE")
	if input.TimeRange != nil && input.Since == nil {
		b.Require(input.TimeRange.Valid(), "timeRange", "must be LAST_1D, LAST_7D, LAST_30D or LAST_90D")
		filter.Since = new(input.TimeRange.Since(now))
	}
	return filter
}

// score is a bound on an aggregate feedback score, which lies in −1…1.
func (b *Boundary) score(field string, value *float64) *float64 {
	b.Require(value == nil || *value >= -1 && *value <= 1, field, "is %v; it must be in −1…1", memory.ValueOr(value, 0))
	return value
}

// Order is an order of episodes.
func (b *Boundary) Order(order memory.EpisodeOrder) memory.EpisodeOrder {
	known := []memory.EpisodeOrder{"", memory.NewestFirst, memory.OldestFirst, memory.BestFeedbackFirst}
	b.Require(slices.Contains(known, order), "orderBy", "must be STARTED_AT_DESC, STARTED_AT_ASC or FEEDBACK_DESC")
	return order
}

// searchableKinds are those that have text.
var searchableKinds = []memory.Kind{
	memory.KindEpisode, memory.KindConcept, memory.KindObservation, memory.KindCorrection, memory.KindMemoir, memory.KindFeedback,
}

// Searchable are the kinds of names; all that have text where there is none.
func (b *Boundary) Searchable(field string, names []string) []memory.Kind {
	if len(names) == 0 || !b.List(field, len(names)) {
		return searchableKinds
	}
	kinds := make([]memory.Kind, 0, len(names))
	for i, name := range names {
		known := slices.Contains(searchableKinds, memory.Kind(name))
		b.Require(known, At(field, i), "is no kind that has text; there are %s", strings.Join(memory.KindNames(searchableKinds), ", "))
		kinds = append(kinds, memory.Kind(name))
	}
	return kinds
}

// Relations checks edge names, which are those of the graph in upper case.
func (b *Boundary) Relations(field string, names []string) {
	if !b.List(field, len(names)) {
		return
	}
	for i, name := range names {
		b.Require(slices.Contains(store.EdgeTypes, name), At(field, i), "is no relation; there are %s", strings.Join(store.EdgeTypes, ", "))
	}
}

// WeightsOf lays what a caller chose over the default weights.
func WeightsOf(input *RankingInput) ranking.Weights {
	weights := ranking.DefaultWeights
	if input == nil {
		return weights
	}
	weights.Semantic = memory.ValueOr(input.SemanticWeight, weights.Semantic)
	weights.Temporal = memory.ValueOr(input.TemporalWeight, weights.Temporal)
	weights.HalfLifeDays = memory.ValueOr(input.HalfLifeDays, weights.HalfLifeDays)
	weights.CanvasBoost = memory.ValueOr(input.CanvasBoost, weights.CanvasBoost)
	weights.PositiveBoost = memory.ValueOr(input.PositiveBoost, weights.PositiveBoost)
	weights.NegativePenalty = memory.ValueOr(input.NegativePenalty, weights.NegativePenalty)
	weights.Feedback = memory.ValueOr(input.Feedback, weights.Feedback)
	weights.Credit = memory.ValueOr(input.CreditWeight, weights.Credit)
	return weights
}
