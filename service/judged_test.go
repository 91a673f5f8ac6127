package service_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mneme/service/servicetest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/alerts"
	"mneme/memory/judging"
	"mneme/service"
	"mneme/service/boundary"
	"mneme/service/reading"
	"mneme/service/verdicts"
)

func verdict(section string, iteration int, status memory.VerdictStatus) boundary.RecordVerdictInput {
	return boundary.RecordVerdictInput{
		RunID: "song", SectionID: section, SectionType: "verse", JudgeID: new("judge"), Iteration: iteration, Status: status,
	}
}

func judge(t *testing.T, svc *service.Tenant, input boundary.RecordVerdictInput) *verdicts.VerdictReceipt {
	t.Helper()
	receipt, err := svc.Judging.RecordVerdict(t.Context(), input)
	require.NoError(t, err)
	return receipt
}

func TestARejectionAsksForARevision(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	first := verdict("intro", 0, memory.VerdictSoftFail)
	first.Feedback, first.Strengths, first.Fixes = new("BASE lane should use gtpl_base_*"), []string{"calm"}, []string{"swap the template"}
	first.Issues = []boundary.IssueInput{{Code: "TEMPLATE_LANE_MISMATCH", Area: new("LANES"), Message: new("BASE has a RHYTHM template")}}
	receipt := judge(t, svc, first)
	assert.Equal(t, "Feedback 1 (iteration 0, judge_soft_failure): BASE lane should use gtpl_base_*", receipt.Feedback)
	assert.Equal(t, &judging.RevisionRequest{
		FocusAreas: []string{"LANES"}, SpecificFixes: []string{"swap the template"}, Avoid: []string{"Keep: calm"},
		ContextForPlanner: "BASE lane should use gtpl_base_*",
	}, receipt.RevisionRequest)

	byRule := verdict("section:song/intro", 1, memory.VerdictValidationFail)
	byRule.JudgeID = nil
	receipt = judge(t, svc, byRule)
	assert.Equal(t, "section:song/intro", memory.NodeID(memory.KindSection, receipt.Verdict.SectionKey))
	assert.Contains(t, receipt.Feedback, "\nFeedback 2 (iteration 1, validation_failure): no reason given")

	receipt = judge(t, svc, verdict("intro", 2, memory.VerdictApprove))
	assert.Nil(t, receipt.RevisionRequest)
	assert.Empty(t, receipt.Feedback, "nothing is left to be done")
}

// What is dated later than now is not of the last 30 days.
func TestVerdictsOfTheFutureRaiseNoAlert(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for judgeID, at := range map[string]time.Time{"ahead": servicetest.Noon.AddDate(1, 0, 0), "today": servicetest.Noon} {
		for i := range 20 {
			input := verdict(fmt.Sprint("section ", i), 0, memory.VerdictApprove)
			input.RunID, input.JudgeID, input.At = judgeID, &judgeID, &at
			judge(t, svc, input)
		}
	}
	found, err := svc.Learning.Alerts(t.Context(), boundary.AlertsInput{Kind: new(alerts.JudgeTooLenient)})
	require.NoError(t, err)
	require.Len(t, found, 1)
	assert.Equal(t, "judge today", found[0].Subject)
}

func TestVerdictsAreChecked(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for name, test := range map[string]struct {
		field  string
		change func(*boundary.RecordVerdictInput)
	}{
		"no run":                   {"runId", func(i *boundary.RecordVerdictInput) { i.RunID = "" }},
		"no section":               {"sectionId", func(i *boundary.RecordVerdictInput) { i.SectionID = "" }},
		"a section of another run": {"sectionId", func(i *boundary.RecordVerdictInput) { i.SectionID = "section:other/intro" }},
		"no section type":          {"sectionType", func(i *boundary.RecordVerdictInput) { i.SectionType = "" }},
		"before the first":         {"iteration", func(i *boundary.RecordVerdictInput) { i.Iteration = -1 }},
		"an unknown status":        {"status", func(i *boundary.RecordVerdictInput) { i.Status = "MAYBE" }},
		"a judge of no judge": {"judgeId", func(i *boundary.RecordVerdictInput) {
			i.Status = memory.VerdictValidationFail
		}},
		"a score without bounds": {"score", func(i *boundary.RecordVerdictInput) { i.Score = new(1e300) }},
		"an issue without code":  {"issues.0.code", func(i *boundary.RecordVerdictInput) { i.Issues = []boundary.IssueInput{{}} }},
		"a blank approach":       {"patterns.1", func(i *boundary.RecordVerdictInput) { i.Patterns = []string{"a", " "} }},
		"a plan that is no JSON": {"plan", func(i *boundary.RecordVerdictInput) { i.Plan = memory.JSON("{") }},
		"a private judge":        {"judgeId", func(i *boundary.RecordVerdictInput) { i.JudgeID = new("<private>Ann</private>") }},
		"too many fixes":         {"fixes", func(i *boundary.RecordVerdictInput) { i.Fixes = make([]string, boundary.MaxList+1) }},
	} {
		t.Run(name, func(t *testing.T) {
			input := verdict("intro", 0, memory.VerdictApprove)
			test.change(&input)
			_, err := svc.Judging.RecordVerdict(t.Context(), input)
			var known *memory.Error
			require.ErrorAs(t, err, &known)
			require.Equal(t, test.field, known.Field)
		})
	}
	runs, err := svc.Judging.Runs(t.Context(), reading.PageInput{})
	require.NoError(t, err)
	require.Empty(t, runs.Items, "nothing came into being")
}

