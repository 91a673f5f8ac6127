package neo4j

import (
	"cmp"
	"context"
	"slices"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
	"mneme/store/neo4j/passages"
)

var runOf = bolt.Reading(fields.Run)

// sectionsOf reads the sections whose judgements have one of the keys in a property, which names a section or a run.
func (s *tenantStore) sectionsOf(ctx context.Context, property string, keys []string) ([]*memory.Section, error) {
	if len(keys) == 0 {
		return []*memory.Section{}, nil
	}
	values := cypher.Parameters{"keys": linking.SetOf(keys...).Sorted(), "earliest": bolt.Instant(graph.Earliest)}
	judgements, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Rendered("judgements_of", property), values), decodeJudgement)
	return memory.SectionsOf(judgements), err
}

var distinctNames = map[store.NamesOf]cypher.Statement{
	store.TaskTypes: cypher.Named("all_task_types"), store.Judges: cypher.Rendered("judged_names", "judge"),
	store.SectionTypes: cypher.Rendered("judged_names", "sectionType"),
}

// Names reads the distinct names of a kind; see store.Store.
func (s *tenantStore) Names(ctx context.Context, of store.NamesOf) ([]string, error) {
	names, err := bolt.Read(ctx, s.Connection, s.Query(distinctNames[of], nil), func(row *bolt.Fields) string {
		name, _ := row.Node.Props["name"].(string) // reading the records tells of others
		return name
	})
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	slices.Sort(names)
	return names, err
}

// CompleteRun ends a run and learns from it; see store.Store.
func (s *tenantStore) CompleteRun(ctx context.Context, completion store.RunCompletion) (store.CompletedRun, error) {
	return written(ctx, s, func(t *transaction) (store.CompletedRun, error) { return t.completeRun(completion) })
}

// completeRun locks the run, then the types of its sections, then the patterns that it adds to.
func (t *transaction) completeRun(completion store.RunCompletion) (store.CompletedRun, error) {
	found, err := bolt.RowsOf(t.Transaction, cypher.Named("lock_run"), cypher.Parameters{"key": completion.Run}, func(f *bolt.Fields) *int {
		return bolt.Optional[int](f, "sections")
	})
	switch {
	case err != nil:
		return store.CompletedRun{}, err
	case len(found) == 0:
		return store.CompletedRun{}, store.ErrNotFound
	case found[0] != nil: // it is completed
		return store.CompletedRun{Sections: *found[0]}, nil
	}
	values := cypher.Parameters{"keys": []string{completion.Run}, "earliest": bolt.Instant(graph.Earliest)}
	judgements, err := bolt.OthersOf(t.Transaction, cypher.Rendered("judgements_of", "run"), values, decodeJudgement)
	if err != nil {
		return store.CompletedRun{}, err
	}
	sections := memory.SectionsOf(judgements)
	learning := judging.LearnFrom(sections, completion.Texts)
	totals, err := t.foldSections(learning.Sections)
	if err != nil {
		return store.CompletedRun{}, err
	}
	if err := t.foldPatterns(learning.Patterns); err != nil {
		return store.CompletedRun{}, err
	}
	return store.CompletedRun{Sections: len(sections), Patterns: len(learning.Patterns)}, t.Run(cypher.Named("complete_run"), cypher.Parameters{
		"key": completion.Run, "at": bolt.Instant(completion.At), "issue": string(memory.PatternDont), "types": sectionRows(learning.Sections, totals),
	}, nil)
}

// foldSections adds sections to those of their types and parts of contexts, and gives how many there are now of each,
// by key.
func (t *transaction) foldSections(added []judging.SectionCount) (map[string]int, error) {
	totals := map[string]int{}
	for i := range added {
		totals[added[i].Key()] = added[i].Sections
	}
	return totals, t.Run(cypher.Named("fold_sections"), cypher.Parameters{"rows": sectionRows(added, totals)}, func(f *bolt.Fields) {
		totals[f.Text("key")] = f.Integer("sections")
	})
}

// sectionRows are numbers of sections by key, in the order in which every writer locks them.
func sectionRows(counts []judging.SectionCount, sections map[string]int) []cypher.Parameters {
	return memory.Mapped(counts, func(c judging.SectionCount) cypher.Parameters {
		return cypher.Parameters{
			"key": c.Key(), "sectionType": c.SectionType, "context": bolt.JSONOrNothing(c.Context),
			"contextKey": memory.ContextKey(c.Context), "sections": sections[c.Key()],
		}
	})
}

