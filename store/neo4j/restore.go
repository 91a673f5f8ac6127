package neo4j

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/settings"
	"mneme/store/restoring"
)

// Restore takes items back in one transaction; see store.Transfer.
func (s *tenantStore) Restore(ctx context.Context, items []store.Item, force bool) ([]store.Recorded, error) {
	if len(items) == 0 {
		return []store.Recorded{}, nil
	}
	if _, err := s.InputKey(ctx); err != nil {
		return nil, err
	}
	var inputKey []byte
	recorded, err := written(ctx, s, func(t *transaction) (recorded []store.Recorded, err error) {
		recorded, err = restoring.Restore(t, items, force)
		inputKey = t.inputKey
		return recorded, err
	})
	if err == nil && inputKey != nil {
		s.KeepKey(inputKey)
	}
	return recorded, err
}

// RestoreTenant sets the input key of a tenant that has nothing that was hashed with another.
func (t *transaction) RestoreTenant(tenant *store.TenantItem) error {
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
	t.inputKey = tenant.InputKey
	return t.Run(cypher.Named("restore_tenant"), cypher.Parameters{"inputKey": tenant.InputKey, "length": tenant.VectorLength}, nil)
}

// Buried locks tombstones, and gives those of ids that have one.
func (t *transaction) Buried(ids []string) (linking.KeySet, error) {
	keys, found, buried := t.tombstones(ids), linking.KeySet{}, linking.KeySet{}
	err := t.Run(cypher.Named("lock_tombstones"), cypher.Parameters{"keys": linking.SetOf(keys...).Sorted()}, func(f *bolt.Fields) {
		found.Add(bolt.List[string](f, "keys")...)
		graph.RaceIfGone(f)
	})
	for i, key := range keys {
		if found.Has(key) {
			buried.Add(ids[i])
		}
	}
	return buried, err
}

// Unbury takes tombstones away.
func (t *transaction) Unbury(ids []string) error {
	return t.Run(cypher.Named("exhume"), cypher.Parameters{"keys": linking.SetOf(t.tombstones(ids)...).Sorted()}, nil)
}

// Present locks those of records that are there.
func (t *transaction) Present(ids []string) (linking.KeySet, error) {
	known, err := graph.LockEnds(t.Transaction, ids)
	return linking.SetOf(slices.Collect(maps.Keys(known))...), err
}

// WriteItems writes items of one type, in few statements.
func (t *transaction) WriteItems(items []store.Item) ([]store.Recorded, error) {
	return restoring.Write(writers, t, items)
}

var writers = []restoring.Writer[*transaction]{
	restoring.Items((*transaction).restoreAgents), restoring.Values((*transaction).recordMemoirs), restoring.Values((*transaction).restoreConcepts),
	restoring.Items((*transaction).restoreRelations), restoring.Values((*transaction).restoreEpisodes), restoring.Items((*transaction).restoreEvents),
	restoring.Items(linked(linking.RestoreCanvases)), restoring.Items(linked(linking.RestoreFeedback)), restoring.Values((*transaction).recordExecutions),
	restoring.Items((*transaction).restoreRuns), restoring.Values((*transaction).recordVerdicts), restoring.Items((*transaction).restorePatterns),
	restoring.Kept(keeping(cypher.Named("restore_section_types"), func(i *store.SectionTypeItem) any {
		return cypher.Parameters{"key": i.Key(), "sectionType": i.SectionType, "context": bolt.JSONOrNothing(i.Context), "sections": i.Sections}
	})),
	restoring.Kept(keeping(cypher.Named("restore_judge_thresholds"), func(i *store.JudgeThresholdItem) any { return judgeThresholdRow(&i.JudgeThreshold) })),
	restoring.Values((*transaction).recordObservations), restoring.Values((*transaction).recordCorrections), restoring.Kept((*transaction).restoreSpans),
	restoring.Kept(keeping(cypher.Named("add_tombstones"), func(hash store.Tombstone) any { return hex.EncodeToString(hash) })), restoring.Values(linked(linking.RecordCanvasActions)), restoring.Values(linked(linking.RecordFeedback)),
	restoring.Values(each((*transaction).labelVerdict)),
}

func (t *transaction) restoreAgents(items []*store.AgentItem) ([]store.Recorded, error) {
	known, err := graph.LockEnds(t.Transaction, memory.Mapped(items, (*store.AgentItem).ID))
	if err != nil {
		return nil, err
	}
	recorded := make([]store.Recorded, len(items))
	for i, item := range items {
		there := known.Has(item.ID())
		if there && !item.Rename {
			continue
		}
		if err := t.saveAgent(item); err != nil {
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
			_, there, err := t.lockConcept(records[i].Concept.Key)
			if err == nil {
				err = t.saveRefined(&records[i].Concept, there)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return recorded, nil
}

func (t *transaction) restoreRelations(items []*store.RelationItem) ([]store.Recorded, error) {
	linked, err := t.linkConcepts(memory.Mapped(items, func(item *store.RelationItem) memory.Relation { return item.Relation }))
	return memory.Mapped(linked, func(pair linkedPair) store.Recorded { return pair.Recorded }), err
}

// keeping makes a function that keeps what is no record by a statement.
func keeping[I any](asked cypher.Statement, row func(I) any) func(t *transaction, items []I) error {
	return func(t *transaction, items []I) error {
		return t.Run(asked, cypher.Parameters{"rows": memory.Mapped(items, row)}, nil)
	}
}

// restoreRuns writes runs with the times that they had.
func (t *transaction) restoreRuns(items []*store.RunItem) ([]store.Recorded, error) {
	drafts := make([]newRecord, len(items))
	for i, item := range items {
		drafts[i] = newRecord{key: item.Key, properties: bolt.Encode(cypher.Parameters{"key": item.Key}, fields.Run(&item.Run))}
	}
	return t.record(memory.KindRun, drafts, cypher.Named("restore_runs"), nil)
}

// restorePatterns writes patterns and links them to those sections that they were learned from that are there.
func (t *transaction) restorePatterns(items []*store.PatternItem) ([]store.Recorded, error) {
	drafts := make([]newRecord, len(items))
	for i, item := range items {
		drafts[i] = newRecord{key: item.Key, within: memory.NodeIDs(memory.KindSection, item.Sections), properties: cypher.Parameters{
			"key": item.Key, "sections": item.Sections, "properties": patternProperties(t.TenantID, &item.Pattern),
		}}
	}
	return t.record(memory.KindPattern, drafts, cypher.Named("fold_patterns"), nil)
}

func (t *transaction) restoreSpans(items []*store.SpanItem) error {
	rows := make([]cypher.Parameters, len(items))
	for i, item := range items {
		var err error
		if rows[i], _, err = spanRow(&item.HeldSpan, item.ArrivedAt); err != nil {
			return err
		}
	}
	return t.Run(cypher.Named("hold_spans"), cypher.Parameters{"rows": rows}, nil)
}
