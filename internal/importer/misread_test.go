package importer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/importer"
)

// A file of another format is told by its first line, and by no other.
func TestTheFirstLineTellsAnotherFormat(t *testing.T) {
	t.Parallel()
	samples := map[importer.Format]string{
		importer.JSONL:      episodeLine(1),
		importer.Events:     `{"runId": "r", "agentId": "a", "type": "workflow_started", "at": "2026-03-01T10:00:00Z"}`,
		importer.Executions: `{"agentId": "a", "taskType": "t", "success": true, "quality": 1}`,
		importer.Verdicts:   `{"runId": "r", "sectionId": "s", "sectionType": "t", "judgeId": "j", "iteration": 0, "status": "APPROVE"}`,
		importer.ClaudeCode: `{"type": "user", "message": {"role": "user", "content": "x"}, "sessionId": "s", "uuid": "u", "timestamp": "2026-03-01T10:00:00Z"}`,
		importer.Codex:      `{"type": "session_meta", "timestamp": "2026-03-01T10:00:00Z", "payload": {"id": "s"}}`,
		importer.TauBench:   "[\n" + `{"task_id": 1, "trial": 0, "reward": 1}]`,
	}
	read := func(format importer.Format, text string, keepGoing bool) (importer.Report, error) {
		return importer.Import(t.Context(), open(t), strings.NewReader("\n"+text+"\n"), importer.Options{Format: format, KeepGoing: keepGoing})
	}
	require.Len(t, samples, len(importer.Formats))
	for _, format := range importer.Formats {
		for _, other := range importer.Formats {
			report, err := read(format, samples[other], false)
			if format == other {
				assert.False(t, report.Misread, format)
				continue
			}
			if format == importer.ClaudeCode || format == importer.Codex { // a directory may hold others
				require.NoError(t, err)
			} else {
				require.Error(t, err, "%s as %s", other, format)
			}
			assert.True(t, report.Misread)
			assert.Equal(t, other, report.LooksLike, "as %s", format)
		}
		report, _ := read(format, "id,name", true)
		assert.True(t, report.Misread, format)
		assert.Empty(t, report.LooksLike, format)
	}
	report, err := read(importer.Executions, samples[importer.Executions]+"\n"+samples[importer.Verdicts], false)
	require.Error(t, err)
	assert.False(t, report.Misread, "its first line is one of the format")
	report, err = read(importer.JSONL, `{"kind": "episode", "record": {"agentId": "a", "colour": 1}}`, false)
	require.Error(t, err)
	assert.False(t, report.Misread, "it is a line of the format whose record is faulty")
	report, err = read(importer.Executions, samples[importer.Verdicts], true)
	require.NoError(t, err)
	assert.Equal(t, importer.Verdicts, report.LooksLike)
	_, err = read(importer.TauBench, " ", false)
	require.ErrorContains(t, err, "there is nothing in this one")
}
