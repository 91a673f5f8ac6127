package sqlite

import (
	"context"
	"database/sql/driver"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/sqlite/db"
	"mneme/store/sqlite/graph"
)

var _ store.Judged = (*Tenant)(nil)

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
	sections, err := t.sections(ctx, judgementsOfSections, keys)
	return store.InOrder(keys, sections, store.KeyOf), err
}

// sections reads the judgements of distinct keys and sorts them into sections.
func (t *Tenant) sections(ctx context.Context, find string, keys []string) ([]*memory.Section, error) {
	return answer(ctx, t.file.Read, func(c *db.Conn) ([]*memory.Section, error) {
		return sectionsIn(ctx, c, find, db.List("keys", db.Distinct(keys)))
	})
}

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

const (
	sectionTypeColumns = `SELECT k.key, k.section_type, k.context, k.sections`
	sectionTypesByKey  = sectionTypeColumns + ` FROM json_each(:keys) w CROSS JOIN section_counts k ON k.key = w.value`
)

func readSectionType(r *db.Row) *store.SectionTypeItem {
	r.Key(store.KindSectionType)
	return &store.SectionTypeItem{SectionType: r.Text(), Context: r.JSON(), Sections: r.Count()}
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