func TestVerdictsKeepNoSecrets(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	const secret = "<private>hunter2</private>"
	input := verdict("intro", 0, memory.VerdictSoftFail)
	input.Feedback, input.Strengths, input.Fixes, input.Patterns = new("a "+secret), []string{secret}, []string{secret}, []string{secret}
	input.Issues = []boundary.IssueInput{{Code: "X", Message: new(secret)}}
	input.Context, input.Plan = memory.JSON(`{"a":"`+secret+`"}`), memory.JSON(`["`+secret+`"]`)
	receipt := judge(t, svc, input)
	assert.Equal(t, []memory.Redaction{{Kind: "private", Count: 7}}, receipt.Verdict.Receipt.Redactions)
	assert.NotContains(t, receipt.Feedback+receipt.RevisionRequest.ContextForPlanner+*receipt.Verdict.Issues[0].Message+
		string(receipt.Verdict.Plan)+string(receipt.Verdict.Context)+receipt.Verdict.Patterns[0], "hunter2")

	guidance, err := svc.Judging.Guidance(t.Context(), boundary.GuidanceInput{RunID: new("song"), SectionType: "verse", Context: input.Context})
	require.NoError(t, err)
	assert.Equal(t, []string{"⚠️ ISSUE: 'X' occurred in intro: [private]"}, guidance.Warnings)
}

func TestTheSameVerdictIsTheSameRecord(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	input := verdict("intro", 0, memory.VerdictApprove)
	input.ID = new("v")
	first := judge(t, svc, input)
	input.SectionID, input.RunID = "section:song/intro", "run:song"
	assert.Equal(t, first, judge(t, svc, input))
	input.Iteration = 1
	_, err := svc.Judging.RecordVerdict(t.Context(), input)
	servicetest.RequireCode(t, err, memory.CodeConflict, "id")
}

func TestARunIsFoldedOnce(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	_, err := svc.Judging.CompleteRun(t.Context(), boundary.CompleteRunInput{RunID: "song"})
	servicetest.RequireCode(t, err, memory.CodeNotFound, "runId")
	for _, section := range []string{"a", "b", "c"} {
		input := verdict(section, 0, memory.VerdictApprove)
		input.Patterns, input.Score = []string{"warm glow"}, new(8.5)
		input.Issues = []boundary.IssueInput{{Code: "DARK", Message: new("too dark")}}
		judge(t, svc, input)
	}
	for _, want := range []verdicts.RunCompletion{{Sections: 3, PatternsUpdated: 2}, {Sections: 3}} {
		got, err := svc.Judging.CompleteRun(t.Context(), boundary.CompleteRunInput{RunID: "run:song"})
		require.NoError(t, err)
		require.Equal(t, want, *got)
	}
	patterns, err := svc.Judging.Patterns(t.Context(), boundary.PatternFilter{Kind: new(memory.PatternDo)}, reading.PageInput{})
	require.NoError(t, err)
	require.Len(t, patterns.Items, 1)
	require.Equal(t, 3, patterns.Items[0].Total)
	guidance, err := svc.Judging.Guidance(t.Context(), boundary.GuidanceInput{SectionType: "verse"})
	require.NoError(t, err)
	require.Equal(t, []string{"DO warm glow (success rate: 100%, avg score: 8.5)"}, guidance.Dos)
	require.Equal(t, []string{"DON'T too dark (fails 100% of time with DARK)"}, guidance.Donts)
	require.Empty(t, guidance.Warnings, "no run was named")
	block, err := guidance.PromptBlock(1000)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(block, "# Historical Learnings"))

	other, err := svc.Judging.Guidance(t.Context(), boundary.GuidanceInput{SectionType: "verse", Context: memory.JSON(`{"energy":"high"}`)})
	require.NoError(t, err)
	require.Equal(t, guidance.Dos, other.Dos, "what is so of all verses is so of these")
	require.Len(t, other.Donts, 1)
}

