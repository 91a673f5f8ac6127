package importer

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
)

const conversation = `{
  "task_id": 7, "trial": 2, "reward": 1.0,
  "info": {"task": {"instruction": "You want to fly.", "user_id": "x"}, "source": "user"},
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

func TestTrialBecomesAnEpisode(t *testing.T) {
	t.Parallel()
	var run trial
	require.NoError(t, json.Unmarshal([]byte(conversation), &run))
	episode := run.episode(Options{})

	assert.Equal(t, "tau-airline-7-2", *episode.ID)
	assert.Equal(t, "tau-airline-7-2", *episode.SessionID)
	assert.Equal(t, "gpt-4o", episode.AgentID)
	assert.Equal(t, "airline", *episode.TaskType)
	assert.Equal(t, "You want to fly.", episode.Observation)
	assert.Equal(t, []string{"Who are you?", "Again.", "Booked."}, episode.Thoughts)
	assert.Nil(t, episode.Result, "the file holds none")
	assert.Equal(t, memory.OutcomeSuccess, *episode.Outcome)
	assert.Equal(t, time.Date(2024, 5, 17, 20, 7, 0, 0, time.UTC), *episode.StartedAt)
	assert.Nil(t, episode.EndedAt, "the file holds no times")
	assert.JSONEq(t, `{"source": "tau-bench", "taskId": 7, "trial": 2, "reward": 1}`, string(episode.Metadata))

	wanted := []struct{ id, name, result string }{
		{"c1", "get_user", `{"arguments": {"id": "a"}, "result": {"name": "A"}}`},
		{"c1", "get_user", `{"arguments": "not json", "result": "Error: none"}`}, // an id used twice
		{"c2", "book", `{"arguments": {}, "result": 2}`},
		{"c3", "pay", `{"arguments": {}, "result": 3}`},
		{"c4", "wait", `{"arguments": {}}`}, // never answered
	}
	require.Len(t, episode.Actions, len(wanted))
	for i, want := range wanted {
		assert.Equal(t, want.id, *episode.Actions[i].StepID)
		assert.Equal(t, want.name, episode.Actions[i].StepName)
		assert.JSONEq(t, want.result, string(episode.Actions[i].Result))
	}
}

func TestTrialsOfOthersHaveKeysOfTheirOwn(t *testing.T) {
	t.Parallel()
	task, number, reward := 1, 0, 0.5
	run := trial{TaskID: &task, Trial: &number, Reward: &reward}
	episode := run.episode(Options{Agent: "claude", TaskType: "retail"})
	assert.Equal(t, "tau-retail-claude-1-0", *episode.ID)
	assert.Equal(t, "claude", episode.AgentID)
	assert.Equal(t, "retail", *episode.TaskType)
	assert.Equal(t, memory.OutcomeFailure, *episode.Outcome, "only the full reward is a success")
}
