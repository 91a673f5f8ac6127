package sqlite

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/store"
)

// judgementFields are what a judgement keeps for good, judgementLabel what a person says of it later, verdictFields
// what the verdict says.
func judgementFields(j *memory.Judgement) []column {
	return []column{
		{"section_type", &j.SectionType}, {"context", &j.Context}, {"judge", &j.JudgeID}, {"status", oneOf(&j.Status)}, {"score", &j.Score},
		{"iteration", &j.Iteration}, {"issues", listIn(&j.Issues)}, {"patterns", listIn(&j.Patterns)}, {"at", &j.At},
	}
}

func judgementLabel(j *memory.Judgement) []column {
	return []column{{"label", &j.Label}, {"labelled_by", &j.LabelledBy}}
}

func verdictFields(v *memory.Verdict) []column {
	return []column{
		{"feedback", &v.Feedback}, {"strengths", listIn(&v.Strengths)}, {"fixes", listIn(&v.Fixes)}, {"plan", &v.Plan},
		{"tokens_before", &v.Receipt.TokensBefore}, {"tokens_after", &v.Receipt.TokensAfter}, {"redactions", listIn(&v.Receipt.Redactions)},
	}
}

// A verdict is k, the nodes of its run and its section r and s, what it says x.
var (
	judgementColumns = `k.key, coalesce(r.key, k.run) AS run, coalesce(s.key, k.section) AS section, ` +
		selected("k", judgementFields(&memory.Judgement{})) + `, ` + selected("k", judgementLabel(&memory.Judgement{}))
	verdictColumns = judgementColumns + `, ` + selected("x", verdictFields(&memory.Verdict{}))

	judgementScanner = scannerOf(judgementFields, judgementLabel)
	verdictScanner   = scannerOf(verdictFields)

	insertingJudgement = inserting("verdicts", judgementFields(&memory.Judgement{}), "id", "key", "run", "section", "input_hash")
	insertingVerdict   = inserting("verdict_texts", verdictFields(&memory.Verdict{}), "verdict")
)

const (
	judgementTables = ` LEFT JOIN nodes r ON r.id = k.run AND r.kind = 'run'
		LEFT JOIN nodes s ON s.id = k.section AND s.kind = 'section'`
	verdictTables = judgementTables + ` LEFT JOIN verdict_texts x ON x.verdict = k.id`
)

func readJudgement(r *row) *memory.Judgement {
	j := &memory.Judgement{Key: r.key(memory.KindVerdict), RunKey: r.text(), SectionKey: r.text()}
	judgementScanner.scan(j, r)
	return j
}

func readVerdict(r *row) *memory.Verdict {
	v := &memory.Verdict{Judgement: *readJudgement(r)}
	verdictScanner.scan(v, r)
	return v
}

var verdictsByKey = `SELECT ` + verdictColumns + ` FROM json_each(:keys) w
	CROSS JOIN nodes q ON q.kind = 'verdict' AND q.key = w.value CROSS JOIN verdicts k ON k.id = q.id` + verdictTables

