package ranking

import (
	"math"
	"time"

	"mneme/memory"
)

// FeedbackMode says how people's feedback moves a recall's ranking.
type FeedbackMode string

// The feedback modes. FIXED adds a whole boost by the sign of the aggregate score. SMOOTHED, because
// one vote is weak evidence, scales the boost by m = Σscore/(n+5). OFF leaves feedback out, for comparison.
const (
	FeedbackFixed    FeedbackMode = "FIXED"
	FeedbackSmoothed FeedbackMode = "SMOOTHED"
	FeedbackOff      FeedbackMode = "OFF"
)

// Weights are the constants of the recall ranking. All are finite and ≥ 0; HalfLifeDays is > 0.
type Weights struct {
	Semantic        float64
	Temporal        float64
	HalfLifeDays    float64
	CanvasBoost     float64
	PositiveBoost   float64
	NegativePenalty float64
	Feedback        FeedbackMode
	Credit          float64
}

// DefaultWeights are the weights a recall uses unless it names others.
var DefaultWeights = Weights{
	Semantic: 0.7, Temporal: 0.3, HalfLifeDays: 30,
	CanvasBoost: 0.1, PositiveBoost: 0.2, NegativePenalty: 0.3, Feedback: FeedbackFixed, Credit: 0.1,
}

// Candidate is what the ranking needs to know of an episode.
type Candidate struct {
	Key       string
	StartedAt time.Time
	// Match is how well it matches the situation, 0 to 1; see package retrieval.
	Match             float64
	CanvasActionCount int
	FeedbackSum       float64
	FeedbackCount     int
	Outcome           memory.Outcome
	// Corrected says that somebody put it right without praise: by feedback with a correction and a score of 0 or less.
	Corrected bool
	Informed  Evidence
	// LeftOut is how many passages from its middle are not found, of a record that has too many.
	LeftOut int
	// TaskType, empty where none, and About, the first MaxAbout characters of the observation, tell variants of one thing.
	TaskType, About string
}

// Score is a hit's score and its parts: Semantic and Temporal in 0…1 before weighting, Canvas,
// Feedback and Credit as they were added. Total is not clamped.
type Score struct {
	Semantic float64 `json:"semantic"`
	Temporal float64 `json:"temporal"`
	Canvas   float64 `json:"canvas"`
	Feedback float64 `json:"feedback"`
	Credit   float64 `json:"credit"`
	Total    float64 `json:"total"`
}

// Ranked is a candidate with its score.
type Ranked struct {
	Candidate
	Score    Score
	Siblings []Candidate // near-identical ones (see Grouped)
}

// maxWeight keeps every total finite; nothing sensible comes near it.
const maxWeight = 1e6

// Check returns an INVALID_INPUT *memory.Error that names the first weight at fault ("ranking.halfLifeDays"), or nil.
func (w Weights) Check() error {
	for _, part := range []struct {
		field string
		value float64
	}{
		{"ranking.semanticWeight", w.Semantic},
		{"ranking.temporalWeight", w.Temporal},
		{"ranking.canvasBoost", w.CanvasBoost},
		{"ranking.positiveBoost", w.PositiveBoost},
		{"ranking.negativePenalty", w.NegativePenalty},
		{"ranking.creditWeight", w.Credit},
	} {
		if !(part.value >= 0 && part.value <= maxWeight) { // so written, NaN fails too
			return memory.Invalid(part.field, "must be a number from 0 to %.0f", float64(maxWeight))
		}
	}
	if !(w.HalfLifeDays > 0) || math.IsInf(w.HalfLifeDays, 0) {
		return memory.Invalid("ranking.halfLifeDays", "must be a number above 0")
	}
	switch w.Feedback {
	case FeedbackFixed, FeedbackSmoothed, FeedbackOff:
		return nil
	}
	return memory.Invalid("ranking.feedback", "must be FIXED, SMOOTHED or OFF")
}

// WithoutContext is the weights for a deployment that leaves canvases and feedback out of recall
// (CANVAS_EPISODE_INTEGRATION_ENABLED=false): neither moves the ranking.
func (w Weights) WithoutContext() Weights {
	w.CanvasBoost = 0
	w.Feedback = FeedbackOff
	return w
}
