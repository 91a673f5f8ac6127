package cli_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// soon makes episodes of traces almost at once.
var soon = []string{"MNEME_TRACE_QUIET=50ms", "MNEME_TRACE_SILENCE=50ms"}

const (
	sentTrace = "5b8efff798038103d269b633813fc60c"
	sentSpan  = `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":%q,"spanId":"eee19b7ec3c1b174","name":"invoke_agent support",
		"startTimeUnixNano":"1767225600000000000","endTimeUnixNano":"1767225601000000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"invoke_agent"}}]}]}]}]}`
)

// What was acknowledged of a trace outlives a kill -9, and becomes an episode at the next start.
func TestAcknowledgedSpansSurviveKill(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := serve(t, dir)
	answer, err := http.Post(s.url+"/v1/traces", "application/json", strings.NewReader(fmt.Sprintf(sentSpan, sentTrace)))
	require.NoError(t, err)
	require.Equal(t, 200, answer.StatusCode)
	answer.Body.Close()
	s.kill(t)
	s = serve(t, dir, soon...)
	require.Eventually(t, func() bool { return s.has(t, sentTrace) }, time.Minute, 20*time.Millisecond)
}

// The SDK of another language sends, as an application with no code for mneme would.
func TestPythonSends(t *testing.T) {
	t.Parallel()
	python := os.Getenv("MNEME_TEST_OTEL_PYTHON")
	if python == "" {
		t.Skip("left out: MNEME_TEST_OTEL_PYTHON does not name a Python with OpenTelemetry's SDK (make e2e-otlp)")
	}
	s := serve(t, t.TempDir(), soon...)
	program := exec.CommandContext(t.Context(), python, "testdata/otlp/agent.py")
	program.Env = []string{"PATH=" + os.Getenv("PATH"), "OTEL_EXPORTER_OTLP_ENDPOINT=" + s.url, "OTEL_EXPORTER_OTLP_COMPRESSION=gzip",
		"OTEL_SERVICE_NAME=shop", "OTEL_RESOURCE_ATTRIBUTES=mneme.task.type=refunds"}
	program.Stderr = os.Stderr
	out, err := program.Output()
	require.NoError(t, err)
	key := strings.TrimSpace(string(out))
	require.Eventually(t, func() bool { return s.has(t, key) }, time.Minute, 20*time.Millisecond)
	var data struct {
		Episode struct {
			Observation, Outcome, Result, TaskType string
			Agent                                  struct{ Name string }
			Actions                                []struct{ StepName string }
			Thoughts                               []string
		}
	}
	require.NoError(t, s.ask(t.Context(), fmt.Sprintf(`{ episode(id: %q) { observation outcome result taskType agent { name } actions { stepName } thoughts } }`, key), &data))
	e := data.Episode
	assert.Equal(t, []string{"Refund order 17", "FAILURE", "TimeoutError: the bank does not answer", "refunds", "support"},
		[]string{e.Observation, e.Outcome, e.Result, e.TaskType, e.Agent.Name})
	require.Len(t, e.Actions, 1)
	assert.Equal(t, "refund", e.Actions[0].StepName)
	assert.Equal(t, []string{"I refund it."}, e.Thoughts)
}
