package linking

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"mneme/store"
)

// Sums are what is added to the aggregates of an episode. Scores are halves, so that their sums are exact however
// often feedback comes and goes.
type Sums struct {
	Canvases, Actions, Feedback int
	Score                       float64
}

// Moves are canvases and feedback that come to episodes and leave them. Episodes go by what a store knows them by, of
// which the zero value stands for none. The zero Moves are none.
type Moves[E cmp.Ordered] struct {
	sums             map[E]*Sums
	gained           map[E]struct{}
	canvas, feedback int // that got their first episode
}

func (m *Moves[E]) of(episode E) *Sums {
	if m.sums == nil {
		m.sums, m.gained = map[E]*Sums{}, map[E]struct{}{}
	}
	if m.sums[episode] == nil {
		m.sums[episode] = &Sums{}
	}
	return m.sums[episode]
}

// Canvas moves a canvas, which had some actions and has others now.
func (m *Moves[E]) Canvas(from E, before int, to E, after int) {
	m.canvas += m.gain(from, to)
	source, target := m.of(from), m.of(to)
	source.Canvases, source.Actions = source.Canvases-1, source.Actions-before
	target.Canvases, target.Actions = target.Canvases+1, target.Actions+after
}

// Feedback moves a feedback of a score.
func (m *Moves[E]) Feedback(from, to E, score float64) {
	m.feedback += m.gain(from, to)
	source, target := m.of(from), m.of(to)
	source.Feedback, source.Score = source.Feedback-1, source.Score-score
	target.Feedback, target.Score = target.Feedback+1, target.Score+score
}

// gain notes an episode that gets something, and answers 1 where that had none before.
func (m *Moves[E]) gain(from, to E) int {
	var none E
	m.of(to)
	if from == to || to == none {
		return 0
	}
	m.gained[to] = struct{}{}
	if from != none {
		return 0
	}
	return 1
}

// Sums are what changes, by episode in order.
func (m *Moves[E]) Sums() iter.Seq2[E, Sums] {
	return func(yield func(E, Sums) bool) {
		var none E
		for _, episode := range slices.Sorted(maps.Keys(m.sums)) {
			if sums := *m.sums[episode]; episode != none && sums != (Sums{}) && !yield(episode, sums) {
				return
			}
		}
	}
}

// Backfill adds up what the parts of a backfill gave to episodes. The zero Backfill is none.
type Backfill[E cmp.Ordered] struct {
	canvases, feedback int
	episodes           map[E]struct{}
}

// Add adds what one part moved.
func (b *Backfill[E]) Add(part *Moves[E]) {
	if b.episodes == nil {
		b.episodes = map[E]struct{}{}
	}
	b.canvases, b.feedback = b.canvases+part.canvas, b.feedback+part.feedback
	maps.Copy(b.episodes, part.gained)
}

// Done counts what got its first episode, and the episodes that got something.
func (b *Backfill[E]) Done() store.Backfilled {
	return store.Backfilled{Canvases: b.canvases, Feedback: b.feedback, Episodes: len(b.episodes)}
}
