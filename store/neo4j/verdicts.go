package neo4j

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/store"
)

// verdictProperties are what a verdict's node holds from the start.
func verdictProperties(tenant string, record *store.VerdictRecord) (parameters, error) {
	v := &record.Verdict
	properties := parameters{
		"tenant": tenant, "key": v.Key, "run": v.RunKey, "section": v.SectionKey, "sectionType": v.SectionType,
		"context": jsonOrNothing(v.Context), "judge": v.JudgeID, "status": string(v.Status), "score": v.Score,
		"iteration": v.Iteration, "patterns": orNothing(v.Patterns), "feedback": v.Feedback,
		"strengths": orNothing(v.Strengths), "fixes": orNothing(v.Fixes), "plan": jsonOrNothing(v.Plan),
		"at": instant(v.At), "inputHash": hashText(record.InputHash),
	}
	if len(v.Issues) > 0 {
		issues, err := memory.JSONOf(v.Issues)
		if err != nil {
			return nil, err
		}
		properties["issues"] = string(issues)
	}
	encodeReceipt(properties, v.Receipt)
	return properties, nil
}

// jsonOrNothing leaves null out of a node; JSON text is never empty.
func jsonOrNothing(value memory.JSON) any {
	if len(value) == 0 {
		return nil
	}
	return string(value)
}

func decodeVerdict(row *neo4j.Record) (*memory.Verdict, error) {
	node, err := column[neo4j.Node]("v")(row)
	f := &fields{node: node, err: err}
	return f.verdict(), f.err
}

func (f *fields) verdict() *memory.Verdict {
	return &memory.Verdict{
		Judgement: f.judgement(), Feedback: f.optionalText("feedback"), Strengths: list[string](f, "strengths"),
		Fixes: list[string](f, "fixes"), Plan: f.json("plan"), Receipt: f.receipt(),
	}
}

// decodeJudgement reads a row of a query that ends in the part judgement.
func decodeJudgement(row *neo4j.Record) (memory.Judgement, error) {
	f, err := judgementFields(row)
	if err != nil {
		return memory.Judgement{}, err
	}
	return f.judgement(), f.err
}

// judgementFields reads a judgement later.
func judgementFields(row *neo4j.Record) (*fields, error) {
	properties, err := column[map[string]any]("judgement")(row)
	return fieldsOf(properties), err
}

func (f *fields) judgement() memory.Judgement {
	return memory.Judgement{
		Key: f.key(memory.KindVerdict), RunKey: f.text("run"), SectionKey: f.text("section"), SectionType: f.text("sectionType"),
		Context: f.json("context"), JudgeID: f.optionalText("judge"), Status: word[memory.VerdictStatus](f, "status"),
		Score: f.optionalNumber("score"), Iteration: f.count("iteration"), Issues: f.issues(),
		Patterns: list[string](f, "patterns"), Label: optional[bool](f, "label"), LabelledBy: f.optionalText("labelledBy"),
		At: f.instant("at"),
	}
}

func (f *fields) issues() []memory.Issue {
	issues := []memory.Issue{}
	if text := f.optionalText("issues"); text != nil {
		f.check("issues", decodeKept(*text, &issues))
	}
	return issues
}

// Verdicts reads known verdicts; see store.VerdictReader.
func (s *tenantStore) Verdicts(ctx context.Context, keys []string) ([]*memory.Verdict, error) {
	return readByKey(ctx, s, named("verdicts"), keys, decodeVerdict, func(v *memory.Verdict) string { return v.Key })
}

// verdictList is a query for verdicts, newest first.
type verdictList struct {
	// Fixed is the property that the query fixes and an index begins with, the most telling one; or "".
	Fixed        string
	After, Count bool
}

func (s *tenantStore) verdictQuery(q store.VerdictQuery, count bool) query {
	form := verdictList{After: q.Page.After != nil, Count: count}
	switch {
	case q.Section != nil:
		form.Fixed = "section"
	case q.Run != nil:
		form.Fixed = "run"
	case q.Judge != nil:
		form.Fixed = "judge"
	case q.SectionType != nil:
		form.Fixed = "sectionType"
	}
	values := ownedParameters(nil, q.Page)
	values["section"], values["run"], values["judge"], values["sectionType"] = q.Section, q.Run, q.Judge, q.SectionType
	return s.query(rendered("list_verdicts", form), values)
}

// ListVerdicts reads a page of verdicts; see store.VerdictReader.
func (s *tenantStore) ListVerdicts(ctx context.Context, q store.VerdictQuery) ([]*memory.Verdict, bool, error) {
	list := func(ctx context.Context, p store.Page) ([]*memory.Verdict, error) {
		q.Page = p
		return read(ctx, s.backend, s.verdictQuery(q, false), decodeVerdict)
	}
	return pageInBytes(ctx, q.Page, list, func(v *memory.Verdict) store.Position { return store.Position{At: v.At, Key: v.Key} })
}

// CountVerdicts counts verdicts; see store.VerdictReader.
func (s *tenantStore) CountVerdicts(ctx context.Context, q store.VerdictQuery) (int, error) {
	q.Page = store.Page{}
	return s.count(ctx, s.verdictQuery(q, true))
}

// RejectionsOf reads the last verdicts on a section that do not approve; see store.HistoryReader.
func (s *tenantStore) RejectionsOf(ctx context.Context, section string, limit int) ([]*memory.Verdict, error) {
	return read(ctx, s.backend, s.query(named("rejections"), parameters{
		"section": section, "limit": limit, "earliest": instant(earliest), "approval": string(memory.VerdictApprove),
	}), decodeVerdict)
}

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
