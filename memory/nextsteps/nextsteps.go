// Package nextsteps counts what past episodes did next at a moment like the present one.
package nextsteps

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"mneme/memory"
	"mneme/memory/retrieval"
)

// Moment is where an agent stands in a run.
type Moment struct {
	// Situation and Last are the moments of past episodes that match the situation and what came of the last step.
	Situation, Last []retrieval.Moment
	// SoFar are the names of the steps until now, in order.
	SoFar []string
}

// Trajectory is the steps of an episode, and how it turned out.
type Trajectory struct {
	Key         string
	Outcome     memory.Outcome
	FeedbackSum float64
	Steps       []string // their names, in order
	// Logged are the entries of the log that tell of the steps, by sequence; as many as the steps, where there is a log.
	Logged []int
	// Results are what came of some steps that were asked for; nil where that is long.
	Results []memory.JSON
}

// Place is a step of an episode, counted from 0, and how much the moment before it is worth.
type Place struct {
	Episode  string
	Position int
	Worth    float64
}

// Step is a step that past episodes took next.
type Step struct {
	Name string `json:"name"`
	// Share is its part of what all moments are worth, in 0…1.
	Share float64 `json:"share"`
	// Episodes counts those that took it, Succeeded, Failed and Liked those of them that turned out so.
	Episodes  int `json:"episodes"`
	Succeeded int `json:"succeeded"`
	Failed    int `json:"failed"`
	Liked     int `json:"liked"`
	// Places are where it was taken, the moment that is most like this one first.
	Places []Place `json:"-"`
}

// What a moment is worth. Chosen on the steps of one half of 50 tasks, holding on the other; see docs/ranking.md.
const (
	maxEpisodes  = 30
	leastMatch   = 0.1 // of an episode that tells anything
	anyMoment    = 0.2 // what a moment counts of which nothing matches
	sameStep     = 8.0 // how much more it counts for each step before it that is the same, and once more if all are
	maxSame      = 3
	turnedOutBad = 0.5  // what a moment counts in an episode that failed or was disliked
	leastShare   = 0.01 // of a step that is worth telling
)

// Episodes are the keys of the episodes that match best, in which a moment like this is looked for.
func (m *Moment) Episodes() []string {
	worth := map[string]float64{}
	for _, moments := range [][]retrieval.Moment{m.Situation, m.Last} {
		best := map[string]float64{}
		for _, found := range moments {
			best[found.Key] = max(best[found.Key], found.Score)
		}
		for key, score := range best {
			worth[key] += score
		}
	}
	keys := make([]string, 0, len(worth))
	for key, of := range worth {
		if of >= leastMatch {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b string) int { return cmp.Or(cmp.Compare(worth[b], worth[a]), cmp.Compare(a, b)) })
	return keys[:min(len(keys), maxEpisodes)]
}

// Steps are what the episodes did next, the most frequent first, each counted by the worth of its most similar moment.
func (m *Moment) Steps(of []*Trajectory) []Step {
	var steps []Step
	total, best := 0.0, 0.0
	for _, t := range of {
		if situation, _ := m.matches(t); len(t.Steps) > 0 {
			best = max(best, situation)
		}
	}
	for _, t := range of {
		place := m.nearest(t, best)
		if place.Worth == 0 {
			continue
		}
		total += place.Worth
		at := slices.IndexFunc(steps, func(s Step) bool { return s.Name == t.Steps[place.Position] })
		if at < 0 {
			at = len(steps)
			steps = append(steps, Step{Name: t.Steps[place.Position]})
		}
		steps[at].add(t, place)
	}
	for i := range steps {
		steps[i].Share /= total
		slices.SortFunc(steps[i].Places, func(a, b Place) int { return cmp.Or(cmp.Compare(b.Worth, a.Worth), cmp.Compare(a.Episode, b.Episode)) })
	}
	steps = slices.DeleteFunc(steps, func(s Step) bool { return s.Share < leastShare })
	slices.SortFunc(steps, func(a, b Step) int { return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.Name, b.Name)) })
	return steps
}

func (s *Step) add(t *Trajectory, place Place) {
	s.Share += place.Worth
	s.Places = append(s.Places, place)
	s.Episodes++
	switch t.Outcome {
	case memory.OutcomeSuccess:
		s.Succeeded++
	case memory.OutcomeFailure:
		s.Failed++
	}
	if t.FeedbackSum > 0 {
		s.Liked++
	}
}

// nearest is the step of an episode before which it stood most as one stands now; without worth where it has none.
func (m *Moment) nearest(t *Trajectory, best float64) Place {
	nearest := Place{Episode: t.Key}
	situation, at := m.matches(t)
	for position := range t.Steps {
		if worth := (anyMoment + at[position]) * math.Pow(sameStep, float64(m.same(t.Steps[:position]))); worth > nearest.Worth {
			nearest.Position, nearest.Worth = position, worth
		}
	}
	if best > 0 { // another task counts hardly, however often the words of its moments occur
		nearest.Worth *= (situation / best) * (situation / best)
	}
	if t.Outcome == memory.OutcomeFailure || t.FeedbackSum < 0 {
		nearest.Worth *= turnedOutBad
	}
	return nearest
}

// matches are how well an episode matches the situation, and how well its moments match, by the steps taken until then.
func (m *Moment) matches(t *Trajectory) (situation float64, at map[int]float64) {
	at = map[int]float64{}
	for i, moments := range [][]retrieval.Moment{m.Situation, m.Last} {
		for _, found := range moments {
			if found.Key != t.Key {
				continue
			}
			if i == 0 {
				situation = max(situation, found.Score)
			}
			if taken := t.taken(found.Passage.Passage); taken >= 0 {
				at[taken] = max(at[taken], found.Score)
			}
		}
	}
	return situation, at
}

// taken is how many steps an episode had taken by a passage of it, −1 where that is not known.
func (t *Trajectory) taken(p memory.Passage) int {
	switch {
	case p.Part == memory.PartAction:
		return p.Position + 1
	case p.Part == memory.PartEvent && len(t.Logged) == len(t.Steps):
		after, told := slices.BinarySearch(t.Logged, p.Position)
		if told {
			after++
		}
		return after
	}
	return -1
}

// same counts the steps right before that are the same, maxSame at most, and one more where those are all there were.
func (m *Moment) same(before []string) int {
	n := 0
	for n < min(len(before), len(m.SoFar)) && strings.EqualFold(before[len(before)-1-n], m.SoFar[len(m.SoFar)-1-n]) {
		n++
	}
	if n == len(before) && n == len(m.SoFar) {
		return min(n, maxSame) + 1
	}
	return min(n, maxSame)
}
