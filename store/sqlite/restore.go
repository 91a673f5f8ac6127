package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"

	"mneme/memory"
	"mneme/store"
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
	err := t.writeTogether(ctx, func(c *db.Conn) error {
		for i, item := range items {
			if err := ctx.Err(); err != nil {
				return err
			}
			if settings, is := item.(*store.TenantItem); is {
				if err := restoreTenant(c, settings); err != nil {
					return err
				}
				continue
			}
			created, err := restoreItem(c, item, force)
			if err != nil && !isRestoreFault(err) {
				return err
			}
			recorded[i] = store.Recorded{Key: item.ID(), Created: created, Err: err}
		}
		return nil
	})
	return recorded, err
}

func isRestoreFault(err error) bool {
	return isItemFault(err) || errors.Is(err, store.ErrForgotten)
}

// restoreTenant sets the input key of a tenant that has nothing that was hashed with another.
func restoreTenant(c *db.Conn, item *store.TenantItem) error {
	key, err := schema.InputKey(c)
	if err != nil {
		return err
	}
	if !bytes.Equal(key, item.InputKey) {
		has, err := schema.AnyHashed(c)
		if err == nil && has {
			err = fmt.Errorf("%w: the tenant has records of its own, and another input key", store.ErrConflict)
		}
		if err != nil {
			return err
		}
	}
	db.Part[once](c).tombstones = nil // which are made with the key
	if err := schema.SetSetting(c, schema.SettingInputKey, item.InputKey); err != nil || item.VectorLength == 0 {
		return err
	}
	if length, err := graph.VectorLength(c); err != nil || length != 0 {
		return err
	}
	return schema.SetSetting(c, schema.SettingVectorLength, item.VectorLength)
}

// restoreItem takes one item back, if no tombstone speaks against it.
func restoreItem(c *db.Conn, item store.Item, force bool) (created bool, err error) {
	if err := admitItem(c, item, force); err != nil {
		return false, keepOut(c, item, err)
	}
	if guarded, is := item.(*store.Guarded); is {
		item = guarded.Item
	}
	for _, restore := range restorers {
		if known, created, err := restore(c, item, force); known {
			return created, err
		}
	}
	return false, fmt.Errorf("%w: nothing is known of a %T", store.ErrInvalid, item)
}

// restorer takes back the items of one type; known is false for those of another.
type restorer func(c *db.Conn, item store.Item, force bool) (known, created bool, err error)

// forced makes a restorer of a function that matters to be told of force.
func forced[I store.Item](restore func(c *db.Conn, item I, force bool) (created bool, err error)) restorer {
	return func(c *db.Conn, item store.Item, force bool) (known, created bool, err error) {
		i, known := item.(I)
		if !known {
			return false, false, nil
		}
		created, err = restore(c, i, force)
		return true, created, err
	}
}

// recorded makes a restorer of a function that writes a record.
func recorded[I store.Item](restore func(c *db.Conn, item I) (created bool, err error)) restorer {
	return forced(func(c *db.Conn, item I, _ bool) (bool, error) { return restore(c, item) })
}

// kept makes a restorer of a function that writes what is no record.
func kept[I store.Item](restore func(c *db.Conn, item I) error) restorer {
	return forced(func(c *db.Conn, item I, _ bool) (bool, error) { return false, restore(c, item) })
}

var restorers = []restorer{
	recorded(restoreAgent), recorded(createMemoir), recorded(restoreConcept), recorded(restoreRelation), recorded(recordEpisode),
	recorded(restoreEvent),
	recorded(restoreCanvas), recorded(restoreFeedback), recorded(recordExecution), recorded(restoreRun), forced(restoreVerdict),
	recorded(restorePattern), kept(restoreSectionType), kept(restoreJudgeThreshold), recorded(restoreObservation), recorded(recordCorrection), kept(restoreSpan),
	kept(restoreTombstone), recorded(recordCanvasAction), recorded(recordFeedback), kept(labelVerdict),
}

// keepOut leaves a tombstone of an item that is forgotten.
func keepOut(c *db.Conn, item store.Item, cause error) error {
	left := store.Leaves(item)
	if left == "" || !errors.Is(cause, store.ErrForgotten) {
		return cause
	}
	g, err := tombstonesOf(c)
	if err == nil {
		err = g.add(left)
	}
	return cmp.Or(err, cause)
}

// admitItem is admit for an item; what is there already is not asked about.
func admitItem(c *db.Conn, item store.Item, force bool) error {
	if dead, err := anyTombstones(c); !dead || err != nil {
		return err
	}
	if guarded, is := item.(*store.Guarded); is {
		return admit(c, guarded.Unless, force)
	}
	ids := item.Owners()
	if own := item.ID(); own != "" {
		if node, err := graph.FindNode(c, own); node != 0 || err != nil {
			return err
		}
		ids = append(ids, own)
	}
	return admit(c, ids, force)
}

