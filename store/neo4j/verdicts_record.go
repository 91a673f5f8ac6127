package neo4j

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// RecordVerdicts writes verdicts, with their runs and sections; see store.VerdictWriter.
func (s *tenantStore) RecordVerdicts(ctx context.Context, records []store.VerdictRecord) ([]store.Recorded, error) {
	var recorded []store.Recorded
	if len(records) == 0 {
		return []store.Recorded{}, nil
	}
	return recorded, s.write(ctx, func(t *transaction) (err error) {
		recorded, err = t.recordVerdicts(records)
		return err
	})
}

func (t *transaction) recordVerdicts(records []store.VerdictRecord) ([]store.Recorded, error) {
	known, err := t.lockEnds(verdictScope(records))
	if err != nil {
		return nil, err
	}
	recorded, hashes := make([]store.Recorded, len(records)), known.hashes(memory.KindVerdict)
	var fresh []*store.VerdictRecord
	for i := range records {
		recorded[i] = compare(hashes, records[i].Verdict.Key, records[i].InputHash, &records[i].Former)
		if recorded[i].Created {
			fresh = append(fresh, &records[i])
		}
	}
	if len(fresh) == 0 {
		return recorded, nil
	}
	return recorded, t.createVerdicts(fresh, known)
}

// verdictScope is the verdicts, and the runs and sections that they are of. A run that is locked is not
// completed meanwhile.
func verdictScope(records []store.VerdictRecord) map[memory.Kind]keySet {
	runs, sections, verdicts := keySet{}, keySet{}, keySet{}
	for i := range records {
		v := &records[i].Verdict
		runs.add(v.RunKey)
		sections.add(v.SectionKey)
		verdicts.add(v.Key)
	}
	return map[memory.Kind]keySet{memory.KindRun: runs, memory.KindSection: sections, memory.KindVerdict: verdicts}
}

// createVerdicts creates verdicts, the runs and sections that are not there yet, and links what has been
// waiting for them.
func (t *transaction) createVerdicts(records []*store.VerdictRecord, known ends) error {
	rows, runs, sections, arrived := make([]parameters, len(records)), runStarts{}, []parameters{}, arrivals{}
	for i, record := range records {
		properties, err := verdictProperties(t.tenant, record)
		if err != nil {
			return err
		}
		v := &record.Verdict
		rows[i] = properties
		runs.add(v)
		arrived.add(memory.KindRun, v.RunKey)
		arrived.add(memory.KindVerdict, v.Key)
		if id := memory.NodeID(memory.KindSection, v.SectionKey); !known.has(id) {
			known[id] = ""
			arrived.add(memory.KindSection, v.SectionKey)
			sections = append(sections, parameters{"key": v.SectionKey, "run": v.RunKey})
		}
	}
	c := newChanges()
	values := parameters{"rows": rows, "runs": runs.rows(), "sections": sections}
	if err := t.create(c, named("create_verdicts"), values, arrived); err != nil {
		return err
	}
	return c.apply(t)
}

// runStarts are the earliest verdicts of runs, by their keys.
type runStarts map[string]*memory.Verdict

func (r runStarts) add(v *memory.Verdict) {
	if first := r[v.RunKey]; first == nil || v.At.Before(first.At) {
		r[v.RunKey] = v
	}
}

func (r runStarts) rows() []parameters {
	rows := make([]parameters, 0, len(r))
	for _, key := range sortedKeys(r) {
		rows = append(rows, parameters{"key": key, "startedAt": instant(r[key].At)})
	}
	return rows
}

// LabelVerdict sets what a person says of a verdict; see store.VerdictWriter.
func (s *tenantStore) LabelVerdict(ctx context.Context, label store.VerdictLabel) error {
	return s.write(ctx, func(t *transaction) error { return t.labelVerdict(label) })
}

func (t *transaction) labelVerdict(label store.VerdictLabel) error {
	values := parameters{"key": label.Verdict, "approve": label.Approve, "labelledBy": label.LabelledBy}
	found, err := rowsOf(t, named("label_verdict"), values, column[string]("key"))
	if err == nil && len(found) == 0 {
		return store.ErrNotFound
	}
	return err
}
