package neo4j

import (
	"context"
	"slices"
	"time"

	"github.com/neo4j/neo4j-go-driver/v5/neo4j"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
)

// Runs reads known runs; see store.VerdictReader.
func (s *tenantStore) Runs(ctx context.Context, keys []string) ([]*memory.Run, error) {
	return readByKey(ctx, s, named("runs"), keys, decodeRun, func(r *memory.Run) string { return r.Key })
}

func decodeRun(row *neo4j.Record) (*memory.Run, error) {
	node, err := column[neo4j.Node]("r")(row)
	f := &fields{node: node, err: err}
	return f.run(), f.err
}

func (f *fields) run() *memory.Run {
	return &memory.Run{Key: f.key(memory.KindRun), StartedAt: f.instant("startedAt"), CompletedAt: f.optionalInstant("completedAt")}
}

// runList is a query for runs, newest first.
type runList struct{ After bool }

func (s *tenantStore) runQuery(p store.Page) query {
	return s.query(rendered("list_runs", runList{After: p.After != nil}), ownedParameters(nil, p))
}

// ListRuns reads a page of runs; see store.VerdictReader.
func (s *tenantStore) ListRuns(ctx context.Context, p store.Page) ([]*memory.Run, bool, error) {
	list := func(ctx context.Context, p store.Page) ([]*memory.Run, error) {
		return read(ctx, s.backend, s.runQuery(p), decodeRun)
	}
	return pageInBytes(ctx, p, list, func(r *memory.Run) store.Position { return store.Position{At: r.StartedAt, Key: r.Key} })
}

// CountRuns counts the runs; see store.VerdictReader.
func (s *tenantStore) CountRuns(ctx context.Context) (int, error) {
	return s.count(ctx, s.query(named("count_runs"), nil))
}

// Sections reads known sections; see store.VerdictReader.
func (s *tenantStore) Sections(ctx context.Context, keys []string) ([]*memory.Section, error) {
	judgements, err := s.judgementsOf(ctx, "section", keys)
	if err != nil {
		return nil, err
	}
	return inOrder(keys, memory.SectionsOf(judgements), func(s *memory.Section) string { return s.Key }), nil
}

// SectionsOfRuns reads the sections of runs; see store.VerdictReader.
func (s *tenantStore) SectionsOfRuns(ctx context.Context, runs []string) (map[string][]*memory.Section, error) {
	judgements, err := s.judgementsOf(ctx, "run", runs)
	if err != nil {
		return nil, err
	}
	sections := map[string][]*memory.Section{}
	for _, section := range memory.SectionsOf(judgements) {
		sections[section.RunKey] = append(sections[section.RunKey], section)
	}
	return sections, nil
}

// judgementsOf reads the judgements whose property, which names a section or a run, is one of the keys.
func (s *tenantStore) judgementsOf(ctx context.Context, property string, keys []string) ([]memory.Judgement, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	values := parameters{"keys": setOf(keys...).sorted(), "earliest": instant(earliest)}
	return read(ctx, s.backend, s.query(rendered("judgements_of", property), values), decodeJudgement)
}

// judgementPage is how many judgements are in mind at a time.
const judgementPage = 1000

// judgementList is a query for judgements, oldest first.
type judgementList struct{ Judge, After bool }

// judgementPlace is where a page of judgements begins: after a time, and of the judgements of that time
// after one, where there is one.
type judgementPlace struct {
	at   time.Time
	last *memory.Judgement
}

func (s *tenantStore) judgementQuery(judge *string, from judgementPlace) query {
	values := parameters{"judge": judge, "at": instant(from.at), "limit": judgementPage}
	if from.last != nil {
		values["afterKey"] = from.last.Key
	}
	return s.query(rendered("judgements", judgementList{Judge: judge != nil, After: from.last != nil}), values)
}

// EachJudgement hands over judgements, page by page; see store.HistoryReader.
func (s *tenantStore) EachJudgement(ctx context.Context, q store.JudgementQuery, each func(*memory.Judgement) error) error {
	from := judgementPlace{at: earliest}
	if q.Since != nil {
		from.at = q.Since.Add(-time.Millisecond) // times are whole milliseconds
	}
	for {
		judgements := map[*fields]memory.Judgement{}
		rows, err := steady(ctx, func() ([]*fields, error) {
			return read(ctx, s.backend, s.judgementQuery(q.Judge, from), judgementFields)
		}, func(row *fields) error {
			judgements[row] = row.judgement()
			return row.err
		})
		if err != nil {
			return err
		}
		for _, row := range rows {
			judgement := judgements[row]
			from = judgementPlace{at: judgement.At, last: &judgement}
			if fault := faultIn(row.err); fault != nil {
				store.NoteDamage(ctx, fault.Damaged)
				continue
			}
			if row.err != nil {
				return row.err
			}
			if err := each(&judgement); err != nil {
				return err
			}
		}
		if len(rows) < judgementPage {
			return nil
		}
	}
}

// Judges reads who judged; see store.HistoryReader.
func (s *tenantStore) Judges(ctx context.Context) ([]string, error) {
	judges, err := read(ctx, s.backend, s.query(named("judges"), nil), func(row *neo4j.Record) (string, error) {
		judge, _ := row.AsMap()["judge"].(string) // reading the verdicts tells of others
		return judge, nil
	})
	judges = slices.DeleteFunc(judges, func(judge string) bool { return judge == "" })
	slices.Sort(judges)
	return judges, err
}

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
