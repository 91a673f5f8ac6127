package memory

import "time"

// Presentation is one showing of a canvas. It ends where the person closes the canvas or submits the form.
type Presentation struct {
	At        time.Time
	Ended     bool
	Submitted bool          // it ended by a submission
	Failed    bool          // an error was shown in it
	Dwell     time.Duration // where it ended
}

// Quick says whether the person closed the canvas within less than the rules' QuickClose. A form that was submitted is
// not closed quickly, however little time it took.
func (p Presentation) Quick(rules *CanvasRules) bool {
	return p.Ended && !p.Submitted && p.Dwell < rules.QuickClose
}

// Presentations pairs each PRESENT with the CLOSE or SUBMIT that follows it. A PRESENT before the last one ended
// leaves that one without an end, since nobody knows it; a CLOSE or SUBMIT with nothing open ends nothing.
func (c *Canvas) Presentations() []Presentation {
	var shown []Presentation
	for i := range c.Actions {
		a := &c.Actions[i]
		if last := len(shown) - 1; last >= 0 && !shown[last].Ended && a.Fault() != nil {
			shown[last].Failed = true
		}
		switch a.Action {
		case CanvasPresent:
			shown = append(shown, Presentation{At: a.At, Failed: a.Fault() != nil})
		case CanvasClose, CanvasSubmit:
			if last := len(shown) - 1; last >= 0 && !shown[last].Ended {
				shown[last].Ended, shown[last].Submitted = true, a.Action == CanvasSubmit
				shown[last].Dwell = a.At.Sub(shown[last].At)
			}
		}
	}
	return shown
}

// DwellSeconds is how long people dealt with the canvas, from each PRESENT to its CLOSE or SUBMIT, added up over all
// presentations; nil while none ended.
func (c *Canvas) DwellSeconds() *float64 {
	var total time.Duration
	ended := false
	for _, p := range c.Presentations() {
		if p.Ended {
			ended = true
			total += p.Dwell
		}
	}
	if !ended {
		return nil
	}
	return new(total.Seconds())
}
