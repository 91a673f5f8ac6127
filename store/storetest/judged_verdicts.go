package storetest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store"
)

func (s suite) verdicts(t *testing.T) {
	s.judge(t, "the types of their sections are known", func(c *judgedTenant) {
		types, err := c.Names(c.ctx(), store.SectionTypes)
		c.NoError(err)
		c.Equal([]string{}, types)
		c.rule(verdict("1", "r", "a", at(1)).ofType("verse"), verdict("2", "r", "b", at(2)).ofType("Chorus"), verdict("3", "q", "c", at(3)).ofType("verse"))
		types, err = c.Names(c.ctx(), store.SectionTypes)
		c.NoError(err)
		c.Equal([]string{"Chorus", "verse"}, types)
	})
	s.judge(t, "every field comes back", verdictFields)
	s.judge(t, "texts come back byte for byte", verdictTexts)
	s.judge(t, "the same content again is the same verdict, other content a conflict", func(c *judgedTenant) {
		first := verdict("v1", "r", "s", at(0))
		c.rule(first)
		c.NoError(labelVerdict(c.ctx(), c, store.VerdictLabel{Verdict: "v1", Approve: true}))
		recorded := c.ruled(first, first.scoring(3), verdict("v2", "r", "s", at(0)), verdict("v2", "r", "t", at(0)))
		c.NoError(recorded[0].Err)
		c.False(recorded[0].Created)
		c.ErrorIs(recorded[1].Err, store.ErrConflict)
		c.True(recorded[2].Created)
		c.ErrorIs(recorded[3].Err, store.ErrConflict)
		c.Equal(new(true), c.verdict("v1").Label, "the label stays")
		c.Nil(c.verdict("v1").Score)
		c.Len(c.sectionsOf("r"), 1, "a verdict that was refused makes no section")
	})
	s.judge(t, "verdicts come in the order of the keys, nil where there is none", func(c *judgedTenant) {
		a, b := verdict("a", "r", "s", at(0)), verdict("b", "r", "s", at(0))
		c.rule(a, b)
		found, err := store.Get[memory.Verdict](c.ctx(), c, []string{"b", "none", "a", "b"})
		c.NoError(err)
		c.Equal([]*memory.Verdict{b.read(), nil, a.read(), b.read()}, found)
		found, err = store.Get[memory.Verdict](c.ctx(), c, nil)
		c.NoError(err)
		c.Equal([]*memory.Verdict{}, found)
	})
	s.judge(t, "verdicts are listed newest first, in pages, by what is asked", verdictPages)
	s.judge(t, "rejections are the last of a section that do not approve", rejections)
}

// fullVerdict sets every field that a caller may.
func fullVerdict(key string) verdictDraft {
	d := verdict(key, "r/1", "verse 1", at(3)).inIteration(2).deciding(memory.VerdictSoftFail).scoring(6.25).
		within(`{"energy":"high","tempo":120.0}`).saying("Too dense.").using("glow", "chase").
		faulting("LATE", new("TIMING"), new("starts late")).faulting("MUTE", nil, nil).faulting("", new(""), new(""))
	d.Verdict.Strengths, d.Verdict.Fixes = []string{"contrast"}, []string{"start on 1", "less"}
	d.Verdict.Plan, d.Verdict.Threshold = memory.JSON(`{"lanes":[1,null,"two"]}`), new(6.5)
	d.Verdict.Receipt = memory.Receipt{TokensBefore: 9, TokensAfter: 7, Redactions: []memory.Redaction{{Kind: "private", Count: 2}}}
	return d
}

func verdictFields(c *judgedTenant) {
	full, bare := fullVerdict("full"), verdict("bare", "r", "s", at(4)).byNoJudge().deciding(memory.VerdictValidationFail)
	labelled := verdict("labelled", "r", "s", at(5))
	labelled.Verdict.Label, labelled.Verdict.LabelledBy = new(true), new("ann")
	empty := verdict("empty", "r", "s", at(5)).by("").saying("").scoring(0).ofType("").within(`""`)
	c.rule(full, bare, labelled, empty)
	c.Equal(full.read(), c.verdict("full"))
	c.Equal(bare.read(), c.verdict("bare"))
	c.Equal(labelled.read(), c.verdict("labelled"))
	c.Equal(empty.read(), c.verdict("empty"))

	none := verdict("none", "r", "s", at(6))
	none.Verdict.Issues, none.Verdict.Patterns, none.Verdict.Strengths, none.Verdict.Fixes = nil, nil, nil, nil
	none.Verdict.Receipt.Redactions = nil
	c.rule(none)
	c.Equal(verdict("none", "r", "s", at(6)).read(), c.verdict("none"), "lists come back non-nil")
}

