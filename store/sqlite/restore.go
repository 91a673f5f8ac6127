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
		return restoring.Restore(restoration{&erasure{linker: linkerOf(tx)}}, items, force)
	})
}

// restoration is a write as package restoring has it.
type restoration struct{ *erasure }

// RestoreTenant sets the input key of a tenant that has nothing that was hashed with another.
func (r restoration) RestoreTenant(item *store.TenantItem) error {
	if !bytes.Equal(db.Ask(r.Tx, schema.InputKey), item.InputKey) && db.Ask(r.Tx, schema.AnyHashed) {
		return fmt.Errorf("%w: the tenant has records of its own, and another input key", store.ErrConflict)
	}
	*db.Part[inputKey](r.Tx) = item.InputKey
	r.Fail(schema.SetSetting(r.Conn, schema.SettingInputKey, item.InputKey))
	if item.VectorLength != 0 && db.Ask(r.Tx, graph.VectorLength) == 0 {
		r.Fail(schema.SetSetting(r.Conn, schema.SettingVectorLength, item.VectorLength))
	}
	return r.Err()
}

// Buried finds those that have a tombstone.
func (r restoration) Buried(ids []string) (linking.KeySet, error) {
	buried := linking.KeySet{}
	if !r.Any(`tombstones`) {
		return buried, r.Err()
	}
	key := inputKeyOf(r.Tx)
	for _, id := range ids {
		if r.Has(`SELECT 1`+ofTombstone, db.Arg("hash", memory.Tombstone(key, id))) {
			buried.Add(id)
		}
	}
	return buried, r.Err()
}

// Unbury takes tombstones away.
func (r restoration) Unbury(ids []string) error {
	if !r.Any(`tombstones`) {
		return r.Err()
	}
	key := inputKeyOf(r.Tx)
	for _, id := range ids {
		r.Exec(`DELETE`+ofTombstone, db.Arg("hash", memory.Tombstone(key, id)))
	}
	return r.Err()
}

// Present finds those that are there.
func (r restoration) Present(ids []string) (linking.KeySet, error) {
	return linking.SetOf(slices.DeleteFunc(ids, func(id string) bool { return graph.FindNode(r.Tx, id) == 0 })...), r.Err()
}

// WriteItems writes items of one type.
func (r restoration) WriteItems(items []store.Item) ([]store.Recorded, error) {
	recorded, err := restoring.Write(writers, r.Tx, items)
	return recorded, cmp.Or(err, r.Err())
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
