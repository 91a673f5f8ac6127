package mcpserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Tools take times as every other door does.
func TestTimesOfATool(t *testing.T) {
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
