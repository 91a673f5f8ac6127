package verdicts

import (
	"context"
	"slices"
	"time"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/service/boundary"
	"mneme/service/faults"
	"mneme/service/reading"
	"mneme/service/tenancy"
	"mneme/store"
)

// The bounds of what is read of history for guidance, which tells of the best few.
const (
	guidanceCandidates = 10 // of a kind in a part of a context
	guidanceSubjects   = 20 // of a kind
)

// Guidance says what to know before a section is made, or made better: from its own feedback, from its run
// and from history. A run or a section that is not known yet has nothing to say.
func (g *Judging) Guidance(ctx context.Context, input boundary.GuidanceInput) (*judging.Guidance, error) {
	b := g.t.Question(ctx)
	run := b.OptionalKey(memory.KindRun, "runId", input.RunID)
	sectionType := b.Label("sectionType", input.SectionType)
	sources := judging.GuidanceSources{Context: b.Circumstances(input.Context)}
	if input.SectionID != nil {
		run, sources.SectionKey = b.SectionOf(run, *input.SectionID)
	}
	if b.Err() != nil {
		return nil, b.Err()
	}
	if err := g.readRun(ctx, run, &sources); err != nil {
		return nil, faults.Of("the run", err)
	}
	if err := g.readHistory(ctx, sectionType, &sources); err != nil {
		return nil, faults.Of("the patterns", err)
	}
	return judging.Guide(sources), g.t.NothingFor(ctx, len(sources.Patterns), tenancy.SectionTypes.Called("sectionType", &input.SectionType))
}

// readRun reads what a run, where there is one, and its section know.
func (g *Judging) readRun(ctx context.Context, run *string, sources *judging.GuidanceSources) (err error) {
	if run == nil {
		return nil
	}
	if sources.Run, err = store.All(ctx, g.t.Store, store.SectionsOf{Runs: []string{*run}}); err != nil {
		return err
	}
	if sources.Told, err = store.Get[memory.Verdict](ctx, g.t.Store, judging.LessonVerdicts(sources.Run, sources.SectionKey)); err != nil {
		return err
	}
	if sources.SectionKey != "" {
		sources.Rejections, err = g.rejectionsOf(ctx, sources.SectionKey)
	}
	return err
}

// readHistory reads what history says of sections of a type: what may be told for the context, or for any where there
// is none, and what decides whether it is. However much history there is, it reads a bounded part of it.
func (g *Judging) readHistory(ctx context.Context, sectionType string, sources *judging.GuidanceSources) error {
	parts := judging.Parts(sources.Context)
	contexts := memory.Mapped(parts, memory.ContextKey)
	found, err := g.candidates(ctx, sectionType, contexts[:1], judging.MinPatternSections) // of the type
	if err != nil {
		return err
	}
	if len(parts) > 1 {
		of, err := g.candidates(ctx, sectionType, contexts[1:], judging.MinPartSections)
		if err != nil {
			return err
		}
		found = append(found, of...)
	}
	if sources.Context == nil {
		anywhere, err := g.bestAnywhere(ctx, sectionType)
		if err != nil {
			return err
		}
		found = append(found, anywhere...)
	}
	sources.Patterns = judging.Candidates(found, guidanceSubjects)
	if len(sources.Patterns) == 0 {
		return nil
	}
	patterns, sections := judging.Evidence(sources.Patterns, sources.Context)
	counted, err := store.Get[store.SectionTypeItem](ctx, g.t.Store, sections)
	if err != nil {
		return err
	}
	sources.Sections = map[string]int{}
	for _, sections := range counted {
		if sections != nil {
			sources.Sections[sections.Key()] = sections.Sections
		}
	}
	sources.Evidence, err = store.Get[memory.Pattern](ctx, g.t.Store, patterns)
	sources.Evidence = slices.DeleteFunc(sources.Evidence, func(p *memory.Pattern) bool { return p == nil })
	return err
}

// candidates reads the best patterns of a section type in each of some contexts, over at least so many sections.
func (g *Judging) candidates(ctx context.Context, sectionType string, contexts []string, sections int) ([]*memory.Pattern, error) {
	query := store.CandidateQuery{SectionType: sectionType, Contexts: contexts, Bounds: candidateBounds(sections)}
	found, _, err := store.List(ctx, g.t.Store, query, store.Page{Limit: guidanceCandidates})
	return found, err
}