// An approach that worked in very many contexts does not keep others from being told.
func TestGuidanceOfAnyContextTellsOfSeveralApproaches(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	var inputs []boundary.RecordVerdictInput
	used := func(sections int, approach string, tempo int) {
		for range sections {
			input := verdict(fmt.Sprint("s", len(inputs)), 0, memory.VerdictApprove)
			input.Patterns, input.Context = []string{approach}, memory.JSON(fmt.Sprintf(`{"tempo":%d}`, tempo))
			inputs = append(inputs, input)
		}
	}
	for tempo := range 120 {
		used(4, "warm glow", tempo)
	}
	used(3, "slow fade", 60)
	result, err := svc.Judging.RecordVerdicts(t.Context(), boundary.RecordVerdictsInput{Verdicts: inputs})
	require.NoError(t, err)
	require.Empty(t, result.Errors)
	_, err = svc.Judging.CompleteRun(t.Context(), boundary.CompleteRunInput{RunID: "song"})
	require.NoError(t, err)
	guidance, err := svc.Judging.Guidance(t.Context(), boundary.GuidanceInput{SectionType: "verse"})
	require.NoError(t, err)
	require.Equal(t, []string{"DO warm glow (success rate: 100%)", "DO slow fade (success rate: 100%, seen only where tempo is 60)"}, guidance.Dos)
}

// Ten verses of high energy of which seven fail, and ten calm ones that pass.
func TestGuidanceTellsWhatSeparatesContexts(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	var inputs []boundary.RecordVerdictInput
	for i := range 20 {
		input := verdict(fmt.Sprint("s", i), 0, memory.VerdictApprove)
		input.Context = memory.JSON(`{"energy":"high","tempo":120}`)
		if i >= 10 {
			input.Context = memory.JSON(`{"energy":"calm","tempo":120}`)
		}
		if i < 7 {
			input.Status, input.Issues = memory.VerdictSoftFail, []boundary.IssueInput{{Code: "LANES", Message: new("BASE uses gtpl_base_* only")}}
		}
		inputs = append(inputs, input)
	}
	_, err := svc.Judging.RecordVerdicts(t.Context(), boundary.RecordVerdictsInput{Verdicts: inputs})
	require.NoError(t, err)
	_, err = svc.Judging.CompleteRun(t.Context(), boundary.CompleteRunInput{RunID: "song"})
	require.NoError(t, err)
	for context, want := range map[string][]string{
		`{"energy":"high"}`:               {"DON'T: BASE uses gtpl_base_* only (fails 70% of time with LANES, where energy is high)"},
		`{"energy":"high","tempo":120.0}`: {"DON'T: BASE uses gtpl_base_* only (fails 70% of time with LANES, where energy is high)"},
		`{"energy":"calm"}`:               {},
		`{"tempo":120}`:                   {},
		`null`:                            {"DON'T: BASE uses gtpl_base_* only (fails 70% of time with LANES, where energy is high)"},
	} {
		in, err := memory.ParseJSON([]byte(context))
		require.NoError(t, err)
		guidance, err := svc.Judging.Guidance(t.Context(), boundary.GuidanceInput{SectionType: "verse", Context: in})
		require.NoError(t, err)
		require.Equal(t, want, guidance.Donts, context)
		for _, pattern := range guidance.Patterns {
			require.Equal(t, memory.JSON(`{"energy":"high"}`), pattern.Context)
		}
	}
}

