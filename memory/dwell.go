package memory

import "time"

// QuickClose is the dwell time below which a closed canvas counts as closed quickly; exactly this
// long is slow.
const QuickClose = 5 * time.Second

// Presentation is one showing of a canvas.
type Presentation struct {
	At     time.Time
	Closed bool
	Dwell  time.Duration // where closed
}

// Presentations pairs each PRESENT with the CLOSE that follows it. A PRESENT before the last one was
// closed leaves that one without an end, since nobody knows it; a CLOSE with nothing open is ignored.
func (c *Canvas) Presentations() []Presentation {
	var shown []Presentation
	for _, a := range c.Actions {
		switch a.Action {
		case CanvasPresent:
			shown = append(shown, Presentation{At: a.At})
		case CanvasClose:
			if last := len(shown) - 1; last >= 0 && !shown[last].Closed {
				shown[last].Closed = true
				shown[last].Dwell = a.At.Sub(shown[last].At)
			}
		}
	}
	return shown
}

// DwellSeconds is how long the canvas was open, from each PRESENT to its CLOSE, added up over all
// presentations; nil while it was never closed.
func (c *Canvas) DwellSeconds() *float64 {
	var total time.Duration
	closed := false
	for _, p := range c.Presentations() {
		if p.Closed {
			closed = true
			total += p.Dwell
		}
	}
	if !closed {
		return nil
	}
	seconds := total.Seconds()
	return &seconds
}
