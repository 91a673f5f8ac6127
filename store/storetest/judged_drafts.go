package storetest

import (
	"slices"
	"time"

	"mneme/memory"
	"mneme/store"
)

// verdictDraft is a verdict on its way to the store.
type verdictDraft struct{ store.VerdictRecord }

// verdict is an approval of iteration 0 of a verse by the judge "judge", with every list there and empty.
func verdict(key, run, section string, when time.Time) verdictDraft {
	return verdictDraft{store.VerdictRecord{Verdict: memory.Verdict{
		Judgement: memory.Judgement{
			Key: key, RunKey: run, SectionKey: memory.SectionKey(run, section), SectionType: "verse", JudgeID: new("judge"),
			Status: memory.VerdictApprove, Issues: []memory.Issue{}, Patterns: []string{}, At: when,
		},
		Strengths: []string{}, Fixes: []string{}, Receipt: noReceipt,
	}}}
}

func (d verdictDraft) inIteration(i int) verdictDraft { d.Verdict.Iteration = i; return d }
func (d verdictDraft) deciding(status memory.VerdictStatus) verdictDraft {
	d.Verdict.Status = status
	return d
}
func (d verdictDraft) ofType(sectionType string) verdictDraft {
	d.Verdict.SectionType = sectionType
	return d
}
func (d verdictDraft) within(context string) verdictDraft {
	d.Verdict.Context = memory.JSON(context)
	return d
}
func (d verdictDraft) by(judge string) verdictDraft       { d.Verdict.JudgeID = &judge; return d }
func (d verdictDraft) byNoJudge() verdictDraft            { d.Verdict.JudgeID = nil; return d }
func (d verdictDraft) scoring(score float64) verdictDraft { d.Verdict.Score = &score; return d }
func (d verdictDraft) saying(text string) verdictDraft    { d.Verdict.Feedback = &text; return d }
func (d verdictDraft) using(patterns ...string) verdictDraft {
	d.Verdict.Patterns = append([]string{}, patterns...)
	return d
}
func (d verdictDraft) faulting(code string, area, message *string) verdictDraft {
	d.Verdict.Issues = append(slices.Clip(d.Verdict.Issues), memory.Issue{Code: code, Area: area, Message: message})
	return d
}

// read is what a read of the verdict gives.
func (d verdictDraft) read() *memory.Verdict { return &d.Verdict }

func verdictRecords(drafts []verdictDraft) []store.VerdictRecord {
	records := make([]store.VerdictRecord, len(drafts))
	for i, draft := range drafts {
		records[i] = draft.VerdictRecord
		records[i].InputHash = hash(draft)
	}
	return records
}

// rule records new verdicts in one batch.
func (c *court) rule(drafts ...verdictDraft) {
	c.t.Helper()
	c.allCreated(c.ruled(drafts...))
}

// ruled records verdicts in one batch and gives what became of each.
func (c *court) ruled(drafts ...verdictDraft) []store.Recorded {
	c.t.Helper()
	recorded, err := c.RecordVerdicts(c.ctx(), verdictRecords(drafts))
	c.NoError(err)
	c.Len(recorded, len(drafts))
	for i, draft := range drafts {
		c.Equal(draft.Verdict.Key, recorded[i].Key)
	}
	return recorded
}

// complete completes a run.
func (c *court) complete(run string, minute int) store.CompletedRun {
	c.t.Helper()
	completed, err := c.CompleteRun(c.ctx(), store.RunCompletion{Run: run, At: at(minute)})
	c.NoError(err)
	return completed
}

// verdict reads a verdict that is there.
func (c *court) verdict(key string) *memory.Verdict {
	c.t.Helper()
	found, err := c.Verdicts(c.ctx(), []string{key})
	c.NoError(err)
	c.Len(found, 1)
	c.NotNil(found[0], key)
	return found[0]
}

// runOf reads a run that is there.
func (c *court) runOf(key string) *memory.Run {
	c.t.Helper()
	found, err := c.Runs(c.ctx(), []string{key})
	c.NoError(err)
	c.Len(found, 1)
	c.NotNil(found[0], key)
	return found[0]
}

// sectionsOf reads the sections of a run.
func (c *court) sectionsOf(run string) []*memory.Section {
	c.t.Helper()
	found, err := c.SectionsOfRuns(c.ctx(), []string{run})
	c.NoError(err)
	return found[run]
}

// learned reads the patterns that meet a query, best first.
func (c *court) learned(query store.PatternQuery) []*memory.Pattern {
	c.t.Helper()
	query.Page = everything
	found, more, err := c.ListPatterns(c.ctx(), query)
	c.NoError(err)
	c.False(more)
	c.NotNil(found)
	return found
}

// judgements reads what EachJudgement hands out.
func (c *court) judgements(query store.JudgementQuery) []memory.Judgement {
	c.t.Helper()
	found := []memory.Judgement{}
	c.NoError(c.EachJudgement(c.ctx(), query, func(j *memory.Judgement) error {
		found = append(found, *j)
		return nil
	}))
	return found
}