// admit answers ErrForgotten where a tombstone of any of the ids keeps an item out, or else removes their
// tombstones.
func admit(c *db.Conn, ids []string, force bool) error {
	if len(ids) == 0 {
		return nil
	}
	g, err := tombstonesOf(c)
	if err != nil {
		return err
	}
	if force {
		return g.exhume(ids...)
	}
	forgotten, err := g.forgotten(ids...)
	if err == nil && forgotten {
		err = store.ErrForgotten
	}
	return err
}

func restoreAgent(c *db.Conn, item *store.AgentItem) (created bool, err error) {
	known, err := graph.NodeID(c, memory.KindAgent, item.Key)
	if err != nil || known != 0 && !item.Rename {
		return false, err
	}
	_, err = graph.EnsureAgent(c, item.Key, &item.Name)
	return known == 0 && err == nil, err
}

func restoreConcept(c *db.Conn, record *store.ConceptRecord) (created bool, err error) {
	if created, err = addConcept(c, record); err != nil || !created || len(record.Concept.Revisions) == 0 {
		return created, err
	}
	id, err := graph.NodeID(c, memory.KindConcept, record.Concept.Key)
	if err != nil {
		return false, err
	}
	return true, updateConcept(c, id, &record.Concept)
}

func restoreRelation(c *db.Conn, item *store.RelationItem) (created bool, err error) {
	source, target, err := ends(c, &item.Relation)
	if err != nil {
		return false, err
	}
	if source == 0 || target == 0 {
		return false, store.ErrNotFound
	}
	if _, linked, err := linkedAt(c, source, &item.Relation); linked || err != nil {
		return false, err
	}
	return true, graph.AddEdge(c, source, string(item.Type), target, item.CreatedAt)
}

// restoreCanvas writes a canvas with its actions, and then its link.
func restoreCanvas(c *db.Conn, item *store.CanvasItem) (created bool, err error) {
	if known, err := graph.NodeID(c, memory.KindCanvas, item.Key); known != 0 || err != nil {
		return false, err
	}
	if len(item.Actions) == 0 || len(item.Hashes) != len(item.Actions) {
		return false, fmt.Errorf("%w: a canvas has actions, and a hash for each", store.ErrInvalid)
	}
	record := store.CanvasActionRecord{
		Canvas: item.Key, Episode: item.Named, Session: item.SessionKey, CanvasType: item.CanvasType,
		ComponentType: item.ComponentType, Action: item.Actions[0],
	}
	canvas, err := addCanvas(c, &record)
	if err != nil {
		return false, err
	}
	if _, err := complete(c, &canvas, &record); err != nil {
		return false, err
	}
	for i := range item.Actions {
		record.Action, record.InputHash = item.Actions[i], item.Hashes[i]
		if err := addAction(c, &canvas, &record); err != nil {
			return false, err
		}
	}
	return true, relinkCanvas(c, canvas, item)
}

// relinkCanvas links a canvas as it was linked, or lets it wait again.
func relinkCanvas(c *db.Conn, canvas shown, item *store.CanvasItem) error {
	episode, err := optionalNode(c, memory.KindEpisode, item.EpisodeKey)
	switch {
	case err != nil:
		return err
	case episode != 0 && canvas.fresh:
		return graph.Present(c, canvas.id, 0, episode, canvas.createdAt, canvas.next)
	case episode != 0:
		return graph.MoveCanvas(c, canvas.id, episode)
	}
	by := canvas.Leads()
	if by.Kind == linking.Session {
		return graph.Wait(c, by.Kind, by.Key, canvas.id)
	}
	return linkCanvas(c, canvas, by)
}

func restoreFeedback(c *db.Conn, item *store.FeedbackItem) (created bool, err error) {
	f := &item.Feedback
	if known, err := sameAsRecorded(c, memory.KindFeedback, f.Key, item.InputHash); known || err != nil {
		return false, err
	}
	id, err := writeFeedback(c, &item.FeedbackRecord)
	if err != nil {
		return false, err
	}
	episode, err := optionalNode(c, memory.KindEpisode, item.Linked)
	by := linking.Feedback(f)
	switch {
	case err != nil:
	case episode != 0:
		err = graph.Receive(c, id, 0, episode, f)
	case by.Kind == linking.Session && by.Waits():
		err = graph.Wait(c, by.Kind, by.Key, id)
	default:
		err = linkFeedback(c, id, f)
	}
	return err == nil, err
}

func restoreObservation(c *db.Conn, record *store.ObservationRecord) (created bool, err error) {
	o := &record.Observation
	if created, err = recordObservation(c, record); err != nil || !created || o.LastAccessedAt == nil {
		return created, err
	}
	id, err := graph.NodeID(c, memory.KindObservation, o.Key)
	if err != nil {
		return false, err
	}
	return true, c.Put(countAccesses, observationUse(o), db.Arg("id", id))
}

// optionalNode is the node of a key, 0 where there is none.
func optionalNode(c *db.Conn, kind memory.Kind, key *string) (int64, error) {
	if key == nil {
		return 0, nil
	}
	return graph.NodeID(c, kind, *key)
}
