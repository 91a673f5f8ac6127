package retrieval

import (
	"math"

	"mneme/memory"
)

// What counts beside the words, and how much. For observations it was measured on dialogues, chosen on one half of them
// and confirmed on the other.
const (
	meaningWeight = 0.65
	dateBonus     = 0.16
	speakerBonus  = 0.08
	// alone is what words count where there are no vectors.
	alone = 0.85
	// terse lessens what an observation of few words has of its neighbours in a session: of n words it keeps
	// n / (n + terse), two thirds of one. "Yes!" is hardly an answer, whatever stands beside it.
	terse = 0.5
	// leastLike is the likeness from where on something matches at all.
	leastLike = 0.01
)

// likeness is how like the question a passage is, in 0…1 and a little more: the quadratic mean of words and meaning, so
// that either alone can tell, and of observations, which are short and lend one another both, the plain mean, less in a
// session the fewer words they have.
func (q *Question) likeness(m *Moment) float64 {
	meaning := max(0, m.Meaning)
	var like float64
	switch {
	case !m.Compared:
		like = alone * m.Words
	case len(q.Words.Stems) == 0:
		like = meaning
	case m.Kind == memory.KindObservation:
		like = (m.Words + meaningWeight*meaning) / (1 + meaningWeight)
	default:
		like = both(m.Words, meaning)
	}
	if m.Session != "" {
		like *= float64(m.Length) / (float64(m.Length) + terse)
	}
	if m.Speaker != "" {
		like += speakerBonus
	}
	return like + dateBonus*m.Date
}

func both(words, meaning float64) float64 {
	words = min(1, words)
	return math.Sqrt((words*words + meaningWeight*meaning*meaning) / (1 + meaningWeight))
}

// Like is about the likeness of a passage of any record, by its own words, as Count has them, and its cosine alone.
func (w *Words) Like(counts []int, length int, cosine float64) float64 {
	words, p := 0.0, Passage{Counts: counts, Length: length}
	for word := range w.Stems {
		words += w.has(word, &p)
	}
	return both(words, max(0, cosine))
}

// halfMatch is the likeness that is a match of about one half: chosen so that what answers a question in natural words
// is near 1, and what has a word in common near 0.
const halfMatch, steepness = 0.5, 5

// calibrate makes a match of a likeness: 0 of 0, 1 of 1, and steep between what is remote and what answers.
func calibrate(like float64) float64 {
	half := math.Pow(halfMatch, steepness)
	like = math.Pow(min(like, 1), steepness)
	return like * (1 + half) / (like + half)
}
