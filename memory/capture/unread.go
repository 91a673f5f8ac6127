package capture

import (
	"fmt"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/prose"
)

// maxTypes is after how many notes types that a run is not read by are noted together.
const maxTypes = 20

// Notes say of which events of a log less is read than the sender may think, and why: each reason once.
type Notes []Note

// Note is a reason, and which events it is about.
type Note struct {
	// First is the number of the first of them that came, in the log or the file, and Count is how many there are.
	First, Count int
	says         string
}

// Of is the note in words, where the numbers are of lines, events or what else the unit names.
func (n *Note) Of(unit string) string {
	place := fmt.Sprintf("%s %d", unit, n.First)
	if n.Count > 1 {
		place += fmt.Sprintf(", and %s like it", prose.Plural(n.Count-1, unit))
	}
	return place + ": " + n.says
}

// readOf is what an event of each type is read by: one of some fields of its data, and what a run lacks without them.
// Of a type that needs none nothing is lost.
var readOf = map[string]struct {
	fields []string
	lost   string
	// mayBeEmpty says that the field may be null, and that the data may be empty.
	mayBeEmpty bool
}{
	EventWorkflowStarted:     {[]string{"args"}, "what the run was about is not known", true},
	EventWorkflowCompleted:   {[]string{"result"}, "the run succeeded, and has no result", true},
	EventWorkflowFailed:      {[]string{"error"}, "the run failed, and has no result", true},
	EventAgentThought:        {[]string{"thought"}, "no thought comes of it", false},
	EventAgentMessage:        {[]string{"content"}, "no thought comes of it", false},
	EventStepCompleted:       {[]string{"step_id", "step_name"}, "the step has no name", false},
	EventTaskCompleted:       {nil, "", true},
	EventWorkflowInterrupted: {nil, "", true},
}

// roles are those of whoever a message may be from. Only an assistant's are its thoughts.
var roles = []string{"assistant", "user", "system", "developer", "tool"}

// Add notes of an event with a number what is not read of it, if anything.
func (n *Notes) Add(number int, kind string, data memory.JSON) {
	says := unread(kind, data)
	if says == "" {
		return
	}
	i := n.of(says)
	if _, isRead := readOf[kind]; !isRead && i < 0 && len(*n) >= maxTypes {
		says = "other types are none that a run is read by either"
		i = n.of(says)
	}
	if i < 0 {
		*n = append(*n, Note{number, 1, says})
		return
	}
	(*n)[i].Count++
}

// of is the index of the note that says so; less than 0 where there is none.
func (n *Notes) of(says string) int {
	return slices.IndexFunc(*n, func(note Note) bool { return note.says == says })
}

// unread says that less is read of an event than its type would have it; empty where that is not so, and where a start
// or an end says nothing at all, as these may.
func unread(kind string, data memory.JSON) string {
	read, isRead := readOf[kind]
	if !isRead {
		return fmt.Sprintf("the type %q is none that a run is read by: no thought, action or outcome comes of it", prose.Shorten(kind, 64))
	}
	fields, _ := memory.JSONFields(data)
	has := func(field string) bool {
		value, is := fields[field]
		return is && (read.mayBeEmpty || memory.JSONText(value) != "")
	}
	lacks, role, said := `no "`+strings.Join(read.fields, `" or "`)+`"`, memory.JSONText(fields["role"]), memory.JSONText(data)
	switch {
	case kind == EventAgentMessage && !slices.Contains(roles, role):
		lacks = `no "role" of ` + strings.Join(roles, ", ")
	case kind == EventAgentMessage && role != "assistant", read.lost == "", slices.ContainsFunc(read.fields, has),
		read.mayBeEmpty && (said == "" || said == "{}"):
		return ""
	}
	return fmt.Sprintf("the data of %s have %s: %s", kind, lacks, read.lost)
}
