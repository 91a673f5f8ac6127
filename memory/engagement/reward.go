package engagement

import (
	"mneme/memory"
	"mneme/memory/stats"
)

// FeedbackReward is the rules' part of the reaction's score; with the default ones thumbs up +0.3, thumbs down −0.3.
func FeedbackReward(f *memory.Feedback, rules *memory.CanvasRules) float64 {
	return rules.FeedbackReward * f.Score
}

// EpisodeReward is the rewards of an episode's canvases and of all its feedback, each once, whether
// it is on one of the canvases or on the episode as a whole.
func EpisodeReward(canvases []*memory.Canvas, feedback []*memory.Feedback, rules *memory.CanvasRules) float64 {
	var sum float64
	for _, c := range canvases {
		sum += c.Reward(rules)
	}
	for _, f := range feedback {
		sum += FeedbackReward(f, rules)
	}
	return stats.Rounded(sum) // 0.3 − 0.2 is 0.1
}
