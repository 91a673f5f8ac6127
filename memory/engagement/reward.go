package engagement

import (
	"mneme/memory"
	"mneme/memory/stats"
)

// EpisodeReward is the rewards of an episode's canvases and of all its feedback, each once, whether
// it is on one of the canvases or on the episode as a whole: of a reaction with score 1 the rules' part (0.3).
func EpisodeReward(canvases []*memory.Canvas, feedback []*memory.Feedback, rules *memory.CanvasRules) float64 {
	var sum float64
	for _, c := range canvases {
		sum += c.Reward(rules)
	}
	for _, f := range feedback {
		sum += rules.FeedbackReward * f.Score
	}
	return stats.Rounded(sum) // 0.3 − 0.2 is 0.1
}
