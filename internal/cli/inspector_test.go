package cli_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inspector is the command line of the npm MCP inspector, a client of the TypeScript SDK.
type inspector struct {
	program string
	target  []string // a command to start the server, or its URL
}

// findInspector finds it where `make mcp-client` installed it.
func findInspector(t *testing.T) string {
	t.Helper()
	program, err := filepath.Abs("testdata/inspector/node_modules/.bin/mcp-inspector")
	require.NoError(t, err)
	if _, err := os.Stat(program); err != nil {
		if os.Getenv("MNEME_TEST_INSPECTOR_REQUIRED") != "" {
			t.Fatal("the MCP inspector is not installed: make mcp-client")
		}
		t.Skip("left out: the MCP inspector is not installed (make mcp-client)")
	}
	return program
}

func (i inspector) ask(t *testing.T, answer any, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), i.program, append(append([]string{"--cli"}, i.target...), args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	require.NoError(t, err, "%s%s", out, &errs)
	require.NoError(t, json.Unmarshal(out, answer), "%s", out)
}

func (i inspector) call(t *testing.T, answer any, tool string, arguments ...string) {
	t.Helper()
	args := []string{"--method", "tools/call", "--tool-name", tool}
	for _, argument := range arguments {
		args = append(args, "--tool-arg", argument)
	}
	var result struct {
		StructuredContent json.RawMessage
		Content           []struct{ Text string }
	}
	i.ask(t, &result, args...)
	require.NotEmpty(t, result.StructuredContent, "%v", result.Content)
	require.NoError(t, json.Unmarshal(result.StructuredContent, answer))
}

// A client from another ecosystem lists, records, is corrected, recalls and reads: over stdio, and what it
// recorded there over HTTP.
func TestInspector(t *testing.T) {
	t.Parallel()
	program := findInspector(t)
	dir := t.TempDir()
	stdio := inspector{program, []string{binary, "mcp", "--data", dir}}
	http := inspector{program, []string{serve(t, dir).url + "/mcp"}}

	var kept struct{ ID, Outcome string }
	stdio.call(t, &kept, "record_episode", "id=run-1", "agentId=support", "observation=The till does not print", "outcome=FAILURE",
		`actions=[{"stepName":"restart","result":{"printed":false}}]`)
	assert.Equal(t, "episode:run-1", kept.ID)
	var reacted struct{ AggregateFeedbackScore *float64 }
	http.call(t, &reacted, "submit_feedback", "episodeId=run-1", "type=THUMBS_DOWN", "corrections=Check the paper first")
	require.NotNil(t, reacted.AggregateFeedbackScore)
	assert.InDelta(t, -1, *reacted.AggregateFeedbackScore, 0)

	for name, client := range map[string]inspector{"stdio": stdio, "http": http} {
		t.Run(name, func(t *testing.T) {
			var list struct {
				Tools []struct {
					Name                      string
					InputSchema, OutputSchema map[string]any
					Annotations               map[string]any
				}
			}
			client.ask(t, &list, "--method", "tools/list")
			assert.Len(t, list.Tools, 34)
			for _, tool := range list.Tools {
				assert.NotEmpty(t, tool.OutputSchema, tool.Name)
				for _, hint := range []string{"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"} {
					assert.Contains(t, tool.Annotations, hint, tool.Name)
				}
			}
			var recalled recalledIDs
			client.call(t, &recalled, "recall", "situation=the till prints nothing", "topK=1")
			require.Len(t, recalled.Hits, 1)
			assert.Contains(t, recalled.Lessons, "Check the paper first")

			var read struct{ Contents []struct{ Text string } }
			client.ask(t, &read, "--method", "resources/read", "--uri", "mneme://episode/run-1")
			assert.Contains(t, read.Contents[0].Text, "The till does not print")
			var prompt struct {
				Messages []struct{ Content struct{ Text string } }
			}
			client.ask(t, &prompt, "--method", "prompts/get", "--prompt-name", "lessons", "--prompt-args", "situation=the till prints nothing")
			assert.Contains(t, prompt.Messages[0].Content.Text, "Check the paper first")
		})
	}
}