func verdictTexts(c *judgedTenant) {
	for i, text := range awkwardTexts {
		key := string(rune('a' + i))
		d := verdict(key, "texts", key, at(0)).by(text).saying(text).ofType(text).using(text, text).faulting(text, &text, &text)
		d.Verdict.Strengths, d.Verdict.Fixes = []string{text}, []string{text, ""}
		c.rule(d)
		c.Equal(d.read(), c.verdict(key), "%q", text)
		found, _, err := store.List(c.ctx(), c, store.VerdictQuery{Judge: &text, SectionType: &text}, everything)
		c.NoError(err)
		c.Equal([]*memory.Verdict{d.read()}, found, "%q", text)
	}
	for _, key := range awkwardKeys {
		c.rule(verdict("of "+key, key, key, at(0)))
		sections := c.sectionsOf(key)
		c.Len(sections, 1, "%q", key)
		c.Equal(key, sections[0].Name())
		c.Equal(key, c.runOf(key).Key)
	}
}

func verdictPages(c *judgedTenant) {
	model := newJudgedModel()
	drafts := []verdictDraft{}
	for i := range 24 {
		d := verdict(fmt.Sprintf("v%02d", i), []string{"r", "R"}[i%2], []string{"s", "t", "S"}[i%3], at(20-i/4)).
			ofType([]string{"verse", "Verse"}[i/12])
		switch i % 5 {
		case 0:
			d = d.byNoJudge()
		case 1:
			d = d.by("Judge")
		}
		drafts = append(drafts, d)
	}
	c.rule(drafts...)
	model.record(drafts...)
	for _, query := range []store.VerdictQuery{
		{}, {Judge: new("judge")}, {Judge: new("Judge")}, {Judge: new("none")}, {Run: new("R")}, {Section: new("r/s")}, {SectionType: new("verse")},
		{Judge: new("judge"), Run: new("r"), Section: new("r/t"), SectionType: new("Verse")}, {Run: new("r"), Section: new("R/s")},
	} {
		for _, limit := range []int{1, 5, 24, 25} {
			c.requireVerdicts(model, query, limit)
		}
	}
}

func rejections(c *judgedTenant) {
	soft, hard, invalid := memory.VerdictSoftFail, memory.VerdictHardFail, memory.VerdictValidationFail
	model := newJudgedModel()
	drafts := []verdictDraft{
		verdict("c", "r", "s", at(9)).deciding(soft), verdict("b", "r", "s", at(2)).deciding(hard),
		verdict("a", "r", "s", at(2)).deciding(invalid).byNoJudge(), verdict("z", "r", "s", at(1)).deciding(soft),
		verdict("ok", "r", "s", at(10)), verdict("other", "r", "t", at(3)).deciding(soft),
	}
	c.rule(drafts...)
	model.record(drafts...)
	for _, query := range []store.VerdictQuery{{}, {Section: new("r/s")}, {Section: new("r/none")}, {Judge: new("judge"), Run: new("r")}} {
		query.Rejecting = true
		c.requireVerdicts(model, query, 2)
	}
}

func (s suite) labels(t *testing.T) {
	s.judge(t, "a label is set, and set again", func(c *judgedTenant) {
		c.rule(verdict("v", "r", "s", at(0)))
		for _, label := range []store.VerdictLabel{
			{Verdict: "v", Approve: true, LabelledBy: new("ann")}, {Verdict: "v", LabelledBy: new("")}, {Verdict: "v", Approve: true},
			{Verdict: "v", Approve: true},
		} {
			c.NoError(labelVerdict(c.ctx(), c, label))
			want := verdict("v", "r", "s", at(0)).read()
			want.Label, want.LabelledBy = &label.Approve, label.LabelledBy
			c.Equal(want, c.verdict("v"))
			c.Equal(want.Judgement, c.sectionsOf("r")[0].Judgements[0])
			c.Equal([]memory.Judgement{want.Judgement}, c.judgements(store.JudgementQuery{Judge: new("judge")}))
		}
	})
	t.Run("there is nothing to label", func(t *testing.T) {
		t.Parallel()
		backend, id, label := s.open(t), randomTenant(), store.VerdictLabel{Verdict: "none", Approve: true}
		for range 2 { // first where nothing is stored of the tenant
			tenant, err := backend.Tenant(t.Context(), id)
			require.NoError(t, err)
			recorded, err := store.Record(t.Context(), tenant, []store.VerdictLabel{label, label})
			require.NoError(t, err)
			require.Equal(t, []store.Recorded{{Err: store.ErrNotFound}, {Err: store.ErrNotFound}}, recorded)
			bind(t, backend, id)
		}
	})
	s.judge(t, "what replaces what was there is not created", func(c *judgedTenant) {
		c.rule(verdict("v", "r", "s", at(0)))
		for range 2 {
			agents, err := store.Record(c.ctx(), c, []store.AgentItem{{Agent: memory.Agent{Key: "a", Name: "A"}}, {Agent: memory.Agent{Key: "b", Name: "B"}}})
			c.NoError(err)
			c.Equal([]store.Recorded{{Key: "a"}, {Key: "b"}}, agents)
			thresholds, err := store.Record(c.ctx(), c, []store.JudgeThresholdItem{{JudgeThreshold: memory.JudgeThreshold{JudgeKey: "j", At: at(0)}}})
			c.NoError(err)
			c.Equal([]store.Recorded{{}}, thresholds)
			labels, err := store.Record(c.ctx(), c, []store.VerdictLabel{{Verdict: "v"}})
			c.NoError(err)
			c.Equal([]store.Recorded{{}}, labels)
		}
	})
}

