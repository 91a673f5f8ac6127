package importer

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/service/boundary"
)

// Of a run that is not gone on with, nothing is kept in memory: its file may be as long as it likes.
func TestRunsThatAreGivenUpGatherNothing(t *testing.T) {
	t.Parallel()
	for _, given := range []*run{{left: true}, {broken: true}} {
		require.NoError(t, given.add(eventRecord{AgentID: "a", Type: "x", At: new(time.Now())}))
		assert.Empty(t, given.Events)
	}
	whole := &run{CaptureRunInput: boundary.CaptureRunInput{AgentID: "a"}}
	require.NoError(t, whole.add(eventRecord{Type: "x", At: new(time.Now())}))
	assert.Len(t, whole.Events, 1)
	whole.giveUp()
	assert.Empty(t, whole.Events)
}
