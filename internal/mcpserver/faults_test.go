package mcpserver_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFaultsSayWhatToSend(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	a.call(t, "record_episode", vars{"id": "e", "agentId": "a", "observation": "Work", "outcome": "SUCCESS"}, nil)
	a.call(t, "memoir_create", vars{"id": "m", "name": "M"}, nil)
	a.call(t, "memoir_add_concept", vars{"id": "k", "memoirId": "m", "name": "K", "content": "Known"}, nil)
	a.call(t, "capture_run", vars{"runId": "part", "agentId": "a", "append": true, "events": []vars{{"sequence": 5, "type": "x", "at": now}}}, nil)
	tests := map[string]struct {
		tool      string
		arguments vars
		code      string
		field     string
		says      string
		send      string
	}{
		"missing":            {"recall", vars{}, "INVALID_INPUT", "situation", "is missing", "in plain words"},
		"null":               {"recall", vars{"situation": nil}, "INVALID_INPUT", "situation", "is missing", "in plain words"},
		"unknown":            {"recall", vars{"situation": "x", "topk": 3}, "INVALID_INPUT", "topk", "there are situation, agentId", ""},
		"mistyped":           {"recall", vars{"situation": "x", "topK": "three"}, "INVALID_INPUT", "topK", "not a string", "1 to 100"},
		"not whole":          {"recall", vars{"situation": "x", "topK": 2.5}, "INVALID_INPUT", "topK", "whole number", "1 to 100"},
		"out of range":       {"recall", vars{"situation": "x", "topK": 300}, "INVALID_INPUT", "topK", "1…100", "1 to 100"},
		"no such word":       {"recall", vars{"situation": "x", "outcome": "splendid"}, "INVALID_INPUT", "outcome", "one of SUCCESS, FAILURE", "SUCCESS"},
		"no instant":         {"recall", vars{"situation": "x", "since": "yesterday"}, "INVALID_INPUT", "since", "2026-03-01T12:00:00Z", "began then or later"},
		"both":               {"recall", vars{"situation": "x", "since": now, "timeRange": "LAST_7D"}, "INVALID_INPUT", "timeRange", "since", "not together with since"},
		"in a list":          {"record_episode", vars{"agentId": "a", "observation": "x", "actions": []vars{{"stepName": "a"}, {}}}, "INVALID_INPUT", "actions.1.stepName", "is missing", "such as a tool's name"},
		"in a list of texts": {"record_episode", vars{"agentId": "a", "observation": "x", "thoughts": []any{"a", 1}}, "INVALID_INPUT", "thoughts.1", "must be a string", "What the agent thought"},
		"texts for objects":  {"record_episode", vars{"agentId": "a", "observation": "x", "actions": []string{"read the policy"}}, "INVALID_INPUT", "actions.0", "not a string", "actions: a list of objects of stepId, stepName, result; each has stepName"},
		"null in a list":     {"record_episode", vars{"agentId": "a", "observation": "x", "thoughts": []any{nil}}, "INVALID_INPUT", "thoughts.0", "not null", "What the agent thought"},
		"empty":              {"record_episode", vars{"agentId": "a", "observation": " "}, "INVALID_INPUT", "observation", "must not be empty", "recall goes by it"},
		"rating":             {"submit_feedback", vars{"episodeId": "e", "type": "RATING", "rating": 9}, "INVALID_INPUT", "rating", "from 1 to 5", "with RATING"},
		"on nothing":         {"submit_feedback", vars{"type": "THUMBS_UP"}, "INVALID_INPUT", "episodeId", "say what", "The episode"},
		"conflict":           {"record_episode", vars{"id": "e", "agentId": "a", "observation": "Other"}, "CONFLICT", "id", "other content", "Another id"},
		"concluded":          {"conclude_episode", vars{"id": "e", "outcome": "FAILURE"}, "CONFLICT", "", "", "Nothing more: what is recorded stays"},
		"a log with gaps":    {"conclude_episode", vars{"id": "part", "outcome": "FAILURE"}, "CONFLICT", "id", "lacks the events 0 to 4", "by capture_run with append"},
		"a name is taken":    {"memoir_create", vars{"name": "M"}, "CONFLICT", "name", "another memoir", "Another name"},
		"no episode":         {"conclude_episode", vars{"id": "none", "outcome": "FAILURE"}, "NOT_FOUND", "id", "does not exist", "record_episode"},
		"no memoir":          {"memoir_add_concept", vars{"memoirId": "none", "name": "x", "content": "y"}, "NOT_FOUND", "memoirId", "does not exist", "memoir_list"},
		"no concept":         {"memoir_refine", vars{"id": "none", "content": "y"}, "NOT_FOUND", "id", "does not exist", "memoir_search"},
		"nothing to inspect": {"memoir_inspect", vars{"id": "none"}, "NOT_FOUND", "id", "does not exist", "A concept by id"},
		"no such memoir":     {"memoir_inspect", vars{"id": "memoir:none"}, "NOT_FOUND", "id", "does not exist", "memoir:handbook"},
		"itself":             {"memoir_link", vars{"sourceId": "k", "targetId": "k", "type": "PART_OF"}, "INVALID_INPUT", "targetId", "itself", "not the same one"},
		"no relation":        {"memoir_link", vars{"sourceId": "k", "targetId": "j", "type": "LIKES"}, "INVALID_INPUT", "type", "PART_OF", "SUPERSEDED_BY"},
		"bare id":            {"neighbourhood", vars{"id": "e"}, "INVALID_INPUT", "id", "global id", "episode:run-7"},
		"log of an agent":    {"neighbourhood", vars{"id": "agent:a", "replay": true}, "INVALID_INPUT", "id", "only an episode has a log", "episode:run-7"},
		"no kind":            {"search", vars{"query": "x", "kinds": []string{"Episode", "thing"}}, "INVALID_INPUT", "kinds.1", "no kind that has text", "kinds: Only these kinds"},
		"too late":           {"record_verdict", vars{"runId": "r", "sectionId": "s", "sectionType": "t", "iteration": math.MaxInt32, "status": "APPROVE"}, "INVALID_INPUT", "iteration", "from 0 to 2147483645", "from 0"},
		"no link type":       {"neighbourhood", vars{"id": "episode:e", "relations": []string{"LIKES"}}, "INVALID_INPUT", "relations.0", "MENTIONS", "relations: Only over links"},
		"forged cursor":      {"memoir_list", vars{"after": "x"}, "INVALID_INPUT", "after", "cursor", "next"},
		"no agents":          {"select_agent", vars{"taskType": "juggling"}, "NO_AGENTS_AVAILABLE", "taskType", "no agent has worked on tasks of this type", "explore"},
		"no type of task":    {"select_agent", vars{}, "INVALID_INPUT", "taskType", "is missing", "record_execution"},
		"quality":            {"record_execution", vars{"agentId": "a", "taskType": "t", "success": true, "quality": 7}, "INVALID_INPUT", "quality", "0…1", "0 to 1"},
		"an episode's key":   {"record_execution", vars{"id": "episode:e", "agentId": "a", "taskType": "t", "success": true, "quality": 1}, "INVALID_INPUT", "id", "executions of episodes", "not beginning with"},
		"no status":          {"record_verdict", vars{"runId": "r", "sectionId": "s", "sectionType": "t", "iteration": 0, "status": "OK"}, "INVALID_INPUT", "status", "APPROVE, SOFT_FAIL", "HARD_FAIL"},
		"issue without code": {"record_verdict", vars{"runId": "r", "sectionId": "s", "sectionType": "t", "iteration": 0, "status": "SOFT_FAIL", "issues": []vars{{}}}, "INVALID_INPUT", "issues.0.code", "is missing", "counted by it"},
		"judged by a rule":   {"record_verdict", vars{"runId": "r", "sectionId": "s", "sectionType": "t", "iteration": 0, "status": "VALIDATION_FAIL", "judgeId": "j"}, "INVALID_INPUT", "judgeId", "left out", "VALIDATION_FAIL"},
		"of which run":       {"guidance", vars{"sectionId": "verse", "sectionType": "verse"}, "INVALID_INPUT", "sectionId", "needs the runId", "with the runId"},
		"of another kind":    {"get_observations", vars{"ids": []string{"o", "episode:e"}}, "INVALID_INPUT", "ids.1", "is the id of a record of kind episode", "search_observations"},
		"no ids":             {"get_observations", vars{"ids": []string{}}, "INVALID_INPUT", "ids", "1 to 100", "search_observations"},
		"too long":           {"record_observation", vars{"content": strings.Repeat("x", 1<<20+1)}, "LIMIT_EXCEEDED", "content", "1048576", "sentence"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := a.refuse(t, tt.tool, tt.arguments)
			assert.Equal(t, tt.code, f.Code, f.Message)
			if tt.field != "" {
				assert.Equal(t, tt.field, f.Field)
			}
			assert.Contains(t, f.Message, tt.says)
			assert.Contains(t, f.Send, tt.send)
			if tt.send == "" {
				assert.Empty(t, f.Send)
			}
		})
	}
}