func (s suite) judgeThresholds(t *testing.T) {
	s.judge(t, "of a judge and a type of section there is one threshold, the last applied", func(c *judgedTenant) {
		none, err := store.All(c.ctx(), c, store.ThresholdsOf{})
		c.NoError(err)
		c.Empty(none)
		ofAll := memory.JudgeThreshold{JudgeKey: "j/1", Threshold: new(7.25), At: at(5)}
		ofVerses := memory.JudgeThreshold{JudgeKey: "j/1", SectionType: new("verse"), Threshold: new(-8.0), At: at(6)}
		other := memory.JudgeThreshold{JudgeKey: "j", SectionType: new("1"), Threshold: new(0.0), At: at(7)}
		for _, threshold := range []memory.JudgeThreshold{ofVerses, {JudgeKey: "j/1", Threshold: new(1.0), At: at(9)}, ofAll, other} {
			c.NoError(applyJudgeThreshold(c.ctx(), c, threshold))
		}
		found, err := store.All(c.ctx(), c, store.ThresholdsOf{Judges: []string{"j/1", "none", "j/1"}})
		c.NoError(err)
		c.Equal([]*memory.JudgeThreshold{&ofAll, &ofVerses}, found)
		removed := memory.JudgeThreshold{JudgeKey: "j/1", Threshold: nil, At: at(8)}
		c.NoError(applyJudgeThreshold(c.ctx(), c, removed))
		found, err = store.All(c.ctx(), c, store.ThresholdsOf{Judges: []string{"j", "j/1"}})
		c.NoError(err)
		c.Equal([]*memory.JudgeThreshold{&removed, &ofVerses, &other}, found)
	})
	s.runTwo(t, "of a threshold that is there the later stays", func(from, to *tenant) {
		threshold := func(value *float64, minute int) memory.JudgeThreshold {
			return memory.JudgeThreshold{JudgeKey: "j", Threshold: value, At: at(minute)}
		}
		c := judgedTenantOf(to)
		for _, step := range []struct{ applied, restored, want memory.JudgeThreshold }{
			{threshold(new(5.0), 5), threshold(new(4.0), 4), threshold(new(5.0), 5)},
			{threshold(new(5.0), 5), threshold(new(6.0), 6), threshold(new(6.0), 6)},
			{threshold(nil, 7), threshold(new(6.0), 6), threshold(nil, 7)},
			{threshold(nil, 7), threshold(new(8.0), 8), threshold(new(8.0), 8)},
		} {
			c.NoError(applyJudgeThreshold(c.ctx(), c, step.applied))
			for _, r := range to.restored(false, &store.JudgeThresholdItem{JudgeThreshold: step.restored}) {
				to.NoError(r.Err)
			}
			found, err := store.All(c.ctx(), c, store.ThresholdsOf{Judges: []string{"j"}})
			c.NoError(err)
			c.Equal([]*memory.JudgeThreshold{&step.want}, found)
		}
	})
}

func (s suite) judges(t *testing.T) {
	s.judge(t, "judges are distinct, in the order of their bytes", func(c *judgedTenant) {
		judges, err := c.Names(c.ctx(), store.Judges)
		c.NoError(err)
		c.Equal([]string{}, judges)
		c.rule(verdict("1", "r", "s", at(0)).by("b"), verdict("2", "r", "s", at(0)).by("a"), verdict("3", "r", "s", at(0)).by("B"),
			verdict("4", "q", "s", at(0)).by("a"), verdict("5", "q", "s", at(0)).byNoJudge(), verdict("6", "q", "s", at(0)).by("é"))
		judges, err = c.Names(c.ctx(), store.Judges)
		c.NoError(err)
		c.Equal([]string{"B", "a", "b", "é"}, judges)
	})
	s.judge(t, "judgements come oldest first, of a judge and since an instant where they are given", func(c *judgedTenant) {
		model := newJudgedModel()
		drafts := []verdictDraft{}
		for i := range 30 {
			drafts = append(drafts, verdict(fmt.Sprintf("v%02d", i), "r", fmt.Sprint(i%4), at((7*i)%5)).by([]string{"j", "J"}[i%2]))
		}
		drafts = append(drafts, fullVerdict("full"), verdict("none", "r", "s", at(2)).byNoJudge())
		c.rule(drafts...)
		model.record(drafts...)
		for _, query := range []store.JudgementQuery{{}, {Judge: new("j")}, {Judge: new("j"), Since: new(at(3))}, {Since: new(at(4))}, {Judge: new("none")}} {
			c.Equal(model.judgements(query), c.judgements(query))
		}
	})
}
