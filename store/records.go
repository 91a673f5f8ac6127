package store

import (
	"context"
	"fmt"
	"strings"

	"mneme/memory"
)

// Records reads records of any kind. Its functions, which know their types, are Get.
type Records interface {
	// Get is for the function Get. Of is a nil pointer of the type that is asked for, and found a list of such pointers. One
	// that is not kept is ErrInvalid.
	Get(ctx context.Context, of any, keys []string) (found any, err error)
}

// Get returns records in the order of the keys, nil where there is none: a *memory.Agent, Session, Canvas, Feedback, Memoir,
// Concept, Observation, Correction, Execution, Run, Section, Verdict or Pattern.
//
// No observation counts as accessed. Executions of episodes have the key memory.EpisodeExecutionKey; Archived says where each is
// now. Sections come with all of their judgements, without the texts of verdicts.
func Get[T any](ctx context.Context, s Records, keys []string) ([]*T, error) {
	found, err := s.Get(ctx, (*T)(nil), keys)
	records, _ := found.([]*T) // nil with an error
	return records, err
}

// NotKept is the error of a type of which a store keeps no records.
func NotKept(of any) error { return fmt.Errorf("%w: nothing is known of a %T", ErrInvalid, of) }

// KeyOf is the key of a record.
func KeyOf[T any](record *T) (key string) {
	if node, ok := any(record).(memory.Node); ok {
		_, key, _ = strings.Cut(node.ID(), ":")
	}
	return key
}
