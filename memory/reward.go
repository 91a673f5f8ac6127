package memory

import "math"

// stateTenths is the reward of each state, in tenths so that sums are exact.
var stateTenths = map[CanvasState]int{
	StatePresented:     0,
	StateClosedQuickly: -2,
	StateClosedSlowly:  1,
	StateFormSubmitted: 5,
	StateErrorShown:    0,
}

// feedbackReward is the reward of a reaction with score 1.
const feedbackReward = 0.3

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

// FeedbackReward is 0.3 times the reaction's score: thumbs up +0.3, thumbs down −0.3.
func FeedbackReward(f *Feedback) float64 { return feedbackReward * f.Score }

// EpisodeReward is the rewards of an episode's canvases and of all its feedback, each once, whether
// it is on one of the canvases or on the episode as a whole.
func EpisodeReward(canvases []*Canvas, feedback []*Feedback) float64 {
	var sum float64
	for _, c := range canvases {
		sum += c.Reward()
	}
	for _, f := range feedback {
		sum += FeedbackReward(f)
	}
	return math.Round(sum*1e9) / 1e9 // 0.3 − 0.2 is 0.1
}
