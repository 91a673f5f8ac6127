package matching

import "mneme/memory/stats"

// Parts are what a score is made of.
type Parts struct {
	Match
	// Meaning is A, in −1…1 (see Around and Best). It counts only where Compared says that there were vectors on both
	// sides.
	Meaning  float64
	Compared bool
	// Wordless says that the query has no words, so that meaning is all there is.
	Wordless bool
	// Date is how near the record is to a time that the query names, in 0…1 (see Dates).
	Date float64
	// Speaker is 1 where the query names whom it is from, else 0 (see Names).
	Speaker float64
}

// What the parts weigh, measured on dialogues: chosen on one half of them and confirmed on the other.
const (
	meaningWeight = 0.5
	dateWeight    = 0.2
	speakerWeight = 0.1
)

// Score ranks observations, and the hits of searches in concepts, corrections and all kinds:
//
//	C + 0.5·A + 0.2·date + 0.1·speaker
//
// in −0.5…1.8.
func (p Parts) Score() float64 {
	score := p.Words
	if p.Compared {
		score += float64(meaningWeight * p.Meaning)
	}
	return score + float64(dateWeight*p.Date) + float64(speakerWeight*p.Speaker)
}

// Semantic is how well an episode matches a situation, in 0…1, for the total of a recall: with 1.3 = k1 + 1
//
//	min(1, (1.3·C + 0.65·max(0, A)) / 1.65 + 0.16·date)
//	min(1, 1.3·C + 0.26·date)	without vectors
//	max(0, A)	where the query has no words
//
// which are the proportions of Score. An episode of average length that has every word once is 1 without vectors, and
// so weighs against recency and boosts as a perfect match does.
func (p Parts) Semantic() float64 {
	if p.Wordless {
		return stats.Unit(p.Meaning)
	}
	words := float64(saturation * p.Words)
	if !p.Compared {
		return stats.Unit(words + float64(0.26*p.Date))
	}
	both := words + float64(saturation*float64(meaningWeight*max(0, p.Meaning)))
	return stats.Unit(both/1.65 + float64(0.16*p.Date))
}
