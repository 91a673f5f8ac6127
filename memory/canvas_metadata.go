package memory

import (
	"encoding/json"
	"slices"
	"sort"
	"time"
)

// Metadata is what the canvas showed: the metadata of its first PRESENT, with that of every UPDATE
// merged in by time. Objects merge key by key, not in depth; anything else replaces what was there.
// Where neither carried any, it is the first that another action did, so that a form of which only
// the SUBMIT was reported still says what was submitted; otherwise a SUBMIT's is in Actions only.
// nil where no action has metadata.
func (c *Canvas) Metadata() JSON {
	var merged, other JSON
	presented := false
	for _, a := range c.Actions {
		switch {
		case a.Action == CanvasUpdate, a.Action == CanvasPresent && !presented:
			presented = presented || a.Action == CanvasPresent
			merged = mergeJSON(merged, a.Metadata)
		case a.Action != CanvasPresent && other == nil:
			other = a.Metadata
		}
	}
	if merged == nil {
		return other
	}
	return merged
}

// mergeJSON lays the fields of over on those of base; null changes nothing.
func mergeJSON(base, over JSON) JSON {
	if over == nil || string(over) == "null" {
		return base
	}
	if base == nil {
		return over
	}
	fields, baseOK := JSONFields(base)
	changes, overOK := JSONFields(over)
	if !baseOK || !overOK {
		return over
	}
	for key, value := range changes {
		fields[key] = value
	}
	return fieldsJSON(fields)
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
