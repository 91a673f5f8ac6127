package sqlite

import (
	"context"

	"mneme/memory"
	"mneme/store"
)

// A verdict is k, the nodes of its run and its section r and s, what it says x.
const (
	judgementColumns = `k.key, coalesce(r.key, k.run), coalesce(s.key, k.section), k.section_type, k.context, k.judge, k.status, k.score, k.iteration,
		k.issues, k.patterns, k.label, k.labelled_by, k.at`
	judgementTables = ` LEFT JOIN nodes r ON r.id = k.run AND r.kind = 'run'
		LEFT JOIN nodes s ON s.id = k.section AND s.kind = 'section'`
	verdictColumns = judgementColumns + `, x.feedback, x.strengths, x.fixes, x.plan, x.tokens_before, x.tokens_after, x.redactions`
	verdictTables  = judgementTables + ` LEFT JOIN verdict_texts x ON x.verdict = k.id`
)

func readJudgement(r *row) *memory.Judgement {
	return &memory.Judgement{
		Key: r.key(memory.KindVerdict), RunKey: r.text(), SectionKey: r.text(), SectionType: r.text(), Context: r.json(), JudgeID: r.optionalText(),
		Status: word[memory.VerdictStatus](r), Score: r.optionalFloat(), Iteration: r.count(), Issues: listOf[memory.Issue](r),
		Patterns: listOf[string](r), Label: r.optionalBool(), LabelledBy: r.optionalText(), At: r.time(),
	}
}

func readVerdict(r *row) *memory.Verdict {
	return &memory.Verdict{
		Judgement: *readJudgement(r), Feedback: r.optionalText(), Strengths: listOf[string](r), Fixes: listOf[string](r),
		Plan: r.json(), Receipt: r.receipt(),
	}
}

// Verdicts reads verdicts by key.
func (t *Tenant) Verdicts(ctx context.Context, keys []string) ([]*memory.Verdict, error) {
	const find = `SELECT ` + verdictColumns + ` FROM json_each(:keys) w
		CROSS JOIN nodes q ON q.kind = 'verdict' AND q.key = w.value CROSS JOIN verdicts k ON k.id = q.id` + verdictTables
	return recordsByKey(ctx, t, memory.KindVerdict, find, keys, readVerdict, func(v *memory.Verdict) string { return v.Key })
}

// ListVerdicts reads a page, newest first. What comes on it is found first, without reading what it says.
func (t *Tenant) ListVerdicts(ctx context.Context, query store.VerdictQuery) ([]*memory.Verdict, bool, error) {
	from, w := verdictsOf(&query)
	w.addAfter(`k.at`, query.Page.After)
	return listPage(ctx, t, verdictsNewestFirst(from, w), w, query.Page.Limit, readVerdict)
}

func verdictsNewestFirst(from string, w conditions) string {
	return `SELECT ` + verdictColumns + ` FROM (SELECT k.id` + from + ` WHERE ` + w.sql() + ` ORDER BY k.at DESC, k.key LIMIT :limit) p
		CROSS JOIN verdicts k ON k.id = p.id` + verdictTables + ` ORDER BY k.at DESC, k.key`
}

// CountVerdicts counts what a query lists.
func (t *Tenant) CountVerdicts(ctx context.Context, query store.VerdictQuery) (int, error) {
	from, w := verdictsOf(&query)
	return t.count(ctx, `SELECT count(*)`+from+` WHERE `+w.sql(), w.args)
}

// verdictsOf says where the verdicts of a query are, but for its page: in the index of the narrowest
// condition, which SQLite could not tell from the others.
func verdictsOf(query *store.VerdictQuery) (from string, w conditions) {
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
			w.add(condition.text, arg(condition.name, condition.value))
		}
	}
	return ` FROM verdicts k INDEXED BY ` + index, w
}

const lastRejections = `SELECT ` + verdictColumns + ` FROM (SELECT k.id FROM verdicts k
		WHERE k.section = (SELECT id FROM nodes WHERE kind = 'section' AND key = :section) AND k.status <> 'APPROVE'
		ORDER BY k.iteration DESC, k.at DESC, k.key DESC LIMIT :limit) p
	CROSS JOIN verdicts k ON k.id = p.id` + verdictTables + ` ORDER BY k.iteration, k.at, k.key`

// RejectionsOf reads a section's last verdicts that do not approve.
func (t *Tenant) RejectionsOf(ctx context.Context, section string, limit int) ([]*memory.Verdict, error) {
	rejections := []*memory.Verdict{}
	err := t.read(ctx, func(c *conn) error {
		return c.query(lastRejections, func(r *row) error {
			rejections = keep(r, rejections, readVerdict(r))
			return nil
		}, arg("section", section), arg("limit", max(limit, 0)))
	})
	if err != nil {
		return nil, err
	}
	return rejections, nil
}
