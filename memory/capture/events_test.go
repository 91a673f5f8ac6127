package capture_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/memorytest"
	"mneme/memory/summary"
)

func event(kind string, second float64, data string) memory.Event {
	return memory.Event{Type: kind, Data: memory.JSON(data), At: memorytest.Seconds(second)}
}

func TestEpisodeFromEvents(t *testing.T) {
	t.Parallel()
	episode := capture.EpisodeFromEvents([]memory.Event{
		event("workflow_started", 0, `{"args":{"to":"SEA","from":"JFK"}}`),
		event("agent_message", 1, `{"role":"user","content":"hello"}`),
		event("agent_thought", 2, `{"thought":"look the user up"}`),
		event("step_completed", 3, `{"step_id":"s1","step_name":"get_user","result":{"id":7}}`),
		event("agent_message", 4, `{"role":"assistant","content":"Shall I book it?"}`),
		event("step_completed", 5, `{"step_name":"book","result":"done"}`),
		event("workflow_completed", 6, `{"result":"Booked HAT136"}`),
		event("heartbeat", 8, `{}`),
	})
	assert.Equal(t, `Workflow started with args: {"from":"JFK","to":"SEA"}`, episode.Observation)
	assert.Equal(t, "hello", episode.Title)
	assert.Equal(t, []string{"look the user up", "Shall I book it?"}, episode.Thoughts)
	assert.Equal(t, []memory.Action{
		{StepID: new("s1"), StepName: "get_user", Result: memory.JSON(`{"id":7}`)},
		{StepName: "book", Result: memory.JSON(`"done"`)},
	}, episode.Actions)
	assert.Equal(t, new("Booked HAT136"), episode.Result)
	assert.Equal(t, memory.OutcomeSuccess, episode.Outcome)
	assert.True(t, episode.Concluded)
	assert.Equal(t, memorytest.Seconds(0), episode.StartedAt)
	assert.Equal(t, new(8.0), episode.DurationSeconds(), "from the first event to the last")
	require.Len(t, episode.Segments, 2)
	assert.Equal(t, new(memorytest.Seconds(8)), episode.Segments[1].EndedAt, "the run is over, and so is its rest")
}

func TestEpisodeFromEventsThatSayLittle(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		events      []memory.Event
		observation string
		outcome     memory.Outcome
		result      *string
	}{
		"none":                 {nil, "Unknown initial situation", memory.OutcomeUnknown, nil},
		"no start":             {[]memory.Event{event("agent_thought", 0, `{"thought":"hm"}`)}, "Unknown initial situation", memory.OutcomeUnknown, nil},
		"a task with a result": {[]memory.Event{event("task_completed", 0, `{"result":"Booked"}`), event("task_completed", 1, `{}`)}, "Unknown initial situation", memory.OutcomeUnknown, new("Booked")},
		"a task, then failure": {[]memory.Event{event("task_completed", 0, `{"result":"Booked"}`), event("workflow_failed", 1, `{}`)}, "Unknown initial situation", memory.OutcomeFailure, nil},
		"a task after the end": {[]memory.Event{event("workflow_completed", 0, `{"result":"Flown"}`), event("task_completed", 1, `{"result":"Booked"}`)}, "Unknown initial situation", memory.OutcomeSuccess, new("Flown")},
		"a start without args": {[]memory.Event{event("workflow_started", 0, `{}`)}, "Unknown initial situation", memory.OutcomeUnknown, nil},
		"null args":            {[]memory.Event{event("workflow_started", 0, `{"args":null}`)}, "Unknown initial situation", memory.OutcomeUnknown, nil},
		"args that are text":   {[]memory.Event{event("workflow_started", 0, `{"args":"go <now>"}`)}, "go <now>", memory.OutcomeUnknown, nil},
		"the first start counts": {[]memory.Event{
			event("workflow_started", 0, `{"args":[1]}`), event("workflow_started", 1, `{"args":[2]}`),
		}, "Workflow started with args: [1]", memory.OutcomeUnknown, nil},
		"failed":                   {[]memory.Event{event("workflow_failed", 0, `{"error":"no seats"}`)}, "Unknown initial situation", memory.OutcomeFailure, new("no seats")},
		"a result that is no text": {[]memory.Event{event("workflow_completed", 0, `{"result":{"b":1, "a":[true]}}`)}, "Unknown initial situation", memory.OutcomeSuccess, new(`{"a":[true],"b":1}`)},
		"no result":                {[]memory.Event{event("workflow_completed", 0, ``)}, "Unknown initial situation", memory.OutcomeSuccess, nil},
		"the last end counts": {[]memory.Event{
			event("workflow_failed", 0, `{"error":"timeout"}`), event("workflow_completed", 1, `{}`),
		}, "Unknown initial situation", memory.OutcomeSuccess, nil},
	} {
		t.Run(name, func(t *testing.T) {
			episode := capture.EpisodeFromEvents(test.events)
			assert.Equal(t, test.observation, episode.Observation)
			assert.Equal(t, test.outcome, episode.Outcome)
			assert.Equal(t, test.result, episode.Result)
			assert.Equal(t, test.outcome != memory.OutcomeUnknown, episode.EndedAt != nil, "an end only where the run finished")
		})
	}
}

