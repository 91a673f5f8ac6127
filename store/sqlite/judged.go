package sqlite

import (
	"context"
	"database/sql/driver"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/judging"
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
	section := graph.NodeID(tx, memory.KindSection, v.SectionKey)
	if section == 0 {
		section = graph.AddNode(tx, memory.KindSection, v.SectionKey)
		graph.AddEdge(tx, section, graph.EdgeInRun, run, v.At)
	}
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

func thresholds(_ context.Context, c *db.Conn, of *store.ThresholdsOf, _ int) ([]*memory.JudgeThreshold, error) {
	return db.All(c, thresholdsOfJudges, readJudgeThreshold, db.List("judges", db.Distinct(of.Judges)))
}

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

// A run is k.
var (
	runColumns   = `k.key, ` + db.Selected("k", fields.Run(&memory.Run{}))
	readRun      = db.ScannerOf(fields.Run).Read
	insertingRun = db.Inserting("runs", fields.Run(&memory.Run{}), "id", "key")
	runRow       = `runs k ON k.id = n.id`
)

// runsPage selects a page, newest first.
func runsPage(_ *store.AllRuns, page *store.Page) (find string, w db.Conditions) {
	w.AddAfter(`k.started_at`, page.After)
	return `SELECT ` + runColumns + ` FROM runs k WHERE ` + w.SQL() + ` ORDER BY k.started_at DESC, k.key LIMIT :limit`, w
}

// The judgements of sections and of runs.
var (
	judgementsOfSections = `SELECT ` + judgementColumns + ` FROM json_each(:keys) w
		CROSS JOIN nodes q ON q.kind = 'section' AND q.key = w.value CROSS JOIN verdicts k ON k.section = q.id` + judgementTables
	judgementsOfRuns = `SELECT ` + judgementColumns + ` FROM json_each(:keys) w
		CROSS JOIN nodes q ON q.kind = 'run' AND q.key = w.value CROSS JOIN verdicts k ON k.run = q.id` + judgementTables
	judgementsOfRun = `SELECT ` + judgementColumns + ` FROM verdicts k` + judgementTables + ` WHERE k.run = :run`
)

// sectionsByKey reads sections.
func (t *Tenant) sectionsByKey(ctx context.Context, keys []string) ([]*memory.Section, error) {
	sections, err := answer(ctx, t.file.Read, func(c *db.Conn) ([]*memory.Section, error) {
		return sectionsIn(ctx, c, judgementsOfSections, db.List("keys", db.Distinct(keys)))
	})
	return store.InOrder(keys, sections, store.KeyOf), err
}

func sectionsOfRuns(ctx context.Context, c *db.Conn, of *store.SectionsOf, _ int) ([]*memory.Section, error) {
	return sectionsIn(ctx, c, judgementsOfRuns, db.List("keys", db.Distinct(of.Runs)))
}

// sectionsIn reads judgements and sorts them into sections.
func sectionsIn(ctx context.Context, c *db.Conn, find string, args ...driver.NamedValue) ([]*memory.Section, error) {
	var judgements []memory.Judgement
	err := c.Search(ctx, find, func(r *db.Row) {
		if judgement := readJudgement(r); !r.Dispensable(ctx) {
			judgements = append(judgements, *judgement)
		}
	}, args...)
	return memory.SectionsOf(judgements), err
}

// CompleteRun ends a run and adds what it teaches to history, both once.
func (t *Tenant) CompleteRun(ctx context.Context, completion store.RunCompletion) (store.CompletedRun, error) {
	if t.file.IsNothing() {
		return store.CompletedRun{}, store.ErrNotFound
	}
	return answer(ctx, t.file.Write, func(tx *db.Tx) (store.CompletedRun, error) { return completeRun(tx, &completion) })
}

func completeRun(tx *db.Tx, completion *store.RunCompletion) (store.CompletedRun, error) {
	var run int64
	before, whole := false, false
	const find = `SELECT n.id, k.completed_at IS NOT NULL, k.id IS NOT NULL FROM nodes n LEFT JOIN runs k ON k.id = n.id WHERE n.kind = 'run' AND n.key = :key`
	switch {
	case !tx.One(find, func(r *db.Row) { run, before, whole = r.Integer(), r.Bool(), r.Bool() }, db.Arg("key", completion.Run)):
		return store.CompletedRun{}, store.ErrNotFound
	case !whole:
		return store.CompletedRun{}, gone(memory.KindRun, completion.Run)
	}
	sections, err := sectionsIn(tx.Context, tx.Conn, judgementsOfRun, db.Arg("run", run))
	if err != nil || before {
		return store.CompletedRun{Sections: len(sections)}, err
	}
	tx.Exec(`UPDATE runs SET completed_at = :at WHERE id = :id`, db.Arg("id", run), db.Arg("at", completion.At))
	learning := judging.LearnFrom(sections, completion.Texts)
	for i := range learning.Patterns {
		learn(tx, &learning.Patterns[i], completion.At)
	}
	countSections(tx, learning.Sections)
	return store.CompletedRun{Sections: len(sections), Patterns: len(learning.Patterns)}, nil
}

var addSections = `INSERT INTO section_counts (key, section_type, context, sections) VALUES (:key, :type, :context, :more)
	ON CONFLICT DO UPDATE SET ` + graph.Increased("sections", "more")

const setTotals = `UPDATE patterns INDEXED BY patterns_by_part SET total = max(hits, (SELECT sections FROM section_counts WHERE key = :key))
	WHERE section_type = :type AND kind = 'DONT' AND context_key = :context_key`

var (
	sectionTypeColumns   = `SELECT k.key, ` + db.Selected("k", sectionType(&store.SectionTypeItem{}))
	sectionTypesByKey    = sectionTypeColumns + ` FROM json_each(:keys) w CROSS JOIN section_counts k ON k.key = w.value`
	sectionTypeScanner   = db.ScannerOf(sectionType)
	insertingSectionType = db.Inserting("section_counts", sectionType(&store.SectionTypeItem{}), "key") + ` ON CONFLICT DO NOTHING`
)

func sectionType(i *store.SectionTypeItem) fields.List {
	return fields.List{{Name: "sectionType", At: &i.SectionType}, {Name: "context", At: &i.Context}, {Name: "sections", At: &i.Sections}}
}

func readSectionType(r *db.Row) *store.SectionTypeItem {
	r.Key(store.KindSectionType)
	return sectionTypeScanner.Read(r)
}

// countSections counts the sections of types and parts of contexts, and with them the total of each issue there.
func countSections(tx *db.Tx, more []judging.SectionCount) {
	for i := range more {
		count := &more[i]
		key, sectionType := db.Arg("key", count.Key()), db.Arg("type", count.SectionType)
		tx.Exec(addSections, key, sectionType, db.Arg("context", count.Context), db.Arg("more", count.Sections))
		tx.Exec(setTotals, key, sectionType, db.Arg("context_key", memory.ContextKey(count.Context)))
	}
}

// A pattern is k.
var (
	patternColumns   = `k.key, ` + db.Selected("k", fields.Pattern(&memory.Pattern{}), fields.PatternGains(&memory.Pattern{}))
	readPattern      = db.ScannerOf(fields.Pattern, fields.PatternGains).Read
	insertingPattern = db.Inserting("patterns", slices.Concat(fields.Pattern(&memory.Pattern{}), fields.PatternGains(&memory.Pattern{})), "id", "key", "context_key")
	updatingPattern  = db.Updating("patterns", fields.PatternGains(&memory.Pattern{}), `id = :id`)
	patternRow       = `patterns k ON k.id = n.id`
)

// patternsPage selects a page, best first.
func patternsPage(query *store.PatternQuery, page *store.Page) (find string, w db.Conditions) {
	from, w := patternsOf(query)
	addAfterPattern(&w, page.After)
	return patternsBestFirst(from, w), w
}

func patternsBestFirst(from string, w db.Conditions) string {
	return `SELECT ` + patternColumns + from + ` WHERE ` + w.SQL() + ` ORDER BY k.rate DESC, k.total DESC, k.key LIMIT :limit`
}

// patternsOf says where the patterns of a query are, but for its page: in the index of what is asked for.
func patternsOf(query *store.PatternQuery) (from string, w db.Conditions) {
	w.AddGiven(`k.kind = :kind`, "kind", query.Kind)
	w.AddGiven(`k.section_type = :section_type`, "section_type", query.SectionType)
	w.AddGiven(`k.context_key = :context`, "context", query.Context)
	if query.MinRate > 0 {
		w.Add(`k.rate >= :min_rate`, db.Arg("min_rate", query.MinRate))
	}
	if query.MinTotal > 0 {
		w.Add(`k.total >= :min_total`, db.Arg("min_total", query.MinTotal))
	}
	return ` FROM patterns k INDEXED BY ` + patternIndexes[[3]bool{query.Kind != nil, query.SectionType != nil, query.Context != nil}], w
}

// patternIndexes are by whether a kind, a type of sections and a part of a context are asked for.
var patternIndexes = map[[3]bool]string{
	{}: `patterns_by_rate`, {true}: `patterns_by_kind`, {false, true}: `patterns_by_type`, {true, true}: `patterns_by_type_and_kind`,
	{false, false, true}: `patterns_by_context`, {true, false, true}: `patterns_by_context`, {false, true, true}: `patterns_by_context`,
	{true, true, true}: `patterns_by_part`,
}

// candidates reads the best of each kind in each context, at most so many.
func candidates(_ context.Context, c *db.Conn, query *store.CandidateQuery, most int) ([]*memory.Pattern, error) {
	found := []*memory.Pattern{}
	for _, bound := range query.Bounds {
		for _, part := range db.Distinct(query.Contexts) {
			from, w := patternsOf(&store.PatternQuery{
				Kind: &bound.Kind, SectionType: &query.SectionType, Context: &part, MinRate: bound.MinRate, MinTotal: bound.MinTotal,
			})
			some, err := db.All(c, patternsBestFirst(from, w), readPattern, append(w.Args, db.Arg("limit", most))...)
			if err != nil {
				return nil, err
			}
			found = append(found, some...)
		}
	}
	return found, nil
}

// addAfterPattern goes on behind a position in the order best first.
func addAfterPattern(w *db.Conditions, after *store.Position) {
	if after == nil || after.Value == nil {
		return
	}
	w.Add(`k.rate <= :after_rate AND (k.rate < :after_rate OR k.total < :after_total OR k.total = :after_total AND k.key > :after_key)`,
		db.Arg("after_rate", after.Value), db.Arg("after_total", after.Sequence), db.Arg("after_key", after.Key))
}

// learn adds what a run learned of a pattern, and links it with those of its sections that are there. An unreadable
// pattern, or one with only a node left, begins anew with it.
func learn(tx *db.Tx, gain *judging.LearnedPattern, at time.Time) {
	p, id := &gain.Pattern, graph.NodeID(tx, memory.KindPattern, gain.Key)
	var known *memory.Pattern
	if id == 0 {
		id = graph.AddNode(tx, memory.KindPattern, p.Key)
	} else {
		tx.One(`SELECT `+patternColumns+` FROM patterns k WHERE k.id = :id`, func(r *db.Row) {
			if known = readPattern(r); r.Dispensable(tx.Context) {
				known = nil
			}
		}, db.Arg("id", id))
		if known == nil {
			tx.Exec(`DELETE FROM patterns WHERE id = :id`, db.Arg("id", id))
		}
	}
	if known != nil {
		known.Add(p)
		tx.Put(updatingPattern, fields.PatternGains(known), db.Arg("id", id))
	} else {
		tx.Put(insertingPattern, slices.Concat(fields.Pattern(p), fields.PatternGains(p)), db.Arg("id", id), db.Arg("key", p.Key),
			db.Arg("context_key", memory.ContextKey(p.Context)))
	}
	for _, key := range gain.Sections {
		graph.AddEdge(tx, id, graph.EdgeLearnedFrom, graph.NodeID(tx, memory.KindSection, key), at)
	}
}
