package capture

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mneme/memory"
	"mneme/memory/summary"
)

// The types of event that a run's log is read for; others are kept in the log only.
const (
	EventWorkflowStarted   = "workflow_started"
	EventAgentMessage      = "agent_message"
	EventAgentThought      = "agent_thought"
	EventStepCompleted     = "step_completed"
	EventTaskCompleted     = "task_completed"
	EventWorkflowCompleted = "workflow_completed"
	EventWorkflowFailed    = "workflow_failed"
	// EventWorkflowInterrupted says that nobody knows how the run would have ended; it may go on.
	EventWorkflowInterrupted = "workflow_interrupted"
)

const (
	unknownSituation = "Unknown initial situation"
	unnamedStep      = "unnamed step"
)

// maxAtOnce is how many bytes a log may have that comes at once, as a body of a request.
const maxAtOnce = 16 << 20

// Ends says whether an event of a type ends a run.
func Ends(kind string) bool { return kind == EventWorkflowCompleted || kind == EventWorkflowFailed }

// Pauses says whether the episode of a run is to say what the log tells so far, as its last event is of a type.
func Pauses(kind string) bool { return Ends(kind) || kind == EventWorkflowInterrupted }

// Missing are the numbers that a log, in their order, lacks up to its last: ranges in words, at most a few.
func Missing(events []memory.Event) []string {
	const most = 5
	var missing []string
	next := 0
	for _, event := range events {
		switch gap := event.Sequence - next; {
		case gap > 0 && len(missing) == most:
			return append(missing, "…")
		case gap == 1:
			missing = append(missing, strconv.Itoa(next))
		case gap > 1:
			missing = append(missing, fmt.Sprintf("%d to %d", next, event.Sequence-1))
		}
		next = event.Sequence + 1
	}
	return missing
}

// EpisodeFromEvents reads an episode from a run's log: its title, observation, thoughts, actions, result,
// outcome, start, end and segments; the rest is the caller's. The events are taken by time, those of
// one instant in their order. The first workflow_started and the last workflow_completed or
// workflow_failed count; without one of these the outcome is UNKNOWN and there is no end, otherwise
// the end is the last event. Data of an unexpected shape says nothing and is no error.
func EpisodeFromEvents(events []memory.Event) memory.Episode {
	events = slices.Clone(events)
	slices.SortStableFunc(events, func(a, b memory.Event) int { return a.At.Compare(b.At) })
	run := capture{Episode: memory.Episode{
		Observation: unknownSituation, Thoughts: []string{}, Actions: []memory.Action{}, ExecutionIDs: []string{},
		Outcome: memory.OutcomeUnknown, Segments: SegmentsOf(events),
	}}
	for _, event := range events {
		run.read(event)
	}
	if request := cmp.Or(strings.TrimSpace(run.request), run.asked, run.args); request != "" {
		run.Title = summary.Title(request)
	}
	if len(events) > 0 {
		run.StartedAt = events[0].At
		if last := events[len(events)-1].At; run.Concluded { // with what went on after its completion
			run.EndedAt = &last
			if rest := &run.Segments[len(run.Segments)-1]; rest.EndedAt == nil {
				rest.EndedAt = &last
			}
		}
	}
	return run.Episode
}

// EpisodeFromLog is EpisodeFromEvents for a log that came in parts. Of one that is longer than what comes at once, an
// episode has the first and the last thoughts, actions and segments; the log itself has them all.
func EpisodeFromLog(events []memory.Event) memory.Episode {
	e, bytes := EpisodeFromEvents(events), 0
	for i := range events {
		bytes += len(events[i].Type) + len(events[i].Data)
	}
	if len(events) <= summary.MaxSteps && bytes <= maxAtOnce {
		return e
	}
	e.Thoughts = told(e.Thoughts, func(t *string) int { return len(*t) })
	e.Actions = told(e.Actions, summary.StepBytes)
	e.Segments = told(e.Segments, func(s *memory.Segment) int { return len(s.Text) })
	return e
}

// told leaves of a list that is long by count or by bytes the first and the last, half of what an episode takes each.
func told[T any](list []T, size func(*T) int) []T {
	bytes := 0
	for i := range list {
		bytes += size(&list[i])
	}
	if len(list) <= summary.MaxSteps && bytes <= summary.MaxStepBytes {
		return list
	}
	half := func(at func(int) int) (n int) {
		for bytes := 0; n < summary.MaxSteps/2; n++ {
			if bytes += size(&list[at(n)]); bytes > summary.MaxStepBytes/2 {
				break
			}
		}
		return n
	}
	last := len(list) - 1
	first, rest := half(func(i int) int { return i }), half(func(i int) int { return last - i })
	return slices.Concat(list[:first], list[len(list)-rest:])
}

// capture is an episode in the making.
type capture struct {
	memory.Episode
	started              bool
	request, asked, args string // what was asked for: by the args, by the first message of a person, all of the args
}

// requests are the arguments that say what is asked for, the first that is there.
var requests = []string{"request", "instruction", "question", "query", "prompt", "message", "task", "goal", "input", "text"}

func (c *capture) read(event memory.Event) {
	data, _ := memory.JSONFields(event.Data)
	switch event.Type {
	case EventWorkflowStarted:
		c.start(data["args"])
	case EventAgentMessage:
		switch memory.JSONText(data["role"]) {
		case "assistant":
			c.think(memory.JSONText(data["content"]))
		case "user":
			c.asked = cmp.Or(c.asked, strings.TrimSpace(memory.JSONText(data["content"])))
		}
	case EventAgentThought:
		c.think(memory.JSONText(data["thought"]))
	case EventStepCompleted:
		action := namedAction(data)
		action.Result, _ = memory.ParseJSON(data["result"]) // part of a decoded object, so it is JSON
		c.Actions = append(c.Actions, action)
	case EventTaskCompleted:
		if result := memory.JSONText(data["result"]); result != "" && !c.Concluded {
			c.Result = &result
		}
	case EventWorkflowCompleted:
		c.conclude(memory.OutcomeSuccess, data["result"])
	case EventWorkflowFailed:
		c.conclude(memory.OutcomeFailure, data["error"])
	}
}

func (c *capture) start(args json.RawMessage) {
	if c.started {
		return
	}
	c.started = true
	text, err := memory.ParseJSON(args)
	if err != nil || text == nil {
		return
	}
	var said string
	if json.Unmarshal(text, &said) != nil {
		said, c.args = "Workflow started with args: "+string(text), string(text)
	}
	fields, _ := memory.JSONFields(text)
	for _, name := range requests {
		if strings.TrimSpace(c.request) == "" && json.Unmarshal(fields[name], &c.request) != nil {
			c.request = ""
		}
	}
	if strings.TrimSpace(said) != "" {
		c.Observation = said
	}
}

func (c *capture) think(thought string) {
	if thought != "" {
		c.Thoughts = append(c.Thoughts, thought)
	}
}

func (c *capture) conclude(outcome memory.Outcome, result json.RawMessage) {
	c.Outcome, c.Concluded, c.Result = outcome, true, nil
	if text := memory.JSONText(result); text != "" {
		c.Result = &text
	}
}

// namedAction is an action without its result, which may be long.
func namedAction(data map[string]json.RawMessage) memory.Action {
	id := memory.JSONText(data["step_id"])
	action := memory.Action{StepName: cmp.Or(memory.JSONText(data["step_name"]), id, unnamedStep)}
	if id != "" {
		action.StepID = &id
	}
	return action
}
