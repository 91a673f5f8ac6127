package capture_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/capture"
)

func TestUnreadData(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ kind, data, lacks string }{
		"a start":                     {"workflow_started", `{"args":null}`, ""},
		"a start that says nothing":   {"workflow_started", ``, ""},
		"a start of an empty object":  {"workflow_started", `{}`, ""},
		"a start of something else":   {"workflow_started", `{"arguments":1}`, `no "args"`},
		"a start of a text":           {"workflow_started", `"go"`, `no "args"`},
		"a thought":                   {"agent_thought", `{"thought":"hm","mood":"low"}`, ""},
		"a thought of something else": {"agent_thought", `{"thougth":"hm"}`, `no "thought"`},
		"a thought of nothing":        {"agent_thought", ``, `no "thought"`},
		"what a person said":          {"agent_message", `{"role":"user","text":"hello"}`, ""},
		"what an agent said":          {"agent_message", `{"role":"assistant","content":"hello"}`, ""},
		"what an agent said as text":  {"agent_message", `{"role":"assistant","text":"hello"}`, `no "content"`},
		"what nobody said":            {"agent_message", `{"content":"hello"}`, "no \"role\" of assistant, user, system, developer, tool"},
		"an empty thought":            {"agent_thought", `{"thought":""}`, `no "thought"`},
		"a role that is misspelt":     {"agent_message", `{"role":"Assistant","content":"hello"}`, "no \"role\" of assistant, user, system, developer, tool"},
		"an assistant that is silent": {"agent_message", `{"role":"assistant","content":null}`, `no "content"`},
		"a step whose name is null":   {"step_completed", `{"step_name":null}`, `no "step_id" or "step_name"`},
		"a step":                      {"step_completed", `{"step_name":"book"}`, ""},
		"a step by its number":        {"step_completed", `{"step_id":7}`, ""},
		"a step of something else":    {"step_completed", `{"name":"book"}`, `no "step_id" or "step_name"`},
		"a task":                      {"task_completed", `{"name":"book"}`, ""},
		"an end":                      {"workflow_completed", `{}`, ""},
		"an end of something else":    {"workflow_completed", `{"output":1}`, `no "result"`},
		"a failure of something else": {"workflow_failed", `{"message":"no seats"}`, `no "error"`},
	} {
		t.Run(name, func(t *testing.T) {
			var notes capture.Notes
			notes.Add(7, test.kind, memory.JSON(test.data))
			if test.lacks == "" {
				assert.Empty(t, notes)
				return
			}
			require.Len(t, notes, 1)
			assert.Contains(t, notes[0].Of("event"), fmt.Sprintf("event 7: the data of %s have %s: ", test.kind, test.lacks))
		})
	}
}

// Each reason is given once, with how many events it is about; and it says what the episode really lacks.
func TestEventsThatTellLessAreNoted(t *testing.T) {
	t.Parallel()
	var notes capture.Notes
	var events []memory.Event
	for i, sent := range []struct{ kind, data string }{
		{"workflow_started", `{"arguments": {}}`},
		{"agent_thought", `{"thought": "hm"}`},
		{"agent_thought", `{"thougth": "hm"}`},
		{"step_complete", `{}`},
		{"agent_thought", `{"text": "hm"}`},
		{"step_completed", `{"name": "book", "result": "ok"}`},
		{"heartbeat", `{}`},
		{"workflow_completed", `{"output": "booked"}`},
	} {
		notes.Add(i+1, sent.kind, memory.JSON(sent.data))
		events = append(events, event(sent.kind, float64(i), sent.data))
	}
	var said []string
	for _, note := range notes {
		said = append(said, note.Of("line"))
	}
	assert.Equal(t, []string{
		`line 1: the data of workflow_started have no "args": what the run was about is not known`,
		`line 3, and 1 line like it: the data of agent_thought have no "thought": no thought comes of it`,
		`line 4: the type "step_complete" is none that a run is read by: no thought, action or outcome comes of it`,
		`line 6: the data of step_completed have no "step_id" or "step_name": the step has no name`,
		`line 7: the type "heartbeat" is none that a run is read by: no thought, action or outcome comes of it`,
		`line 8: the data of workflow_completed have no "result": the run succeeded, and has no result`,
	}, said)
	episode := capture.EpisodeFromEvents(events)
	assert.Equal(t, "Unknown initial situation", episode.Observation)
	assert.Equal(t, []string{"hm"}, episode.Thoughts)
	require.Len(t, episode.Actions, 1)
	assert.Equal(t, "unnamed step", episode.Actions[0].StepName)
	assert.Equal(t, memory.OutcomeSuccess, episode.Outcome)
	assert.Nil(t, episode.Result)
}

// Types of one's own, of which there may be thousands, keep out no other reason.
func TestManyTypesAreOneNote(t *testing.T) {
	t.Parallel()
	var notes capture.Notes
	for i := range 100 {
		notes.Add(i, fmt.Sprintf("type %02d", i), nil)
	}
	notes.Add(100, "agent_thought", memory.JSON(`{"text": "hm"}`))
	notes.Add(101, "type 00", nil)
	require.Len(t, notes, 22)
	assert.Contains(t, notes[0].Of("event"), `event 0, and 1 event like it: the type "type 00" is none that a run is read by`)
	assert.Equal(t, "event 20, and 79 events like it: other types are none that a run is read by either", notes[20].Of("event"))
}
