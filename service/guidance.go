package service

import (
	"context"
	"time"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
)

// guidancePage is how many patterns of a kind are read at a time for guidance, which tells of the best few;
// some say the same of several contexts.
const guidancePage = 50

// Guidance says what to know before a section is made, or made better: from its own feedback, from its run
// and from history. A run or a section that is not known yet has nothing to say.
func (g *Judging) Guidance(ctx context.Context, input GuidanceInput) (*judging.Guidance, error) {
	var err error
	b := g.question(ctx)
	run := b.optionalKey(memory.KindRun, "runId", input.RunID)
	sectionType := b.label("sectionType", input.SectionType)
	sources := judging.GuidanceSources{Context: b.circumstances("context", input.Context)}
	if input.SectionID != nil {
		run, sources.SectionKey = b.sectionOf(run, *input.SectionID)
	}
	if b.err != nil {
		return nil, b.err
	}
	if err := g.readRun(ctx, run, &sources); err != nil {
		return nil, fault("the run", err)
	}
	sources.Patterns, err = g.patternsFor(ctx, sectionType, sources.Context)
	if err != nil {
		return nil, fault("the patterns", err)
	}
	return judging.Guide(sources), nil
}

// readRun reads what a run, where there is one, and its section know.
func (g *Judging) readRun(ctx context.Context, run *string, sources *judging.GuidanceSources) error {
	if run == nil {
		return nil
	}
	sections, err := g.store.SectionsOfRuns(ctx, []string{*run})
	if err != nil {
		return err
	}
	sources.Run = sections[*run]
	if sources.SectionKey != "" {
		sources.Rejections, err = g.store.RejectionsOf(ctx, sources.SectionKey, judging.MaxFeedbackEntries)
	}
	return err
}

// patternsFor reads what history says of sections of a type: approaches that worked, in the context where
// there is one, and issues to avoid.
func (g *Judging) patternsFor(ctx context.Context, sectionType string, context memory.JSON) ([]*memory.Pattern, error) {
	query := store.PatternQuery{
		Kind: new(memory.PatternDo), SectionType: &sectionType, MinRate: judging.MinDoRate, MinTotal: judging.MinPatternSections,
	}
	if context != nil {
		query.Context = new(memory.ContextKey(context))
	}
	dos, err := g.bestPatterns(ctx, query)
	if err != nil {
		return nil, err
	}
	query.Kind, query.Context, query.MinRate = new(memory.PatternDont), nil, judging.MinDontRate
	donts, err := g.bestPatterns(ctx, query)
	return append(dos, donts...), err
}

// bestPatterns reads patterns, the best first, until they say as many things as guidance tells.
func (g *Judging) bestPatterns(ctx context.Context, query store.PatternQuery) ([]*memory.Pattern, error) {
	query.Page.Limit = guidancePage
	var all []*memory.Pattern
	subjects := map[string]bool{}
	for {
		patterns, more, err := g.store.ListPatterns(ctx, query)
		if err != nil {
			return nil, err
		}
		for _, pattern := range patterns {
			subjects[pattern.Subject()] = true
		}
		all = append(all, patterns...)
		if !more || len(subjects) >= judging.MaxGuidance {
			return all, nil
		}
		query.Page.After = new(patternPosition(patterns[len(patterns)-1]))
	}
}

func patternPosition(p *memory.Pattern) store.Position {
	return store.Position{Value: new(p.Rate()), Sequence: p.Total, Key: p.Key}
}

// Patterns lists what history says, the best first.
func (g *Judging) Patterns(ctx context.Context, filter PatternFilter, input PageInput) (*Page[*memory.Pattern], error) {
	b := g.question(ctx)
	query := store.PatternQuery{Kind: filter.Kind, SectionType: b.optionalLabel("sectionType", filter.SectionType)}
	if filter.Kind != nil && !filter.Kind.Valid() {
		b.fail(memory.Invalid("kind", "must be DO or DONT"))
	}
	if b.err != nil {
		return nil, b.err
	}
	request, err := pageRequest(input, fingerprint("patterns", filter), nil)
	if err != nil {
		return nil, err
	}
	query.Page = request.page
	patterns, more, err := g.store.ListPatterns(ctx, query)
	if err != nil {
		return nil, fault("the patterns", err)
	}
	count := func(ctx context.Context) (int, error) { return g.store.CountPatterns(ctx, query) }
	return newPage(request, patterns, more, counted("the patterns", count), patternPosition), nil
}

// Judges lists the distinct judges of all verdicts, sorted.
func (g *Judging) Judges(ctx context.Context) ([]string, error) {
	judges, err := g.store.Judges(ctx)
	return judges, fault("the judges", err)
}

// JudgeTendencies says how a judge tends to decide, since an instant or ever. A judge that nobody knows has
// no verdicts.
func (g *Judging) JudgeTendencies(ctx context.Context, judgeID string, since *time.Time) (*judging.JudgeTendencies, error) {
	b := g.question(ctx)
	query := store.JudgementQuery{Judge: new(b.label("judgeId", judgeID)), Since: b.optionalTime("since", since)}
	if b.err != nil {
		return nil, b.err
	}
	record := judging.NewJudgeRecord(*query.Judge)
	sum := store.BudgetOf(ctx).Sum()
	err := g.store.EachJudgement(store.Unmetered(ctx), query, func(j *memory.Judgement) error {
		record.Add(j)
		return sum.Add(1)
	})
	if err != nil {
		return nil, fault("the judge", err)
	}
	return record.Tendencies(), nil
}
