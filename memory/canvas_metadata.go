package memory

import (
	"encoding/json"
	"maps"
	"slices"
	"sort"
	"time"
)

// Metadata is what the canvas showed: the metadata of its first PRESENT, with that of every UPDATE merged in by time.
// Objects merge key by key, not in depth; anything else replaces what was there. Where neither carried any, it is the
// first that another action did, so that a form of which only the SUBMIT was reported still says what was submitted;
// otherwise a SUBMIT's is in Actions only. nil where no action has metadata.
func (c *Canvas) Metadata() JSON {
	var last, other JSON
	var fields map[string]json.RawMessage // of all objects up to the last, written once at the end; nil where last is none
	presented := false
	for _, a := range c.Actions {
		shows := a.Action == CanvasUpdate || a.Action == CanvasPresent && !presented
		presented = presented || a.Action == CanvasPresent
		switch {
		case len(a.Metadata) == 0 || string(a.Metadata) == "null":
		case shows:
			changes, isObject := JSONFields(a.Metadata)
			if last = a.Metadata; isObject && fields != nil {
				maps.Copy(fields, changes)
			} else {
				fields = changes
			}
		case a.Action != CanvasPresent && other == nil:
			other = a.Metadata
		}
	}
	switch {
	case fields != nil:
		text, _ := JSONOf(fields) // of values that are JSON already
		return text
	case last != nil:
		return last
	}
	return other
}

// ActionsAsOf is the actions at or before an instant.
func (c *Canvas) ActionsAsOf(t time.Time) []CanvasAction {
	known := sort.Search(len(c.Actions), func(i int) bool { return c.Actions[i].At.After(t) })
	return slices.Clip(c.Actions[:known])
}
