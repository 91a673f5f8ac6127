package sqlite

import (
	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
	"mneme/store/sqlite/learning"
)

// Statements of an export that stream what was learned and judged, each in the order of the keys.
var (
	exportExecutions = `SELECT ` + learning.Columns + `, x.input_hash FROM nodes n CROSS JOIN executions x ON x.id = n.id LEFT JOIN nodes o ON o.id = x.profile
		WHERE n.kind = 'execution' AND n.key NOT GLOB 'episode:*' ORDER BY n.key`

	sectionsOfPattern = `(SELECT json_group_array(key) FROM (SELECT s.key FROM edges l JOIN nodes s ON s.id = l.target
		WHERE l.source = n.id AND l.type = 'LEARNED_FROM' ORDER BY s.key))`

	exportSectionTypes = sectionTypeColumns + ` FROM section_counts k ORDER BY k.key`

	exportSpans = `SELECT trace, span, data, arrived_at FROM spans ORDER BY trace, span`
)

// restoreRun writes a run with the times that it had.
func restoreRun(tx *db.Tx, item *store.RunItem) (created bool, err error) {
	if graph.NodeID(tx, memory.KindRun, item.Key) != 0 {
		return false, nil
	}
	id := ensureRun(tx, item.Key, item.StartedAt)
	tx.Exec(`UPDATE runs SET completed_at = :at WHERE id = :id`, db.Arg("id", id), db.Arg("at", item.CompletedAt))
	return true, nil
}

func restorePattern(tx *db.Tx, item *store.PatternItem) (created bool, err error) {
	if graph.NodeID(tx, memory.KindPattern, item.Key) != 0 {
		return false, nil
	}
	createPattern(tx, &judging.LearnedPattern{Pattern: item.Pattern, Sections: item.Sections}, item.LastSeen)
	return true, nil
}

func restoreSectionType(tx *db.Tx, item *store.SectionTypeItem) {
	const add = `INSERT INTO section_counts (key, section_type, context, sections) VALUES (:key, :type, :context, :sections) ON CONFLICT DO NOTHING`
	tx.Exec(add, db.Arg("key", item.Key()), db.Arg("type", item.SectionType), db.Arg("context", item.Context), db.Arg("sections", item.Sections))
}

// restoreJudgeThreshold keeps a threshold unless what is there is as late.
func restoreJudgeThreshold(tx *db.Tx, item *store.JudgeThresholdItem) {
	putJudgeThreshold(tx, &item.JudgeThreshold, ` WHERE excluded.at > judge_thresholds.at`)
}

func restoreSpan(tx *db.Tx, item *store.SpanItem) {
	data, err := memory.JSONOf(&item.HeldSpan)
	tx.Fail(err)
	addSpan(tx, &item.HeldSpan, item.ArrivedAt, data)
}