func TestGuidanceKnowsItsSection(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	input := verdict("a/b", 0, memory.VerdictHardFail)
	input.Feedback = new("Too loud")
	judge(t, svc, input)
	for name, given := range map[string]boundary.GuidanceInput{
		"by name":      {RunID: new("song"), SectionID: new("a/b")},
		"by global id": {RunID: new("run:song"), SectionID: new("section:song/a%2Fb")},
		"without run":  {SectionID: new("section:song/a%2Fb")},
	} {
		given.SectionType = "verse"
		guidance, err := svc.Judging.Guidance(t.Context(), given)
		require.NoError(t, err, name)
		block, err := guidance.PromptBlock(1000)
		require.NoError(t, err)
		assert.Equal(t, "# Iteration 2 - Refinement Feedback\nFeedback 1 (iteration 0, judge_hard_failure): Too loud", block, name)
	}
	for name, given := range map[string]boundary.GuidanceInput{
		"a name alone": {SectionID: new("a/b")}, "of another run": {RunID: new("other"), SectionID: new("section:song/a%2Fb")},
	} {
		given.SectionType = "verse"
		_, err := svc.Judging.Guidance(t.Context(), given)
		require.Error(t, err, name)
		servicetest.RequireCode(t, err, memory.CodeInvalidInput, "sectionId")
	}
}

func TestLabelsReplaceOneAnother(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	input := verdict("intro", 0, memory.VerdictApprove)
	input.ID = new("v")
	judge(t, svc, input)
	for _, approve := range []bool{true, false} {
		labelled, err := svc.Judging.LabelVerdict(t.Context(), boundary.LabelVerdictInput{VerdictID: "verdict:v", Approve: approve, LabelledBy: new("ann")})
		require.NoError(t, err)
		require.Equal(t, approve, *labelled.Label)
	}
	_, err := svc.Judging.LabelVerdict(t.Context(), boundary.LabelVerdictInput{VerdictID: "w"})
	servicetest.RequireCode(t, err, memory.CodeNotFound, "verdictId")
	tendencies, err := svc.Judging.JudgeTendencies(t.Context(), "judge", nil)
	require.NoError(t, err)
	require.Equal(t, 1, tendencies.HumanAgreement.Labelled)
	require.Zero(t, tendencies.HumanAgreement.Agreement)
	nobody, err := svc.Judging.JudgeTendencies(t.Context(), "nobody", nil)
	require.NoError(t, err)
	require.Zero(t, nobody.Verdicts)
	require.Equal(t, judging.LeniencyUnknown, nobody.Calibration.Leniency)
}

func TestVerdictsOfAContext(t *testing.T) {
	t.Parallel()
	svc := servicetest.Open(t)
	for i := range 1100 {
		input := verdict(fmt.Sprint("section", i), 0, memory.VerdictApprove)
		input.ID, input.At = new(fmt.Sprintf("v%04d", i)), new(servicetest.Noon.Add(time.Duration(i)*time.Second))
		if i%500 == 7 {
			input.Context = memory.JSON(`{"energy":"high","tempo":120.0}`)
		}
		judge(t, svc, input)
	}
	filter := boundary.VerdictFilter{Context: memory.JSON(`{"tempo":120}`)}
	page, err := svc.Judging.Verdicts(t.Context(), filter, reading.PageInput{First: new(2)})
	require.NoError(t, err)
	require.Equal(t, []string{"v1007", "v0507"}, []string{page.Items[0].Key, page.Items[1].Key})
	require.True(t, page.HasNext)
	total, err := page.Total(t.Context())
	require.NoError(t, err)
	require.Equal(t, 3, total)
	page, err = svc.Judging.Verdicts(t.Context(), filter, reading.PageInput{First: new(2), After: &page.Cursors[1]})
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	require.Equal(t, "v0007", page.Items[0].Key)
	require.False(t, page.HasNext)
	page, err = svc.Judging.Verdicts(t.Context(), boundary.VerdictFilter{Context: memory.JSON(`{"tempo":121}`)}, reading.PageInput{})
	require.NoError(t, err)
	require.Empty(t, page.Items)
	_, err = svc.Judging.Verdicts(t.Context(), boundary.VerdictFilter{Context: memory.JSON(`{`)}, reading.PageInput{})
	servicetest.RequireCode(t, err, memory.CodeInvalidInput, "context")
}

func TestVerdictsOfARareContextAreLookedForWithinBounds(t *testing.T) {
	t.Parallel()
	svc, _ := withEndless(t)
	_, err := svc.Judging.Verdicts(t.Context(), boundary.VerdictFilter{Context: memory.JSON(`{"energy":"high"}`)}, reading.PageInput{})
	servicetest.RequireCode(t, err, memory.CodeLimitExceeded, "context")
}
