package e2e

import (
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/service"
	"mneme/service/servicetest"
)

// traced is an episode that a trace became.
type traced struct {
	Agent       string
	Observation string
	Result      string
	Outcome     string
	Thoughts    []string
	Actions     []tracedStep
}

type tracedStep struct{ Name, Result string }

// spanCases are traces as instrumentations of frameworks send them, in testdata/otlp, and what each becomes.
var spanCases = map[string]map[string]traced{
	"contents-that-are-json": {
		"00000000000000000000000000000051": {
			Agent: "desk", Observation: `{"invoice": "INV-7", "ask": "total"}`, Result: `{"total": 412.75, "currency": "EUR"}`, Outcome: "SUCCESS",
		},
		"00000000000000000000000000000052": {
			Agent: "clerk", Observation: `{"invoice": "INV-7", "ask": "total"}`, Result: `{"total": 412.75}`, Outcome: "SUCCESS",
		},
	},
	"guardrail-stops-the-run": {"00000000000000000000000000000009": {
		Agent: "guarded", Observation: "Unknown initial situation: guarded", Result: "guardrail no stopped the run", Outcome: "FAILURE",
		Actions: []tracedStep{{"guardrail no", `{}`}},
	}},
	"image-in-a-question": {"00000000000000000000000000000017": {
		Agent: "clerk", Observation: "What is on this picture of the pump?\n[image/png]", Result: "A crack.", Outcome: "SUCCESS",
	}},
	"langgraph-openinference": {"00000000000000000000000000000002": {
		Agent: "desk", Observation: "Where is parcel 17?", Result: "It is in Lyon.", Outcome: "SUCCESS",
		Actions: []tracedStep{{"track_parcel", `{"arguments":{"parcel":17},"result":"in Lyon"}`}},
	}},
	"langgraph-openllmetry": {"00000000000000000000000000000003": {
		Agent: "desk", Observation: "Where is parcel 17?", Result: "It is in Lyon.", Outcome: "SUCCESS",
		Actions: []tracedStep{{"track_parcel", `{"arguments":{"parcel":17},"result":"in Lyon"}`}},
	}},
	"langsmith-otel": {"0000000000000000000000000000000a": {
		Agent: "desk", Observation: "Where is parcel 17?", Result: "It is in Lyon.", Outcome: "SUCCESS",
		Actions: []tracedStep{{"track_parcel", `{"arguments":{"parcel":17},"result":"in Lyon"}`}},
	}},
	"litellm-acompletion": {"00000000000000000000000000000007": {
		Agent: "proxy", Observation: "Where is parcel 18?", Result: "In Lyon.", Outcome: "SUCCESS",
	}},
	"llamaindex-openinference": {"00000000000000000000000000000019": {
		Agent: "desk", Observation: "Where is parcel 17?", Result: "It is in Lyon.", Outcome: "SUCCESS",
	}},
	"messages-on-the-run-alone": {"00000000000000000000000000000006": {
		Agent: "claude", Observation: "Which test fails?", Result: "That of the store.", Outcome: "SUCCESS", Thoughts: []string{"I run them."},
		Actions: []tracedStep{{"Bash", `{"arguments":{"command":"go test ./..."},"result":"FAIL store"}`}},
	}},
	"tool-span-without-contents": {"00000000000000000000000000000004": {
		Agent: "clerk", Observation: "Where is parcel 17?", Result: "It is in Lyon.", Outcome: "SUCCESS",
		Actions: []tracedStep{{"track_parcel", `{"arguments":{"parcel":17},"result":{"status":"in Lyon"}}`}},
	}},
}

// testSpansOfTools replays the traces of spanCases.
func testSpansOfTools(t *testing.T, w *world) {
	ctx := service.WithTenant(t.Context(), w.tenant)
	opened := service.New(w.backend, service.WithLogger(slog.New(slog.DiscardHandler)),
		service.WithClock(func() time.Time { return now }), service.WithTraceWaits(capture.TraceWaits{}))
	t.Cleanup(func() { assert.NoError(t, opened.Close(t.Context())) })
	server := servicetest.Bind(ctx, t, opened)
	files, err := filepath.Glob("testdata/otlp/*.json")
	require.NoError(t, err)
	require.Len(t, files, len(spanCases))
	for name := range spanCases {
		body, err := os.ReadFile("testdata/otlp/" + name + ".json")
		require.NoError(t, err)
		export(ctx, t, server, string(body))
	}
	_, err = server.Traces.Finish(ctx)
	require.NoError(t, err)
	for name, want := range spanCases {
		for trace, want := range want {
			t.Run(name, func(t *testing.T) {
				got := w.traced(t, trace)
				require.Len(t, got.Actions, len(want.Actions))
				for i, step := range want.Actions {
					assert.Equal(t, step.Name, got.Actions[i].Name)
					assert.JSONEq(t, step.Result, got.Actions[i].Result)
				}
				got.Actions, want.Actions = nil, nil
				if len(got.Thoughts) == 0 {
					got.Thoughts = nil
				}
				assert.Equal(t, want, got)
			})
		}
	}
}

func (w *world) traced(t *testing.T, trace string) traced {
	t.Helper()
	var data struct {
		Episode struct {
			Agent                        struct{ Name string }
			Observation, Result, Outcome string
			Thoughts                     []string
			Actions                      []struct {
				StepName string
				Result   json.RawMessage
			}
		}
	}
	w.ask(t, `query ($id: ID!) { episode(id: $id) { agent { name } observation result outcome thoughts actions { stepName result } } }`, vars{"id": trace}, &data)
	e := data.Episode
	got := traced{Agent: e.Agent.Name, Observation: e.Observation, Result: e.Result, Outcome: e.Outcome, Thoughts: e.Thoughts}
	for _, action := range e.Actions {
		got.Actions = append(got.Actions, tracedStep{action.StepName, memory.JSONText(action.Result)})
	}
	return got
}