// foldPatterns adds to patterns what a run gained of them, creates those that are new or cannot be read, and links
// what has been waiting for these.
func (t *transaction) foldPatterns(gains []judging.LearnedPattern) error {
	if len(gains) == 0 {
		return nil
	}
	keys := memory.Mapped(gains, func(gain judging.LearnedPattern) string { return gain.Key })
	if _, err := graph.LockEnds(t.Transaction, memory.NodeIDs(memory.KindPattern, keys)); err != nil {
		return err
	}
	known, err := bolt.OthersOf(t.Transaction, cypher.Named("patterns"), cypher.Parameters{"keys": keys}, bolt.Node(patternOf))
	if err != nil {
		return err
	}
	patterns := map[string]*memory.Pattern{}
	for _, pattern := range known {
		patterns[pattern.Key] = pattern
	}
	rows, c := make([]cypher.Parameters, len(gains)), linking.NewChanges()
	for i := range gains {
		pattern := patterns[gains[i].Key]
		if pattern == nil {
			pattern = &gains[i].Pattern
			c.Arrive(memory.KindPattern, pattern.Key)
		} else {
			pattern.Add(&gains[i].Pattern)
		}
		rows[i] = cypher.Parameters{"key": pattern.Key, "sections": gains[i].Sections, "properties": patternProperties(t.TenantID, pattern)}
	}
	return t.Create(c, cypher.Named("fold_patterns"), cypher.Parameters{"rows": rows})
}

// patternProperties are what a pattern's node holds. Rate and contextKey follow from the others, for the
// order of lists and for what they ask for.
func patternProperties(tenant string, p *memory.Pattern) cypher.Parameters {
	return bolt.Encode(cypher.Parameters{
		"tenant": tenant, "key": p.Key, "contextKey": memory.ContextKey(p.Context), "rate": p.Rate(),
	}, fields.Pattern(p), fields.PatternGains(p))
}

var patternOf = bolt.Reading(fields.Pattern, fields.PatternGains)

// patternList is a query for patterns, best first.
type patternList struct {
	Fixed        []string // the properties that the query fixes and an index begins with
	After, Count bool
}

func (s *tenantStore) patternQuery(q store.PatternQuery, p store.Page, count bool) bolt.Query {
	form := patternList{After: p.After != nil, Count: count}
	switch {
	case q.SectionType != nil && q.Kind != nil && q.Context != nil:
		form.Fixed = []string{"kind", "sectionType", "contextKey"}
	case q.SectionType != nil && q.Kind != nil:
		form.Fixed = []string{"kind", "sectionType"}
	case q.Context != nil:
		form.Fixed = []string{"contextKey"}
	case q.SectionType != nil:
		form.Fixed = []string{"sectionType"}
	}
	values := cypher.Parameters{
		"kind": q.Kind, "sectionType": q.SectionType, "contextKey": q.Context, "minRate": q.MinRate, "minTotal": q.MinTotal,
		"bestRate": bestRate, "limit": p.Limit + 1,
	}
	if after := p.After; after != nil {
		values["bestRate"], values["afterTotal"], values["afterKey"] = after.Value, after.Sequence, after.Key
	}
	return s.Query(cypher.Rendered("list_patterns", form), values)
}

// bestRate is the highest rate there is.
const bestRate = 1.0

// candidates reads the best patterns of each kind in each context, at most so many.
func (s *tenantStore) candidates(ctx context.Context, q *store.CandidateQuery, most int) ([]*memory.Pattern, error) {
	bounds := memory.Mapped(q.Bounds, func(b store.CandidateBound) cypher.Parameters {
		return cypher.Parameters{"kind": string(b.Kind), "minRate": b.MinRate, "minTotal": b.MinTotal}
	})
	return bolt.Read(ctx, s.Connection, s.Query(cypher.Named("candidate_patterns"), cypher.Parameters{
		"bounds": bounds, "contexts": linking.SetOf(q.Contexts...).Sorted(), "sectionType": q.SectionType, "limit": most,
	}), bolt.Node(patternOf))
}

func sectionTypeOf(f *bolt.Fields) *store.SectionTypeItem {
	f.Key(store.KindSectionType)
	return &store.SectionTypeItem{SectionType: f.Text("sectionType"), Context: f.JSON("context"), Sections: bolt.Required[int](f, "sections")}
}

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
