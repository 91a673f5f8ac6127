package storetest

import (
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
)

func (s suite) runs(t *testing.T) {
	s.judge(t, "a run and its sections come into being with their first verdict", func(c *judgedTenant) {
		found, err := store.Get[memory.Run](c.ctx(), c, []string{"r"})
		c.NoError(err)
		c.Equal([]*memory.Run{nil}, found)
		c.Empty(c.sectionsOf("r"))
		c.rule(verdict("v", "r", "s", at(3)))
		c.Equal(&memory.Run{Key: "r", StartedAt: at(3)}, c.runOf("r"))
		c.Len(c.sectionsOf("r"), 1)
	})
	s.judge(t, "a run started with its earliest verdict", func(c *judgedTenant) {
		c.rule(verdict("a", "r", "s", at(5)), verdict("b", "r", "s", at(3)), verdict("c", "r", "t", at(4)))
		c.Equal(at(3), c.runOf("r").StartedAt)
		c.rule(verdict("d", "r", "t", at(1)))
		c.rule(verdict("e", "r", "t", at(2)))
		c.Equal(at(1), c.runOf("r").StartedAt)
	})
	s.judge(t, "runs and sections come in the order of the keys, nil where there is none", byKeys)
	s.judge(t, "runs are listed newest first, in pages", runPages)
	s.judge(t, "sections have all of their judgements, in order", func(c *judgedTenant) {
		model := newJudgedModel()
		drafts := []verdictDraft{
			fullVerdict("full"), verdict("1", "r", "b", at(4)).inIteration(1), verdict("2", "r", "a", at(2)), verdict("3", "r", "b", at(9)),
			verdict("4", "r", "b", at(3)).inIteration(1), verdict("5", "r", "c", at(2)), verdict("6", "q", "a", at(1)),
		}
		c.rule(drafts...)
		model.record(drafts...)
		found, err := store.All(c.ctx(), c, store.SectionsOf{Runs: []string{"r", "q", "r/1", "none", "r"}})
		c.NoError(err)
		for _, run := range []string{"r", "q", "r/1"} {
			c.Equal(model.sections(run), slices.DeleteFunc(slices.Clone(found), func(s *memory.Section) bool { return s.RunKey != run }), run)
		}
		c.Len(found, len(model.sections("r"))+len(model.sections("q"))+len(model.sections("r/1")))
	})
}

func byKeys(c *judgedTenant) {
	c.rule(verdict("1", "a", "s", at(1)), verdict("2", "b", "s", at(2)), verdict("3", "b", "t", at(3)))
	runs, err := store.Get[memory.Run](c.ctx(), c, []string{"b", "none", "a", "b"})
	c.NoError(err)
	a, b := &memory.Run{Key: "a", StartedAt: at(1)}, &memory.Run{Key: "b", StartedAt: at(2)}
	c.Equal([]*memory.Run{b, nil, a, b}, runs)
	sections, err := store.Get[memory.Section](c.ctx(), c, []string{"b/t", "a", "b/s", "b/t", "b/none"})
	c.NoError(err)
	of := c.sectionsOf("b")
	c.Equal([]*memory.Section{of[1], nil, of[0], of[1], nil}, sections)
	none, err := store.Get[memory.Section](c.ctx(), c, nil)
	c.NoError(err)
	c.Equal([]*memory.Section{}, none)
}

func runPages(c *judgedTenant) {
	want := []string{}
	for i := range 12 {
		key := fmt.Sprintf("r%02d", i)
		c.rule(verdict("v"+key, key, "s", at(20-i/3)))
		want = append(want, key)
	}
	c.Equal(12, c.count(store.Count(c.ctx(), c, store.AllRuns{})))
	for _, limit := range []int{1, 5, 12, 13} {
		walked := walk(c.tenant, limit, func(page store.Page) ([]*memory.Run, bool, error) {
			return store.List(c.ctx(), c, store.AllRuns{}, page)
		},
			func(r *memory.Run) store.Position { return store.Position{At: r.StartedAt, Key: r.Key} })
		c.Equal(want, keysOf(walked, func(r *memory.Run) string { return r.Key }), "in pages of %d", limit)
	}
}

