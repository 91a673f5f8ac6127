package neo4j

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"reflect"

	"mneme/memory"
	"mneme/store"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/settings"
)

// Restore takes items back in one transaction; see store.Transfer.
func (s *tenantStore) Restore(ctx context.Context, items []store.Item, force bool) ([]store.Recorded, error) {
	if len(items) == 0 {
		return []store.Recorded{}, nil
	}
	if _, err := s.InputKey(ctx); err != nil {
		return nil, err
	}
	var tenant *store.TenantItem
	for _, item := range items {
		if i, ok := item.(*store.TenantItem); ok {
			tenant = i
		}
	}
	recorded, err := written(ctx, s, func(t *transaction) ([]store.Recorded, error) { return t.restore(items, tenant, force) })
	if err != nil {
		return nil, err
	}
	if tenant != nil {
		s.KeepKey(tenant.InputKey)
	}
	return recorded, nil
}

// restore takes back runs of items of one kind, each in few statements.
func (t *transaction) restore(items []store.Item, tenant *store.TenantItem, force bool) ([]store.Recorded, error) {
	inputKey := t.store.KnownKey()
	if tenant != nil {
		if err := t.restoreTenant(tenant); err != nil {
			return nil, err
		}
		inputKey = tenant.InputKey
	}
	keptOut, err := graph.AdmitItems(t.Transaction, inputKey, items, force)
	if err != nil {
		return nil, err
	}
	recorded := make([]store.Recorded, len(items))
	admitted, indexes := []store.Item{}, []int{}
	for i, item := range items {
		if keptOut[i] {
			recorded[i] = store.Recorded{Key: item.ID(), Err: store.ErrForgotten}
			continue
		}
		if guarded, ok := item.(*store.Guarded); ok {
			item = guarded.Item
		}
		admitted, indexes = append(admitted, item), append(indexes, i)
	}
	for first := 0; first < len(admitted); {
		next := first + 1
		for next < len(admitted) && reflect.TypeOf(admitted[next]) == reflect.TypeOf(admitted[first]) {
			next++
		}
		run := &restoreRun{transaction: t, inputKey: inputKey, force: force, items: admitted[first:next]}
		written, err := run.write()
		if err != nil {
			return nil, err
		}
		for i, index := range indexes[first:next] {
			recorded[index] = written[i]
			recorded[index].Key = run.items[i].ID()
		}
		first = next
	}
	return recorded, nil
}

// restoreTenant sets the input key of a tenant that has nothing that was hashed with another.
func (t *transaction) restoreTenant(tenant *store.TenantItem) error {
	key, err := settings.EnsureInputKey(t.Transaction)
	if err != nil {
		return err
	}
	if !bytes.Equal(key, tenant.InputKey) {
		has, err := settings.AnyHashed(t.Transaction)
		if err != nil {
			return err
		}
		if has {
			return fmt.Errorf("%w: the tenant has records of its own, and another input key", store.ErrConflict)
		}
	}
	return t.Run(cypher.Named("restore_tenant"), cypher.Parameters{"inputKey": tenant.InputKey, "length": tenant.VectorLength}, nil)
}

// restoreRun is neighbouring items of one type, whose records are written together.
type restoreRun struct {
	*transaction
	inputKey []byte
	force    bool
	items    []store.Item
}

func (r *restoreRun) write() ([]store.Recorded, error) {
	for _, restore := range restorers {
		if recorded, known, err := restore(r); known {
			return recorded, err
		}
	}
	return nil, fmt.Errorf("%w: nothing is known of a %T", store.ErrInvalid, r.items[0])
}

// restorer writes the items that a run has gathered; known is false for those of another type.
type restorer func(r *restoreRun) (recorded []store.Recorded, known bool, err error)

// items makes a restorer of a function that writes records.
func items[I store.Item](restore func(r *restoreRun, items []I) ([]store.Recorded, error)) restorer {
	return func(r *restoreRun) ([]store.Recorded, bool, error) {
		typed := make([]I, len(r.items))
		for i, item := range r.items {
			var known bool
			if typed[i], known = item.(I); !known {
				return nil, false, nil
			}
		}
		recorded, err := restore(r, typed)
		return recorded, true, err
	}
}

