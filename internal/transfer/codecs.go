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

// codecs are all kinds of lines, in the order of an export. A new kind of record has an entry here, and a type in wire.go where more is kept than the record.
var codecs = []codec{
	of(KindTenant,
		func(i *store.TenantItem) keptTenant { return keptTenant{Format, i.InputKey, i.VectorLength} },
		func(k keptTenant) *store.TenantItem {
			return &store.TenantItem{InputKey: k.InputKey, VectorLength: k.VectorLength}
		}),
	of(memory.KindAgent,
		func(i *store.AgentItem) memory.Agent { return i.Agent },
		func(k memory.Agent) *store.AgentItem { return &store.AgentItem{Agent: k} }),
	of(memory.KindMemoir,
		func(r *store.MemoirRecord) keptMemoir { return keptMemoir{r.Memoir, r.InputHash} },
		func(k keptMemoir) *store.MemoirRecord {
			return &store.MemoirRecord{Memoir: k.Memoir, InputHash: k.InputHash}
		}),
	of(memory.KindConcept,
		func(r *store.ConceptRecord) keptConcept { return keptConcept{r.Concept, r.InputHash} },
		func(k keptConcept) *store.ConceptRecord {
			return &store.ConceptRecord{Concept: k.Concept, InputHash: k.InputHash}
		}),
	of(KindRelation,
		func(i *store.RelationItem) memory.Relation { return i.Relation },
		func(k memory.Relation) *store.RelationItem {
			return &store.RelationItem{Relation: k}
		}),
	of(memory.KindEpisode, encodeEpisode, decodeEpisode),
	of(KindEvent,
		func(i *store.EventItem) keptEvent { return keptEvent{i.Episode, i.Sequence, i.Event, i.InputHash} },
		func(k keptEvent) *store.EventItem {
			k.Event.Sequence = k.Sequence
			return &store.EventItem{Episode: k.Episode, InputHash: k.InputHash, Event: k.Event}
		}),
	of(memory.KindCanvas,
		func(i *store.CanvasItem) keptCanvas { return keptCanvas{i.Canvas, i.Named, i.Hashes} },
		func(k keptCanvas) *store.CanvasItem {
			return &store.CanvasItem{Canvas: k.Canvas, Named: k.Named, Hashes: k.Hashes}
		}),
	of(memory.KindFeedback,
		func(i *store.FeedbackItem) keptFeedback {
			return keptFeedback{i.Feedback, i.Linked, i.InputHash}
		},
		func(k keptFeedback) *store.FeedbackItem {
			record := store.FeedbackRecord{Feedback: k.Feedback, InputHash: k.InputHash}
			return &store.FeedbackItem{FeedbackRecord: record, Linked: k.Linked}
		}),
	of(memory.KindExecution,
		func(r *store.ExecutionRecord) keptExecution {
			return keptExecution{r.Execution, r.InputHash}
		},
		func(k keptExecution) *store.ExecutionRecord {
			return &store.ExecutionRecord{Execution: k.Execution, InputHash: k.InputHash}
		}),
	of(memory.KindRun,
		func(i *store.RunItem) memory.Run { return i.Run },
		func(k memory.Run) *store.RunItem { return &store.RunItem{Run: k} }),
	of(memory.KindVerdict,
		func(r *store.VerdictRecord) keptVerdict { return keptVerdict{r.Verdict, r.InputHash} },
		func(k keptVerdict) *store.VerdictRecord {
			return &store.VerdictRecord{Verdict: k.Verdict, InputHash: k.InputHash}
		}),
	of(memory.KindPattern,
		func(i *store.PatternItem) keptPattern { return keptPattern{i.Pattern, i.Sections} },
		func(k keptPattern) *store.PatternItem {
			return &store.PatternItem{Pattern: k.Pattern, Sections: k.LearnedFrom}
		}),
	of(KindSectionType,
		func(i *store.SectionTypeItem) keptSectionType { return keptSectionType(*i) },
		func(k keptSectionType) *store.SectionTypeItem { return (*store.SectionTypeItem)(&k) }),
	of(KindJudgeThreshold,
		func(i *store.JudgeThresholdItem) memory.JudgeThreshold { return i.JudgeThreshold },
		func(k memory.JudgeThreshold) *store.JudgeThresholdItem {
			return &store.JudgeThresholdItem{JudgeThreshold: k}
		}),
	of(memory.KindObservation,
		func(r *store.ObservationRecord) keptObservation {
			return keptObservation{r.Observation, r.InputHash}
		},
		func(k keptObservation) *store.ObservationRecord {
			return &store.ObservationRecord{Observation: k.Observation, InputHash: k.InputHash}
		}),
	of(memory.KindCorrection,
		func(r *store.CorrectionRecord) keptCorrection {
			return keptCorrection{r.Correction, r.InputHash}
		},
		func(k keptCorrection) *store.CorrectionRecord {
			return &store.CorrectionRecord{Correction: k.Correction, InputHash: k.InputHash}
		}),
	of(KindSpan,
		func(i *store.SpanItem) keptSpan { return keptSpan{i.Trace, i.Span, i.Receipt, i.ArrivedAt} },
		func(k keptSpan) *store.SpanItem {
			return &store.SpanItem{HeldSpan: store.HeldSpan{Trace: k.Trace, Span: k.Span, Receipt: k.Receipt}, ArrivedAt: k.ArrivedAt}
		}),
	of(KindTombstone,
		func(t store.Tombstone) keptTombstone { return keptTombstone{t} },
		func(k keptTombstone) store.Tombstone { return k.Hash }),
}

func encodeEpisode(r *store.EpisodeRecord) keptEpisode {
	return keptEpisode{r.Episode, r.CausedBy, r.Mentions, r.Events, r.InputHash}
}

func decodeEpisode(k keptEpisode) *store.EpisodeRecord {
	for i := range k.Events {
		k.Events[i].Sequence = i
	}
	return &store.EpisodeRecord{
		Episode: k.Episode, CausedBy: k.CausedBy, Mentions: k.Mentions, Events: k.Events, InputHash: k.InputHash,
	}
}
