package storetest

import (
	"fmt"
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) deletedJudged(t *testing.T) {
	s.judge(t, "a verdict goes with its words, also from patterns", func(c *judgedTenant) {
		c.rule(
			verdict("v1", "r", "s", at(1)).saying("walrus").deciding(memory.VerdictSoftFail).faulting("LATE", nil, new("walrus is late")).within(`{"energy":"high"}`),
			verdict("v2", "r", "s", at(2)).faulting("MUTE", nil, new("no sound")),
		)
		c.complete("r", 3)
		before := c.learned(store.PatternQuery{})
		c.remove(memory.KindVerdict, "v1")
		c.requireNoTrace("walrus")
		c.Equal([]bool{false, true, true, true}, c.exist("verdict:v1", "verdict:v2", "section:r/s", "run:r"))
		for i, pattern := range c.learned(store.PatternQuery{}) {
			if *pattern.IssueCode == "LATE" {
				before[i].Description, before[i].SaidAt = "LATE", nil
			}
			c.Equal(before[i], pattern)
		}
		c.forgotten([]string{"verdict:v1", "section:r/s", "run:r"}, true, false, false)
		c.ErrorIs(Delete(c.ctx(), c, memory.KindVerdict, "v1"), store.ErrNotFound)
	})
	s.judge(t, "a section goes with its last verdict, and a run with its last section", func(c *judgedTenant) {
		c.rule(verdict("v1", "r", "s", at(1)), verdict("v2", "r", "s", at(2)), verdict("v3", "r", "t", at(3)))
		c.remove(memory.KindVerdict, "v1", "v2")
		c.Equal([]bool{false, true, true}, c.exist("section:r/s", "section:r/t", "run:r"))
		c.Len(c.sectionsOf("r"), 1)
		c.remove(memory.KindVerdict, "v3")
		c.Equal([]bool{false, false}, c.exist("section:r/t", "run:r"))
		c.forgotten([]string{"section:r/s", "section:r/t", "run:r"}, true, true, true)
		c.Zero(c.count(store.Count(c.ctx(), c, store.AllRuns{})))
		c.rule(verdict("v1", "r", "s", at(5)))
		c.Equal(&memory.Run{Key: "r", StartedAt: at(5)}, c.runOf("r"))
	})
	s.judge(t, "a section goes with all of its verdicts, and so does a run", func(c *judgedTenant) {
		drafts := make([]verdictDraft, 1200) // more than go in one part
		for i := range drafts {
			drafts[i] = verdict(fmt.Sprint("v", i), "r", "s", at(i))
		}
		c.rule(drafts...)
		c.rule(verdict("t", "r", "t", at(1)), verdict("q", "q", "s", at(1)))
		c.remove(memory.KindSection, "r/s")
		c.Equal([]bool{false, false, true, true}, c.exist("section:r/s", "verdict:v1199", "section:r/t", "run:r"))
		c.remove(memory.KindRun, "r")
		c.Equal([]bool{false, false, false, true}, c.exist("section:r/t", "verdict:t", "run:r", "verdict:q"))
		c.forgotten([]string{"verdict:v0", "verdict:v1199", "verdict:t", "run:r", "verdict:q"}, true, true, true, true, false)
	})
	s.judge(t, "an execution leaves its profile, which goes with its last", func(c *judgedTenant) {
		c.executionsAt(102)
		c.record(episode("e1", at(200)).doing("refund").ending(memory.OutcomeSuccess))
		c.remove(memory.KindExecution, "e000101", "e000000")
		c.Equal(101, c.profile("agent", "refund", nil).Total)
		c.Equal([]bool{false, false, true}, c.exist("execution:e000101", "execution:e000000", "execution:e000001"))
		c.forgotten([]string{"execution:e000101", "execution:e000001"}, true, false)
		c.ErrorIs(Delete(c.ctx(), c, memory.KindExecution, "episode:e1"), store.ErrNotFound)
		c.NotNil(c.profile("agent", "refund", nil))

		c.execute(execution("x", at(1)).by("other"))
		c.remove(memory.KindExecution, "x")
		c.Nil(c.profile("other", "refund", nil))
	})
	s.runTwo(t, "a restore does not bring back what was deleted", func(from, to *tenant) {
		judgedTenantOf(from).rule(verdict("v1", "r", "s", at(1)), verdict("v2", "q", "s", at(2)))
		from.execute(execution("x", at(1)))
		items := from.exported()
		to.restore(items...)
		judgedTenantOf(to).remove(memory.KindRun, "r")
		judgedTenantOf(to).remove(memory.KindVerdict, "v2")
		judgedTenantOf(to).remove(memory.KindExecution, "x")
		to.restored(false, items...)
		to.Equal([]bool{false, false, false, false, false}, to.exist("run:r", "verdict:v1", "verdict:v2", "run:q", "execution:x"))
		to.restored(true, items...)
		to.Equal([]bool{true, true, true, true, true}, to.exist("run:r", "verdict:v1", "verdict:v2", "run:q", "execution:x"))
	})
}

// remove deletes records, which are there.
func (c *judgedTenant) remove(kind memory.Kind, keys ...string) {
	c.t.Helper()
	count, err := c.Delete(c.ctx(), kind, keys)
	c.NoError(err)
	c.Equal(len(keys), count)
}