// kept is items for what is no record.
func kept[I store.Item](restore func(r *restoreRun, items []I) error) restorer {
	return items(func(r *restoreRun, items []I) ([]store.Recorded, error) {
		return make([]store.Recorded, len(items)), restore(r, items)
	})
}

// restored makes a function of package linking one of a run.
func restored[I any](restore func(tx linking.Tx, items []I) ([]store.Recorded, error)) func(r *restoreRun, items []I) ([]store.Recorded, error) {
	return func(r *restoreRun, items []I) ([]store.Recorded, error) { return restore(r.transaction, items) }
}

// records is items for a function that takes the records themselves.
func records[T any, I interface {
	*T
	store.Item
}](restore func(r *restoreRun, records []T) ([]store.Recorded, error)) restorer {
	return items(func(r *restoreRun, items []I) ([]store.Recorded, error) {
		values := make([]T, len(items))
		for i, item := range items {
			values[i] = *item
		}
		return restore(r, values)
	})
}

var restorers = []restorer{
	kept(func(*restoreRun, []*store.TenantItem) error { return nil }), // came first
	items((*restoreRun).restoreAgents), records((*restoreRun).recordMemoirs), records((*restoreRun).restoreConcepts),
	items((*restoreRun).restoreRelations), records((*restoreRun).restoreEpisodes), items((*restoreRun).restoreEvents), items(restored(linking.RestoreCanvases)),
	items(restored(linking.RestoreFeedback)), records((*restoreRun).recordExecutions), items((*restoreRun).restoreRuns),
	records((*restoreRun).restoreVerdicts), items((*restoreRun).restorePatterns), kept((*restoreRun).restoreSectionTypes), kept((*restoreRun).restoreJudgeThresholds),
	records((*restoreRun).restoreObservations), records((*restoreRun).recordCorrections), kept((*restoreRun).restoreSpans),
	kept((*restoreRun).restoreTombstones), records(restored(linking.RecordCanvasActions)), records(restored(linking.RecordFeedback)),
	items((*restoreRun).restoreLabels),
}

func (t *transaction) restoreAgents(items []*store.AgentItem) ([]store.Recorded, error) {
	keys := graph.KeySet{}
	for _, item := range items {
		keys.Add(item.Key)
	}
	known, err := graph.LockEnds(t.Transaction, map[memory.Kind]graph.KeySet{memory.KindAgent: keys})
	if err != nil {
		return nil, err
	}
	recorded := make([]store.Recorded, len(items))
	for i, item := range items {
		there := known.Has(item.ID())
		if there && !item.Rename {
			continue
		}
		if err := t.saveAgent(item.Agent); err != nil {
			return nil, err
		}
		recorded[i].Created = !there
		known.Add(memory.KindAgent, item.Key)
	}
	return recorded, nil
}

// restoreConcepts writes concepts, and their revisions and later times after them.
func (t *transaction) restoreConcepts(records []store.ConceptRecord) ([]store.Recorded, error) {
	recorded, err := t.recordConcepts(records)
	if err != nil {
		return nil, err
	}
	for i := range records {
		if recorded[i].Created && len(records[i].Concept.Revisions) > 0 {
			if err := t.saveRefined(&records[i].Concept); err != nil {
				return nil, err
			}
		}
	}
	return recorded, nil
}

func (t *transaction) restoreRelations(items []*store.RelationItem) ([]store.Recorded, error) {
	relations := make([]memory.Relation, len(items))
	for i, item := range items {
		relations[i] = item.Relation
	}
	linked, err := t.linkConcepts(relations)
	if err != nil {
		return nil, err
	}
	recorded := make([]store.Recorded, len(items))
	for i, pair := range linked {
		if recorded[i].Created = pair.created; !pair.found {
			recorded[i].Err = store.ErrNotFound
		}
	}
	return recorded, nil
}

func (t *transaction) restoreTombstones(tombstones []store.Tombstone) error {
	keys := bolt.Texts(tombstones, func(hash store.Tombstone) string { return hex.EncodeToString(hash) })
	return t.Run(cypher.Named("add_tombstones"), cypher.Parameters{"keys": keys}, nil)
}
