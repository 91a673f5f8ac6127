package storetest

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
)

// judgedModel is judged work in plain Go.
type judgedModel struct {
	verdicts  map[string]*memory.Verdict
	completed map[string]time.Time
	counts    map[string]int
	patterns  map[string]*memory.Pattern
	from      map[string][]string // the sections that a pattern was learned from
}

func newJudgedModel() *judgedModel {
	return &judgedModel{
		verdicts: map[string]*memory.Verdict{}, completed: map[string]time.Time{}, counts: map[string]int{},
		patterns: map[string]*memory.Pattern{}, from: map[string][]string{},
	}
}

func (m *judgedModel) record(drafts ...verdictDraft) {
	for _, d := range drafts {
		m.verdicts[d.Verdict.Key] = d.read()
	}
}

func (m *judgedModel) label(label store.VerdictLabel) {
	m.verdicts[label.Verdict].Label, m.verdicts[label.Verdict].LabelledBy = &label.Approve, label.LabelledBy
}

func (m *judgedModel) someKey(w *world) string {
	return rapid.SampledFrom(slices.Sorted(maps.Keys(m.verdicts))).Draw(w.random, "verdict")
}

func (m *judgedModel) hasRun(run string) bool { return len(m.sections(run)) > 0 }

func (m *judgedModel) sections(run string) []*memory.Section {
	judgements := []memory.Judgement{}
	for _, v := range m.verdicts {
		if v.RunKey == run {
			judgements = append(judgements, v.Judgement)
		}
	}
	return memory.SectionsOf(judgements)
}

// complete folds a run in, once.
func (m *judgedModel) complete(run string, at time.Time, mined map[string][]string) store.CompletedRun {
	sections := m.sections(run)
	if _, before := m.completed[run]; before {
		return store.CompletedRun{Sections: len(sections)}
	}
	m.completed[run] = at
	learning := judging.LearnFrom(sections, judging.Texts{Mined: mined})
	for _, count := range learning.Sections {
		m.counts[count.Key()] += count.Sections
	}
	for _, gain := range learning.Patterns {
		m.from[gain.Key] = append(m.from[gain.Key], gain.Sections...)
		if known := m.patterns[gain.Key]; known != nil {
			known.Add(&gain.Pattern)
		} else {
			m.patterns[gain.Key] = &gain.Pattern
		}
	}
	for _, pattern := range m.patterns {
		if pattern.Kind == memory.PatternDont {
			pattern.Total = m.counts[memory.SectionsKey(pattern.SectionType, pattern.Context)]
		}
	}
	return store.CompletedRun{Sections: len(sections), Patterns: len(learning.Patterns)}
}

func (m *judgedModel) runs() []*memory.Run {
	runs := map[string]*memory.Run{}
	for _, v := range m.verdicts {
		if run := runs[v.RunKey]; run == nil || v.At.Before(run.StartedAt) {
			runs[v.RunKey] = &memory.Run{Key: v.RunKey, StartedAt: v.At}
		}
	}
	for key, at := range m.completed {
		runs[key].CompletedAt = &at
	}
	return append([]*memory.Run{}, slices.SortedFunc(maps.Values(runs), func(a, b *memory.Run) int {
		return cmp.Or(b.StartedAt.Compare(a.StartedAt), cmp.Compare(a.Key, b.Key))
	})...)
}

// meets says whether a set condition is met.
func meets(want *string, got string) bool { return want == nil || *want == got }

func (m *judgedModel) list(query store.VerdictQuery) []*memory.Verdict {
	kept := []*memory.Verdict{}
	for _, v := range m.verdicts {
		byJudge := query.Judge == nil || v.JudgeID != nil && *v.JudgeID == *query.Judge
		byJudge = byJudge && (!query.Rejecting || v.Status != memory.VerdictApprove)
		if byJudge && meets(query.Run, v.RunKey) && meets(query.Section, v.SectionKey) && meets(query.SectionType, v.SectionType) {
			kept = append(kept, v)
		}
	}
	slices.SortFunc(kept, func(a, b *memory.Verdict) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Key, b.Key))
	})
	return kept
}

func (m *judgedModel) judgements(query store.JudgementQuery) []memory.Judgement {
	kept := []memory.Judgement{}
	for _, v := range m.list(store.VerdictQuery{Judge: query.Judge}) {
		if query.Since == nil || !v.At.Before(*query.Since) {
			kept = append(kept, v.Judgement)
		}
	}
	slices.SortFunc(kept, func(a, b memory.Judgement) int {
		return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Key, b.Key))
	})
	return kept
}

func (m *judgedModel) listPatterns(query store.PatternQuery) []*memory.Pattern {
	kept := []*memory.Pattern{}
	for _, p := range m.patterns {
		if (query.Kind == nil || *query.Kind == p.Kind) && meets(query.SectionType, p.SectionType) &&
			meets(query.Context, memory.ContextKey(p.Context)) && p.Rate() >= query.MinRate && p.Total >= query.MinTotal {
			kept = append(kept, p)
		}
	}
	slices.SortFunc(kept, memory.BestPatternFirst)
	return kept
}

