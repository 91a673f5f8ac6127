package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/judging"
	"mneme/store"
)

// RunJudged runs the part of the suite that is about judged work. The function open is as for Run.
//
// Where the contract is silent the suite settles: the lists of a verdict and of a judgement come back non-nil.
func RunJudged(t *testing.T, open func(t *testing.T) store.Backend) {
	s := suite{open: open}
	runGroups(t, []group{
		{"Verdicts", s.verdicts},
		{"Labels", s.labels},
		{"Runs", s.runs},
		{"Completions", s.completions},
		{"Judges", s.judges},
		{"JudgeThresholds", s.judgeThresholds},
		{"JudgedLinks", s.judgedLinks},
		{"DeletedJudged", s.deletedJudged},
		{"JudgedHistories", s.judgedHistories},
		{"JudgingTogether", s.judgingTogether},
	})
}

// judgedTenant is a tenant that judges.
type judgedTenant struct{ *tenant }

func judgedTenantOf(m *tenant) *judgedTenant { return &judgedTenant{tenant: m} }

// judge runs a test in a tenant of its own.
func (s suite) judge(t *testing.T, name string, test func(c *judgedTenant)) {
	t.Helper()
	s.run(t, name, func(m *tenant) { test(judgedTenantOf(m)) })
}

func (s suite) judgedHistories(t *testing.T) {
	s.check(t, "any history reads as the model says", 6, func(m *tenant, random *rapid.T) {
		c, w := judgedTenantOf(m), newWorld(m, random)
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
				c.NoError(labelVerdict(c.ctx(), c, label))
				model.label(label)
			}
			if run := oneOf(w, "run", "r1", "r2", "r3", "r4"); model.hasRun(run) {
				var mined map[string][]string
				if w.chance("plans are mined") {
					mined = map[string][]string{model.someKey(w): {"glow", "set tempo to 120"}, model.someKey(w): {"set tempo to 120"}}
				}
				completed, err := c.CompleteRun(c.ctx(), store.RunCompletion{Run: run, At: at(100 + step), Texts: judging.Texts{Mined: mined}})
				c.NoError(err)
				c.Equal(model.complete(run, at(100+step), mined), completed)
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
	return hashed(drafts, func(d *verdictDraft) (*store.VerdictRecord, *[]byte) { return &d.VerdictRecord, &d.InputHash })
}

// rule records new verdicts in one batch.
func (c *judgedTenant) rule(drafts ...verdictDraft) {
	c.t.Helper()
	c.allCreated(c.ruled(drafts...))
}

// ruled records verdicts in one batch and gives what became of each.
func (c *judgedTenant) ruled(drafts ...verdictDraft) []store.Recorded {
	c.t.Helper()
	recorded, err := store.Record(c.ctx(), c, verdictRecords(drafts))
	c.NoError(err)
	c.Len(recorded, len(drafts))
	for i, draft := range drafts {
		c.Equal(draft.Verdict.Key, recorded[i].Key)
	}
	return recorded
}

// complete completes a run.
func (c *judgedTenant) complete(run string, minute int) store.CompletedRun {
	c.t.Helper()
	completed, err := c.CompleteRun(c.ctx(), store.RunCompletion{Run: run, At: at(minute)})
	c.NoError(err)
	return completed
}

// verdict reads a verdict that is there.
func (c *judgedTenant) verdict(key string) *memory.Verdict {
	c.t.Helper()
	found, err := store.Get[memory.Verdict](c.ctx(), c, []string{key})
	c.NoError(err)
	c.Len(found, 1)
	c.NotNil(found[0], key)
	return found[0]
}

// runOf reads a run that is there.
func (c *judgedTenant) runOf(key string) *memory.Run {
	c.t.Helper()
	found, err := store.Get[memory.Run](c.ctx(), c, []string{key})
	c.NoError(err)
	c.Len(found, 1)
	c.NotNil(found[0], key)
	return found[0]
}

// sectionsOf reads the sections of a run.
func (c *judgedTenant) sectionsOf(run string) []*memory.Section {
	c.t.Helper()
	found, err := store.All(c.ctx(), c, store.SectionsOf{Runs: []string{run}})
	c.NoError(err)
	return found
}

// learned reads the patterns that meet a query, best first.
func (c *judgedTenant) learned(query store.PatternQuery) []*memory.Pattern {
	c.t.Helper()
	found, more, err := store.List(c.ctx(), c, query, everything)
	c.NoError(err)
	c.False(more)
	c.NotNil(found)
	return found
}

// judgements walks the judgements that meet a query.
func (c *judgedTenant) judgements(query store.JudgementQuery) []memory.Judgement {
	c.t.Helper()
	return walk(c.tenant, 7, func(page store.Page) ([]memory.Judgement, bool, error) {
		return valuesOf(store.List(c.ctx(), c, query, page))
	}, func(j memory.Judgement) store.Position { return query.Place(&j) })
}

func (s suite) judgedLinks(t *testing.T) {
	s.judge(t, "judged work is linked", func(c *judgedTenant) {
		ids := c.judgeOnce()
		run, section, ruling, pattern := ids[0], ids[1], ids[2], ids[3]
		links := []store.Link{
			{Source: pattern, Target: section, Type: "LEARNED_FROM"}, {Source: section, Target: run, Type: "IN_RUN"},
			{Source: ruling, Target: section, Type: "ON"},
		}
		c.Equal(links, c.between(ids, ids, nil))
		c.Equal([]bool{true, true, true, true, false}, c.exist(append(ids, "run:none")...))
		for _, link := range links {
			of := func(id string, direction memory.Direction) []string {
				return c.neighbours(store.AdjacencyQuery{Of: []string{id}, Relations: []string{link.Type}, Direction: direction})
			}
			c.Contains(of(link.Source, memory.DirectionOut), link.Target, link)
			c.NotContains(of(link.Source, memory.DirectionIn), link.Target, link)
			c.Contains(of(link.Target, memory.DirectionIn), link.Source, link)
		}
	})
	s.judge(t, "what is about judged work waits for it", func(c *judgedTenant) {
		key := memory.PatternKey(memory.PatternDo, "verse", nil, "glow")
		about := []string{"pattern:" + key, "run:r", "section:r/s", "verdict:v"}
		c.observe(observation("early", at(0)).about(about...))
		c.Empty(c.observation("early").About)
		c.judgeOnce()
		c.Equal(about, c.observation("early").About)
		c.observe(observation("late", at(0)).about(about...))
		c.Equal(about, c.observation("late").About)
	})
	t.Run("tenants know nothing of each other's judged work", func(t *testing.T) {
		backend := s.open(t)
		mine, theirs := judgedTenantOf(bind(t, backend, randomTenant())), judgedTenantOf(bind(t, backend, randomTenant()))
		ids := mine.judgeOnce()
		theirs.requireModel(newJudgedModel())
		theirs.Equal([]bool{false, false, false, false}, theirs.exist(ids...))
		theirs.ErrorIs(labelVerdict(theirs.ctx(), theirs, store.VerdictLabel{Verdict: "v"}), store.ErrNotFound)
		_, err := theirs.CompleteRun(theirs.ctx(), store.RunCompletion{Run: "r", At: at(0)})
		theirs.ErrorIs(err, store.ErrNotFound)
		theirs.rule(verdict("v", "r", "s", at(7)).using("glow"))
		theirs.complete("r", 8)
		mine.Equal(at(1), mine.runOf("r").StartedAt)
		mine.Equal(1, mine.learned(store.PatternQuery{})[0].Total)
	})
}

// judgeOnce records the verdict "v" on the section "s" of the run "r", completes it, and gives the ids of the
// run, the section, the verdict and the pattern.
func (c *judgedTenant) judgeOnce() []string {
	c.t.Helper()
	c.rule(verdict("v", "r", "s", at(1)).using("glow"))
	c.complete("r", 2)
	return judgedIDs()
}

// judgedIDs are the ids that judgeOnce gives.
func judgedIDs() []string {
	pattern := memory.PatternKey(memory.PatternDo, "verse", nil, "glow")
	return []string{"run:r", "section:r/s", "verdict:v", "pattern:" + pattern}
}
