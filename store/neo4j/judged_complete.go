package neo4j

import (
	"context"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
)

// CompleteRun ends a run and learns from it; see store.VerdictWriter.
func (s *tenantStore) CompleteRun(ctx context.Context, completion store.RunCompletion) (store.CompletedRun, error) {
	var done store.CompletedRun
	err := s.write(ctx, func(t *transaction) (err error) {
		done, err = t.completeRun(completion)
		return err
	})
	if err != nil {
		return store.CompletedRun{}, err
	}
	return done, nil
}

// completeRun locks the run, then the types of its sections, then the patterns that it adds to.
func (t *transaction) completeRun(completion store.RunCompletion) (store.CompletedRun, error) {
	found, err := rowsOf(t, named("lock_run"), parameters{"key": completion.Run}, decodeRunState)
	switch {
	case err != nil:
		return store.CompletedRun{}, err
	case len(found) == 0:
		return store.CompletedRun{}, store.ErrNotFound
	case found[0].completed:
		return store.CompletedRun{Sections: found[0].sections}, nil
	}
	sections, err := t.sectionsOf(completion.Run)
	if err != nil {
		return store.CompletedRun{}, err
	}
	learning := judging.LearnFrom(sections)
	types, err := t.foldSections(learning.SectionTypes)
	if err != nil {
		return store.CompletedRun{}, err
	}
	if err := t.foldPatterns(learning.Patterns, types); err != nil {
		return store.CompletedRun{}, err
	}
	return store.CompletedRun{Sections: len(sections), Patterns: len(learning.Patterns)}, t.run(named("complete_run"), parameters{
		"key": completion.Run, "at": instant(completion.At), "issue": string(memory.PatternDont), "types": typeRows(types),
	}, nil)
}

// runState is what a completion depends on.
type runState struct {
	completed bool
	sections  int
}

func decodeRunState(row *neo4j.Record) (runState, error) {
	f := fieldsOf(row.AsMap())
	return runState{completed: required[bool](f, "completed"), sections: f.integer("sections")}, f.err
}

// sectionsOf reads the sections of a run that is locked.
func (t *transaction) sectionsOf(run string) ([]*memory.Section, error) {
	values := parameters{"keys": []string{run}, "earliest": instant(earliest)}
	judgements, err := othersOf(t, rendered("judgements_of", "run"), values, decodeJudgement)
	return memory.SectionsOf(judgements), err
}

// foldSections adds sections to those of their types, and gives how many there are now of each.
func (t *transaction) foldSections(added map[string]int) (map[string]int, error) {
	types := map[string]int{}
	return types, t.run(named("fold_sections"), parameters{"rows": typeRows(added)}, func(row *neo4j.Record) error {
		f := fieldsOf(row.AsMap())
		types[f.text("key")] = f.integer("sections")
		return f.err
	})
}

// typeRows are numbers of sections by type, in the order in which every writer locks the types.
func typeRows(types map[string]int) []parameters {
	rows := make([]parameters, 0, len(types))
	for _, key := range sortedKeys(types) {
		rows = append(rows, parameters{"key": key, "sections": types[key]})
	}
	return rows
}

// foldPatterns adds to patterns what a run gained of them, creates those that are new or cannot be read, and links
// what has been waiting for these.
func (t *transaction) foldPatterns(gains []judging.LearnedPattern, types map[string]int) error {
	if len(gains) == 0 {
		return nil
	}
	keys := setOf(texts(gains, func(gain judging.LearnedPattern) string { return gain.Key })...)
	if _, err := t.lockEnds(map[memory.Kind]keySet{memory.KindPattern: keys}); err != nil {
		return err
	}
	known, err := othersOf(t, named("patterns"), parameters{"keys": keys.sorted()}, decodePattern)
	if err != nil {
		return err
	}
	patterns := map[string]*memory.Pattern{}
	for _, pattern := range known {
		patterns[pattern.Key] = pattern
	}
	rows, arrived, c := make([]parameters, len(gains)), arrivals{}, newChanges()
	for i := range gains {
		pattern := patterns[gains[i].Key]
		if pattern == nil {
			pattern = &gains[i].Pattern
			arrived.add(memory.KindPattern, pattern.Key)
		} else {
			pattern.Add(&gains[i].Pattern)
		}
		if pattern.Kind == memory.PatternDont {
			pattern.Total = max(pattern.Hits, types[pattern.SectionType])
		}
		rows[i] = parameters{"key": pattern.Key, "sections": gains[i].Sections, "properties": patternProperties(t.tenant, pattern)}
	}
	if err := t.create(c, named("fold_patterns"), parameters{"rows": rows}, arrived); err != nil {
		return err
	}
	return c.apply(t)
}
