package memory

import "mneme/memory/stats"

// Reward is the sum of the rewards of the canvas's States and CustomStates; with DefaultCanvasRules presented 0, closed
// quickly −0.2, closed slowly +0.1, form submitted +0.5, error shown 0. Each time counts: a form submitted and then
// closed after a minute earns 0.6, a sheet closed quickly twice −0.4. Feedback is not part of it.
func (c *Canvas) Reward(rules *CanvasRules) float64 {
	sum := 0.0
	for _, state := range c.States(rules) {
		sum += rules.Rewards[state]
	}
	for _, state := range c.customStates(rules) {
		sum += state.Reward
	}
	return stats.Rounded(sum)
}