// candidateBounds are what patterns of each kind must reach to be told, over at least so many sections.
func candidateBounds(sections int) []store.CandidateBound {
	return []store.CandidateBound{
		{Kind: memory.PatternDo, MinRate: judging.MinDoRate, MinTotal: sections},
		{Kind: memory.PatternDont, MinRate: judging.MinDontRate, MinTotal: sections},
	}
}

// bestAnywhere reads the best patterns of a section type in whatever context.
func (g *Judging) bestAnywhere(ctx context.Context, sectionType string) ([]*memory.Pattern, error) {
	var all []*memory.Pattern
	for _, bound := range candidateBounds(judging.MinPatternSections) {
		found, _, err := store.List(ctx, g.t.Store, store.PatternQuery{
			Kind: &bound.Kind, SectionType: &sectionType, MinRate: bound.MinRate, MinTotal: bound.MinTotal,
		}, store.Page{Limit: guidanceSubjects * guidanceCandidates})
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// Patterns lists what history says, the best first.
func (g *Judging) Patterns(ctx context.Context, filter boundary.PatternFilter, input reading.PageInput) (*reading.Page[*memory.Pattern], error) {
	b := g.t.Question(ctx)
	query := store.PatternQuery{Kind: filter.Kind, SectionType: b.OptionalLabel("sectionType", filter.SectionType)}
	if context := b.Circumstances(filter.Context); context != nil || filter.WholeTypes {
		query.Context = new(memory.ContextKey(context))
	}
	b.Require(filter.Kind == nil || filter.Kind.Valid(), "kind", "must be DO or DONT")
	if b.Err() != nil {
		return nil, b.Err()
	}
	patterns := reading.ListOf(g.t.Store, "the patterns", query)
	page, err := patterns.Page(ctx, input, reading.Fingerprint("patterns", filter))
	if err == nil {
		err = g.t.NothingFor(ctx, len(page.Items), tenancy.SectionTypes.Called("sectionType", filter.SectionType))
	}
	return page, err
}

// Judges lists the distinct judges of all verdicts, sorted.
func (g *Judging) Judges(ctx context.Context) ([]string, error) {
	judges, err := g.t.Store.Names(ctx, store.Judges)
	return judges, faults.Of("the judges", err)
}

// JudgeTendencies says how a judge tends to decide, since an instant or ever. A judge that nobody knows has
// no verdicts.
func (g *Judging) JudgeTendencies(ctx context.Context, judgeID string, since *time.Time) (*judging.JudgeTendencies, error) {
	b := g.t.Question(ctx)
	query := store.JudgementQuery{Judge: new(b.Label("judgeId", judgeID)), Since: b.OptionalTime("since", since)}
	if b.Err() != nil {
		return nil, b.Err()
	}
	record := judging.NewJudgeRecord(*query.Judge)
	if err := reading.ListOf(g.t.Store, "", query).Summed(store.Unmetered(ctx), store.BudgetOf(ctx).Sum(), record.Add); err != nil {
		return nil, faults.Of("the judge", err)
	}
	tendencies := record.Tendencies()
	applied, err := store.All(ctx, g.t.Store, store.ThresholdsOf{Judges: []string{*query.Judge}})
	if err != nil {
		return nil, faults.Of("the judge", err)
	}
	for _, threshold := range applied {
		if threshold.Threshold != nil {
			tendencies.Thresholds = append(tendencies.Thresholds, *threshold)
		}
	}
	return tendencies, g.t.NothingFor(ctx, tendencies.Verdicts+len(applied), tenancy.Judges.Called("judgeId", &judgeID))
}

// ApplyJudgeThreshold keeps from which score on a judge's verdicts would approve, in place of what was applied before.
// Later verdicts say what it would have decided; nothing is decided by it. A judge need not have judged.
func (g *Judging) ApplyJudgeThreshold(ctx context.Context, input boundary.ApplyJudgeThresholdInput) (*memory.JudgeThreshold, error) {
	b := g.t.Boundary(ctx)
	b.ForReal(ctx, "to apply a threshold", true)
	threshold, err := b.JudgeThreshold(input)
	if err != nil {
		return nil, err
	}
	if _, err := g.t.InputKey(ctx); err != nil {
		return nil, err
	}
	if err := tenancy.ItemOf(store.Record(ctx, g.t.Store, []store.JudgeThresholdItem{{JudgeThreshold: threshold}})); err != nil {
		return nil, faults.Of("the judge", err)
	}
	return &threshold, nil
}
