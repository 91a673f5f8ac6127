package importer

import (
	"fmt"

	"mneme/memory"
	"mneme/memory/capture"
	"mneme/memory/prose"
)

// mostNotes is how many notes an account has: what else is wrong with a file is likely the same.
const mostNotes = 20

// Note is something about lines that were taken, though they say less than whoever wrote them may think.
type Note struct {
	// Line is the first of them, and Lines is how many there are.
	Line, Lines int
	// Says is what it is.
	Says string
}

func (n *Note) String() string {
	if n.Lines == 1 {
		return fmt.Sprintf("line %d: %s", n.Line, n.Says)
	}
	return fmt.Sprintf("line %d, and %s like it: %s", n.Line, prose.Plural(n.Lines-1, "line"), n.Says)
}

// note notes something of a line, beside the other lines of which it was said.
func (r *Report) note(line int, says string) {
	for i := range r.Notes {
		if r.Notes[i].Says == says {
			r.Notes[i].Lines++
			return
		}
	}
	if len(r.Notes) < mostNotes {
		r.Notes = append(r.Notes, Note{line, 1, says})
	}
}

// noteUnread notes of an event that it tells nothing of its run. It is kept in the log all the same.
func (r *Report) noteUnread(line int, kind string, data memory.JSON) {
	field, isRead := capture.Unread(kind, data)
	switch {
	case !isRead:
		r.note(line, fmt.Sprintf("the type %q is one that a run is not read by; its events are only kept in the log", prose.Shorten(kind, 64)))
	case field != "":
		r.note(line, fmt.Sprintf("the data of %s have no %q, so that nothing is read of the event; it is only kept in the log", kind, field))
	}
}
