package memory

import (
	"bytes"
	"time"
)

// States is what the actions say about the person who saw the canvas, in order, one entry each time: PRESENT, a CLOSE
// that follows one, SUBMIT, and any action that shows an error. UPDATE and EXECUTE say nothing by themselves, nor does
// a CLOSE that comes quickly because the form was submitted. An action that is two things (a SUBMIT that shows an
// error) has two entries. The rules say what is quick; their own states are CustomStates.
func (c *Canvas) States(rules *CanvasRules) []CanvasState {
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
				if a.At.Sub(*open) >= rules.QuickClose {
					states = append(states, StateClosedSlowly)
				} else if !submitted {
					states = append(states, StateClosedQuickly)
				}
				open = nil
			}
		case CanvasSubmit:
			submitted = true
			states = append(states, StateFormSubmitted)
		}
		if a.Fault() != nil {
			states = append(states, StateErrorShown)
		}
	}
	return states
}

// CustomStates are the names of the rules' own states that the actions show, in order, one entry each time. Those of
// one action stand in the order of the rules.
func (c *Canvas) CustomStates(rules *CanvasRules) []string {
	return Mapped(c.customStates(rules), func(state *CustomState) string { return state.Name })
}

func (c *Canvas) customStates(rules *CanvasRules) (shown []*CustomState) {
	for i := range c.Actions {
		for j := range rules.States {
			if state := &rules.States[j]; state.shownBy(&c.Actions[i]) {
				shown = append(shown, state)
			}
		}
	}
	return shown
}

func (s *CustomState) shownBy(a *CanvasAction) bool {
	if s.Action != "" && s.Action != a.Action {
		return false
	}
	value := a.says(s.Key)
	return value != nil && (s.Value == nil || string(PlainJSON(value)) == string(PlainJSON(s.Value)))
}

// Fault is the error that the action's metadata has, nil where there is none or null.
func (a *CanvasAction) Fault() JSON { return a.says("error") }

// says is the canonical value of a key of the action's metadata, nil where that is null or not there.
func (a *CanvasAction) says(key string) JSON {
	if !bytes.Contains(a.Metadata, []byte(`"`+key+`"`)) && !bytes.ContainsRune(a.Metadata, '\\') { // so that most metadata is never decoded
		return nil
	}
	fields, _ := JSONFields(a.Metadata)
	value, err := ParseJSON(fields[key])
	if err != nil {
		return nil
	}
	return value
}
