package transfer

import (
	"mneme/memory"
	"mneme/store"
)

// Format is the version of the lines that are written, in the first of them. Lines of a newer one are refused.
const Format = 1

// The kinds of lines that are not kinds of records.
const (
	KindTenant      memory.Kind = "tenant"
	KindRelation    memory.Kind = "relation"
	KindSectionType memory.Kind = "sectionType"
	KindSpan        memory.Kind = "span"
	KindTombstone   memory.Kind = "tombstone"
)

// codecs are all kinds of lines. A new kind of record is a type with the fields of its line, and an entry here.
var codecs = []codec{
	of(KindTenant,
		func(i *store.TenantItem) keptTenant { return keptTenant{Format, i.InputKey, i.VectorLength} },
		func(k keptTenant) *store.TenantItem {
			return &store.TenantItem{InputKey: k.InputKey, VectorLength: k.VectorLength}
		}),
	of(memory.KindAgent,
		func(i *store.AgentItem) agent { return agent(i.Agent) },
		func(k agent) *store.AgentItem { return &store.AgentItem{Agent: memory.Agent(k)} }),
	of(memory.KindMemoir,
		func(r *store.MemoirRecord) keptMemoir { return keptMemoir{memoir(r.Memoir), r.InputHash} },
		func(k keptMemoir) *store.MemoirRecord {
			return &store.MemoirRecord{Memoir: memory.Memoir(k.memoir), InputHash: k.InputHash}
		}),
	of(memory.KindConcept,
		func(r *store.ConceptRecord) keptConcept { return keptConcept{concept(r.Concept), r.InputHash} },
		func(k keptConcept) *store.ConceptRecord {
			return &store.ConceptRecord{Concept: memory.Concept(k.concept), InputHash: k.InputHash}
		}),
	of(KindRelation,
		func(i *store.RelationItem) relation { return relation(i.Relation) },
		func(k relation) *store.RelationItem {
			return &store.RelationItem{Relation: memory.Relation(k)}
		}),
	of(memory.KindEpisode, encodeEpisode, decodeEpisode),
	of(memory.KindCanvas,
		func(i *store.CanvasItem) keptCanvas { return keptCanvas{canvas(i.Canvas), i.Named, i.Hashes} },
		func(k keptCanvas) *store.CanvasItem {
			return &store.CanvasItem{Canvas: memory.Canvas(k.canvas), Named: k.Named, Hashes: k.Hashes}
		}),
	of(memory.KindFeedback,
		func(i *store.FeedbackItem) keptFeedback {
			return keptFeedback{feedback(i.Feedback), i.Linked, i.InputHash}
		},
		func(k keptFeedback) *store.FeedbackItem {
			record := store.FeedbackRecord{Feedback: memory.Feedback(k.feedback), InputHash: k.InputHash}
			return &store.FeedbackItem{FeedbackRecord: record, Linked: k.Linked}
		}),
	of(memory.KindExecution,
		func(r *store.ExecutionRecord) keptExecution {
			return keptExecution{execution(r.Execution), r.InputHash}
		},
		func(k keptExecution) *store.ExecutionRecord {
			return &store.ExecutionRecord{Execution: memory.Execution(k.execution), InputHash: k.InputHash}
		}),
	of(memory.KindRun,
		func(i *store.RunItem) run { return run(i.Run) },
		func(k run) *store.RunItem { return &store.RunItem{Run: memory.Run(k)} }),
	of(memory.KindVerdict, encodeVerdict, decodeVerdict),
	of(memory.KindPattern,
		func(i *store.PatternItem) keptPattern { return keptPattern{pattern(i.Pattern), i.Sections} },
		func(k keptPattern) *store.PatternItem {
			return &store.PatternItem{Pattern: memory.Pattern(k.pattern), Sections: k.LearnedFrom}
		}),
	of(KindSectionType,
		func(i *store.SectionTypeItem) keptSectionType { return keptSectionType(*i) },
		func(k keptSectionType) *store.SectionTypeItem { return (*store.SectionTypeItem)(&k) }),
	of(memory.KindObservation,
		func(r *store.ObservationRecord) keptObservation {
			return keptObservation{observation(r.Observation), r.InputHash}
		},
		func(k keptObservation) *store.ObservationRecord {
			return &store.ObservationRecord{Observation: memory.Observation(k.observation), InputHash: k.InputHash}
		}),
	of(memory.KindCorrection,
		func(r *store.CorrectionRecord) keptCorrection {
			return keptCorrection{correction(r.Correction), r.InputHash}
		},
		func(k keptCorrection) *store.CorrectionRecord {
			return &store.CorrectionRecord{Correction: memory.Correction(k.correction), InputHash: k.InputHash}
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
	return keptEpisode{episode(r.Episode), r.CausedBy, r.Mentions, r.Events, r.InputHash}
}

func decodeEpisode(k keptEpisode) *store.EpisodeRecord {
	for i := range k.Events {
		k.Events[i].Sequence = i
	}
	return &store.EpisodeRecord{
		Episode: memory.Episode(k.episode), CausedBy: k.CausedBy, Mentions: k.Mentions, Events: k.Events, InputHash: k.InputHash,
	}
}

func encodeVerdict(r *store.VerdictRecord) keptVerdict {
	v := &r.Verdict
	return keptVerdict{judgement(v.Judgement), v.Feedback, v.Strengths, v.Fixes, v.Plan, v.Receipt, r.InputHash}
}

func decodeVerdict(k keptVerdict) *store.VerdictRecord {
	return &store.VerdictRecord{Verdict: memory.Verdict{
		Judgement: memory.Judgement(k.judgement), Feedback: k.Feedback, Strengths: k.Strengths, Fixes: k.Fixes, Plan: k.Plan, Receipt: k.Receipt,
	}, InputHash: k.InputHash}
}
