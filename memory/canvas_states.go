package memory

import (
	"bytes"
	"time"
)

// States is what the actions say about the person who saw the canvas, in order, one entry each time:
// PRESENT, a CLOSE that follows one, SUBMIT, and any action that shows an error. UPDATE and EXECUTE
// say nothing by themselves. An action that is two things (a SUBMIT that shows an error) has two entries.
func (c *Canvas) States() []CanvasState {
	states := make([]CanvasState, 0, len(c.Actions))
	var open *time.Time
	for i := range c.Actions {
		a := &c.Actions[i]
		switch a.Action {
		case CanvasPresent:
			open = &a.At
			states = append(states, StatePresented)
		case CanvasClose:
			if open != nil {
				states = append(states, closedState(a.At.Sub(*open)))
				open = nil
			}
		case CanvasSubmit:
			states = append(states, StateFormSubmitted)
		}
		if a.showsError() {
			states = append(states, StateErrorShown)
		}
	}
	return states
}

func closedState(dwell time.Duration) CanvasState {
	if dwell < QuickClose {
		return StateClosedQuickly
	}
	return StateClosedSlowly
}

// showsError says whether the action's metadata has an error other than null.
func (a *CanvasAction) showsError() bool {
	if !bytes.Contains(a.Metadata, []byte(`"error"`)) { // so that most metadata is never decoded
		return false
	}
	fields, ok := JSONFields(a.Metadata)
	if !ok {
		return false
	}
	value, ok := fields["error"]
	return ok && string(value) != "null"
}
