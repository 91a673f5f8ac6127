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
	for name, test := range map[string]struct{ kind, data, field string }{
		"a start":                     {"workflow_started", `{"args":null}`, ""},
		"a start that says nothing":   {"workflow_started", ``, ""},
		"a start of an empty object":  {"workflow_started", `{}`, ""},
		"a start of something else":   {"workflow_started", `{"arguments":1}`, "args"},
		"a start of a text":           {"workflow_started", `"go"`, "args"},
		"a thought":                   {"agent_thought", `{"thought":"hm","mood":"low"}`, ""},
		"a thought of something else": {"agent_thought", `{"thougth":"hm"}`, "thought"},
		"a thought of nothing":        {"agent_thought", ``, "thought"},
		"what a person said":          {"agent_message", `{"role":"user","text":"hello"}`, ""},
		"what an agent said":          {"agent_message", `{"role":"assistant","content":"hello"}`, ""},
		"what an agent said as text":  {"agent_message", `{"role":"assistant","text":"hello"}`, "content"},
		"what nobody said":            {"agent_message", `{"content":"hello"}`, "role"},
		"a step":                      {"step_completed", `{"step_name":"book"}`, ""},
		"a step by its number":        {"step_completed", `{"step_id":7}`, ""},
		"a step of something else":    {"step_completed", `{"name":"book"}`, "step_name"},
		"a task":                      {"task_completed", `{"name":"book"}`, ""},
		"an end":                      {"workflow_completed", `{}`, ""},
		"an end of something else":    {"workflow_completed", `{"output":1}`, "result"},
		"a failure of something else": {"workflow_failed", `{"message":"no seats"}`, "error"},
	} {
		t.Run(name, func(t *testing.T) {
			var notes capture.Notes
			notes.Add(7, test.kind, memory.JSON(test.data))
			if test.field == "" {
				assert.Empty(t, notes)
				return
			}
			require.Len(t, notes, 1)
			assert.Contains(t, notes[0].Of("event"), fmt.Sprintf("event 7: the data of %s have no %q", test.kind, test.field))
		})
	}
}

// Each reason is given once, with how many events it is about.
func TestEventsThatTellNothingAreNoted(t *testing.T) {
	var notes capture.Notes
	for i, event := range []struct{ kind, data string }{
		{"workflow_started", `{"arguments": {}}`},
		{"agent_thought", `{"thought": "hm"}`},
		{"agent_thought", `{"thougth": "hm"}`},
		{"step_complete", `{}`},
		{"agent_thought", `{"text": "hm"}`},
		{"workflow_completed", `{}`},
	} {
		notes.Add(i+1, event.kind, memory.JSON(event.data))
	}
	var said []string
	for _, note := range notes {
		said = append(said, note.Of("line"))
	}
	assert.Equal(t, []string{
		`line 1: the data of workflow_started have no "args", so that nothing is read of the event; it is only kept in the log`,
		`line 3, and 1 line like it: the data of agent_thought have no "thought", so that nothing is read of the event; it is only kept in the log`,
		`line 4: the type "step_complete" is one that a run is not read by; its events are only kept in the log`,
	}, said)
	for i := range 100 {
		notes.Add(i, fmt.Sprint("type ", i), nil)
	}
	assert.Len(t, notes, capture.MostNotes)
}
