package sqlite

import (
	"context"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

// A verdict is k, the nodes of its run and its section r and s, what it says x.
var (
	judgementColumns = `k.key, coalesce(r.key, k.run) AS run, coalesce(s.key, k.section) AS section, ` +
		db.Selected("k", fields.Judgement(&memory.Judgement{}), fields.JudgementLabel(&memory.Judgement{}))
	verdictColumns = judgementColumns + `, ` + db.Selected("x", fields.Verdict(&memory.Verdict{}))

	readJudgement  = db.ScannerOf(fields.Judgement, fields.JudgementLabel).Read
	verdictScanner = db.ScannerOf(fields.Verdict)

	insertingJudgement = db.Inserting("verdicts", slices.Concat(fields.Judgement(&memory.Judgement{}), fields.JudgementLabel(&memory.Judgement{})), "id", "key", "run", "section", "input_hash")
	insertingVerdict   = db.Inserting("verdict_texts", fields.Verdict(&memory.Verdict{}), "verdict")
)

const (
	judgementTables = ` LEFT JOIN nodes r ON r.id = k.run AND r.kind = 'run'
		LEFT JOIN nodes s ON s.id = k.section AND s.kind = 'section'`
	verdictTables = judgementTables + ` LEFT JOIN verdict_texts x ON x.verdict = k.id`
	verdictRow    = `verdicts k ON k.id = n.id` + verdictTables
)

func readVerdict(r *db.Row) *memory.Verdict {
	v := &memory.Verdict{Judgement: *readJudgement(r)}
	verdictScanner.Scan(v, r)
	return v
}

// verdictsPage selects a page, newest first. What comes on it is found first, without reading what it says.
func verdictsPage(query *store.VerdictQuery, page *store.Page) (find string, w db.Conditions) {
	from, w := verdictsOf(query)
	w.AddAfter(`k.at`, page.After)
	return `SELECT ` + verdictColumns + ` FROM (SELECT k.id` + from + ` WHERE ` + w.SQL() + ` ORDER BY k.at DESC, k.key LIMIT :limit) p
		CROSS JOIN verdicts k ON k.id = p.id` + verdictTables + ` ORDER BY k.at DESC, k.key`, w
}

// verdictsOf says where the verdicts of a query are, but for its page: in the index of the narrowest
// condition, which SQLite could not tell from the others.
func verdictsOf(query *store.VerdictQuery) (from string, w db.Conditions) {
	index := `verdicts_by_time`
	for _, condition := range []struct {
		text, index, name string
		value             *string
	}{
		{`k.section_type = :section_type`, `verdicts_by_section_type`, "section_type", query.SectionType},
		{`k.judge = :judge`, `verdicts_by_judge`, "judge", query.Judge},
		{`k.run = (SELECT id FROM nodes WHERE kind = 'run' AND key = :run)`, `verdicts_by_run`, "run", query.Run},
		{`k.section = (SELECT id FROM nodes WHERE kind = 'section' AND key = :section)`, `verdicts_by_section`, "section", query.Section},
	} {
		if condition.value != nil {
			index = condition.index
			w.Add(condition.text, db.Arg(condition.name, condition.value))
		}
	}
	if query.Rejecting {
		w.Add(`k.status <> 'APPROVE'`)
	}
	return ` FROM verdicts k INDEXED BY ` + index, w
}

func recordVerdict(tx *db.Tx, record *store.VerdictRecord) (created bool, err error) {
	v := &record.Verdict
	if known, err := sameAsRecorded(tx, memory.KindVerdict, v.Key, record.InputHash); known || err != nil {
		return false, err
	}
	run := ensureRun(tx, v.RunKey, v.At)
	section := ensureSection(tx, run, &v.Judgement)
	id := graph.AddNode(tx, memory.KindVerdict, v.Key)
	tx.Put(insertingJudgement, slices.Concat(fields.Judgement(&v.Judgement), fields.JudgementLabel(&v.Judgement)), db.Arg("id", id), db.Arg("key", v.Key), db.Arg("run", run),
		db.Arg("section", section), db.Arg("input_hash", record.InputHash))
	tx.Put(insertingVerdict, fields.Verdict(v), db.Arg("verdict", id))
	graph.Notice(tx, memory.KindVerdict, id)
	graph.AddEdge(tx, id, graph.EdgeOn, section, v.At)
	return true, nil
}

// ensureRun answers a run's id. It started at the earliest of the times at which this is asked.
func ensureRun(tx *db.Tx, key string, at time.Time) int64 {
	id := graph.NodeID(tx, memory.KindRun, key)
	if id != 0 {
		tx.Exec(`UPDATE runs SET started_at = :at WHERE id = :id AND started_at > :at`, db.Arg("id", id), db.Arg("at", at))
		return id
	}
	id = graph.AddNode(tx, memory.KindRun, key)
	tx.Put(insertingRun, fields.Run(&memory.Run{StartedAt: at}), db.Arg("id", id), db.Arg("key", key))
	return id
}

// ensureSection answers the id of the section that a judgement is of.
func ensureSection(tx *db.Tx, run int64, j *memory.Judgement) int64 {
	id := graph.NodeID(tx, memory.KindSection, j.SectionKey)
	if id == 0 {
		id = graph.AddNode(tx, memory.KindSection, j.SectionKey)
		graph.AddEdge(tx, id, graph.EdgeInRun, run, j.At)
	}
	return id
}

// labelVerdict says whether a person would have approved.
func labelVerdict(tx *db.Tx, label *store.VerdictLabel) (created bool, err error) {
	id := graph.NodeID(tx, memory.KindVerdict, label.Verdict)
	if id == 0 {
		return false, store.ErrNotFound
	}
	const set = `UPDATE verdicts SET label = :label, labelled_by = :labelled_by WHERE id = :id`
	tx.Exec(set, db.Arg("id", id), db.Arg("label", label.Approve), db.Arg("labelled_by", label.LabelledBy))
	return false, nil
}

// judgementsPage selects a page, oldest first.
func judgementsPage(query *store.JudgementQuery, page *store.Page) (find string, w db.Conditions) {
	from, w := verdictsOf(&store.VerdictQuery{Judge: query.Judge})
	switch {
	case page.After != nil:
		w.Add(`k.at >= :after_at AND (k.at > :after_at OR k.key > :after_key)`, db.Arg("after_at", page.After.At), db.Arg("after_key", page.After.Key))
	case query.Since != nil:
		w.Add(`k.at >= :since`, db.Arg("since", query.Since))
	}
	return `SELECT ` + judgementColumns + from + judgementTables + ` WHERE ` + w.SQL() + ` ORDER BY k.at, k.key LIMIT :limit`, w
}

// distinct selects the names in a column. It hops from one to the next in an index: its cost is that of the names, not
// of the rows.
func distinct(column, table string) string {
	return strings.NewReplacer("{column}", column, "{table}", table).Replace(`SELECT name FROM (
		WITH RECURSIVE names (name) AS (
			SELECT min({column}) FROM {table}
			UNION ALL
			SELECT (SELECT min(k.{column}) FROM {table} k WHERE k.{column} > j.name) FROM names j WHERE j.name IS NOT NULL
		) SELECT name FROM names WHERE name IS NOT NULL)`)
}

var distinctNames = map[store.NamesOf]string{
	store.TaskTypes:    distinct("task_type", "episodes") + ` UNION ` + distinct("task_type", "profiles") + ` ORDER BY 1`,
	store.Judges:       distinct("judge", "verdicts") + ` ORDER BY 1`,
	store.SectionTypes: distinct("section_type", "verdicts") + ` ORDER BY 1`,
}

// Names reads the names there are.
func (t *Tenant) Names(ctx context.Context, of store.NamesOf) ([]string, error) {
	names := []string{}
	err := t.each(ctx, distinctNames[of], func(r *db.Row) {
		if name := r.Text(); !r.Unreadable() {
			names = append(names, name)
		}
	})
	return names, err
}

// A threshold of a judge is k.
var (
	judgeThresholdColumns   = db.Selected("k", fields.JudgeThreshold(&memory.JudgeThreshold{}))
	judgeThresholdScanner   = db.ScannerOf(fields.JudgeThreshold)
	insertingJudgeThreshold = db.Inserting("judge_thresholds", fields.JudgeThreshold(&memory.JudgeThreshold{}), "key")

	thresholdsOfJudges = `SELECT k.key, ` + judgeThresholdColumns + ` FROM judge_thresholds k
		WHERE k.judge IN (SELECT value FROM json_each(:judges)) ORDER BY k.key`
	exportJudgeThresholds = `SELECT k.key, ` + judgeThresholdColumns + ` FROM judge_thresholds k ORDER BY k.key`
)

func readJudgeThreshold(r *db.Row) *memory.JudgeThreshold {
	r.Key(store.KindJudgeThreshold)
	t := &memory.JudgeThreshold{}
	judgeThresholdScanner.Scan(t, r)
	r.Check(t.Check())
	return t
}

// putJudgeThreshold writes a threshold, over another on a condition.
func putJudgeThreshold(tx *db.Tx, t *memory.JudgeThreshold, condition string) {
	put := insertingJudgeThreshold + ` ON CONFLICT (key) DO UPDATE SET threshold = excluded.threshold, at = excluded.at` + condition
	tx.Put(put, fields.JudgeThreshold(t), db.Arg("key", t.Key()))
}
