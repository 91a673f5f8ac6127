package engagement

import (
	"mneme/memory"
	"mneme/memory/stats"
)

// feedbackReward is the reward of a reaction with score 1.
const feedbackReward = 0.3

// FeedbackReward is 0.3 times the reaction's score: thumbs up +0.3, thumbs down −0.3.
func FeedbackReward(f *memory.Feedback) float64 { return feedbackReward * f.Score }

// EpisodeReward is the rewards of an episode's canvases and of all its feedback, each once, whether
// it is on one of the canvases or on the episode as a whole.
func EpisodeReward(canvases []*memory.Canvas, feedback []*memory.Feedback) float64 {
	var sum float64
	for _, c := range canvases {
		sum += c.Reward()
	}
	for _, f := range feedback {
		sum += FeedbackReward(f)
	}
	return stats.Rounded(sum) // 0.3 − 0.2 is 0.1
}
