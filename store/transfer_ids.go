package store

import (
	"slices"

	"mneme/memory"
)

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

// Owners are the global ids of the agent, the episode, the memoir, the concepts and the people whose an item is. A
// tombstone of any, or of its own id, keeps it from coming back.
func Owners(item Item) []string { //nolint:gocyclo // a line for each kind of item
	switch i := item.(type) {
	case *Guarded:
		return Owners(i.Item)
	case *ConceptRecord:
		return ids(memory.KindMemoir, &i.Concept.MemoirKey)
	case *RelationItem:
		return ids(memory.KindConcept, &i.SourceKey, &i.TargetKey)
	case *EpisodeRecord:
		return append(ids(memory.KindAgent, &i.Episode.AgentKey), ids(memory.KindPerson, i.Episode.UserID)...)
	case *EventItem:
		return ids(memory.KindEpisode, &i.Episode)
	case *CanvasItem: // of the episodes that it is linked to and that its actions name
		return append(ids(memory.KindEpisode, i.EpisodeKey, i.Named), ids(memory.KindPerson, i.UserID)...)
	case *CanvasActionRecord:
		return slices.Concat(ids(memory.KindCanvas, &i.Canvas), ids(memory.KindEpisode, i.Episode), ids(memory.KindPerson, i.User))
	case *FeedbackRecord:
		return i.owners()
	case *FeedbackItem: // of the episodes that it is linked to and that it names
		return append(ids(memory.KindEpisode, i.Linked, i.Feedback.EpisodeKey), ids(memory.KindPerson, i.Feedback.CreatedBy, i.Feedback.UserID)...)
	case *ExecutionRecord:
		return ids(memory.KindAgent, &i.Execution.AgentKey)
	case *VerdictLabel: // that a person is forgotten takes their label from a verdict, no more
		return ids(memory.KindPerson, i.LabelledBy)
	case *ObservationRecord:
		return ids(memory.KindPerson, i.Observation.UserID)
	case *CorrectionRecord:
		return ids(memory.KindPerson, i.Correction.CreatedBy)
	case *SpanItem: // of the episode that its trace becomes, and the agent that it names
		owners := ids(memory.KindEpisode, &i.Trace)
		if agent := i.Span.Names(); agent != "" {
			owners = append(owners, memory.NodeID(memory.KindAgent, agent))
		}
		return owners
	}
	return nil
}

// owners are the episode that it names, or the canvas where that leads to its episode, and the people.
func (r *FeedbackRecord) owners() []string {
	owners := append(ids(memory.KindEpisode, r.EpisodeKey), ids(memory.KindPerson, r.CreatedBy, r.UserID)...)
	if r.EpisodeKey == nil && r.AgentExecutionID == nil {
		owners = append(owners, ids(memory.KindCanvas, r.CanvasKey)...)
	}
	return owners
}

func ids(kind memory.Kind, keys ...*string) []string {
	var named []string
	for _, key := range keys {
		if key != nil {
			named = append(named, memory.NodeID(kind, *key))
		}
	}
	return named
}