func (s suite) completions(t *testing.T) {
	s.judge(t, "a run is folded into history", foldRun)
	s.judge(t, "there is nothing to complete", func(c *judgedTenant) {
		_, err := c.CompleteRun(c.ctx(), store.RunCompletion{Run: "none", At: at(0)})
		c.ErrorIs(err, store.ErrNotFound)
		found, err := store.Get[memory.Run](c.ctx(), c, []string{"none"})
		c.NoError(err)
		c.Nil(found[0])
	})
	s.judge(t, "a run that nothing is learned from is completed", func(c *judgedTenant) {
		c.rule(verdict("v", "r", "s", at(0)))
		c.Equal(store.CompletedRun{Sections: 1}, c.complete("r", 5))
		c.Equal(new(at(5)), c.runOf("r").CompletedAt)
		c.Empty(c.learned(store.PatternQuery{}))
	})
	s.judge(t, "a run that is completed again is folded in once", func(c *judgedTenant) {
		c.rule(verdict("v", "r", "s", at(0)).using("glow").faulting("LATE", nil, nil))
		c.Equal(store.CompletedRun{Sections: 1, Patterns: 2}, c.complete("r", 5))
		before := c.learned(store.PatternQuery{})
		c.Equal(store.CompletedRun{Sections: 1}, c.complete("r", 6))
		c.Equal(new(at(5)), c.runOf("r").CompletedAt)
		c.Equal(before, c.learned(store.PatternQuery{}))
	})
	s.judge(t, "verdicts of a completed run are kept and not learned from", func(c *judgedTenant) {
		c.rule(verdict("v", "r", "s", at(1)).using("glow"))
		c.complete("r", 5)
		before := c.learned(store.PatternQuery{})
		c.rule(
			verdict("w", "r", "s", at(6)).inIteration(1).deciding(memory.VerdictHardFail).using("glow"), verdict("x", "r", "t", at(0)).using("glow"),
		)
		c.Equal(store.CompletedRun{Sections: 2}, c.complete("r", 7))
		c.Equal(before, c.learned(store.PatternQuery{}))
		c.Equal(&memory.Run{Key: "r", StartedAt: at(0), CompletedAt: new(at(5))}, c.runOf("r"))
		c.Equal("w", c.sectionsOf("r")[1].Final().Key)
	})
	s.judge(t, "approaches are mined until a verdict names them", func(c *judgedTenant) {
		for i, named := range []bool{false, false, true} {
			run := fmt.Sprint("r", i)
			draft := verdict(run, run, "s", at(i))
			if named {
				draft = draft.using("glow")
			}
			c.rule(draft)
			_, err := c.CompleteRun(c.ctx(), store.RunCompletion{Run: run, At: at(9), Texts: judging.Texts{Mined: map[string][]string{run: {"glow"}}}})
			c.NoError(err)
			learned := c.learned(store.PatternQuery{})
			c.Len(learned, 1)
			c.Equal(!named, learned[0].Mined)
			c.Equal(i+1, learned[0].Total)
		}
	})
	s.judge(t, "runs add up", addRuns)
	s.judge(t, "patterns come in the order of the keys, nil where there is none", func(c *judgedTenant) {
		c.rule(verdict("v", "r", "s", at(0)).using("a", "b"))
		c.complete("r", 1)
		learned := c.learned(store.PatternQuery{})
		found, err := store.Get[memory.Pattern](c.ctx(), c, []string{learned[1].Key, "none", learned[0].Key, learned[1].Key})
		c.NoError(err)
		c.Equal([]*memory.Pattern{learned[1], nil, learned[0], learned[1]}, found)
	})
	s.judge(t, "patterns are listed best first, in pages, by what is asked", patternPages)
	s.judge(t, "approaches and codes come back byte for byte", func(c *judgedTenant) {
		for i, text := range awkwardTexts {
			key := string(rune('a' + i))
			c.rule(verdict(key, key, "s", at(0)).ofType(key).using(text).faulting(text, nil, new(text)))
			c.complete(key, 1)
			for _, pattern := range c.learned(store.PatternQuery{SectionType: &key}) {
				c.Equal(text, pattern.Description)
				c.Equal(pattern.Kind == memory.PatternDont, pattern.IssueCode != nil && *pattern.IssueCode == text)
			}
		}
	})
}