// candidates are the best of each kind in each context.
func (m *judgedModel) candidates(query store.CandidateQuery, limit int) []*memory.Pattern {
	kept := []*memory.Pattern{}
	for _, bound := range query.Bounds {
		for _, context := range query.Contexts {
			of := m.listPatterns(store.PatternQuery{
				Kind: &bound.Kind, SectionType: &query.SectionType, Context: &context, MinRate: bound.MinRate, MinTotal: bound.MinTotal,
			})
			kept = append(kept, of[:min(len(of), limit)]...)
		}
	}
	slices.SortFunc(kept, memory.BestPatternFirst)
	return kept
}

func (m *judgedModel) judges() []string {
	judges := map[string]bool{}
	for _, v := range m.verdicts {
		if v.JudgeID != nil {
			judges[*v.JudgeID] = true
		}
	}
	return append([]string{}, slices.Sorted(maps.Keys(judges))...)
}

// requireModel compares everything that can be read with the model.
func (c *judgedTenant) requireModel(model *judgedModel) {
	c.t.Helper()
	runs := model.runs()
	c.Equal(len(runs), c.count(store.Count(c.ctx(), c, store.AllRuns{})))
	c.Equal(runs, walk(c.tenant, 2, func(page store.Page) ([]*memory.Run, bool, error) {
		return store.List(c.ctx(), c, store.AllRuns{}, page)
	},
		func(r *memory.Run) store.Position { return store.Position{At: r.StartedAt, Key: r.Key} }))
	for _, run := range runs {
		c.Equal(model.sections(run.Key), c.sectionsOf(run.Key), run.Key)
	}
	for _, query := range []store.VerdictQuery{
		{}, {Judge: new("j1")}, {Run: new("r2")}, {SectionType: new("chorus")}, {Section: new(memory.SectionKey("r1", "b/c"))},
		{Judge: new("j2"), Run: new("r1"), SectionType: new("verse")},
	} {
		c.requireVerdicts(model, query, 3)
	}
	for _, query := range []store.JudgementQuery{{}, {Judge: new("j1")}, {Since: new(at(6))}, {Judge: new("j2"), Since: new(at(3))}} {
		c.Equal(model.judgements(query), c.judgements(query))
	}
	judges, err := c.Names(c.ctx(), store.Judges)
	c.NoError(err)
	c.Equal(model.judges(), judges)
	for _, query := range []store.PatternQuery{
		{}, {Kind: new(memory.PatternDo)}, {Kind: new(memory.PatternDont)}, {SectionType: new("verse")}, {MinRate: 0.5}, {MinTotal: 2},
		{Context: new(memory.ContextKey(memory.JSON(`{"energy":"high"}`)))}, {Context: new("")},
		{Kind: new(memory.PatternDo), SectionType: new("chorus"), Context: new(""), MinRate: 0.5, MinTotal: 1},
	} {
		c.requirePatterns(model, query, 2)
	}
	for _, query := range []store.CandidateQuery{
		{}, {SectionType: "verse", Contexts: []string{""}},
		{SectionType: "verse", Contexts: []string{memory.ContextKey(memory.JSON(`{"energy":"high"}`)), "", "none"}, Bounds: []store.CandidateBound{
			{Kind: memory.PatternDo}, {Kind: memory.PatternDont, MinRate: 0.5, MinTotal: 2},
		}},
	} {
		found, _, err := store.List(c.ctx(), c, query, store.Page{Limit: 1})
		c.NoError(err)
		slices.SortFunc(found, memory.BestPatternFirst)
		c.Equal(model.candidates(query, 1), found, query)
	}
	keys := append(slices.Sorted(maps.Keys(model.counts)), "none")
	counted, err := store.Get[store.SectionTypeItem](c.ctx(), c, append(keys, keys...))
	c.NoError(err)
	counts := map[string]int{}
	for i, sections := range counted {
		if sections != nil {
			c.Equal(append(keys, keys...)[i], sections.Key())
			counts[sections.Key()] = sections.Sections
		}
	}
	c.Equal(model.counts, counts)
	for key, sections := range model.from {
		c.Equal(append([]string{}, sorted(prefixed("section:", sections))...), c.neighbours(store.AdjacencyQuery{
			Of: []string{"pattern:" + key}, Relations: []string{"LEARNED_FROM"}, Direction: memory.DirectionOut,
		}))
	}
}

func (c *judgedTenant) requireVerdicts(model *judgedModel, query store.VerdictQuery, limit int) {
	c.t.Helper()
	want := model.list(query)
	c.Equal(len(want), c.count(store.Count(c.ctx(), c, query)))
	c.Equal(want, walk(c.tenant, limit, func(page store.Page) ([]*memory.Verdict, bool, error) {
		return store.List(c.ctx(), c, query, page)
	}, func(v *memory.Verdict) store.Position { return store.Position{At: v.At, Key: v.Key} }))
}

func (c *judgedTenant) requirePatterns(model *judgedModel, query store.PatternQuery, limit int) {
	c.t.Helper()
	want := model.listPatterns(query)
	c.Equal(len(want), c.count(store.Count(c.ctx(), c, query)))
	c.Equal(want, walk(c.tenant, limit, func(page store.Page) ([]*memory.Pattern, bool, error) {
		return store.List(c.ctx(), c, query, page)
	}, func(p *memory.Pattern) store.Position {
		return store.Position{Value: new(p.Rate()), Sequence: p.Total, Key: p.Key}
	}))
}

func prefixed(prefix string, keys []string) []string {
	ids := make([]string, len(keys))
	for i, key := range keys {
		ids[i] = prefix + key
	}
	return ids
}

// sorted is the distinct values, sorted.
func sorted(values []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}
