package linking

import (
	"iter"
	"maps"

	"mneme/store"
)

// Sums are what is added to the aggregates of an episode. Scores are halves, so that their sums are exact however
// often feedback comes and goes.
type Sums struct {
	Canvases, Actions, Feedback int
	Score                       float64
}

// Moves are canvases and feedback that come to episodes and leave them; the key "" is none. The zero Moves are none.
type Moves struct {
	sums             map[string]*Sums
	gained           KeySet
	canvas, feedback int // that got their first episode
}

func (m *Moves) of(episode string) *Sums {
	if m.sums == nil {
		m.sums, m.gained = map[string]*Sums{}, KeySet{}
	}
	if m.sums[episode] == nil {
		m.sums[episode] = &Sums{}
	}
	return m.sums[episode]
}

// Canvas moves a canvas, which had some actions and has others now.
func (m *Moves) Canvas(from string, before int, to string, after int) {
	m.canvas += m.gain(from, to)
	source, target := m.of(from), m.of(to)
	source.Canvases, source.Actions = source.Canvases-1, source.Actions-before
	target.Canvases, target.Actions = target.Canvases+1, target.Actions+after
}

// Feedback moves a feedback of a score.
func (m *Moves) Feedback(from, to string, score float64) {
	m.feedback += m.gain(from, to)
	source, target := m.of(from), m.of(to)
	source.Feedback, source.Score = source.Feedback-1, source.Score-score
	target.Feedback, target.Score = target.Feedback+1, target.Score+score
}

// gain notes an episode that gets something, and answers 1 where that had none before.
func (m *Moves) gain(from, to string) int {
	m.of(to)
	if from == to || to == "" {
		return 0
	}
	m.gained.Add(to)
	if from != "" {
		return 0
	}
	return 1
}

// Sums are what changes, by episode in order.
func (m *Moves) Sums() iter.Seq2[string, Sums] {
	return func(yield func(string, Sums) bool) {
		for _, episode := range sortedKeys(m.sums) {
			if sums := *m.sums[episode]; episode != "" && sums != (Sums{}) && !yield(episode, sums) {
				return
			}
		}
	}
}

// Backfill adds up what the parts of a backfill gave to episodes. The zero Backfill is none.
type Backfill struct {
	canvases, feedback int
	episodes           KeySet
}

// Add adds what one part moved.
func (b *Backfill) Add(part *Moves) {
	if b.episodes == nil {
		b.episodes = KeySet{}
	}
	b.canvases, b.feedback = b.canvases+part.canvas, b.feedback+part.feedback
	maps.Copy(b.episodes, part.gained)
}

// Done counts what got its first episode, and the episodes that got something.
func (b *Backfill) Done() store.Backfilled {
	return store.Backfilled{Canvases: b.canvases, Feedback: b.feedback, Episodes: len(b.episodes)}
}
