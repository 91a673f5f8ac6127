package importer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/importer"
	"mneme/memory"
	"mneme/memory/judging"
	"mneme/service"
	"mneme/service/reading"
)

func TestImportOfExecutions(t *testing.T) {
	t.Parallel()
	svc := open(t)
	const file = `{"agentId": "ada", "taskType": "refund", "success": true, "quality": 0.9, "latencyMs": 1000, "at": "2025-01-01T10:00:00Z"}
		{"agentId": "ada", "taskType": "refund", "success": false, "quality": 0.1, "at": "2025-01-01T11:00:00Z"}
		{"agentId": "ada", "taskType": "refund", "quality": 0.1, "at": "2025-01-01T11:00:00Z"}
		{"agentId": "ada", "taskType": "refund", "success": true}
		{"agentId": "ada", "taskType": "refund", "success": true, "quality": 7}`
	for _, says := range []string{"2 executions", "nothing new (there already: 2 executions)"} { // a second time changes nothing
		report, err := importer.Import(t.Context(), svc, strings.NewReader(file), importer.Options{Format: importer.Executions, KeepGoing: true})
		require.NoError(t, err)
		assert.Equal(t, says, report.String())
		require.Len(t, report.Faults, 3)
		for i, field := range []string{"success", "quality", "quality"} {
			assert.Equal(t, i+3, report.Faults[i].Line)
			assert.Contains(t, report.Faults[i].Error(), field)
		}
	}
	profile, err := svc.Learning.Profile(t.Context(), "ada", "refund")
	require.NoError(t, err)
	assert.Equal(t, 2, profile.Total)
	assert.Equal(t, 1, profile.Successful)
}

func TestImportOfVerdicts(t *testing.T) {
	t.Parallel()
	svc := open(t)
	const file = `{"id": "v1", "runId": "r", "sectionId": "a", "sectionType": "page", "judgeId": "j", "iteration": 0, "status": "APPROVE", "label": true, "labelledBy": "ann"}
		{"id": "v2", "runId": "r", "sectionId": "a", "sectionType": "page", "judgeId": "j", "iteration": 1, "status": "SOFT_FAIL", "label": true}
		{"id": "v3", "runId": "r", "sectionId": "b", "sectionType": "page", "judgeId": "j", "iteration": 0, "status": "HARD_FAIL"}
		{"id": "v4", "runId": "r", "sectionId": "b", "sectionType": "page", "judgeId": "j", "status": "HARD_FAIL"}
		{"id": "v5", "runId": "r", "sectionId": "b", "sectionType": "page", "judgeId": "j", "iteration": 1, "status": "HARD_FAIL", "labelledBy": "ann"}`
	for _, says := range []string{"3 verdicts", "nothing new (there already: 3 verdicts)"} {
		report, err := importer.Import(t.Context(), svc, strings.NewReader(file), importer.Options{Format: importer.Verdicts, KeepGoing: true})
		require.NoError(t, err)
		assert.Equal(t, says, report.String())
		require.Len(t, report.Faults, 2)
		assert.Contains(t, report.Faults[0].Error(), "line 4: INVALID_INPUT: iteration")
		assert.Contains(t, report.Faults[1].Error(), "line 5: INVALID_INPUT: labelledBy")
	}
	verdicts, err := service.ByKey[memory.Verdict](svc, memory.KindVerdict)(t.Context(), []string{"v1", "v2", "v3"})
	require.NoError(t, err)
	assert.Equal(t, "ann", *verdicts[0].LabelledBy)
	assert.True(t, *verdicts[1].Label)
	assert.Nil(t, verdicts[2].Label)
	tendencies, err := svc.Judging.JudgeTendencies(t.Context(), "j", nil)
	require.NoError(t, err)
	got := *tendencies.HumanAgreement
	got.KappaLow, got.KappaHigh = nil, nil // which follow from the others
	assert.Equal(t, judging.Agreement{
		Labelled: 2, Agreement: 0.5, Kappa: new(0.0), Precision: new(1.0), Recall: new(0.5), Drift: new(-1.0),
	}, got)
	runs, err := svc.Judging.Runs(t.Context(), reading.PageInput{})
	require.NoError(t, err)
	require.Len(t, runs.Items, 1)
	assert.Nil(t, runs.Items[0].CompletedAt)
}
