package capture

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/prose"
	"mneme/memory/summary"
)

// segmentGap is the pause above which a new segment begins; exactly this long is no pause.
const segmentGap = 30 * time.Minute

// The lengths in runes of a segment's text and of one part of it.
const (
	segmentRunes = 300
	partRunes    = 80
)

// SegmentsOf splits a log, which must be in the order of time, after every completion of a task
// (task_completed, workflow_completed, workflow_failed) and at pauses of more than 30 minutes. A step
// is not a task. A segment ends with its last event; what is left when the log ends has no end.
func SegmentsOf(events []memory.Event) []memory.Segment {
	segments := []memory.Segment{}
	first := 0
	for i, event := range events {
		if i > first && event.At.Sub(events[i-1].At) > segmentGap {
			segments = append(segments, segmentOf(memory.SegmentGap, events[first:i]))
			first = i
		}
		if event.Type == EventTaskCompleted || Ends(event.Type) {
			segments = append(segments, segmentOf(memory.SegmentTask, events[first:i+1]))
			first = i + 1
		}
	}
	if first < len(events) {
		rest := segmentOf(memory.SegmentRest, events[first:])
		rest.EndedAt = nil
		segments = append(segments, rest)
	}
	return segments
}

// WholeSegment is the one segment of an episode that was recorded without a log. It is a task where
// the outcome is known, else the rest.
func WholeSegment(e *memory.Episode) []memory.Segment {
	kind := memory.SegmentRest
	if e.Concluded {
		kind = memory.SegmentTask
	}
	parts := []string{prose.Shorten(prose.OneLine(e.Observation), partRunes), summary.Steps(e.Actions)}
	if e.Result != nil {
		parts = append(parts, part("result", *e.Result))
	}
	return []memory.Segment{{Kind: kind, Text: joinParts(parts), StartedAt: e.StartedAt, EndedAt: e.EndedAt}}
}

func segmentOf(kind memory.SegmentKind, events []memory.Event) memory.Segment {
	parts := memory.Mapped(events, eventPart)
	last := events[len(events)-1].At
	return memory.Segment{Kind: kind, Text: joinParts(prose.CountRuns(parts)), StartedAt: events[0].At, EndedAt: &last}
}

// eventPart is an event in a few words.
func eventPart(event memory.Event) string {
	data, _ := memory.JSONFields(event.Data)
	switch event.Type {
	case EventWorkflowStarted:
		return part("started", memory.JSONText(data["args"]))
	case EventAgentMessage:
		return part(memory.JSONText(data["role"]), memory.JSONText(data["content"]))
	case EventAgentThought:
		return part("thought", memory.JSONText(data["thought"]))
	case EventStepCompleted:
		return prose.Shorten(prose.OneLine(namedAction(data).StepName), partRunes)
	case EventTaskCompleted, EventWorkflowCompleted:
		return part("completed", memory.JSONText(data["result"]))
	case EventWorkflowFailed:
		return part("failed", memory.JSONText(data["error"]))
	}
	return prose.Shorten(prose.OneLine(event.Type), partRunes)
}

func part(label, text string) string {
	label, text = prose.OneLine(label), prose.OneLine(text)
	switch {
	case label == "":
		return prose.Shorten(text, partRunes)
	case text == "":
		return prose.Shorten(label, partRunes)
	}
	return prose.Shorten(fmt.Sprintf("%s: %s", label, text), partRunes)
}

// joinParts leaves out what is empty.
func joinParts(parts []string) string {
	said := slices.DeleteFunc(parts, func(part string) bool { return part == "" })
	return prose.Shorten(strings.Join(said, "; "), segmentRunes)
}
