package importer

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service"
)

// Of a run that is not gone on with, nothing is kept in memory: its file may be as long as it likes.
func TestRunsThatAreGivenUpGatherNothing(t *testing.T) {
	for _, given := range []*run{{left: true}, {broken: true}} {
		require.NoError(t, given.add(eventRecord{AgentID: "a", Type: "x", At: new(time.Now())}))
		assert.Empty(t, given.Events)
	}
	whole := &run{CaptureRunInput: service.CaptureRunInput{AgentID: "a"}}
	require.NoError(t, whole.add(eventRecord{Type: "x", At: new(time.Now())}))
	assert.Len(t, whole.Events, 1)
	whole.giveUp()
	assert.Empty(t, whole.Events)
}

// An event whose data are called otherwise is kept, and the account says that nothing is read of it.
func TestEventsThatTellNothingAreNoted(t *testing.T) {
	r := newReport()
	for i, event := range []struct{ kind, data string }{
		{"workflow_started", `{"arguments": {}}`},
		{"agent_thought", `{"thought": "hm"}`},
		{"agent_thought", `{"thougth": "hm"}`},
		{"step_complete", `{}`},
		{"agent_thought", `{"text": "hm"}`},
		{"workflow_completed", `{}`},
	} {
		r.noteUnread(i+1, event.kind, memory.JSON(event.data))
	}
	var said []string
	for _, note := range r.Notes {
		said = append(said, note.String())
	}
	assert.Equal(t, []string{
		`line 1: the data of workflow_started have no "args", so that nothing is read of the event; it is only kept in the log`,
		`line 3, and 1 line like it: the data of agent_thought have no "thought", so that nothing is read of the event; it is only kept in the log`,
		`line 4: the type "step_complete" is one that a run is not read by; its events are only kept in the log`,
	}, said)
	for i := range 100 {
		r.noteUnread(i, fmt.Sprint("type ", i), nil)
	}
	assert.Len(t, r.Notes, mostNotes)
}
