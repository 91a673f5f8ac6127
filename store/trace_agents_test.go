package store_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/store"
)

// A held span that cannot be read names an agent where one of its texts is the name, not where a longer one begins so.
func TestUnreadSpansThatNameAnAgent(t *testing.T) {
	t.Parallel()
	for data, names := range map[string]bool{
		`{"agent":"bad5"`: true, `{"agent":"bad50"`: false, `"name":"bad5","kind":}`: true, `{"name":"a bad5"`: false, `{"agent":"bad5`: true,
		`{"agent":"bad`: false, "\xff\"bad5\"\x00": true, ``: false, `x"bad5\"`: false,
	} {
		traces := store.NewAgentTraces("bad5")
		traces.AddUnread("t", []byte(data), false)
		assert.Equal(t, names, len(traces.Found()) == 1, data)
	}
}
