package storetest

import (
	"fmt"
	"sync/atomic"
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) judgingTogether(t *testing.T) {
	s.judge(t, "a run that is completed by eight at once is folded in once", func(c *court) {
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
	s.judge(t, "runs that are completed at once add up", func(c *court) {
		model := newJudgedModel()
		for i := range 8 {
			run := fmt.Sprint(i)
			draft := verdict(run, run, "s", at(i)).scoring(float64(i)).using("glow", fmt.Sprint("p", i)).faulting("LATE", nil, new(run))
			c.rule(draft)
			model.record(draft)
			model.complete(run, at(9))
		}
		c.together(8, func(i int) error {
			_, err := c.CompleteRun(c.ctx(), store.RunCompletion{Run: fmt.Sprint(i), At: at(9)})
			return err
		})
		c.requireModel(model)
	})
	s.judge(t, "verdicts at once make one run and one section", func(c *court) {
		model := newJudgedModel()
		drafts := []verdictDraft{}
		for i := range 16 {
			drafts = append(drafts, verdict(fmt.Sprint(i), "r", "s", at((i*5)%16+1)).inIteration(i%3))
		}
		model.record(drafts...)
		c.together(16, func(i int) error {
			return fault(c.RecordVerdicts(c.ctx(), verdictRecords(drafts[i:i+1])))
		})
		c.requireModel(model)
	})
	s.judge(t, "a verdict that comes with the completion is folded in or comes after it", verdictsWithCompletion)
	s.judge(t, "the same verdict is recorded once", func(c *court) {
		c.Equal(8, c.createdOf(func(int) ([]store.Recorded, error) {
			return c.RecordVerdicts(c.ctx(), verdictRecords([]verdictDraft{verdict("v", "r", "s", at(0))}))
		}), "none is refused")
		c.Equal(1, c.count(c.CountVerdicts(c.ctx(), store.VerdictQuery{})))
		c.Equal(1, c.createdOf(func(i int) ([]store.Recorded, error) {
			return c.RecordVerdicts(c.ctx(), verdictRecords([]verdictDraft{verdict("w", "r", "s", at(i))}))
		}))
	})
}

func verdictsWithCompletion(c *court) {
	for round := range 3 {
		run, sectionType := fmt.Sprint("r", round), fmt.Sprint("type", round)
		c.rule(verdict(run, run, "s", at(0)).ofType(sectionType).using("glow").faulting("LATE", nil, nil))
		var completed store.CompletedRun
		c.together(6, func(i int) (err error) {
			if i == 3 {
				completed, err = c.CompleteRun(c.ctx(), store.RunCompletion{Run: run, At: at(9)})
				return err
			}
			return fault(c.RecordVerdicts(c.ctx(), verdictRecords([]verdictDraft{
				verdict(fmt.Sprint(run, i), run, fmt.Sprint(i), at(0)).ofType(sectionType).using("glow").faulting("LATE", nil, nil),
			})))
		})
		c.Len(c.sectionsOf(run), 6)
		patterns := c.learned(store.PatternQuery{SectionType: &sectionType})
		c.Len(patterns, 2)
		for _, pattern := range patterns {
			c.Equal(completed.Sections, pattern.Total)
			c.Len(c.neighbours(store.AdjacencyQuery{
				Of: []string{pattern.ID()}, Relations: []string{"LEARNED_FROM"}, Direction: store.Out,
			}), completed.Sections)
		}
		c.Equal(completed.Sections, patterns[0].Scored+completed.Sections, "no section had a score")
		c.Equal(memory.PatternDo, patterns[0].Kind, "both rates are 1, and do/… sorts before dont/…")
	}
}
