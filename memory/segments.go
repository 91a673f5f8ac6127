package memory

import (
	"fmt"
	"strings"
	"time"
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
func SegmentsOf(events []Event) []Segment {
	segments := []Segment{}
	first := 0
	for i, event := range events {
		if i > first && event.At.Sub(events[i-1].At) > segmentGap {
			segments = append(segments, segmentOf(SegmentGap, events[first:i]))
			first = i
		}
		if completesTask(event) {
			segments = append(segments, segmentOf(SegmentTask, events[first:i+1]))
			first = i + 1
		}
	}
	if first < len(events) {
		rest := segmentOf(SegmentRest, events[first:])
		rest.EndedAt = nil
		segments = append(segments, rest)
	}
	return segments
}

func completesTask(event Event) bool {
	switch event.Type {
	case EventTaskCompleted, EventWorkflowCompleted, EventWorkflowFailed:
		return true
	}
	return false
}

// WholeSegment is the one segment of an episode that was recorded without a log. It is a task where
// the outcome is known, else the rest.
func WholeSegment(e *Episode) []Segment {
	kind := SegmentRest
	if e.Concluded {
		kind = SegmentTask
	}
	parts := []string{shorten(oneLine(e.Observation), partRunes), stepNames(e.Actions)}
	if e.Result != nil {
		parts = append(parts, part("result", *e.Result))
	}
	return []Segment{{Kind: kind, Text: joinParts(parts), StartedAt: e.StartedAt, EndedAt: e.EndedAt}}
}

func segmentOf(kind SegmentKind, events []Event) Segment {
	parts := make([]string, len(events))
	for i, event := range events {
		parts[i] = eventPart(event)
	}
	last := events[len(events)-1].At
	return Segment{Kind: kind, Text: joinParts(countRuns(parts)), StartedAt: events[0].At, EndedAt: &last}
}

// eventPart is an event in a few words.
func eventPart(event Event) string {
	data, _ := objectOf(event.Data)
	switch event.Type {
	case EventWorkflowStarted:
		return part("started", textOf(data["args"]))
	case EventAgentMessage:
		return part(textOf(data["role"]), textOf(data["content"]))
	case EventAgentThought:
		return part("thought", textOf(data["thought"]))
	case EventStepCompleted:
		return shorten(oneLine(namedAction(data).StepName), partRunes)
	case EventTaskCompleted, EventWorkflowCompleted:
		return part("completed", textOf(data["result"]))
	case EventWorkflowFailed:
		return part("failed", textOf(data["error"]))
	}
	return shorten(oneLine(event.Type), partRunes)
}

func part(label, text string) string {
	label, text = oneLine(label), oneLine(text)
	switch {
	case label == "":
		return shorten(text, partRunes)
	case text == "":
		return shorten(label, partRunes)
	}
	return shorten(fmt.Sprintf("%s: %s", label, text), partRunes)
}

// joinParts leaves out what is empty.
func joinParts(parts []string) string {
	said := parts[:0:0]
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return shorten(strings.Join(said, "; "), segmentRunes)
}
