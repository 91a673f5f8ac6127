package memory

import (
	"bytes"
	"time"
)

// States is what the actions say about the person who saw the canvas, in order, one entry each time:
// PRESENT, a CLOSE that follows one, SUBMIT, and any action that shows an error. UPDATE and EXECUTE
// say nothing by themselves, nor does a CLOSE that comes quickly because the form was submitted. An action that is two things (a SUBMIT that shows an error) has two entries.
func (c *Canvas) States() []CanvasState {
	states := make([]CanvasState, 0, len(c.Actions))
	var open *time.Time
	submitted := false // since it was presented
	for i := range c.Actions {
		a := &c.Actions[i]
		switch a.Action {
		case CanvasPresent:
			open, submitted = &a.At, false
			states = append(states, StatePresented)
		case CanvasClose:
			if open != nil {
				if state := closedState(a.At.Sub(*open)); !submitted || state == StateClosedSlowly {
					states = append(states, state)
				}
				open = nil
			}
		case CanvasSubmit:
			submitted = true
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
