package memory

import "time"

// QuickClose is the dwell time below which a closed canvas counts as closed quickly; exactly this
// long is slow.
const QuickClose = 5 * time.Second

// presentation is one showing of a canvas.
type presentation struct {
	at     time.Time
	closed bool
	dwell  time.Duration // where closed
}

// presentations pairs each PRESENT with the CLOSE that follows it. A PRESENT before the last one was
// closed leaves that one without an end, since nobody knows it; a CLOSE with nothing open is ignored.
func (c *Canvas) presentations() []presentation {
	var shown []presentation
	for _, a := range c.Actions {
		switch a.Action {
		case CanvasPresent:
			shown = append(shown, presentation{at: a.At})
		case CanvasClose:
			if last := len(shown) - 1; last >= 0 && !shown[last].closed {
				shown[last].closed = true
				shown[last].dwell = a.At.Sub(shown[last].at)
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
	for _, p := range c.presentations() {
		if p.closed {
			closed = true
			total += p.dwell
		}
	}
	if !closed {
		return nil
	}
	seconds := total.Seconds()
	return &seconds
}
