package linking

import "iter"

// Sums are what is added to the aggregates of an episode. Scores are halves, so that their sums are exact however
// often feedback comes and goes.
type Sums struct {
	Canvases, Actions, Feedback int
	Score                       float64
}

// Moves are what canvases and feedback add to the episodes that they come to, and take from those that they leave, by
// key; "" is none.
type Moves map[string]Sums

func (m Moves) add(episode string, more Sums) {
	sums := m[episode]
	m[episode] = Sums{sums.Canvases + more.Canvases, sums.Actions + more.Actions, sums.Feedback + more.Feedback, sums.Score + more.Score}
}

// Canvas moves a canvas, which had some actions and has others now.
func (m Moves) Canvas(from string, before int, to string, after int) {
	m.add(from, Sums{Canvases: -1, Actions: -before})
	m.add(to, Sums{Canvases: 1, Actions: after})
}

// Feedback moves a feedback of a score.
func (m Moves) Feedback(from, to string, score float64) {
	m.add(from, Sums{Feedback: -1, Score: -score})
	m.add(to, Sums{Feedback: 1, Score: score})
}

// Sums are what changes, by episode in order.
func (m Moves) Sums() iter.Seq2[string, Sums] {
	return func(yield func(string, Sums) bool) {
		for _, episode := range sortedKeys(m) {
			if sums := m[episode]; episode != "" && sums != (Sums{}) && !yield(episode, sums) {
				return
			}
		}
	}
}
