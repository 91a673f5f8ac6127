package demo_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/service/boundary"
)

// today is the day after the sample's last, as its files have it.
var today = time.Date(2000, 1, 1, 13, 14, 15, 0, time.UTC)

// Sample is what the files of the sample hold.
type Sample struct {
	Episodes []boundary.RecordEpisodeInput
	Runs     map[string][]memory.Event
	Canvases []canvas
	Feedback []boundary.SubmitFeedbackInput
	Verdicts []boundary.RecordVerdictInput
}

type canvas struct {
	ID, CanvasType string
	Actions        []boundary.CanvasActionInput
}

func sampleOf(t *testing.T) Sample {
	t.Helper()
	s := Sample{Runs: map[string][]memory.Event{}}
	for _, line := range linesOf(t, "sample.jsonl") {
		var of struct {
			Kind   memory.Kind
			Record json.RawMessage
		}
		require.NoError(t, json.Unmarshal(line, &of))
		switch of.Kind {
		case memory.KindEpisode:
			s.Episodes = appended(t, s.Episodes, of.Record)
		case memory.KindCanvas:
			s.Canvases = appended(t, s.Canvases, of.Record)
		case memory.KindFeedback:
			s.Feedback = appended(t, s.Feedback, of.Record)
		case memory.KindVerdict:
			s.Verdicts = appended(t, s.Verdicts, of.Record)
		default:
		}
	}
	for _, line := range linesOf(t, "runs.jsonl") {
		var of struct{ RunID string }
		require.NoError(t, json.Unmarshal(line, &of))
		s.Runs[of.RunID] = appended(t, s.Runs[of.RunID], line)
	}
	return s
}

func linesOf(t *testing.T, name string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return bytes.Split(bytes.TrimSpace(text), []byte("\n"))
}

func appended[T any](t *testing.T, all []T, text []byte) []T {
	t.Helper()
	var record T
	require.NoError(t, json.Unmarshal(text, &record))
	return append(all, record)
}

func TestSampleIsBelievable(t *testing.T) {
	t.Parallel()
	sample := sampleOf(t)
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
	for id, events := range sample.Runs {
		assert.False(t, ids[id])
		ids[id] = true
		for i, event := range events[1:] {
			assert.False(t, event.At.Before(events[i].At), "events of %s are in order", id)
		}
		assertNoSlots(t, events)
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
	sample := sampleOf(t)
	kinds, types, sources := map[memory.CanvasActionKind]int{}, map[string]int{}, map[memory.FeedbackSource]int{}
	faulty, corrected := 0, 0
	for _, shown := range sample.Canvases {
		types[shown.CanvasType]++
		for _, action := range shown.Actions {
			kinds[action.Action]++
			if strings.Contains(string(action.Metadata), `"error"`) {
				faulty++
			}
		}
		assertNoSlots(t, shown)
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
	for _, shown := range sampleOf(t).Canvases {
		for i, action := range shown.Actions {
			assert.Equal(t, i == 0, action.Action == memory.CanvasPresent, "%s is presented first", shown.ID)
			assert.True(t, i == 0 || action.At.After(*shown.Actions[i-1].At), "%s: %s", shown.ID, *action.ID)
		}
		assert.Equal(t, memory.CanvasClose, shown.Actions[len(shown.Actions)-1].Action, "%s is closed last", shown.ID)
	}
}

// assertNoSlots looks for templates that were not filled.
func assertNoSlots(t *testing.T, record any) {
	t.Helper()
	text, err := json.Marshal(record)
	require.NoError(t, err, "results and metadata are JSON")
	assert.NotRegexp(t, `\{[a-z]+\}`, string(text))
}
