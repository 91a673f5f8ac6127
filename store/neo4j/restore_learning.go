package neo4j

import (
	"errors"

	"mneme/memory"
	"mneme/store"
)

// restoreRuns writes runs with the times that they had.
func (t *transaction) restoreRuns(items []*store.RunItem) ([]store.Recorded, error) {
	known, err := t.lockEnds(map[memory.Kind]keySet{
		memory.KindRun: setOf(texts(items, func(i *store.RunItem) string { return i.Key })...),
	})
	if err != nil {
		return nil, err
	}
	recorded, rows, arrived, c := make([]store.Recorded, len(items)), []parameters{}, arrivals{}, newChanges()
	for i, item := range items {
		if known.has(item.ID()) {
			continue
		}
		known.add(memory.KindRun, item.Key)
		arrived.add(memory.KindRun, item.Key)
		recorded[i].Created = true
		rows = append(rows, parameters{
			"key": item.Key, "startedAt": instant(item.StartedAt), "completedAt": optionalInstant(item.CompletedAt),
		})
	}
	if len(rows) == 0 {
		return recorded, nil
	}
	if err := t.create(c, named("restore_runs"), parameters{"rows": rows}, arrived); err != nil {
		return nil, err
	}
	return recorded, c.apply(t)
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
		if !recorded[i].Created || v.Label == nil || v.LabelledBy != nil && forgotten.has(*v.LabelledBy) {
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
func (r *restoreRun) forgottenPeople(records []store.VerdictRecord) (keySet, error) {
	people, keys := map[string]string{}, keySet{} // by the key of the tombstone
	for i := range records {
		if by := records[i].Verdict.LabelledBy; by != nil {
			key := tombstoneKeys(r.inputKey, []string{memory.NodeID(memory.KindPerson, *by)})[0]
			people[key] = *by
			keys.add(key)
		}
	}
	forgotten := keySet{}
	switch {
	case len(people) == 0:
		return forgotten, nil
	case r.force:
		return forgotten, r.run(named("exhume"), parameters{"keys": keys.sorted()}, nil)
	}
	found, err := r.lockTombstones(keys)
	for key := range found {
		forgotten.add(people[key])
	}
	return forgotten, err
}

// restorePatterns writes patterns and links them to those sections that they were learned from that are there.
func (t *transaction) restorePatterns(items []*store.PatternItem) ([]store.Recorded, error) {
	patterns, sections := keySet{}, keySet{}
	for _, item := range items {
		patterns.add(item.Key)
		sections.add(item.Sections...)
	}
	known, err := t.lockEnds(map[memory.Kind]keySet{memory.KindPattern: patterns, memory.KindSection: sections})
	if err != nil {
		return nil, err
	}
	recorded, rows, arrived, c := make([]store.Recorded, len(items)), []parameters{}, arrivals{}, newChanges()
	for i, item := range items {
		if known.has(item.ID()) {
			continue
		}
		known.add(memory.KindPattern, item.Key)
		arrived.add(memory.KindPattern, item.Key)
		recorded[i].Created = true
		rows = append(rows, parameters{"key": item.Key, "sections": item.Sections, "properties": patternProperties(t.tenant, &item.Pattern)})
	}
	if len(rows) == 0 {
		return recorded, nil
	}
	if err := t.create(c, named("fold_patterns"), parameters{"rows": rows}, arrived); err != nil {
		return nil, err
	}
	return recorded, c.apply(t)
}

func (t *transaction) restoreSectionTypes(items []*store.SectionTypeItem) error {
	rows := make([]parameters, len(items))
	for i, item := range items {
		rows[i] = parameters{"key": item.SectionType, "sections": item.Sections}
	}
	return t.run(named("restore_section_types"), parameters{"rows": rows}, nil)
}

func (t *transaction) restoreSpans(items []*store.SpanItem) error {
	rows := make([]parameters, len(items))
	for i, item := range items {
		row, _, err := spanRow(&item.HeldSpan, item.ArrivedAt)
		if err != nil {
			return err
		}
		rows[i] = row
	}
	return t.run(named("hold_spans"), parameters{"rows": rows}, nil)
}
