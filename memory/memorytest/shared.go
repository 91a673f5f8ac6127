package memorytest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"mneme/memory"
)

// SharedData is the path of a file of MNEME_TEST_DATA, by default ../shared/data beside the repository.
func SharedData(parts ...string) string {
	data := os.Getenv("MNEME_TEST_DATA")
	if data == "" {
		data = filepath.Join("..", "..", "..", "shared", "data")
	}
	return filepath.Join(data, filepath.Join(parts...))
}

// AirlineRun is one of the tau-bench airline runs of a real agent.
type AirlineRun struct {
	Reward float64 `json:"reward"`
	Info   struct {
		Task struct {
			Instruction string `json:"instruction"`
		} `json:"task"`
	} `json:"info"`
	Traj []struct {
		Role    string  `json:"role"`
		Content *string `json:"content"`
		Name    string  `json:"name"`
	} `json:"traj"`
}

// AirlineRuns reads the runs from MNEME_TEST_DATA, by default ../shared/data beside the repository.
func AirlineRuns(t *testing.T) []AirlineRun {
	t.Helper()
	text, err := os.ReadFile(SharedData("tau-bench", "gpt-4o-airline.json"))
	if err != nil {
		t.Skipf("no airline runs: %v", err)
	}
	var runs []AirlineRun
	require.NoError(t, json.Unmarshal(text, &runs))
	require.NotEmpty(t, runs)
	return runs
}

// Log tells the run as a workflow engine would, a second between its events.
func (r AirlineRun) Log(t *testing.T) []memory.Event {
	t.Helper()
	var events []memory.Event
	add := func(kind string, data map[string]any) {
		text, err := memory.JSONOf(data)
		require.NoError(t, err)
		events = append(events, memory.Event{Type: kind, Data: text, At: Seconds(float64(len(events)))})
	}
	add("workflow_started", map[string]any{"args": map[string]any{"instruction": r.Info.Task.Instruction}})
	for _, turn := range r.Traj {
		switch {
		case turn.Role == "tool":
			add("step_completed", map[string]any{"step_name": turn.Name, "result": turn.Content})
		case turn.Content != nil:
			add("agent_message", map[string]any{"role": turn.Role, "content": turn.Content})
		}
	}
	if r.Reward > 0 {
		add("workflow_completed", map[string]any{"result": "solved"})
	} else {
		add("workflow_failed", map[string]any{"error": "not solved"})
	}
	return events
}