func TestEpisodeFromEventsGoesByTime(t *testing.T) {
	t.Parallel()
	events := []memory.Event{
		event("step_completed", 9, `{"step_name":"last"}`),
		event("step_completed", 1, `{"step_name":"first"}`),
		event("step_completed", 5, `{"step_name":"middle"}`),
		event("step_completed", 5, `{"step_name":"same instant"}`),
	}
	episode := capture.EpisodeFromEvents(events)
	names := []string{}
	for _, a := range episode.Actions {
		names = append(names, a.StepName)
	}
	assert.Equal(t, []string{"first", "middle", "same instant", "last"}, names)
	assert.Equal(t, memorytest.Seconds(1), episode.StartedAt)
	assert.Equal(t, memorytest.Seconds(9), events[0].At, "the log itself is left as it is")
}

// Of a long log an episode has the first and the last, by count and by bytes; the log itself is bounded elsewhere.
func TestALongLogIsToldByItsBeginAndEnd(t *testing.T) {
	t.Parallel()
	const mega = 1 << 20
	for name, test := range map[string]struct{ count, bytes, want int }{
		"few and short":        {1000, 10, 1000},
		"one more":             {1001, 10, 1000},
		"few and long":         {60, mega - 10, 4},
		"just as long":         {4, mega - 10, 4},
		"long, and one more":   {9, mega - 10, 4},
		"many, neither is few": {1500, 3 * mega / 1000, 1000},
		"many, bytes count":    {1500, 10 * mega / 1000, 400},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat("x", test.bytes-4)
			events, wantFirst, wantLast := []memory.Event{}, "", ""
			for i := range test.count {
				thought := fmt.Sprintf("%04d%s", i, text)
				events = append(events, event("agent_thought", float64(i), `{"thought":"`+thought+`"}`),
					event("step_completed", float64(i), `{"step_name":"`+thought+`"}`))
				if i == 0 {
					wantFirst = thought
				}
				wantLast = thought
			}
			e := capture.EpisodeFromLog(events)
			assert.InDelta(t, test.want, len(e.Thoughts), float64(test.want)/50)
			assert.InDelta(t, test.want, len(e.Actions), float64(test.want)/50)
			assert.True(t, e.Thoughts[0] == wantFirst && e.Thoughts[len(e.Thoughts)-1] == wantLast, "the first and the last are told")
			bytes := 0
			for i := range e.Actions {
				bytes += summary.StepBytes(&e.Actions[i])
			}
			assert.LessOrEqual(t, bytes, summary.MaxStepBytes)
		})
	}
}

func TestStepsWithoutANameAreStillSteps(t *testing.T) {
	t.Parallel()
	episode := capture.EpisodeFromEvents([]memory.Event{
		event("step_completed", 0, `{"step_id":12}`), event("step_completed", 1, `"odd"`), event("step_completed", 2, ``),
	})
	assert.Equal(t, []memory.Action{
		{StepID: new("12"), StepName: "12"}, {StepName: "unnamed step"}, {StepName: "unnamed step"},
	}, episode.Actions)
}

