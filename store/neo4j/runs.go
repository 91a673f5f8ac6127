package neo4j

import (
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

// Names reads the distinct names of a kind; see store.Learning.
func (s *tenantStore) Names(ctx context.Context, of store.NamesOf) ([]string, error) {
	names, err := bolt.Read(ctx, s.Connection, s.Query(distinctNames[of], nil), func(row *bolt.Fields) string {
		name, _ := row.Node.Props["name"].(string) // reading the records tells of others
		return name
	})
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" })
	slices.Sort(names)
	return names, err
}

// CompleteRun ends a run and learns from it; see store.Judged.
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
		"kind": nil, "sectionType": q.SectionType, "contextKey": q.Context, "minRate": q.MinRate, "minTotal": q.MinTotal,
		"bestRate": bestRate, "limit": p.Limit + 1,
	}
	if q.Kind != nil {
		values["kind"] = string(*q.Kind)
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
