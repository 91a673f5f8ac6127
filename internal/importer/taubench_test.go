package importer

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const conversation = `{
  "task_id": 7, "trial": 2, "reward": 1.0,
  "info": {"task": {"instruction": "You want to fly.", "user_id": "x", "actions": [{"name": "book", "kwargs": {"id": "a"}}]}, "source": "user"},
  "traj": [
    {"role": "system", "content": "policy"},
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Who are you?"},
    {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_user", "arguments": "{\"id\":\"a\"}"}}]},
    {"role": "tool", "tool_call_id": "c1", "name": "get_user", "content": "{\"name\": \"A\"}"},
    {"role": "assistant", "content": "Again.", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_user", "arguments": "not json"}}]},
    {"role": "tool", "tool_call_id": "c1", "name": "get_user", "content": "Error: none"},
    {"role": "assistant", "content": "", "tool_calls": [
      {"id": "c2", "function": {"name": "book", "arguments": "{}"}},
      {"id": "c3", "function": {"name": "pay", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "c3", "content": "3"},
    {"role": "tool", "tool_call_id": "c2", "content": "2"},
    {"role": "tool", "tool_call_id": "c9", "content": "nobody asked"},
    {"role": "assistant", "content": null, "tool_calls": [{"id": "c4", "function": {"name": "wait", "arguments": "{}"}}]},
    {"role": "assistant", "content": "Booked."}
  ]
}`

func TestTrialBecomesARun(t *testing.T) {
	t.Parallel()
	var told trial
	require.NoError(t, json.Unmarshal([]byte(conversation), &told))
	run := told.run(Options{})
	assert.Equal(t, []string{"tau-airline-7-2", "tau-airline-7-2", "gpt-4o", "airline"}, []string{run.RunID, *run.SessionID, run.AgentID, *run.WorkflowName})
	assert.JSONEq(t, `{"source": "tau-bench", "taskId": 7, "trial": 2, "reward": 1, "expected": [{"name": "book", "kwargs": {"id": "a"}}]}`, string(run.Metadata))

	wanted := []struct{ kind, data string }{
		{"workflow_started", `{"args": "You want to fly."}`},
		{"agent_message", `{"role": "user", "content": "Hi"}`},
		{"agent_message", `{"role": "assistant", "content": "Who are you?"}`},
		{"step_completed", `{"step_id": "c1", "step_name": "get_user", "result": {"arguments": {"id": "a"}, "result": {"name": "A"}}}`},
		{"agent_message", `{"role": "assistant", "content": "Again."}`},
		{"step_completed", `{"step_id": "c1", "step_name": "get_user", "result": {"arguments": "not json", "result": "Error: none"}}`}, // an id used twice
		{"step_completed", `{"step_id": "c2", "step_name": "book", "result": {"arguments": {}, "result": 2}}`},
		{"step_completed", `{"step_id": "c3", "step_name": "pay", "result": {"arguments": {}, "result": 3}}`},
		{"step_completed", `{"step_id": "c4", "step_name": "wait", "result": {"arguments": {}}}`}, // never answered
		{"agent_message", `{"role": "assistant", "content": "Booked."}`},
		{"workflow_completed", `{"result": "Booked."}`},
	}
	require.Len(t, run.Events, len(wanted))
	for i, want := range wanted {
		assert.Equal(t, want.kind, run.Events[i].Type)
		assert.JSONEq(t, want.data, string(run.Events[i].Data))
		assert.Equal(t, time.Date(2024, 5, 17, 20, 7, i, 0, time.UTC), run.Events[i].At)
	}
}

func TestTrialsOfOthersHaveKeysOfTheirOwn(t *testing.T) {
	t.Parallel()
	task, number, reward := 1, 0, 0.5
	told := trial{TaskID: &task, Trial: &number, Reward: &reward}
	run := told.run(Options{Agent: "claude", TaskType: "retail"})
	assert.Equal(t, []string{"tau-retail-claude-1-0", "claude", "retail"}, []string{run.RunID, run.AgentID, *run.WorkflowName})
	assert.Equal(t, "workflow_failed", run.Events[1].Type, "only the full reward is a success")
}
