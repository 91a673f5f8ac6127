package neo4j

import (
	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// restoreRuns writes runs with the times that they had.
func (t *transaction) restoreRuns(items []*store.RunItem) ([]store.Recorded, error) {
	drafts := make([]newRecord, len(items))
	for i, item := range items {
		drafts[i] = newRecord{key: item.Key, properties: bolt.Encode(cypher.Parameters{"key": item.Key}, fields.Run(&item.Run))}
	}
	return t.record(memory.KindRun, drafts, map[memory.Kind]linking.KeySet{}, cypher.Named("restore_runs"), nil)
}

// restorePatterns writes patterns and links them to those sections that they were learned from that are there.
func (t *transaction) restorePatterns(items []*store.PatternItem) ([]store.Recorded, error) {
	sections, drafts := linking.KeySet{}, make([]newRecord, len(items))
	for i, item := range items {
		sections.Add(item.Sections...)
		drafts[i] = newRecord{key: item.Key, properties: cypher.Parameters{
			"key": item.Key, "sections": item.Sections, "properties": patternProperties(t.TenantID, &item.Pattern),
		}}
	}
	return t.record(memory.KindPattern, drafts, map[memory.Kind]linking.KeySet{memory.KindSection: sections}, cypher.Named("fold_patterns"), nil)
}

func (t *transaction) restoreSectionTypes(items []*store.SectionTypeItem) error {
	rows := make([]cypher.Parameters, len(items))
	for i, item := range items {
		rows[i] = cypher.Parameters{
			"key": item.Key(), "sectionType": item.SectionType, "context": bolt.JSONOrNothing(item.Context), "sections": item.Sections,
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