func foldRun(c *judgedTenant) {
	const context = `{"energy":"high"}`
	c.rule(
		verdict("1", "r", "s", at(1)).deciding(memory.VerdictSoftFail).scoring(5).faulting("LATE", new("TIMING"), new("starts late")),
		verdict("2", "r", "s", at(2)).inIteration(1).scoring(8.5).using("glow").within(context),
		verdict("3", "r", "t", at(3)).deciding(memory.VerdictHardFail).scoring(4).faulting("LATE", nil, nil),
	)
	c.Equal(store.CompletedRun{Sections: 2, Patterns: 4}, c.complete("r", 9), "of all verses, and of those with high energy")
	c.Equal(&memory.Run{Key: "r", StartedAt: at(1), CompletedAt: new(at(9))}, c.runOf("r"))
	late := memory.Pattern{
		Key: memory.PatternKey(memory.PatternDont, "verse", nil, "LATE"), Kind: memory.PatternDont, Description: "starts late", SaidAt: new(at(1)),
		IssueCode: new("LATE"), SectionType: "verse", Hits: 2, Total: 2, Scored: 2, ScoreSum: 12.5, Recovered: 1, RecoverySum: 1, LastSeen: at(3),
	}
	glow := memory.Pattern{
		Key: memory.PatternKey(memory.PatternDo, "verse", nil, "glow"), Kind: memory.PatternDo, Description: "glow", SectionType: "verse",
		Common: memory.JSON(context), Hits: 1, Total: 1, Scored: 1, ScoreSum: 8.5, LastSeen: at(2),
	}
	of := func(all memory.Pattern) *memory.Pattern {
		all.Key, all.Context = memory.PatternKey(all.Kind, "verse", memory.JSON(context), all.Subject()), memory.JSON(context)
		return &all
	}
	high := *of(late)
	high.Hits, high.Total, high.Scored, high.ScoreSum, high.LastSeen = 1, 1, 1, 8.5, at(1)
	want := []*memory.Pattern{&late, &glow, of(glow), &high}
	slices.SortFunc(want, memory.BestPatternFirst)
	c.Equal(want, c.learned(store.PatternQuery{}))
	c.Equal([]*memory.Pattern{&high}, c.learned(store.PatternQuery{Kind: new(memory.PatternDont), Context: new(memory.ContextKey(memory.JSON(context)))}))
}

func addRuns(c *judgedTenant) {
	model := newJudgedModel()
	for i := range 6 {
		run := fmt.Sprint("r", i)
		drafts := []verdictDraft{verdict("v"+run, run, "s", at(10-i)).scoring(float64(i)).using("glow")}
		if i%2 == 0 {
			drafts = append(drafts, verdict("w"+run, run, "t", at(10-i)).deciding(memory.VerdictHardFail).using("glow", run).
				faulting("LATE", nil, new("message of "+run)).faulting(run, nil, nil))
		} else {
			drafts = append(drafts, verdict("w"+run, run, "t", at(i)).ofType("chorus").faulting("LATE", nil, nil))
		}
		c.rule(drafts...)
		model.record(drafts...)
		c.Equal(model.complete(run, at(20+i), nil), c.complete(run, 20+i))
		c.requirePatterns(model, store.PatternQuery{}, 50)
	}
	late := c.learned(store.PatternQuery{Kind: new(memory.PatternDont), SectionType: new("verse"), MinTotal: 9})
	c.Len(late, 4, "an issue's total is the sections of its type, also of runs without it")
	c.requireModel(model)
}

func patternPages(c *judgedTenant) {
	model := newJudgedModel()
	drafts := []verdictDraft{}
	for i := range 12 { // rates of 1, 0.5 and 0 over 1 or 2 sections, in two types and contexts
		pattern, sectionType := fmt.Sprintf("p%02d", i/2), []string{"verse", "Verse"}[i/6]
		d := verdict(fmt.Sprint(i), "r", fmt.Sprint(i), at(i)).ofType(sectionType).using(pattern)
		if i%4 > 1 {
			d = d.within(`{"energy":"high"}`)
		}
		if i%3 == 0 {
			d = d.deciding(memory.VerdictSoftFail).faulting(pattern, nil, nil)
		}
		drafts = append(drafts, d)
	}
	c.rule(drafts...)
	model.record(drafts...)
	c.Equal(model.complete("r", at(20), nil), c.complete("r", 20))
	for _, query := range []store.PatternQuery{
		{}, {Kind: new(memory.PatternDo)}, {Kind: new(memory.PatternDont)}, {SectionType: new("Verse")}, {MinRate: 0.5}, {MinTotal: 2},
		{Context: new("")}, {Context: new(memory.ContextKey(memory.JSON(`{"energy":"high"}`)))}, {Context: new("none")},
		{Kind: new(memory.PatternDo), SectionType: new("verse"), Context: new(""), MinRate: 0.1, MinTotal: 2},
	} {
		for _, limit := range []int{1, 3, 50} {
			c.requirePatterns(model, query, limit)
		}
	}
}