func TestFaultsRepeatNothingThatWasSent(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	for _, arguments := range []any{
		vars{"situation": 1, "hunter2 is my password": 1}, vars{"situation": []string{"hunter2"}}, vars{"situation": "x", "outcome": "hunter2"},
		vars{"situation": "x", "since": "hunter2"},
	} {
		f := a.refuse(t, "recall", arguments)
		assert.NotContains(t, f.Message+f.Field+f.Send, "hunter2")
	}
}

func TestFaultsOfResourcesAndPrompts(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	codeOf := func(err error) (code int64, data fault) {
		var wire *jsonrpc.Error
		require.ErrorAs(t, err, &wire)
		if len(wire.Data) > 0 {
			require.NoError(t, json.Unmarshal(wire.Data, &data))
		}
		return wire.Code, data
	}
	for uri, says := range map[string]string{
		"mneme://episode/none": "", "mneme://nothing/none": "", "mneme://agent/%00": "INVALID_INPUT",
		"mneme://agent/" + strings.Repeat("x", 600): "INVALID_INPUT",
	} {
		_, err := a.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		code, data := codeOf(err)
		assert.Equal(t, int64(jsonrpc.CodeInvalidParams), code, uri)
		assert.Equal(t, says, data.Code, uri)
	}
	for field, arguments := range map[string]map[string]string{
		"situation": {"situation": ""}, "maxTokens": {"situation": "x", "maxTokens": "99999999999999999999"},
		"agentId": {"situation": "x", "agentId": "a\x00"},
	} {
		_, err := a.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "lessons", Arguments: arguments})
		_, data := codeOf(err)
		assert.Equal(t, field, data.Field)
	}
}

// Tools take times as every other door does.
func TestTimesOfATool(t *testing.T) {
	t.Parallel()
	a := inMemory(t)
	for text, want := range map[string]string{
		"2026-03-01t12:00:00.5z": "2026-03-01T12:00:00.5", "2016-12-31T23:59:60Z": "2017-01-01T00:00:00", "2026-03-01T12:00:00+01:00": "2026-03-01T11:00:00",
	} {
		a.call(t, "record_episode", vars{"id": text, "agentId": "a", "observation": "Seen.", "startedAt": text, "metadata": vars{"at": "12:00:60z"}}, nil)
		assert.Contains(t, a.read(t, "mneme://episode/"+text), `"startedAt":"`+want, text)
	}
	for _, text := range []string{"2026-03-01T12:00:00,5Z", "2026-03-01T1:00:00Z", "2026-03-01 12:00:00Z", "1969-12-31t23:59:59z", "2026-03-01T12:00:61Z"} {
		assert.Equal(t, "INVALID_INPUT", a.refuse(t, "record_episode", vars{"agentId": "a", "observation": "Seen.", "startedAt": text}).Code, text)
	}
}
