package capture_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/memorytest"
)

func TestSegmentsOf(t *testing.T) {
	t.Parallel()
	const minute = 60
	thought := func(minutes float64, text string) memory.Event {
		return event("agent_thought", minutes*minute, `{"thought":"`+text+`"}`)
	}
	step := func(minutes float64, name string) memory.Event {
		return event("step_completed", minutes*minute, `{"step_name":"`+name+`"}`)
	}
	done := func(minutes float64) memory.Event {
		return event("workflow_completed", minutes*minute, `{"result":"ok"}`)
	}
	at := func(minutes float64) *time.Time { return new(memorytest.Seconds(minutes * minute)) }

	for name, test := range map[string]struct {
		events []memory.Event
		want   []memory.Segment
	}{
		"nothing": {nil, []memory.Segment{}},
		"an open log": {[]memory.Event{thought(0, "a"), step(30, "b")}, []memory.Segment{
			{Kind: memory.SegmentRest, Text: "thought: a; b", StartedAt: *at(0)},
		}},
		"a pause above 30 minutes": {[]memory.Event{step(0, "a"), step(30, "b"), step(60.01, "c")}, []memory.Segment{
			{Kind: memory.SegmentGap, Text: "a; b", StartedAt: *at(0), EndedAt: at(30)},
			{Kind: memory.SegmentRest, Text: "c", StartedAt: *at(60.01)},
		}},
		"tasks completed": {[]memory.Event{
			step(0, "a"), event("task_completed", minute, `{}`), step(2, "b"), step(3, "b"), done(4),
		}, []memory.Segment{
			{Kind: memory.SegmentTask, Text: "a; completed", StartedAt: *at(0), EndedAt: at(1)},
			{Kind: memory.SegmentTask, Text: "b ×2; completed: ok", StartedAt: *at(2), EndedAt: at(4)},
		}},
		"a failure after a pause": {[]memory.Event{step(0, "a"), event("workflow_failed", 40*minute, `{"error":"no seats"}`)}, []memory.Segment{
			{Kind: memory.SegmentGap, Text: "a", StartedAt: *at(0), EndedAt: at(0)},
			{Kind: memory.SegmentTask, Text: "failed: no seats", StartedAt: *at(40), EndedAt: at(40)},
		}},
		"a pause after a task adds nothing": {[]memory.Event{done(0), step(50, "a")}, []memory.Segment{
			{Kind: memory.SegmentTask, Text: "completed: ok", StartedAt: *at(0), EndedAt: at(0)},
			{Kind: memory.SegmentRest, Text: "a", StartedAt: *at(50)},
		}},
		"every sort of event": {[]memory.Event{
			event("workflow_started", 0, `{"args":{"n":1}}`), event("agent_message", 1, `{"role":"user","content":"hi\nthere"}`),
			event("agent_message", 2, `{"content":"who?"}`), event("agent_message", 3, ``), event("tick", 4, ``),
		}, []memory.Segment{
			{Kind: memory.SegmentRest, Text: `started: {"n":1}; user: hi there; who?; tick`, StartedAt: *at(0)},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, capture.SegmentsOf(test.events))
		})
	}
}

func TestSegmentTextIsShort(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("äußerst ", 100)
	got := capture.SegmentsOf([]memory.Event{
		event("agent_thought", 0, `{"thought":"`+long+`"}`), event("step_completed", 1, `{"step_name":"b"}`),
	})
	require.Len(t, got, 1)
	assert.True(t, strings.HasSuffix(got[0].Text, "…; b"), "a long part leaves room for the others: %s", got[0].Text)
	assert.LessOrEqual(t, utf8.RuneCountInString(got[0].Text), 83)
}

func TestWholeSegment(t *testing.T) {
	t.Parallel()
	e := &memory.Episode{
		Observation: "Book a\nflight", Actions: []memory.Action{{StepName: "search"}, {StepName: "book"}},
		Result: new("done"), StartedAt: memorytest.Day(0), EndedAt: new(memorytest.Day(1)), Concluded: true,
	}
	assert.Equal(t, []memory.Segment{{
		Kind: memory.SegmentTask, Text: "Book a flight; search → book; result: done", StartedAt: memorytest.Day(0), EndedAt: new(memorytest.Day(1)),
	}}, capture.WholeSegment(e))
	open := &memory.Episode{Observation: "Book", StartedAt: memorytest.Day(0)}
	assert.Equal(t, []memory.Segment{{Kind: memory.SegmentRest, Text: "Book", StartedAt: memorytest.Day(0)}}, capture.WholeSegment(open))
}

func TestSegmentsCoverTheLog(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		events, second := []memory.Event{}, 0.0
		completions := 0
		for range rapid.IntRange(0, 30).Draw(t, "n") {
			second += float64(rapid.IntRange(0, 3600).Draw(t, "pause"))
			kind := rapid.SampledFrom([]string{"step_completed", "agent_thought", "task_completed"}).Draw(t, "type")
			if kind == "task_completed" {
				completions++
			}
			events = append(events, event(kind, second, `{}`))
		}
		segments := capture.SegmentsOf(events)
		require.Equal(t, len(events) == 0, len(segments) == 0)
		tasks := 0
		for i, s := range segments {
			if s.Kind == memory.SegmentTask {
				tasks++
			}
			require.NotEmpty(t, s.Text)
			require.Equal(t, s.Kind == memory.SegmentRest, s.EndedAt == nil)
			if i > 0 {
				require.False(t, s.StartedAt.Before(*segments[i-1].EndedAt), "segments do not overlap")
			}
		}
		require.Equal(t, completions, tasks)
		if len(events) > 0 {
			require.Equal(t, events[0].At, segments[0].StartedAt)
		}
	})
}
