package store

import (
	"context"
	"fmt"
	"sync"

	"mneme/memory"
)

// ExportWhole is Export without what Restore would refuse because something else cannot be read: the concepts of a
// memoir, the relations of a concept, and the log of an episode, that the export is without. It tells of them, too.
func ExportWhole(ctx context.Context, from Transfer, each func(Item) error) error {
	memoirs := map[string]bool{}
	var without sync.Map // the ids of concepts and episodes
	ctx = WithDamage(ctx, func(damaged *Damaged) {
		if damaged.Kind == memory.KindConcept || damaged.Kind == memory.KindEpisode && !damaged.InLog {
			without.Store(damaged.ID(), true)
		}
	})
	return from.Export(ctx, func(item Item) error {
		missing := ""
		switch i := item.(type) {
		case *MemoirRecord:
			memoirs[i.Memoir.Key] = true
		case *ConceptRecord:
			if !memoirs[i.Concept.MemoirKey] {
				missing = memory.NodeID(memory.KindMemoir, i.Concept.MemoirKey)
			}
		case *EventItem:
			id := memory.NodeID(memory.KindEpisode, i.Episode)
			if _, gone := without.Load(id); gone {
				missing = id
			}
		case *RelationItem:
			for _, end := range []string{i.SourceKey, i.TargetKey} {
				if id := memory.NodeID(memory.KindConcept, end); missing == "" {
					if _, gone := without.Load(id); gone {
						missing = id
					}
				}
			}
		}
		if missing == "" {
			return each(item)
		}
		damaged := named(item)
		damaged.Cause = fmt.Errorf("%s is gone or cannot be read", missing)
		NoteDamage(ctx, damaged)
		return nil
	})
}
