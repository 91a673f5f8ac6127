package retrieval

import (
	"cmp"
	"math"
	"slices"
)

const (
	// MaxWords is how many words of a question are looked for, the rarest.
	MaxWords = 12
	// maxUnknown is how many words that no passage has count as missing, at most: one common word out of three must not
	// look whole, and a long situation has words of its own.
	maxUnknown = 3
)

// The parameters of BM25. Passages are short, and a word said twice there tells hardly more than one said once: so k1
// is small. Both measured best on dialogues. Passages are bounded, so that the usual length is fixed.
const (
	k1          = 0.3
	b           = 0.75
	usualLength = 30.0
)

// Words are those of a question that count, the rarest first, each with how much it tells.
type Words struct {
	Stems    []string
	rarities []float64
	possible float64 // what a passage has that has them all, and those that none has
}

// Rarity is how much a word tells that so many passages of all have: ln(1 + (all − with + ½)/(with + ½)), BM25's, and 0
// of one that none has.
func Rarity(with, all int) float64 {
	if with == 0 {
		return 0
	}
	return math.Log(1 + (float64(max(all, with)-with)+.5)/(float64(with)+.5))
}

// Choose picks the words of a question that count, by how much each of its stems tells: 0 for one that no passage has.
func Choose(stems []string, rarities []float64) Words {
	order := make([]int, 0, len(stems))
	unknown := 0
	for i, rarity := range rarities {
		if rarity > 0 {
			order = append(order, i)
		} else {
			unknown++
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rarities[b], rarities[a]) })
	var w Words
	for _, i := range order[:min(len(order), MaxWords)] {
		w.Stems, w.rarities = append(w.Stems, stems[i]), append(w.rarities, rarities[i])
		w.possible += rarities[i]
	}
	if len(w.rarities) > 0 {
		w.possible += float64(min(unknown, maxUnknown)) * w.rarities[0]
	}
	return w
}

// Count says how often each of the stems that are asked for stands among those of a passage, nil where none does. Both
// are texts, or both are hashes of them.
func Count[S comparable](stems, asked []S) (counts []int) {
	for _, stem := range stems {
		if i := slices.Index(asked, stem); i >= 0 {
			if counts == nil {
				counts = make([]int, len(asked))
			}
			counts[i]++
		}
	}
	return counts
}

// has is what a passage has of a word: BM25 as a share of what is possible.
func (w *Words) has(word int, p *Passage) float64 {
	if word >= len(p.Counts) || p.Counts[word] == 0 {
		return 0
	}
	count := float64(p.Counts[word])
	return w.rarities[word] / w.possible * count * (k1 + 1) / (count + k1*(1-b+b*float64(p.Length)/usualLength))
}
