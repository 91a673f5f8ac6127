package transfer

import (
	"mneme/memory"
	"mneme/store"
)

// Format is the version of the lines that are written, in the first of them. Lines of a newer one are refused.
const Format = 1

// The kinds of lines that are not kinds of records.
const (
	KindTenant         memory.Kind = "tenant"
	KindEvent          memory.Kind = "event"
	KindRelation                   = store.KindRelation
	KindSectionType                = store.KindSectionType
	KindJudgeThreshold             = store.KindJudgeThreshold
	KindSpan                       = store.KindSpan
	KindTombstone                  = store.KindTombstone
)

// codecs are all kinds of lines, in the order of an export.
var codecs = []codec{
	of(KindTenant,
		func(i *store.TenantItem) keptTenant { return keptTenant{Format, i.InputKey, i.VectorLength} },
		func(k keptTenant) *store.TenantItem {
			return &store.TenantItem{InputKey: k.InputKey, VectorLength: k.VectorLength}
		}),
	plain[store.AgentItem](memory.KindAgent),
	plain[store.MemoirRecord](memory.KindMemoir),
	plain[store.ConceptRecord](memory.KindConcept),
	plain[store.RelationItem](KindRelation),
	of(memory.KindEpisode,
		func(r *store.EpisodeRecord) store.EpisodeRecord { return *r },
		func(r store.EpisodeRecord) *store.EpisodeRecord {
			for i := range r.Events {
				r.Events[i].Sequence = i
			}
			return &r
		}),
	of(KindEvent,
		func(i *store.EventItem) keptEvent { return keptEvent{i.Episode, i.Sequence, i.Event, i.InputHash} },
		func(k keptEvent) *store.EventItem {
			k.Event.Sequence = k.Sequence
			return &store.EventItem{Episode: k.Episode, InputHash: k.InputHash, Event: k.Event}
		}),
	plain[store.CanvasItem](memory.KindCanvas),
	plain[store.FeedbackItem](memory.KindFeedback),
	plain[store.ExecutionRecord](memory.KindExecution),
	plain[store.RunItem](memory.KindRun),
	plain[store.VerdictRecord](memory.KindVerdict),
	plain[store.PatternItem](memory.KindPattern),
	plain[store.SectionTypeItem](KindSectionType),
	plain[store.JudgeThresholdItem](KindJudgeThreshold),
	plain[store.ObservationRecord](memory.KindObservation),
	plain[store.CorrectionRecord](memory.KindCorrection),
	plain[store.SpanItem](KindSpan),
	of(KindTombstone,
		func(t store.Tombstone) keptTombstone { return keptTombstone{t} },
		func(k keptTombstone) store.Tombstone { return k.Hash }),
}

// The fields of lines that are not those of their item.
type (
	keptTenant struct {
		Format       int    `json:"format"`
		InputKey     []byte `json:"inputKey"`
		VectorLength int    `json:"vectorLength,omitempty"`
	}
	keptEvent struct {
		Episode  string `json:"episode"`
		Sequence int    `json:"sequence"`
		memory.Event
		InputHash []byte `json:"inputHash,omitempty"`
	}
	keptTombstone struct {
		Hash []byte `json:"hash"`
	}
)
