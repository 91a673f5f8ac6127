package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/restoring"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/schema"
)

// Restore takes items back in one transaction.
func (t *Tenant) Restore(ctx context.Context, items []store.Item, force bool) ([]store.Recorded, error) {
	if len(items) == 0 {
		return []store.Recorded{}, nil
	}
	if _, err := t.InputKey(ctx); err != nil {
		return nil, err
	}
	return answer(ctx, t.writeTogether, func(tx *db.Tx) ([]store.Recorded, error) {
		return restoring.Restore(&erasure{linkerOf(tx)}, items, force)
	})
}

// RestoreTenant sets the input key of a tenant that has nothing that was hashed with another.
func (e *erasure) RestoreTenant(item *store.TenantItem) error {
	if !bytes.Equal(db.Ask(e.Tx, schema.InputKey), item.InputKey) && db.Ask(e.Tx, schema.AnyHashed) {
		return fmt.Errorf("%w: the tenant has records of its own, and another input key", store.ErrConflict)
	}
	*db.Part[inputKey](e.Tx) = item.InputKey
	e.Fail(schema.SetSetting(e.Conn, schema.SettingInputKey, item.InputKey))
	if item.VectorLength != 0 && db.Ask(e.Tx, graph.VectorLength) == 0 {
		e.Fail(schema.SetSetting(e.Conn, schema.SettingVectorLength, item.VectorLength))
	}
	return e.Err()
}

// Buried finds those that have a tombstone.
func (e *erasure) Buried(ids []string) (linking.KeySet, error) {
	buried := linking.KeySet{}
	if !e.Any(`tombstones`) {
		return buried, e.Err()
	}
	key := inputKeyOf(e.Tx)
	for _, id := range ids {
		if e.Has(`SELECT 1`+ofTombstone, db.Arg("hash", memory.Tombstone(key, id))) {
			buried.Add(id)
		}
	}
	return buried, e.Err()
}

// Unbury takes tombstones away.
func (e *erasure) Unbury(ids []string) error {
	if !e.Any(`tombstones`) {
		return e.Err()
	}
	key := inputKeyOf(e.Tx)
	for _, id := range ids {
		e.Exec(`DELETE`+ofTombstone, db.Arg("hash", memory.Tombstone(key, id)))
	}
	return e.Err()
}

// Present finds those that are there.
func (e *erasure) Present(ids []string) (linking.KeySet, error) {
	return linking.SetOf(slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return graph.FindNode(e.Tx, id) == 0 })...), e.Err()
}

// WriteItems writes items of one type.
func (e *erasure) WriteItems(items []store.Item) ([]store.Recorded, error) {
	recorded, err := restoring.Write(writers, e.Tx, items)
	return recorded, cmp.Or(err, e.Err())
}

// kept makes a writer of a function that writes what is no record.
func kept[I store.Item](write func(tx *db.Tx, item I)) restoring.Writer[*db.Tx] {
	return restoring.Kept(func(tx *db.Tx, items []I) error {
		for i := 0; i < len(items) && tx.Err() == nil; i++ {
			write(tx, items[i])
		}
		return tx.Err()
	})
}

var writers = []restoring.Writer[*db.Tx]{
	restoring.Values(each(restoreAgent)), restoring.Values(each(createMemoir)), restoring.Values(each(restoreConcept)), restoring.Values(each(restoreRelation)),
	restoring.Values(each(recordEpisode)), restoring.Values(each(restoreEvent)), restoring.Items(linked(linking.RestoreCanvases)),
	restoring.Items(linked(linking.RestoreFeedback)), restoring.Values(each(recordExecution)), restoring.Values(each(restoreRun)),
	restoring.Values(each(recordVerdict)), restoring.Values(each(restorePattern)), kept(restoreSectionType), kept(restoreJudgeThreshold),
	restoring.Values(each(recordObservation)), restoring.Values(each(recordCorrection)), kept(restoreSpan), kept(restoreTombstone),
	restoring.Values(linked(linking.RecordCanvasActions)), restoring.Values(linked(linking.RecordFeedback)), restoring.Values(each(labelVerdict)),
}

func restoreAgent(tx *db.Tx, item *store.AgentItem) (created bool, err error) {
	known := graph.NodeID(tx, memory.KindAgent, item.Key) != 0
	if !known || item.Rename {
		graph.EnsureAgent(tx, item.Key, &item.Name)
	}
	return !known, nil
}

func restoreConcept(tx *db.Tx, record *store.ConceptRecord) (created bool, err error) {
	created, err = addConcept(tx, record)
	if created && len(record.Concept.Revisions) > 0 {
		tx.Put(updatingConcept, fields.ConceptContent(&record.Concept), db.Arg("id", graph.NodeID(tx, memory.KindConcept, record.Concept.Key)))
	}
	return created, err
}

func restoreRelation(tx *db.Tx, item *store.RelationItem) (created bool, err error) {
	relation := item.Relation
	return linkConcepts(tx, &relation)
}
