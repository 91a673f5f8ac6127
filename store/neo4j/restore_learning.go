package neo4j

import (
	"errors"
	"maps"

	"mneme/memory"
	"mneme/store"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

// restoreRuns writes runs with the times that they had.
func (t *transaction) restoreRuns(items []*store.RunItem) ([]store.Recorded, error) {
	return restoreMissing(t, memory.KindRun, items, nil, cypher.Named("restore_runs"), func(i *store.RunItem) cypher.Parameters {
		return cypher.Parameters{"key": i.Key, "startedAt": bolt.Instant(i.StartedAt), "completedAt": bolt.OptionalInstant(i.CompletedAt)}
	})
}

// restoreMissing writes those records of a kind that are not there, by rows of one statement. It locks what they link to
// beside them.
func restoreMissing[T memory.Node](
	t *transaction, kind memory.Kind, items []T, ends map[memory.Kind]graph.KeySet, writing cypher.Statement, rowOf func(T) cypher.Parameters,
) ([]store.Recorded, error) {
	locked := map[memory.Kind]graph.KeySet{kind: graph.SetOf(bolt.Texts(items, func(i T) string { return memory.KeyOf(kind, i.ID()) })...)}
	maps.Copy(locked, ends)
	known, err := graph.LockEnds(t.Transaction, locked)
	if err != nil {
		return nil, err
	}
	recorded, rows, arrived, c := make([]store.Recorded, len(items)), []cypher.Parameters{}, graph.Arrivals{}, graph.NewChanges()
	for i, item := range items {
		if known.Has(item.ID()) {
			continue
		}
		key := memory.KeyOf(kind, item.ID())
		known.Add(kind, key)
		arrived.Add(kind, key)
		recorded[i].Created = true
		rows = append(rows, rowOf(item))
	}
	if len(rows) == 0 {
		return recorded, nil
	}
	if err := graph.Create(t.Transaction, c, writing, cypher.Parameters{"rows": rows}, arrived); err != nil {
		return nil, err
	}
	return recorded, c.Apply(t.Transaction)
}

// restoreVerdicts writes verdicts with their labels, but for those by people with a tombstone.
func (r *restoreRun) restoreVerdicts(records []store.VerdictRecord) ([]store.Recorded, error) {
	recorded, err := r.recordVerdicts(records)
	if err != nil {
		return nil, err
	}
	forgotten, err := r.forgottenPeople(records)
	if err != nil {
		return nil, err
	}
	for i := range records {
		v := &records[i].Verdict
		if !recorded[i].Created || v.Label == nil || v.LabelledBy != nil && forgotten.Has(*v.LabelledBy) {
			continue
		}
		if err := r.labelVerdict(store.VerdictLabel{Verdict: v.Key, Approve: *v.Label, LabelledBy: v.LabelledBy}); err != nil {
			return nil, err
		}
	}
	return recorded, nil
}

// restoreLabels labels verdicts that are there.
func (t *transaction) restoreLabels(labels []*store.VerdictLabel) ([]store.Recorded, error) {
	recorded := make([]store.Recorded, len(labels))
	for i, label := range labels {
		err := t.labelVerdict(*label)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		recorded[i].Err = err
	}
	return recorded, nil
}

// forgottenPeople are those who labelled verdicts and have a tombstone; with force it removes these instead.
func (r *restoreRun) forgottenPeople(records []store.VerdictRecord) (graph.KeySet, error) {
	people, keys := map[string]string{}, graph.KeySet{} // by the key of the tombstone
	for i := range records {
		if by := records[i].Verdict.LabelledBy; by != nil {
			key := graph.TombstoneKeys(r.inputKey, []string{memory.NodeID(memory.KindPerson, *by)})[0]
			people[key] = *by
			keys.Add(key)
		}
	}
	forgotten := graph.KeySet{}
	switch {
	case len(people) == 0:
		return forgotten, nil
	case r.force:
		return forgotten, r.Run(cypher.Named("exhume"), cypher.Parameters{"keys": keys.Sorted()}, nil)
	}
	found, err := graph.LockTombstones(r.Transaction, keys)
	for key := range found {
		forgotten.Add(people[key])
	}
	return forgotten, err
}

// restorePatterns writes patterns and links them to those sections that they were learned from that are there.
func (t *transaction) restorePatterns(items []*store.PatternItem) ([]store.Recorded, error) {
	sections := graph.KeySet{}
	for _, item := range items {
		sections.Add(item.Sections...)
	}
	ends := map[memory.Kind]graph.KeySet{memory.KindSection: sections}
	return restoreMissing(t, memory.KindPattern, items, ends, cypher.Named("fold_patterns"), func(i *store.PatternItem) cypher.Parameters {
		return cypher.Parameters{"key": i.Key, "sections": i.Sections, "properties": patternProperties(t.TenantID, &i.Pattern)}
	})
}

func (t *transaction) restoreSectionTypes(items []*store.SectionTypeItem) error {
	rows := make([]cypher.Parameters, len(items))
	for i, item := range items {
		rows[i] = cypher.Parameters{
			"key": item.Key(), "sectionType": item.SectionType, "context": jsonOrNothing(item.Context), "sections": item.Sections,
		}
	}
	return t.Run(cypher.Named("restore_section_types"), cypher.Parameters{"rows": rows}, nil)
}

// restoreJudgeThresholds keeps thresholds unless what is there is as late.
func (t *transaction) restoreJudgeThresholds(items []*store.JudgeThresholdItem) error {
	rows := make([]cypher.Parameters, len(items))
	for i, item := range items {
		rows[i] = judgeThresholdRow(&item.JudgeThreshold)
	}
	return t.Run(cypher.Named("restore_judge_thresholds"), cypher.Parameters{"rows": rows}, nil)
}

func (t *transaction) restoreSpans(items []*store.SpanItem) error {
	rows := make([]cypher.Parameters, len(items))
	for i, item := range items {
		row, _, err := spanRow(&item.HeldSpan, item.ArrivedAt)
		if err != nil {
			return err
		}
		rows[i] = row
	}
	return t.Run(cypher.Named("hold_spans"), cypher.Parameters{"rows": rows}, nil)
}
