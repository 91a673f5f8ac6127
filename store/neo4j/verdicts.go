package neo4j

import (
	"cmp"
	"context"
	"slices"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/passages"
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

// recordVerdicts writes verdicts, with the runs and sections that they begin. A run that is locked is not completed
// meanwhile.
func (t *transaction) recordVerdicts(records []store.VerdictRecord) ([]store.Recorded, error) {
	drafts := make([]newRecord, len(records))
	for i := range records {
		v := &records[i].Verdict
		drafts[i] = t.draft(v.Key, records[i].InputHash, passages.Record{}, fields.Judgement(&v.Judgement), fields.JudgementLabel(&v.Judgement), fields.Verdict(v))
		drafts[i].brings = []string{memory.NodeID(memory.KindRun, v.RunKey), memory.NodeID(memory.KindSection, v.SectionKey)}
	}
	return t.record(memory.KindVerdict, drafts, cypher.Named("create_verdicts"), nil)
}

// labelVerdict sets what a person says of a verdict.
func (t *transaction) labelVerdict(label *store.VerdictLabel) error {
	values := cypher.Parameters{"key": label.Verdict, "approve": label.Approve, "labelledBy": label.LabelledBy}
	found, err := bolt.FirstOf(t.Transaction, cypher.Named("label_verdict"), values, bolt.Column[string]("key"))
	if err == nil && found == "" {
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
