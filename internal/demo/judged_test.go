package demo_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/demo"
	"mneme/memory"
	"mneme/memory/graduation"
	"mneme/memory/judging"
	"mneme/memory/trends"
	"mneme/service/boundary"
)

func TestJudgedSampleIsBelievable(t *testing.T) {
	t.Parallel()
	last := map[string]boundary.RecordVerdictInput{}
	for _, verdict := range sampleOf(t).Verdicts {
		section := memory.SectionKey(verdict.RunID, verdict.SectionID)
		before, again := last[section]
		if again {
			assert.Equal(t, before.Iteration+1, verdict.Iteration)
			assert.NotEqual(t, memory.VerdictApprove, before.Status, "what is approved is not judged again")
			assert.True(t, verdict.At.After(*before.At))
		}
		assert.True(t, verdict.At.Before(today))
		assert.Equal(t, verdict.Status == memory.VerdictValidationFail, verdict.JudgeID == nil)
		last[section] = verdict
	}
}

func TestLoadedSampleTeaches(t *testing.T) {
	t.Parallel()
	svc := open(t)
	for range 2 {
		_, err := demo.Load(t.Context(), svc, today)
		require.NoError(t, err)
	}
	guidance, err := svc.Judging.Guidance(t.Context(), boundary.GuidanceInput{
		RunID: new("demo-report-5"), SectionID: new("returns"), SectionType: "chart", Context: memory.JSON(`{"audience":"board"}`),
	})
	require.NoError(t, err)
	prompt, err := guidance.PromptBlock(1000)
	require.NoError(t, err)
	assert.Contains(t, prompt, "UNREADABLE_CHART", "most charts had it")
	assert.Contains(t, prompt, "similar audience used these approaches: sorted bars")
	assert.Contains(t, prompt, "Iteration 2 - Refinement Feedback")
	for audience, says := range map[string]string{"board": "where audience is board)", "team": "where audience is team)"} {
		tables, err := svc.Judging.Guidance(t.Context(), boundary.GuidanceInput{SectionType: "table", Context: memory.JSON(`{"audience":"` + audience + `"}`)})
		require.NoError(t, err)
		require.Len(t, tables.Dos, 1)
		assert.Contains(t, tables.Dos[0], says, "what worked for the others is not told")
		assert.Len(t, tables.Donts, map[string]int{"board": 1, "team": 0}[audience])
	}
	tendencies, err := svc.Judging.JudgeTendencies(t.Context(), "report-critic", nil)
	require.NoError(t, err)
	assert.NotEqual(t, judging.LeniencyUnknown, tendencies.Calibration.Leniency, "it has decided often enough")
	assert.Greater(t, tendencies.HumanAgreement.Labelled, 5)
	require.NotNil(t, tendencies.ThresholdProposal.Threshold, tendencies.ThresholdProposal.Reason)
	assert.Positive(t, tendencies.ThresholdProposal.WouldReject)

	for _, taskType := range []string{"incident_triage", "service_rollout"} {
		best, err := svc.Learning.SelectAgent(t.Context(), boundary.SelectionInput{TaskType: taskType}, false)
		require.NoError(t, err)
		assert.Equal(t, "on-call", best.AgentKey)
	}
	reached, err := svc.Learning.AgentGraduation(t.Context(), "support", nil)
	require.NoError(t, err)
	assert.NotEqual(t, graduation.LevelAutonomous, reached.Level)
	points, err := svc.Learning.Trends(t.Context(), boundary.TrendsInput{Bucket: trends.Week})
	require.NoError(t, err)
	assert.Greater(t, len(points), 10)
}
