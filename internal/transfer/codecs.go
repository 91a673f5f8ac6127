package transfer

import (
	"fmt"

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
		func(k keptTenant) (*store.TenantItem, error) {
			if k.Format < 1 || k.Format > Format {
				return nil, fmt.Errorf("the export has format %d, and this mneme knows up to %d: use a newer mneme", k.Format, Format)
			}
			return &store.TenantItem{InputKey: k.InputKey, VectorLength: k.VectorLength}, nil
		}),
	of(memory.KindAgent,
		func(i *store.AgentItem) agent { return agent(i.Agent) },
		func(k agent) (*store.AgentItem, error) { return &store.AgentItem{Agent: memory.Agent(k)}, nil }),
	of(memory.KindMemoir,
		func(r *store.MemoirRecord) keptMemoir { return keptMemoir{memoir(r.Memoir), r.InputHash} },
		func(k keptMemoir) (*store.MemoirRecord, error) {
			return &store.MemoirRecord{Memoir: memory.Memoir(k.memoir), InputHash: k.InputHash}, nil
		}),
	of(memory.KindConcept,
		func(r *store.ConceptRecord) keptConcept { return keptConcept{concept(r.Concept), r.InputHash} },
		func(k keptConcept) (*store.ConceptRecord, error) {
			return &store.ConceptRecord{Concept: memory.Concept(k.concept), InputHash: k.InputHash}, nil
		}),
	of(KindRelation,
		func(i *store.RelationItem) relation { return relation(i.Relation) },
		func(k relation) (*store.RelationItem, error) {
			r := memory.Relation(k)
			return &store.RelationItem{Relation: r}, r.Check()
		}),
	of(memory.KindEpisode, encodeEpisode, decodeEpisode),
	of(memory.KindCanvas,
		func(i *store.CanvasItem) keptCanvas { return keptCanvas{canvas(i.Canvas), i.Named, i.Hashes} },
		func(k keptCanvas) (*store.CanvasItem, error) {
			return &store.CanvasItem{Canvas: memory.Canvas(k.canvas), Named: k.Named, Hashes: k.Hashes}, nil
		}),
	of(memory.KindFeedback,
		func(i *store.FeedbackItem) keptFeedback {
			return keptFeedback{feedback(i.Feedback), i.Linked, i.InputHash}
		},
		func(k keptFeedback) (*store.FeedbackItem, error) {
			record := store.FeedbackRecord{Feedback: memory.Feedback(k.feedback), InputHash: k.InputHash}
			return &store.FeedbackItem{FeedbackRecord: record, Linked: k.Linked}, nil
		}),
	of(memory.KindExecution,
		func(r *store.ExecutionRecord) keptExecution {
			return keptExecution{execution(r.Execution), r.InputHash}
		},
		func(k keptExecution) (*store.ExecutionRecord, error) {
			return &store.ExecutionRecord{Execution: memory.Execution(k.execution), InputHash: k.InputHash}, nil
		}),
	of(memory.KindRun,
		func(i *store.RunItem) run { return run(i.Run) },
		func(k run) (*store.RunItem, error) { return &store.RunItem{Run: memory.Run(k)}, nil }),
	of(memory.KindVerdict, encodeVerdict, decodeVerdict),
	of(memory.KindPattern,
		func(i *store.PatternItem) keptPattern { return keptPattern{pattern(i.Pattern), i.Sections} },
		func(k keptPattern) (*store.PatternItem, error) {
			return &store.PatternItem{Pattern: memory.Pattern(k.pattern), Sections: k.LearnedFrom}, nil
		}),
	of(KindSectionType,
		func(i *store.SectionTypeItem) keptSectionType { return keptSectionType(*i) },
		func(k keptSectionType) (*store.SectionTypeItem, error) { return (*store.SectionTypeItem)(&k), nil }),
	of(memory.KindObservation,
		func(r *store.ObservationRecord) keptObservation {
			return keptObservation{observation(r.Observation), r.InputHash}
		},
		func(k keptObservation) (*store.ObservationRecord, error) {
			return &store.ObservationRecord{Observation: memory.Observation(k.observation), InputHash: k.InputHash}, nil
		}),
	of(memory.KindCorrection,
		func(r *store.CorrectionRecord) keptCorrection {
			return keptCorrection{correction(r.Correction), r.InputHash}
		},
		func(k keptCorrection) (*store.CorrectionRecord, error) {
			return &store.CorrectionRecord{Correction: memory.Correction(k.correction), InputHash: k.InputHash}, nil
		}),
	of(KindSpan,
		func(i *store.SpanItem) keptSpan { return keptSpan{i.Trace, i.Span, i.Receipt, i.ArrivedAt} },
		func(k keptSpan) (*store.SpanItem, error) {
			return &store.SpanItem{HeldSpan: store.HeldSpan{Trace: k.Trace, Span: k.Span, Receipt: k.Receipt}, ArrivedAt: k.ArrivedAt}, nil
		}),
	of(KindTombstone,
		func(t store.Tombstone) keptTombstone { return keptTombstone{t} },
		func(k keptTombstone) (store.Tombstone, error) { return k.Hash, nil }),
}

func encodeEpisode(r *store.EpisodeRecord) keptEpisode {
	return keptEpisode{episode(r.Episode), r.CausedBy, r.Mentions, r.Events, r.InputHash}
}

func decodeEpisode(k keptEpisode) (*store.EpisodeRecord, error) {
	for i := range k.Events {
		k.Events[i].Sequence = i
	}
	return &store.EpisodeRecord{
		Episode: memory.Episode(k.episode), CausedBy: k.CausedBy, Mentions: k.Mentions, Events: k.Events, InputHash: k.InputHash,
	}, nil
}

func encodeVerdict(r *store.VerdictRecord) keptVerdict {
	v := &r.Verdict
	return keptVerdict{judgement(v.Judgement), v.Feedback, v.Strengths, v.Fixes, v.Plan, v.Receipt, r.InputHash}
}

func decodeVerdict(k keptVerdict) (*store.VerdictRecord, error) {
	return &store.VerdictRecord{Verdict: memory.Verdict{
		Judgement: memory.Judgement(k.judgement), Feedback: k.Feedback, Strengths: k.Strengths, Fixes: k.Fixes, Plan: k.Plan, Receipt: k.Receipt,
	}, InputHash: k.InputHash}, nil
}
