package capture

import (
	"encoding/json"
	"fmt"

	"mneme/memory"
	"mneme/memory/prose"
)

// MostNotes is how many notes there are about a log or a file: what else is wrong with it is likely the same.
const MostNotes = 20

// Notes say of which events a run is not read though they were taken, and why: each reason once, the first event first.
type Notes []Note

// Note is a reason, and which events it is about.
type Note struct {
	// First is the number of the first of them, in the log or the file, and Count is how many there are.
	First, Count int
	// Says is the reason in words.
	Says string
}

// Of is the note in words, where the numbers are of lines, events or what else the unit names.
func (n *Note) Of(unit string) string {
	if n.Count == 1 {
		return fmt.Sprintf("%s %d: %s", unit, n.First, n.Says)
	}
	return fmt.Sprintf("%s %d, and %s like it: %s", unit, n.First, prose.Plural(n.Count-1, unit), n.Says)
}

// Add notes of an event with a number that it tells nothing of its run, if that is so.
func (n *Notes) Add(number int, kind string, data memory.JSON) {
	switch field, isRead := unread(kind, data); {
	case !isRead:
		n.add(number, fmt.Sprintf("the type %q is one that a run is not read by; its events are only kept in the log", prose.Shorten(kind, 64)))
	case field != "":
		n.add(number, fmt.Sprintf("the data of %s have no %q, so that nothing is read of the event; it is only kept in the log", kind, field))
	}
}

// add notes a reason, with the others of which it was given.
func (n *Notes) add(number int, says string) {
	for i := range *n {
		if (*n)[i].Says == says {
			(*n)[i].Count++
			return
		}
	}
	if len(*n) < MostNotes {
		*n = append(*n, Note{number, 1, says})
	}
}

// unread is the field of its data by which an event of a type is read, where it lacks that and so tells nothing; empty where
// it has it, and where a start or an end says nothing at all, as these may. isRead is false for a type that a log is not read for.
func unread(kind string, data memory.JSON) (field string, isRead bool) {
	fields, _ := memory.JSONFields(data)
	switch field, isRead = readBy(kind, fields); {
	case field == "":
		return "", isRead
	case (kind == EventWorkflowStarted || Ends(kind)) && isNothing(data):
		return "", true
	}
	if _, has := fields[field]; has {
		return "", true
	}
	return field, true
}

func isNothing(data memory.JSON) bool {
	return memory.JSONText(data) == "" || memory.JSONText(data) == "{}"
}

// readBy is the field by which an event of a type is read; empty where it needs none.
func readBy(kind string, fields map[string]json.RawMessage) (field string, isRead bool) {
	switch kind {
	case EventWorkflowStarted:
		return "args", true
	case EventWorkflowCompleted:
		return "result", true
	case EventWorkflowFailed:
		return "error", true
	case EventAgentThought:
		return "thought", true
	case EventAgentMessage:
		if memory.JSONText(fields["role"]) == "assistant" {
			return "content", true
		}
		return "role", true
	case EventStepCompleted:
		if _, has := fields["step_id"]; has {
			return "step_id", true
		}
		return "step_name", true
	}
	return "", kind == EventTaskCompleted
}
