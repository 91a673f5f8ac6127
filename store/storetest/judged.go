package storetest

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/store"
)

// RunJudged runs the part of the suite that is about store.Judged. The function open is as for Run.
//
// Where the contract is silent the suite settles: the lists of a verdict and of a judgement come back
// non-nil, and a canceled or failed EachJudgement has handed out a prefix of what it would have.
func RunJudged(t *testing.T, open func(t *testing.T) store.Backend) {
	s := suite{open: open}
	groups := []struct {
		name string
		run  func(t *testing.T)
	}{
		{"Verdicts", s.verdicts},
		{"Labels", s.labels},
		{"Runs", s.runs},
		{"Completions", s.completions},
		{"Judges", s.judges},
		{"JudgedLinks", s.judgedLinks},
		{"JudgedHistories", s.judgedHistories},
		{"JudgingTogether", s.judgingTogether},
	}
	for _, group := range groups {
		t.Run(group.name, group.run)
	}
}

// court is a tenant that judges.
type court struct{ *tenant }

func courtOf(m *tenant) *court { return &court{tenant: m} }

// judge runs a test in a court of its own.
func (s suite) judge(t *testing.T, name string, test func(c *court)) {
	t.Helper()
	s.run(t, name, func(m *tenant) { test(courtOf(m)) })
}

func (s suite) judgedHistories(t *testing.T) {
	s.check(t, "any history reads as the model says", 6, func(m *tenant, random *rapid.T) {
		c, w := courtOf(m), newWorld(m, random)
		model := newJudgedModel()
		for step := range rapid.IntRange(1, 6).Draw(random, "steps") {
			batch := make([]verdictDraft, rapid.IntRange(1, 8).Draw(random, "verdicts"))
			for i := range batch {
				batch[i] = w.draftVerdict(fmt.Sprintf("%d-%d", step, i))
			}
			c.rule(batch...)
			model.record(batch...)
			if key := model.someKey(w); w.chance("is labelled") {
				label := store.VerdictLabel{Verdict: key, Approve: w.chance("approves"), LabelledBy: maybe(w, "by", "ann", "")}
				c.NoError(c.LabelVerdict(c.ctx(), label))
				model.label(label)
			}
			if run := oneOf(w, "run", "r1", "r2", "r3", "r4"); model.hasRun(run) {
				c.Equal(model.complete(run, at(100+step)), c.complete(run, 100+step))
			}
		}
		c.requireModel(model)
	})
}

// draftVerdict draws a verdict on one of few runs and sections. Scores are halves, so that sums are exact.
func (w *world) draftVerdict(key string) verdictDraft {
	d := verdict(key, oneOf(w, "run", "r1", "r2", "r3"), oneOf(w, "section", "a", "b/c", "d"), w.moment()).
		inIteration(rapid.IntRange(0, 3).Draw(w.random, "iteration")).
		deciding(oneOf(w, "status", memory.VerdictStatuses...)).
		ofType(oneOf(w, "section type", "verse", "chorus")).
		using(rapid.SliceOfN(rapid.SampledFrom([]string{"glow", "chase"}), 0, 2).Draw(w.random, "patterns")...)
	d.Verdict.JudgeID = maybe(w, "judge", "j1", "j2")
	if score := rapid.IntRange(0, 20).Draw(w.random, "score"); score > 2 {
		d = d.scoring(float64(score) / 2)
	}
	if context := maybe(w, "context", `{"energy":"high"}`, `{"energy":"low"}`); context != nil {
		d = d.within(*context)
	}
	for range rapid.IntRange(0, 2).Draw(w.random, "issues") {
		d = d.faulting(oneOf(w, "code", "LATE", "MUTE"), maybe(w, "area", "TIMING", "SOUND"), maybe(w, "message", "too late", "no sound"))
	}
	return d
}
