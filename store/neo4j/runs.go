package neo4j

import (
	"context"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
	"mneme/store/fields"
	"mneme/store/linking"
	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
	"mneme/store/neo4j/graph"
)

var (
	runOf     = bolt.Reading(fields.Run)
	decodeRun = bolt.NodeIn("r", runOf)
)

func (s *tenantStore) runQuery(_ store.AllRuns, p store.Page, count bool) bolt.Query {
	if count {
		return s.Query(cypher.Named("count_runs"), nil)
	}
	return s.Query(cypher.Rendered("list_runs", p.After != nil), ownedParameters(nil, p))
}

// sectionsOf reads the sections whose judgements have one of the keys in a property, which names a section or a run.
func (s *tenantStore) sectionsOf(ctx context.Context, property string, keys []string) ([]*memory.Section, error) {
	if len(keys) == 0 {
		return []*memory.Section{}, nil
	}
	values := cypher.Parameters{"keys": linking.SetOf(keys...).Sorted(), "earliest": bolt.Instant(graph.Earliest)}
	judgements, err := bolt.Read(ctx, s.Connection, s.Query(cypher.Rendered("judgements_of", property), values), decodeJudgement)
	return memory.SectionsOf(judgements), err
}

// judgementList is a query for judgements, oldest first.
type judgementList struct{ Judge, After bool }

// judgementQuery asks for judgements after a position, or from the earliest on.
func (s *tenantStore) judgementQuery(q store.JudgementQuery, p store.Page, _ bool) bolt.Query {
	values := cypher.Parameters{"judge": q.Judge, "at": bolt.Instant(graph.Earliest), "limit": p.Limit + 1, "afterKey": ""}
	if q.Since != nil {
		values["at"] = bolt.Instant(q.Since.Add(-time.Millisecond)) // times are whole milliseconds
	}
	if p.After != nil {
		values["at"], values["afterKey"] = bolt.Instant(p.After.At), p.After.Key
	}
	return s.Query(cypher.Rendered("judgements", judgementList{Judge: q.Judge != nil, After: p.After != nil}), values)
}

var distinctNames = map[store.NamesOf]cypher.Statement{
	store.TaskTypes: cypher.Named("all_task_types"), store.Judges: cypher.Rendered("judged_names", "judge"),
	store.SectionTypes: cypher.Rendered("judged_names", "sectionType"),
}

// Names reads the distinct names of a kind; see store.Learning.
func (s *tenantStore) Names(ctx context.Context, of store.NamesOf) ([]string, error) {
	names, err := bolt.Read(ctx, s.Connection, s.Query(distinctNames[of], nil), func(row *neo4j.Record) (string, error) {
		name, _ := row.AsMap()["name"].(string) // reading the records tells of others
		return name, nil
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
	found, err := bolt.RowsOf(t.Transaction, cypher.Named("lock_run"), cypher.Parameters{"key": completion.Run}, bolt.Decoded(func(f *bolt.Fields) runState {
		return runState{completed: bolt.Required[bool](f, "completed"), sections: f.Integer("sections")}
	}))
	switch {
	case err != nil:
		return store.CompletedRun{}, err
	case len(found) == 0:
		return store.CompletedRun{}, store.ErrNotFound
	case found[0].completed:
		return store.CompletedRun{Sections: found[0].sections}, nil
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

// runState is what a completion depends on.
type runState struct {
	completed bool
	sections  int
}

// foldSections adds sections to those of their types and parts of contexts, and gives how many there are now of each,
// by key.
func (t *transaction) foldSections(added []judging.SectionCount) (map[string]int, error) {
	totals := map[string]int{}
	for i := range added {
		totals[added[i].Key()] = added[i].Sections
	}
	return totals, t.Rows(cypher.Named("fold_sections"), cypher.Parameters{"rows": sectionRows(added, totals)}, func(f *bolt.Fields) {
		totals[f.Text("key")] = f.Integer("sections")
	})
}

// sectionRows are numbers of sections by key, in the order in which every writer locks them.
func sectionRows(counts []judging.SectionCount, sections map[string]int) []cypher.Parameters {
	rows := make([]cypher.Parameters, len(counts))
	for i := range counts {
		count := &counts[i]
		rows[i] = cypher.Parameters{
			"key": count.Key(), "sectionType": count.SectionType, "context": bolt.JSONOrNothing(count.Context),
			"contextKey": memory.ContextKey(count.Context), "sections": sections[count.Key()],
		}
	}
	return rows
}

// foldPatterns adds to patterns what a run gained of them, creates those that are new or cannot be read, and links
// what has been waiting for these.
func (t *transaction) foldPatterns(gains []judging.LearnedPattern) error {
	if len(gains) == 0 {
		return nil
	}
	keys := linking.SetOf(bolt.Texts(gains, func(gain judging.LearnedPattern) string { return gain.Key })...)
	if _, err := graph.LockEnds(t.Transaction, map[memory.Kind]linking.KeySet{memory.KindPattern: keys}); err != nil {
		return err
	}
	known, err := bolt.OthersOf(t.Transaction, cypher.Named("patterns"), cypher.Parameters{"keys": keys.Sorted()}, decodePattern)
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
