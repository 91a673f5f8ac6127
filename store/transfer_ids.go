package store

import "mneme/memory"

// The ids of most items are those of the records that they embed.

// Leaves is the global id of which an item that a tombstone keeps out leaves another, so that what is of it is
// kept out too; empty for none.
func Leaves(item Item) string {
	switch i := item.(type) {
	case *Guarded:
		return "" // it was asked about what others are not
	case *CanvasActionRecord:
		return memory.NodeID(memory.KindCanvas, i.Canvas)
	case *SpanItem:
		return memory.NodeID(memory.KindEpisode, i.Trace)
	}
	return item.ID()
}

// ID is empty: a tenant is no record.
func (i *TenantItem) ID() string { return "" }

// ID is empty: a relation is no record of its own.
func (i *RelationItem) ID() string { return "" }

// ID is empty: an event is no record of its own.
func (i *EventItem) ID() string { return "" }

// ID is empty: what is there already of a canvas does not say that the action is.
func (r *CanvasActionRecord) ID() string { return "" }

// ID is empty: a label is no record.
func (l *VerdictLabel) ID() string { return "" }

// ID is empty: a count is no record.
func (i *SectionTypeItem) ID() string { return "" }

// ID is empty: a threshold is no record.
func (i *JudgeThresholdItem) ID() string { return "" }

// ID is empty: a span is no record of its own.
func (i *SpanItem) ID() string { return "" }

// ID is empty: a tombstone does not say what it is of.
func (Tombstone) ID() string { return "" }

// Owners are none.
func (i *TenantItem) Owners() []string { return nil }

// Owners are none: an agent is nobody's.
func (i *AgentItem) Owners() []string { return nil }

// Owners are none.
func (r *MemoirRecord) Owners() []string { return nil }

// Owners are the memoir.
func (r *ConceptRecord) Owners() []string { return ids(memory.KindMemoir, &r.Concept.MemoirKey) }

// Owners are both concepts.
func (i *RelationItem) Owners() []string { return ids(memory.KindConcept, &i.SourceKey, &i.TargetKey) }

// Owners are the agent.
func (r *EpisodeRecord) Owners() []string { return ids(memory.KindAgent, &r.Episode.AgentKey) }

// Owners are the episode.
func (i *EventItem) Owners() []string { return ids(memory.KindEpisode, &i.Episode) }

// Owners are the episodes that it is linked to and that its actions name.
func (i *CanvasItem) Owners() []string { return ids(memory.KindEpisode, i.EpisodeKey, i.Named) }

// Owners are the canvas, and the episode that it names.
func (r *CanvasActionRecord) Owners() []string {
	return append(ids(memory.KindCanvas, &r.Canvas), ids(memory.KindEpisode, r.Episode)...)
}

// Owners are the episode that it names, or the canvas where that leads to its episode, and the person.
func (r *FeedbackRecord) Owners() []string {
	f := &r.Feedback
	owners := append(ids(memory.KindEpisode, f.EpisodeKey), ids(memory.KindPerson, f.CreatedBy)...)
	if f.EpisodeKey == nil && f.AgentExecutionID == nil {
		owners = append(owners, ids(memory.KindCanvas, f.CanvasKey)...)
	}
	return owners
}

// Owners are the person.
func (l *VerdictLabel) Owners() []string { return ids(memory.KindPerson, l.LabelledBy) }

// Owners are the episodes that it is linked to and that it names, and the person.
func (i *FeedbackItem) Owners() []string {
	return append(ids(memory.KindEpisode, i.Linked, i.Feedback.EpisodeKey), ids(memory.KindPerson, i.Feedback.CreatedBy)...)
}

// Owners are the agent.
func (r *ExecutionRecord) Owners() []string { return ids(memory.KindAgent, &r.Execution.AgentKey) }

// Owners are none.
func (i *RunItem) Owners() []string { return nil }

// Owners are none. That a person is forgotten takes their label from a verdict, no more.
func (r *VerdictRecord) Owners() []string { return nil }

// Owners are none.
func (i *PatternItem) Owners() []string { return nil }

// Owners are none.
func (i *SectionTypeItem) Owners() []string { return nil }

// Owners are none.
func (i *JudgeThresholdItem) Owners() []string { return nil }

// Owners are the episode that its trace becomes, and the agent that it names.
func (i *SpanItem) Owners() []string {
	owners := ids(memory.KindEpisode, &i.Trace)
	if agent := i.Span.Names(); agent != "" {
		owners = append(owners, memory.NodeID(memory.KindAgent, agent))
	}
	return owners
}

// Owners are none.
func (r *ObservationRecord) Owners() []string { return nil }

// Owners are the person.
func (r *CorrectionRecord) Owners() []string { return ids(memory.KindPerson, r.Correction.CreatedBy) }

// Owners are none.
func (Tombstone) Owners() []string { return nil }

func ids(kind memory.Kind, keys ...*string) []string {
	var named []string
	for _, key := range keys {
		if key != nil {
			named = append(named, memory.NodeID(kind, *key))
		}
	}
	return named
}