func TestThoughtsOfOddShapes(t *testing.T) {
	t.Parallel()
	episode := capture.EpisodeFromEvents([]memory.Event{
		event("agent_thought", 0, `{"thought":""}`), event("agent_thought", 1, `{"thought":null}`), event("agent_thought", 2, `[]`),
		event("agent_thought", 3, `{"thought":{"plan":1}}`), event("agent_message", 4, `{"role":"assistant","content":["a"]}`),
		event("agent_message", 5, `{"content":"nobody said this"}`), event("agent_message", 6, `{"role":"system","content":"rules"}`),
	})
	assert.Equal(t, []string{`{"plan":1}`, `["a"]`}, episode.Thoughts)
}

func TestMissing(t *testing.T) {
	t.Parallel()
	numbered := func(numbers ...int) []memory.Event {
		events := make([]memory.Event, len(numbers))
		for i, number := range numbers {
			events[i].Sequence = number
		}
		return events
	}
	assert.Empty(t, capture.Missing(nil))
	assert.Empty(t, capture.Missing(numbered(0, 1, 2)))
	assert.Equal(t, []string{"0", "2 to 4", "6"}, capture.Missing(numbered(1, 5, 7)))
	assert.Equal(t, []string{"0", "2", "4", "6", "8", "…"}, capture.Missing(numbered(1, 3, 5, 7, 9, 11, 13)))
}

func FuzzEpisodeFromEvents(f *testing.F) {
	f.Add("workflow_started", `{"args":{"a":[1,2,{"b":null}]}}`, "workflow_completed", `{"result":3}`, int64(4_000))
	f.Add("step_completed", `{"step_id":[],"step_name":{},"result":"x"}`, "agent_message", `{"role":1}`, int64(-9))
	f.Add("agent_thought", "{", "workflow_failed", "\xff\x00", int64(1<<62))
	f.Fuzz(func(t *testing.T, firstType, first, secondType, second string, gap int64) {
		a, b := event(firstType, 0, first), event(secondType, 0, second)
		b.At = a.At.AddDate(0, 0, int(gap%100_000))
		episode := capture.EpisodeFromEvents([]memory.Event{a, b, a})
		if episode.Observation == "" || summary.Insight(&episode) == "" || summary.Title(episode.Observation) == "" {
			t.Fatal("every episode has an observation, an insight and a title")
		}
		if episode.EndedAt != nil && episode.EndedAt.Before(episode.StartedAt) {
			t.Fatalf("ends %v before it starts %v", episode.EndedAt, episode.StartedAt)
		}
		for _, step := range episode.Actions {
			if step.StepName == "" || step.Result != nil && !json.Valid(step.Result) {
				t.Fatalf("a broken step: %+v", step)
			}
		}
	})
}

func TestRunIsTitledByTheRequest(t *testing.T) {
	t.Parallel()
	for args, title := range map[string]string{
		`"Refund order 17\nplease"`: "", // the observation has it
		`{"customer": "Mia", "question": "Where is order 17?", "input": "x"}`: "Where is order 17?",
		`{"task": {"id": 7}, "message": " ", "n": 1}`:                         "Where is it?",
		`{"n": 1}`: "Where is it?",
		`[1]`:      "Where is it?",
	} {
		log := []memory.Event{event("workflow_started", 0, `{"args":`+args+`}`)}
		if strings.HasPrefix(args, "{") || strings.HasPrefix(args, "[") {
			log = append(log, event("agent_message", 1, `{"role":"user","content":"Where is it?\nI wait."}`), event("agent_message", 2, `{"role":"user","content":"Thanks"}`))
		}
		assert.Equal(t, title, capture.EpisodeFromEvents(log).Title, args)
	}
	assert.Equal(t, `{"n":1}`, capture.EpisodeFromEvents([]memory.Event{event("workflow_started", 0, `{"args":{"n":1}}`)}).Title)
}
