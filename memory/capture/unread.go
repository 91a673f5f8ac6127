package capture

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"mneme/memory"
	"mneme/memory/prose"
)

// maxTypes is how many types that a run is not read by a note names.
const maxTypes = 20

// Notes say of which events of a log less is read than the sender may think, and why: each reason once.
type Notes []Note

// Note is a reason, and which events it is about.
type Note struct {
	// First is the number of the first of them that came, in the log or the file, and Count is how many there are.
	First, Count int
	// kind is the type of the events, and lacks what their data have not; of types that a run is not read by both are
	// empty, and types are the first of them.
	kind, lacks string
	types       []string
	others      bool // there are more types
}

// Of is the note in words, where the numbers are of lines, events or what else the unit names.
func (n *Note) Of(unit string) string {
	place := fmt.Sprintf("%s %d", unit, n.First)
	if n.Count > 1 {
		place += fmt.Sprintf(", and %s like it", prose.Plural(n.Count-1, unit))
	}
	return place + ": " + n.says()
}

func (n *Note) says() string {
	if n.kind != "" {
		return fmt.Sprintf("the data of %s have %s: %s", n.kind, n.lacks, lost[n.kind])
	}
	quoted := memory.Mapped(n.types, strconv.Quote)
	if len(quoted) == 1 {
		return fmt.Sprintf("the type %s is none that a run is read by: no thought, action or outcome comes of it", quoted[0])
	}
	if n.others {
		quoted = append(quoted, "others")
	}
	last := len(quoted) - 1
	return fmt.Sprintf("the types %s and %s are none that a run is read by: no thought, action or outcome comes of them", strings.Join(quoted[:last], ", "), quoted[last])
}

// lost is what a run lacks where the data of an event lack what it is read by.
var lost = map[string]string{
	EventWorkflowStarted:   "what the run was about is not known",
	EventWorkflowCompleted: "the run succeeded, and has no result",
	EventWorkflowFailed:    "the run failed, and has no result",
	EventAgentThought:      "no thought comes of it",
	EventAgentMessage:      "no thought comes of it",
	EventStepCompleted:     "the step has no name",
}

// Add notes of an event with a number what is not read of it, if anything.
func (n *Notes) Add(number int, kind string, data memory.JSON) {
	lacks, isRead := unread(kind, data)
	switch {
	case !isRead:
		n.find(number, "", "").name(prose.Shorten(kind, 64))
	case lacks != "":
		n.find(number, kind, lacks)
	}
}

// find is the note of a reason, in which one event more is counted.
func (n *Notes) find(number int, kind, lacks string) *Note {
	for i := range *n {
		if note := &(*n)[i]; note.kind == kind && note.lacks == lacks {
			note.Count++
			return note
		}
	}
	*n = append(*n, Note{First: number, Count: 1, kind: kind, lacks: lacks})
	return &(*n)[len(*n)-1]
}

// name adds a type.
func (n *Note) name(kind string) {
	switch {
	case slices.Contains(n.types, kind):
	case len(n.types) < maxTypes:
		n.types = append(n.types, kind)
	default:
		n.others = true
	}
}

// unread is what the data of an event lack of what its type is read by, in words; empty where they lack nothing, and
// where a start or an end says nothing at all, as these may. isRead is false for a type that a log is not read for.
func unread(kind string, data memory.JSON) (lacks string, isRead bool) {
	fields, _ := memory.JSONFields(data)
	says := func(field string) bool { return memory.JSONText(fields[field]) != "" }
	switch kind {
	case EventWorkflowStarted, EventWorkflowCompleted, EventWorkflowFailed:
		field := map[string]string{EventWorkflowStarted: "args", EventWorkflowCompleted: "result", EventWorkflowFailed: "error"}[kind]
		said := memory.JSONText(data)
		if _, has := fields[field]; !has && said != "" && said != "{}" {
			return no(field), true
		}
	case EventAgentThought:
		if !says("thought") {
			return no("thought"), true
		}
	case EventAgentMessage:
		role := memory.JSONText(fields["role"])
		switch {
		case !slices.Contains(roles, role):
			return "no \"role\" of " + strings.Join(roles, ", "), true
		case role == "assistant" && !says("content"):
			return no("content"), true
		}
	case EventStepCompleted:
		if !says("step_id") && !says("step_name") {
			return `neither "step_id" nor "step_name"`, true
		}
	default:
		return "", kind == EventTaskCompleted || kind == EventWorkflowInterrupted
	}
	return "", true
}

// roles are those of whoever a message may be from. Only an assistant's are its thoughts.
var roles = []string{"assistant", "user", "system", "developer", "tool"}

func no(field string) string { return fmt.Sprintf("no %q", field) }
