package graduation

import (
	"math"
	"slices"

	"mneme/memory"
	"mneme/memory/stats"
)

// Level is how far an agent is trusted to work by itself.
type Level string

// The levels, from the lowest.
const (
	LevelStudent    Level = "STUDENT"
	LevelIntern     Level = "INTERN"
	LevelSupervised Level = "SUPERVISED"
	LevelAutonomous Level = "AUTONOMOUS"
)

// The names of the criteria.
const (
	CriterionEpisodes         = "episodes"
	CriterionInterventionRate = "interventionRate"
	CriterionQualityWeighted  = "qualityWeightedEpisodes"
)

// steps are what each level above student takes; a level takes those below it too.
var steps = []struct {
	level           Level
	episodes        float64 // at least
	interventions   float64 // at most
	qualityWeighted float64 // at least
}{
	{LevelIntern, 10, 0.5, 7},
	{LevelSupervised, 25, 0.2, 18},
	{LevelAutonomous, 50, 0, 45},
}

// Graduation is the level an agent has reached, and the numbers that it follows from.
type Graduation struct {
	Level     Level
	NextLevel *Level // nil at the highest
	// Quality is the mean over the episodes that say something, in 0…1; 0 where none does.
	Quality float64
	// QualityWeighted is the sum of the qualities.
	QualityWeighted float64
	Episodes        int // all of the agent's
	Interventions   int // episodes with feedback that has corrections and a score of 0 or below
	// InterventionRate is Interventions as a share of Episodes; 0 where there is none.
	InterventionRate float64
	// InterventionsBySource counts the episodes that were intervened in from each source; an episode can
	// count for several.
	InterventionsBySource []SourceCount
	Parts                 // means over the episodes for which they are defined, nil where for none
	// Criteria are those of the next level, at the highest level those of it.
	Criteria []Criterion
}

// SourceCount counts episodes by where people intervened.
type SourceCount struct {
	Source   memory.FeedbackSource
	Episodes int
	Rate     float64 // share of all episodes
}

// Criterion is one thing a level takes.
type Criterion struct {
	Name     string  `json:"name"`
	Value    float64 `json:"value"`
	Required float64 `json:"required" jsonschema:"The least; of interventionRate the most."`
	Met      bool    `json:"met"`
	Gap      float64 `json:"gap"` // by how much it is missed; 0 where it is met
}

// CanvasSuccess counts the canvases of an episode, and those with a reward above 0.
type CanvasSuccess struct{ Canvases, Rewarded int }

// CanvasSuccesses counts canvases by the key of their episode.
type CanvasSuccesses map[string]CanvasSuccess

// Add counts a canvas, if it has an episode, with the reward that it has by the rules.
func (s CanvasSuccesses) Add(canvas *memory.Canvas, rules *memory.CanvasRules) {
	if canvas.EpisodeKey == nil {
		return
	}
	count := s[*canvas.EpisodeKey]
	count.Canvases++
	if canvas.Reward(rules) > 0 {
		count.Rewarded++
	}
	s[*canvas.EpisodeKey] = count
}

// Weights say how much each part counts in the quality of an episode. Only their proportions matter.
type Weights struct{ Completion, CanvasSuccess, FeedbackQuality, Consistency float64 }

// DefaultWeights are those that the levels are meant for.
func DefaultWeights() Weights {
	return Weights{Completion: 0.4, CanvasSuccess: 0.3, FeedbackQuality: 0.2, Consistency: 0.1}
}

// maxWeight keeps sums exact enough.
const maxWeight = 1000

// Check says what is wrong with weights: each is in 0…1000, and consistency alone says nothing of an episode.
func (w Weights) Check() error {
	for _, part := range []struct {
		name   string
		weight float64
	}{{"completion", w.Completion}, {"canvasSuccess", w.CanvasSuccess}, {"feedbackQuality", w.FeedbackQuality}, {"consistency", w.Consistency}} {
		if !(part.weight >= 0 && part.weight <= maxWeight) {
			return memory.Invalid("weights."+part.name, "is %v; it must be in 0…%d", part.weight, maxWeight)
		}
	}
	if w.Completion+w.CanvasSuccess+w.FeedbackQuality == 0 {
		return memory.Invalid("weights", "one of completion, canvasSuccess and feedbackQuality must be above 0")
	}
	return nil
}

