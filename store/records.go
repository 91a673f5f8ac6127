package store

import (
	"context"
	"fmt"
	"strings"

	"mneme/memory"
)

// Records reads and records any kind. Callers use the functions Get, List, Count and Record, which know the types.
type Records interface {
	// Get is for the function Get. Of is a nil pointer of the type that is asked for, and found a list of such pointers.
	// One that is not kept is ErrInvalid.
	Get(ctx context.Context, of any, keys []string) (found any, err error)
	// List is for the function List: found is a list of pointers to records of the type that the query is of. A query that
	// is not known is ErrInvalid, here and in Count.
	List(ctx context.Context, query any, page Page) (found any, more bool, err error)
	// Count is for the function Count.
	Count(ctx context.Context, query any) (int, error)
	// Record is for the function Record. Records are a list of one of the types of Record; there is at least one.
	Record(ctx context.Context, records any) ([]Recorded, error)
}

// Get returns records in the order of the keys, nil where there is none: a *memory.Agent, Session, Canvas, Feedback,
// Memoir, Concept, Observation, Correction, Execution, Run, Section, Verdict or Pattern; a WholeEpisode; a
// SectionTypeItem by memory.SectionsKey; or a Tombstone by the global id of what was deleted.
//
// No observation counts as accessed. Executions of episodes have the key memory.EpisodeExecutionKey; Archived says
// where each is now. Sections come with all of their judgements, without the texts of verdicts.
func Get[T any](ctx context.Context, s Records, keys []string) ([]*T, error) {
	found, err := s.Get(ctx, (*T)(nil), keys)
	if err != nil {
		return nil, err // whatever was found before
	}
	records, _ := found.([]*T)
	return records, nil
}

// GetOne returns a record as Get does.
func GetOne[T any](ctx context.Context, s Records, key string) (*T, error) {
	found, err := Get[T](ctx, s, []string{key})
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// Query lists records of a type, in an order. It is an EpisodeQuery, EventsOf, OutcomesOf, CanvasesOf, FeedbackOf,
// AllAgents, MemoirsOf, ConceptsOf, ObservationQuery, CorrectionsOf, ExecutionsOf, ProfilesOf, AgentRecordsOf, AllRuns,
// SectionsOf, VerdictQuery, JudgementQuery, ThresholdsOf, CountsOf, PatternQuery, CandidateQuery, TaskTypesOf,
// TrajectoriesOf, DueTraces or SpansOf.
type Query[T any] interface {
	// Place is where a record stands in the list.
	Place(record *T) Position
}

// All returns all of what is listed whole.
func All[T any](ctx context.Context, s Records, query Query[T]) ([]*T, error) {
	records, _, err := List(ctx, s, query, Page{})
	return records, err
}

// List returns a page of what a query lists, and whether more follow it. One round trip.
func List[T any](ctx context.Context, s Records, query Query[T], page Page) (records []*T, more bool, err error) {
	found, more, err := s.List(ctx, query, page)
	records, _ = found.([]*T) // nil with an error
	return records, more, err
}

// Count counts what a query lists, unless that says that it is not counted.
func Count[T any](ctx context.Context, s Records, query Query[T]) (int, error) {
	return s.Count(ctx, query)
}

// NewRecord is what Record takes.
type NewRecord interface {
	EpisodeRecord | CanvasActionRecord | FeedbackRecord | MemoirRecord | ConceptRecord | ObservationRecord | CorrectionRecord |
		ExecutionRecord | VerdictRecord | ConceptRefinement | AgentItem | VerdictLabel | JudgeThresholdItem | Access | TraceFailure
}

// Record writes new records and their links with others in one transaction, and answers for each; see their types. An
// AgentItem, VerdictLabel or JudgeThresholdItem replaces the former: Created is false; only an agent has a Key. Of a
// ConceptRefinement, an Access and a TraceFailure it tells only errors.
func Record[R NewRecord](ctx context.Context, s Records, records []R) ([]Recorded, error) {
	if len(records) == 0 {
		return []Recorded{}, nil
	}
	return s.Record(ctx, records)
}

// NotKept is the error of a type of which a store keeps no records.
func NotKept(of any) error { return fmt.Errorf("%w: nothing is known of a %T", ErrInvalid, of) }

// KeyOf is the key of a record.
func KeyOf[T any](record *T) (key string) {
	switch r := any(record).(type) {
	case *SectionTypeItem:
		return r.Key()
	case memory.Node:
		_, key, _ = strings.Cut(r.ID(), ":")
	}
	return key
}
