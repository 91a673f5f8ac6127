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
	var merged mergedJSON
	var other JSON
	presented := false
	for _, a := range c.Actions {
		switch {
		case a.Action == CanvasUpdate, a.Action == CanvasPresent && !presented:
			presented = presented || a.Action == CanvasPresent
			merged.add(a.Metadata)
		case a.Action != CanvasPresent && other == nil:
			other = a.Metadata
		}
	}
	if text := merged.json(); text != nil {
		return text
	}
	return other
}

// mergedJSON is what values laid on one another come to. It is written once, at the end: written after each, what is
// merged of thousands of them takes the square of their number.
type mergedJSON struct {
	last   JSON                       // nil where there is none yet
	fields map[string]json.RawMessage // of all objects up to the last; nil where they are those of the last alone
}

// add lays the fields of a value on those before; null changes nothing, and what is no object takes the place of all.
func (m *mergedJSON) add(over JSON) {
	if over == nil || string(over) == "null" {
		return
	}
	fields, isObject := m.fields, m.fields != nil
	if m.last != nil && !isObject {
		fields, isObject = JSONFields(m.last)
	}
	m.last, m.fields = over, nil
	if !isObject {
		return
	}
	if changes, ok := JSONFields(over); ok {
		maps.Copy(fields, changes)
		m.fields = fields
	}
}

// json is nil where there is nothing.
func (m *mergedJSON) json() JSON {
	if m.fields != nil {
		return fieldsJSON(m.fields)
	}
	return m.last
}

// fieldsJSON is an object of values that are JSON already, and so cannot fail to encode.
func fieldsJSON(fields map[string]json.RawMessage) JSON {
	text, _ := JSONOf(fields)
	return text
}

// ActionsAsOf is the actions at or before an instant.
func (c *Canvas) ActionsAsOf(t time.Time) []CanvasAction {
	known := sort.Search(len(c.Actions), func(i int) bool { return c.Actions[i].At.After(t) })
	return slices.Clip(c.Actions[:known])
}