// Of judges an agent by all of its episodes. The quality of one is, with the default weights,
//
//	0.4·completion + 0.3·canvas success + 0.2·feedback quality + 0.1·consistency
//
// where completion is 1 for SUCCESS and 0 for FAILURE, canvas success the share of its canvases with a
// reward above 0, feedback quality (mean score + 1)/2, and consistency 1 − 2σ of success over the agent's
// episodes of known outcome (σ of the population, at most 0.5). What is undefined drops out and the weights
// of the rest are scaled up to 1. An episode of which nothing but consistency is defined says nothing
// itself: it counts among the episodes and adds no quality.
func Of(episodes []memory.EpisodeOutcome, canvases CanvasSuccesses, weights Weights) Graduation {
	var completion, canvasSuccess, feedback, quality stats.PlainMean
	for _, e := range episodes {
		completion.Add(e.Outcome.Grade())
	}
	g := Graduation{Episodes: len(episodes), Parts: Parts{Consistency: Consistency(int(completion.Sum), completion.Count)}}
	for _, e := range episodes {
		parts := partsOf(e, canvases[e.Key], g.Consistency)
		canvasSuccess.Add(parts.CanvasSuccess)
		feedback.Add(parts.FeedbackQuality)
		quality.Add(weights.qualityOf(parts))
	}
	g.Completion, g.CanvasSuccess, g.FeedbackQuality = completion.Mean(), canvasSuccess.Mean(), feedback.Mean()
	g.Quality, g.QualityWeighted = memory.OrZero(quality.Mean()), stats.Rounded(quality.Sum)
	g.countInterventions(episodes)
	g.setLevel()
	return g
}

// Parts are what quality is made of, each nil where nothing says it.
type Parts struct {
	Completion      *float64 `json:"completion,omitempty"`
	CanvasSuccess   *float64 `json:"canvasSuccess,omitempty"`
	FeedbackQuality *float64 `json:"feedbackQuality,omitempty"`
	Consistency     *float64 `json:"consistency,omitempty"`
}

// Quality is how good one episode was, 0…1, and what that is made of; nil is what nothing says.
type Quality struct {
	Value *float64 `json:"value,omitempty"`
	Parts
}

// QualityOf is the quality of one episode of an agent of some consistency, as Of counts it with the default weights.
func QualityOf(e memory.EpisodeOutcome, canvases CanvasSuccess, consistency *float64) Quality {
	parts := partsOf(e, canvases, consistency)
	return Quality{Value: DefaultWeights().qualityOf(parts), Parts: parts}
}

func partsOf(e memory.EpisodeOutcome, canvases CanvasSuccess, consistency *float64) Parts {
	parts := Parts{
		Completion: e.Outcome.Grade(), CanvasSuccess: stats.Mean(float64(canvases.Rewarded), canvases.Canvases), Consistency: consistency,
	}
	if score := stats.Mean(e.FeedbackSum, e.FeedbackCount); score != nil {
		parts.FeedbackQuality = new((*score + 1) / 2)
	}
	return parts
}

// qualityOf is an episode's quality, nil where the episode itself says nothing that counts.
func (w Weights) qualityOf(parts Parts) *float64 {
	sum, weights := 0.0, 0.0
	add := func(part *float64, weight float64) {
		if part != nil {
			sum += weight * *part
			weights += weight
		}
	}
	add(parts.Completion, w.Completion)
	add(parts.CanvasSuccess, w.CanvasSuccess)
	add(parts.FeedbackQuality, w.FeedbackQuality)
	if weights == 0 {
		return nil
	}
	add(parts.Consistency, w.Consistency)
	return new(stats.Rounded(sum / weights))
}

// Consistency is 1 − 2σ of success over episodes of known outcome, σ of the population; nil where there is none.
func Consistency(successes, known int) *float64 {
	p := stats.Mean(float64(successes), known)
	if p == nil {
		return nil
	}
	return new(stats.Rounded(1 - 2*math.Sqrt(*p*(1-*p))))
}

func (g *Graduation) countInterventions(episodes []memory.EpisodeOutcome) {
	sources := []memory.FeedbackSource{memory.SourceChat, memory.SourceCanvas, memory.SourceWorkflow}
	counts := make([]int, len(sources))
	for _, e := range episodes {
		if len(e.Interventions) > 0 {
			g.Interventions++
		}
		for i, source := range sources {
			if slices.Contains(e.Interventions, source) {
				counts[i]++
			}
		}
	}
	g.InterventionRate = memory.OrZero(stats.Mean(float64(g.Interventions), g.Episodes))
	for i, source := range sources {
		g.InterventionsBySource = append(g.InterventionsBySource, SourceCount{
			Source: source, Episodes: counts[i], Rate: memory.OrZero(stats.Mean(float64(counts[i]), g.Episodes)),
		})
	}
}

func (g *Graduation) setLevel() {
	g.Level = LevelStudent
	for _, step := range steps {
		g.Criteria = []Criterion{
			criterion(CriterionEpisodes, float64(g.Episodes), step.episodes, step.episodes-float64(g.Episodes)),
			criterion(CriterionInterventionRate, g.InterventionRate, step.interventions, g.InterventionRate-step.interventions),
			criterion(CriterionQualityWeighted, g.QualityWeighted, step.qualityWeighted, step.qualityWeighted-g.QualityWeighted),
		}
		if slices.ContainsFunc(g.Criteria, func(c Criterion) bool { return !c.Met }) {
			g.NextLevel = new(step.level)
			return
		}
		g.Level = step.level
	}
}

func criterion(name string, value, required, missed float64) Criterion {
	return Criterion{Name: name, Value: value, Required: required, Met: missed <= 0, Gap: stats.Rounded(max(0, missed))}
}
