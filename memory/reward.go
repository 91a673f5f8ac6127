package memory

// stateTenths is the reward of each state, in tenths so that sums are exact.
var stateTenths = map[CanvasState]int{
	StatePresented:     0,
	StateClosedQuickly: -2,
	StateClosedSlowly:  1,
	StateFormSubmitted: 5,
	StateErrorShown:    0,
}

// Reward is the sum over the canvas's States: presented 0, closed quickly −0.2, closed slowly +0.1,
// form submitted +0.5, error shown 0. Each time counts: a form submitted and then closed after a
// minute earns 0.6, a sheet closed quickly twice −0.4. Feedback is not part of it.
func (c *Canvas) Reward() float64 {
	tenths := 0
	for _, state := range c.States() {
		tenths += stateTenths[state]
	}
	return float64(tenths) / 10
}
