package sqlite

import (
	"bytes"
	"context"
	"fmt"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/schema"
)

// Restore takes items back in one transaction.
func (t *Tenant) Restore(ctx context.Context, items []store.Item, force bool) ([]store.Recorded, error) {
	recorded := make([]store.Recorded, len(items))
	if len(items) == 0 {
		return recorded, nil
	}
	if _, err := t.InputKey(ctx); err != nil {
		return nil, err
	}
	err := t.writeTogether(ctx, func(tx *db.Tx) error {
		for i := 0; i < len(items) && tx.Err() == nil; i++ {
			tx.Fail(ctx.Err())
			if settings, ok := items[i].(*store.TenantItem); ok {
				tx.Fail(restoreTenant(tx, settings))
				continue
			}
			created, err := restoreItem(tx, items[i], force)
			recorded[i] = store.Recorded{Key: items[i].ID(), Created: created, Err: err}
		}
		return nil
	})
	return recorded, err
}

// restoreTenant sets the input key of a tenant that has nothing that was hashed with another.
func restoreTenant(tx *db.Tx, item *store.TenantItem) error {
	if !bytes.Equal(db.Ask(tx, schema.InputKey), item.InputKey) && db.Ask(tx, schema.AnyHashed) {
		return fmt.Errorf("%w: the tenant has records of its own, and another input key", store.ErrConflict)
	}
	db.Part[once](tx).inputKey = item.InputKey
	tx.Fail(schema.SetSetting(tx.Conn, schema.SettingInputKey, item.InputKey))
	if item.VectorLength != 0 && db.Ask(tx, graph.VectorLength) == 0 {
		tx.Fail(schema.SetSetting(tx.Conn, schema.SettingVectorLength, item.VectorLength))
	}
	return nil
}

// restoreItem takes one item back, if no tombstone speaks against it. Of what one keeps out a tombstone is left.
func restoreItem(tx *db.Tx, item store.Item, force bool) (created bool, err error) {
	if err := admitItem(tx, item, force); err != nil {
		if left := store.Leaves(item); left != "" {
			tombstonesOf(tx).add(left)
		}
		return false, err
	}
	if guarded, ok := item.(*store.Guarded); ok {
		item = guarded.Item
	}
	for _, restore := range restorers {
		if known, created, err := restore(tx, item, force); known {
			return created, err
		}
	}
	return false, fmt.Errorf("%w: nothing is known of a %T", store.ErrInvalid, item)
}

// restorer takes back the items of one type; known is false for those of another.
type restorer func(tx *db.Tx, item store.Item, force bool) (known, created bool, err error)

// forced makes a restorer of a function that matters to be told of force.
func forced[I store.Item](restore func(tx *db.Tx, item I, force bool) (created bool, err error)) restorer {
	return func(tx *db.Tx, item store.Item, force bool) (known, created bool, err error) {
		i, known := item.(I)
		if known {
			created, err = restore(tx, i, force)
		}
		return known, created, err
	}
}

// recorded makes a restorer of a function that writes a record.
func recorded[I store.Item](restore func(tx *db.Tx, item I) (created bool, err error)) restorer {
	return forced(func(tx *db.Tx, item I, _ bool) (bool, error) { return restore(tx, item) })
}

// recordValue is recordOne for a function that takes the records themselves.
func recordValue[R any](record func(linking.Tx, []R) ([]store.Recorded, error)) func(tx *db.Tx, item *R) (created bool, err error) {
	one := recordOne(record)
	return func(tx *db.Tx, item *R) (bool, error) { return one(tx, *item) }
}

// kept makes a restorer of a function that writes what is no record.
func kept[I store.Item](restore func(tx *db.Tx, item I)) restorer {
	return recorded(func(tx *db.Tx, item I) (bool, error) {
		restore(tx, item)
		return false, nil
	})
}

var restorers = []restorer{
	recorded(restoreAgent), recorded(createMemoir), recorded(restoreConcept), recorded(restoreRelation), recorded(recordEpisode),
	recorded(restoreEvent),
	recorded(recordOne(linking.RestoreCanvases)), recorded(recordOne(linking.RestoreFeedback)), recorded(recordExecution), recorded(restoreRun), forced(restoreVerdict),
	recorded(restorePattern), kept(restoreSectionType), kept(restoreJudgeThreshold), recorded(recordObservation), recorded(recordCorrection), kept(restoreSpan),
	kept(restoreTombstone), recorded(recordValue(linking.RecordCanvasActions)), recorded(recordValue(linking.RecordFeedback)),
	recorded(func(tx *db.Tx, label *store.VerdictLabel) (bool, error) { return false, labelVerdict(tx, label) }),
}

// admitItem is admit for an item; what is there already is not asked about.
func admitItem(tx *db.Tx, item store.Item, force bool) error {
	if !anyTombstones(tx) {
		return nil
	}
	if guarded, ok := item.(*store.Guarded); ok {
		return admit(tx, guarded.Unless, force)
	}
	ids := store.Owners(item)
	if own := item.ID(); own != "" {
		if graph.FindNode(tx, own) != 0 {
			return nil
		}
		ids = append(ids, own)
	}
	return admit(tx, ids, force)
}

// admit answers ErrForgotten where a tombstone of any of the ids keeps an item out, or else removes their
// tombstones.
func admit(tx *db.Tx, ids []string, force bool) error {
	g := tombstonesOf(tx)
	for _, id := range ids {
		hash := db.Arg("hash", memory.Tombstone(g.inputKey, id))
		if force {
			tx.Exec(`DELETE`+ofTombstone, hash)
		} else if tx.Has(`SELECT 1`+ofTombstone, hash) {
			return store.ErrForgotten
		}
	}
	return nil
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