// Verdicts reads verdicts by key.
func (t *Tenant) Verdicts(ctx context.Context, keys []string) ([]*memory.Verdict, error) {
	return recordsByKey(ctx, t, memory.KindVerdict, verdictsByKey, keys, readVerdict, func(v *memory.Verdict) string { return v.Key })
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

var lastRejections = `SELECT ` + verdictColumns + ` FROM (SELECT k.id FROM verdicts k
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

// RecordVerdicts writes a batch in one transaction.
func (t *Tenant) RecordVerdicts(ctx context.Context, records []store.VerdictRecord) ([]store.Recorded, error) {
	return recordAll(ctx, t, records, recordVerdict, func(r *store.VerdictRecord) string { return r.Verdict.Key })
}

const hashOfVerdict = `SELECT k.input_hash FROM nodes n LEFT JOIN verdicts k ON k.id = n.id WHERE n.kind = :kind AND n.key = :key`

func recordVerdict(c *conn, record *store.VerdictRecord) (created bool, err error) {
	v := &record.Verdict
	if known, err := sameAsRecorded(c, memory.KindVerdict, v.Key, hashOfVerdict, record.InputHash, &record.Former); known || err != nil {
		return false, err
	}
	run, err := ensureRun(c, v.RunKey, v.At)
	if err != nil {
		return false, err
	}
	section, err := ensureSection(c, run, &v.Judgement)
	if err != nil {
		return false, err
	}
	id, err := addNode(c, memory.KindVerdict, v.Key)
	if err != nil {
		return false, err
	}
	if err := insertVerdict(c, id, run, section, record); err != nil {
		return false, err
	}
	return true, addEdge(c, id, edgeOn, section, v.At)
}

// ensureRun answers a run's id. It started at the earliest of the times at which this is asked.
func ensureRun(c *conn, key string, at time.Time) (int64, error) {
	id, err := nodeID(c, memory.KindRun, key)
	if err != nil {
		return 0, err
	}
	if id != 0 {
		const earlier = `UPDATE runs SET started_at = :at WHERE id = :id AND started_at > :at`
		return id, c.exec(earlier, arg("id", id), arg("at", at))
	}
	if id, err = addNode(c, memory.KindRun, key); err != nil {
		return 0, err
	}
	return id, c.put(insertingRun, runFields(&memory.Run{StartedAt: at}), arg("id", id), arg("key", key))
}

// ensureSection answers the id of the section that a judgement is of.
func ensureSection(c *conn, run int64, j *memory.Judgement) (int64, error) {
	id, err := nodeID(c, memory.KindSection, j.SectionKey)
	if err != nil || id != 0 {
		return id, err
	}
	if id, err = addNode(c, memory.KindSection, j.SectionKey); err != nil {
		return 0, err
	}
	return id, addEdge(c, id, edgeInRun, run, j.At)
}

func insertVerdict(c *conn, id, run, section int64, record *store.VerdictRecord) error {
	v := &record.Verdict
	err := c.put(insertingJudgement, judgementFields(&v.Judgement), arg("id", id), arg("key", v.Key), arg("run", run),
		arg("section", section), arg("input_hash", blob(record.InputHash)))
	if err != nil {
		return err
	}
	return c.put(insertingVerdict, verdictFields(v), arg("verdict", id))
}

// LabelVerdict says whether a person would have approved.
func (t *Tenant) LabelVerdict(ctx context.Context, label store.VerdictLabel) error {
	return t.write(ctx, func(c *conn) error { return labelVerdict(c, &label) })
}

func labelVerdict(c *conn, label *store.VerdictLabel) error {
	id, err := nodeID(c, memory.KindVerdict, label.Verdict)
	if err != nil {
		return err
	}
	if id == 0 {
		return store.ErrNotFound
	}
	const set = `UPDATE verdicts SET label = :label, labelled_by = :labelled_by WHERE id = :id`
	return c.exec(set, arg("id", id), arg("label", label.Approve), arg("labelled_by", label.LabelledBy))
}

// EachJudgement hands out judgements as they are read, oldest first.
func (t *Tenant) EachJudgement(ctx context.Context, query store.JudgementQuery, each func(*memory.Judgement) error) error {
	w := judgementsOf(&query)
	return t.read(ctx, func(c *conn) error {
		return c.search(ctx, judgementsOldestFirst(w), func(r *row) error {
			judgement := readJudgement(r)
			if r.err != nil {
				r.damaged()
				return r.fault()
			}
			return each(judgement)
		}, w.args...)
	})
}

func judgementsOldestFirst(w conditions) string {
	return `SELECT ` + judgementColumns + ` FROM verdicts k` + judgementTables + ` WHERE ` + w.sql() + ` ORDER BY k.at, k.key`
}

func judgementsOf(query *store.JudgementQuery) (w conditions) {
	if query.Judge != nil {
		w.add(`k.judge = :judge`, arg("judge", query.Judge))
	}
	if query.Since != nil {
		w.add(`k.at >= :since`, arg("since", query.Since))
	}
	return w
}

// It hops from one judge to the next in the index, so that its cost is that of the judges and not of the
// verdicts.
const distinctJudges = `WITH RECURSIVE judges (judge) AS (
		SELECT min(judge) FROM verdicts
		UNION ALL
		SELECT (SELECT min(k.judge) FROM verdicts k WHERE k.judge > j.judge) FROM judges j WHERE j.judge IS NOT NULL
	) SELECT judge FROM judges WHERE judge IS NOT NULL ORDER BY judge`

// Judges reads the judges there are.
func (t *Tenant) Judges(ctx context.Context) ([]string, error) {
	judges := []string{}
	err := t.read(ctx, func(c *conn) error {
		return c.query(distinctJudges, func(r *row) error {
			if judge := r.text(); !r.unreadable() {
				judges = append(judges, judge)
			}
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return judges, nil
}
