package importer_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/importer"
	"mneme/internal/testsecret"
)

// Whatever text of whatever line a secret is put into, it is not kept, and no error repeats it.
func TestNoTextOfALineKeepsASecret(t *testing.T) {
	t.Parallel()
	svc := testsecret.Open(t)
	places := 0
	for format, file := range map[importer.Format]string{
		importer.JSONL: lines(everyKind),
		importer.Events: `{"runId":"r1","agentId":"a","workflowName":"w","sessionId":"s","type":"agent_thought","data":{"thought":"x"},"at":"2026-01-01T00:00:00Z"}
			{"runId":"r2","agentId":"a","type":"step_completed","data":{"step_id":"1","step_name":"n","result":["x"]},"at":"2026-01-01T00:00:01Z"}`,
		importer.Executions: `{"id":"x","agentId":"a","taskType":"t","success":true,"quality":0.5,"at":"2026-01-01T00:00:00Z"}`,
		importer.Verdicts: `{"id":"v","runId":"r","sectionId":"s","sectionType":"p","context":{"a":"b"},"judgeId":"j","iteration":0,"status":"REVISE","feedback":"x",
			"issues":[{"code":"c","message":"m"}],"label":true,"labelledBy":"ann","at":"2026-01-01T00:00:00Z"}`,
	} {
		var planted bytes.Buffer
		if format == importer.Verdicts {
			file = strings.ReplaceAll(file, "\n", " ")
		}
		for text := range strings.Lines(file) {
			if strings.TrimSpace(text) == "" {
				continue
			}
			var line any
			require.NoError(t, json.Unmarshal([]byte(text), &line))
			variants := testsecret.Planting(line)
			if record, ok := line.(map[string]any)["record"].(map[string]any); ok && record["observation"] != nil || ok && record["memoirId"] != nil || ok && record["content"] != nil {
				delete(record, "id") // so that each becomes a record of its own
				variants = append(variants, testsecret.Planting(line)...)
			}
			for _, variant := range variants {
				places++
				require.NoError(t, json.NewEncoder(&planted).Encode(variant))
			}
		}
		report, err := importer.Import(t.Context(), svc, &planted, importer.Options{Format: format, KeepGoing: true})
		require.NoError(t, err)
		for _, fault := range report.Faults {
			assert.NotContains(t, fault.Error(), testsecret.Planted)
		}
	}
	assert.Greater(t, places, 80)
	assert.Greater(t, testsecret.KeptWithout(t, svc), 15, "what held the secret in a text is kept without it")
}