func (s suite) judgingTogether(t *testing.T) {
	s.judge(t, "a run that is completed by eight at once is folded in once", func(c *judgedTenant) {
		c.rule(verdict("v", "r", "s", at(0)).scoring(8).using("glow").faulting("LATE", nil, nil))
		var folded atomic.Int64
		c.together(8, func(i int) error {
			completed, err := c.CompleteRun(c.ctx(), store.RunCompletion{Run: "r", At: at(i)})
			folded.Add(int64(completed.Patterns))
			return err
		})
		c.EqualValues(2, folded.Load())
		for _, pattern := range c.learned(store.PatternQuery{}) {
			c.Equal(1, pattern.Total)
			c.Equal(1, pattern.Hits)
			c.Equal(1, pattern.Scored)
		}
	})
	s.judge(t, "runs that are completed at once add up", func(c *judgedTenant) {
		model := newJudgedModel()
		for i := range 8 {
			run := fmt.Sprint(i)
			draft := verdict(run, run, "s", at(i)).scoring(float64(i)).using("glow", fmt.Sprint("p", i)).faulting("LATE", nil, new(run))
			c.rule(draft)
			model.record(draft)
			model.complete(run, at(9), nil)
		}
		c.together(8, func(i int) error {
			_, err := c.CompleteRun(c.ctx(), store.RunCompletion{Run: fmt.Sprint(i), At: at(9)})
			return err
		})
		c.requireModel(model)
	})
	s.judge(t, "verdicts at once make one run and one section", func(c *judgedTenant) {
		model := newJudgedModel()
		drafts := []verdictDraft{}
		for i := range 16 {
			drafts = append(drafts, verdict(fmt.Sprint(i), "r", "s", at((i*5)%16+1)).inIteration(i%3))
		}
		model.record(drafts...)
		c.together(16, func(i int) error {
			return fault(store.Record(c.ctx(), c, verdictRecords(drafts[i:i+1])))
		})
		c.requireModel(model)
	})
	s.judge(t, "a verdict that comes with the completion is folded in or comes after it", verdictsWithCompletion)
	s.judge(t, "the same verdict is recorded once", func(c *judgedTenant) {
		c.Equal(8, c.createdOf(func(int) ([]store.Recorded, error) {
			return store.Record(c.ctx(), c, verdictRecords([]verdictDraft{verdict("v", "r", "s", at(0))}))
		}), "none is refused")
		c.Equal(1, c.count(store.Count(c.ctx(), c, store.VerdictQuery{})))
		c.Equal(1, c.createdOf(func(i int) ([]store.Recorded, error) {
			return store.Record(c.ctx(), c, verdictRecords([]verdictDraft{verdict("w", "r", "s", at(i))}))
		}))
	})
}

func verdictsWithCompletion(c *judgedTenant) {
	for round := range 3 {
		run, sectionType := fmt.Sprint("r", round), fmt.Sprint("type", round)
		c.rule(verdict(run, run, "s", at(0)).ofType(sectionType).using("glow").faulting("LATE", nil, nil))
		var completed store.CompletedRun
		c.together(6, func(i int) (err error) {
			if i == 3 {
				completed, err = c.CompleteRun(c.ctx(), store.RunCompletion{Run: run, At: at(9)})
				return err
			}
			return fault(store.Record(c.ctx(), c, verdictRecords([]verdictDraft{
				verdict(fmt.Sprint(run, i), run, fmt.Sprint(i), at(0)).ofType(sectionType).using("glow").faulting("LATE", nil, nil),
			})))
		})
		c.Len(c.sectionsOf(run), 6)
		patterns := c.learned(store.PatternQuery{SectionType: &sectionType})
		c.Len(patterns, 2)
		for _, pattern := range patterns {
			c.Equal(completed.Sections, pattern.Total)
			c.Len(c.neighbours(store.AdjacencyQuery{
				Of: []string{pattern.ID()}, Relations: []string{"LEARNED_FROM"}, Direction: memory.DirectionOut,
			}), completed.Sections)
		}
		c.Equal(completed.Sections, patterns[0].Scored+completed.Sections, "no section had a score")
		c.Equal(memory.PatternDo, patterns[0].Kind, "both rates are 1, and do/… sorts before dont/…")
	}
}
