package demo_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/internal/demo"
	"mneme/memory"
	"mneme/service/boundary"
)

var today = time.Date(2025, 6, 15, 13, 14, 15, 0, time.UTC)

func sampleOf(t *testing.T, lastDay time.Time) *demo.Sample {
	t.Helper()
	sample, err := demo.NewSample(lastDay)
	require.NoError(t, err)
	return sample
}

func TestSampleIsTheSameEveryTime(t *testing.T) {
	t.Parallel()
	assert.Equal(t, sampleOf(t, today), sampleOf(t, today.Add(3*time.Hour)), "within a day")

	later := sampleOf(t, today.AddDate(1, 0, 0))
	shift := today.AddDate(1, 0, 0).Truncate(24 * time.Hour).Sub(today.Truncate(24 * time.Hour))
	for i, episode := range sampleOf(t, today).Episodes {
		start := episode.StartedAt.Add(shift)
		assert.True(t, start.Equal(*later.Episodes[i].StartedAt), "times move with the day")
		assert.Equal(t, episode.ID, later.Episodes[i].ID)
		assert.Equal(t, episode.Observation, later.Episodes[i].Observation)
	}
}

func TestSampleIsBelievable(t *testing.T) {
	t.Parallel()
	sample := sampleOf(t, today)
	first, last := today.AddDate(0, 0, -91), today.Truncate(24*time.Hour)
	outcomes := map[memory.Outcome]int{}
	ids, causes := map[string]bool{}, 0
	for _, e := range sample.Episodes {
		assert.False(t, ids[*e.ID], "%s stands once", *e.ID)
		ids[*e.ID] = true
		outcomes[*e.Outcome]++
		causes += len(e.CausedBy)
		for _, cause := range e.CausedBy {
			assert.NotEqual(t, *e.ID, cause)
		}
		assert.True(t, e.StartedAt.After(first) && e.StartedAt.Before(last), "%s starts at %s", *e.ID, e.StartedAt)
		if *e.Outcome != memory.OutcomeUnknown {
			assert.True(t, e.EndedAt.After(*e.StartedAt) && e.EndedAt.Before(last))
		}
		assertNoSlots(t, e)
	}
	for _, run := range sample.Runs {
		assert.False(t, ids[run.RunID])
		ids[run.RunID] = true
		for i, event := range run.Events[1:] {
			assert.False(t, event.At.Before(run.Events[i].At), "events of %s are in order", run.RunID)
		}
		assertNoSlots(t, run)
	}
	assert.Len(t, ids, 200)
	assert.Greater(t, len(sample.Runs), 10)
	assert.Greater(t, causes, 30)
	assert.Greater(t, outcomes[memory.OutcomeSuccess], outcomes[memory.OutcomeFailure], "agents are worth having")
	assert.Greater(t, outcomes[memory.OutcomeFailure], 30, "and have something to learn from")
	assert.LessOrEqual(t, outcomes[memory.OutcomeUnknown], 2)
}

func TestSampleShowsEveryReaction(t *testing.T) {
	t.Parallel()
	sample := sampleOf(t, today)
	kinds, types, sources := map[memory.CanvasActionKind]int{}, map[string]int{}, map[memory.FeedbackSource]int{}
	faulty, corrected := 0, 0
	for _, action := range sample.Actions {
		kinds[action.Action]++
		types[action.CanvasType]++
		if strings.Contains(string(action.Metadata), `"error"`) {
			faulty++
		}
		assertNoSlots(t, action)
	}
	for _, feedback := range sample.Feedback {
		sources[*feedback.Source]++
		if feedback.Corrections != nil {
			corrected++
		}
		assertNoSlots(t, feedback)
	}
	assert.Len(t, kinds, 5)
	assert.GreaterOrEqual(t, len(types), 8)
	assert.Len(t, sources, 3)
	assert.Greater(t, faulty, 5)
	assert.Greater(t, corrected, 20)
}

func TestSampleActionsComeInOrder(t *testing.T) {
	t.Parallel()
	last := map[string]boundary.CanvasActionInput{}
	for _, action := range sampleOf(t, today).Actions {
		before, known := last[action.CanvasID]
		assert.Equal(t, !known, action.Action == memory.CanvasPresent, "%s is presented first", action.CanvasID)
		if known {
			assert.True(t, action.At.After(*before.At), "%s: %s", action.CanvasID, *action.ID)
		}
		last[action.CanvasID] = action
	}
	for canvas, action := range last {
		assert.Equal(t, memory.CanvasClose, action.Action, "%s is closed last", canvas)
	}
}

// assertNoSlots looks for templates that were not filled.
func assertNoSlots(t *testing.T, record any) {
	t.Helper()
	text, err := json.Marshal(record)
	require.NoError(t, err, "results and metadata are JSON")
	assert.NotRegexp(t, `\{[a-z]+\}`, string(text))
}
