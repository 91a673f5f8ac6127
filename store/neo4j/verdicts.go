package neo4j

import (
	"cmp"
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

func verdictOf(f *bolt.Fields) *memory.Verdict {
	v := &memory.Verdict{}
	v.Judgement = *judgementOf(f)
	f.Scan(fields.Verdict(v))
	return v
}

var judgementOf = bolt.Reading(fields.Judgement, fields.JudgementLabel)

// decodeJudgement reads a row of a query that ends in the part judgement.
func decodeJudgement(row *bolt.Fields) memory.Judgement {
	return *bolt.In(row, "n", judgementOf)
}

func (t *transaction) recordVerdicts(records []store.VerdictRecord) ([]store.Recorded, error) {
	known, err := graph.LockEnds(t.Transaction, verdictScope(records))
	if err != nil {
		return nil, err
	}
	recorded, fresh := linking.Fresh(known.Hashes(memory.KindVerdict), records, func(r *store.VerdictRecord) (string, []byte) {
		return r.Verdict.Key, r.InputHash
	})
	if len(fresh) == 0 {
		return recorded, nil
	}
	return recorded, t.createVerdicts(fresh, known)
}

// verdictScope is the verdicts, and the runs and sections that they are of. A run that is locked is not
// completed meanwhile.
func verdictScope(records []store.VerdictRecord) map[memory.Kind]linking.KeySet {
	runs, sections, verdicts := linking.KeySet{}, linking.KeySet{}, linking.KeySet{}
	for i := range records {
		v := &records[i].Verdict
		runs.Add(v.RunKey)
		sections.Add(v.SectionKey)
		verdicts.Add(v.Key)
	}
	return map[memory.Kind]linking.KeySet{memory.KindRun: runs, memory.KindSection: sections, memory.KindVerdict: verdicts}
}

// createVerdicts creates verdicts, the runs and sections that are not there yet, and links what has been
// waiting for them.
func (t *transaction) createVerdicts(records []*store.VerdictRecord, known graph.Ends) error {
	rows, runs, sections, c := make([]cypher.Parameters, len(records)), []cypher.Parameters{}, []cypher.Parameters{}, linking.NewChanges()
	starts := map[string]time.Time{} // of runs, with the earliest of their verdicts
	for i, record := range records {
		v := &record.Verdict
		rows[i] = graph.Properties(t.TenantID, v.Key, record.InputHash, fields.Judgement(&v.Judgement), fields.JudgementLabel(&v.Judgement), fields.Verdict(v))
		if first, known := starts[v.RunKey]; !known || v.At.Before(first) {
			starts[v.RunKey] = v.At
		}
		c.Arrive(memory.KindRun, v.RunKey)
		c.Arrive(memory.KindVerdict, v.Key)
		if id := memory.NodeID(memory.KindSection, v.SectionKey); !known.Has(id) {
			known[id] = ""
			c.Arrive(memory.KindSection, v.SectionKey)
			sections = append(sections, cypher.Parameters{"key": v.SectionKey, "run": v.RunKey})
		}
	}
	for _, key := range graph.SortedKeys(starts) {
		runs = append(runs, cypher.Parameters{"key": key, "startedAt": bolt.Instant(starts[key])})
	}
	return t.Create(c, cypher.Named("create_verdicts"), cypher.Parameters{
		"rows": rows, "runs": runs, "sections": sections, "notice": graph.Noticed(memory.KindVerdict, rows),
	})
}

// labelVerdict sets what a person says of a verdict.
func (t *transaction) labelVerdict(label *store.VerdictLabel) error {
	values := cypher.Parameters{"key": label.Verdict, "approve": label.Approve, "labelledBy": label.LabelledBy}
	found, err := bolt.RowsOf(t.Transaction, cypher.Named("label_verdict"), values, bolt.Column[string]("key"))
	if err == nil && len(found) == 0 {
		return store.ErrNotFound
	}
	return err
}

func judgeThresholdRow(t *memory.JudgeThreshold) cypher.Parameters {
	return bolt.Encode(cypher.Parameters{"key": t.Key()}, fields.JudgeThreshold(t))
}

// applyJudgeThreshold keeps a threshold in place of another.
func (t *transaction) applyJudgeThreshold(threshold *store.JudgeThresholdItem) error {
	return t.Run(cypher.Named("apply_judge_threshold"), judgeThresholdRow(&threshold.JudgeThreshold), nil)
}

// thresholdsOf reads what was applied to judges.
func (s *tenantStore) thresholdsOf(ctx context.Context, judges []string) ([]*memory.JudgeThreshold, error) {
	if len(judges) == 0 {
		return []*memory.JudgeThreshold{}, nil
	}
	asked := s.Query(cypher.Named("judge_thresholds"), cypher.Parameters{"judges": linking.SetOf(judges...).Sorted()})
	found, err := bolt.Read(ctx, s.Connection, asked, func(f *bolt.Fields) *memory.JudgeThreshold {
		item := judgeThresholdOf(f)
		sound(f, item)
		return &item.JudgeThreshold
	})
	slices.SortFunc(found, func(a, b *memory.JudgeThreshold) int { return cmp.Compare(a.Key(), b.Key()) })
	return found, err
}

func judgeThresholdOf(f *bolt.Fields) *store.JudgeThresholdItem {
	f.Key(store.KindJudgeThreshold)
	item := &store.JudgeThresholdItem{}
	f.Scan(fields.JudgeThreshold(&item.JudgeThreshold))
	return item
}
