package passages

import (
	"cmp"
	"context"
	"math/bits"
	"strings"
	"sync"
	"time"

	"mneme/store/neo4j/bolt"
	"mneme/store/neo4j/cypher"
)

// Words is how rare words are in a database. It is safe for concurrent use.
//
// The index tells no counts. It scores a passage with a word by the word's rarity times tf/(tf + k1·(1 − b +
// b·length/average)), where tf is how often it has it. The rarity is the score of any passage divided by that; two
// passages of one word that differ in length give the average, which the index does not tell either.
type Words struct {
	mutex   sync.Mutex
	known   map[string]rarity
	average float64 // how many words passages have, 0 while that is not known
}

// rarity is that of a word in a memory so large that it hardly changes for a while.
type rarity struct {
	value float64
	until time.Time
}

const (
	k1, b         = 1.2, 0.75 // Lucene's
	usualAverage  = 30
	leastTold     = 1e-4 // by passages that differ in length, or how often they have the word
	manyPassages  = 10_000
	rememberedFor = 10 * time.Minute
	maxRemembered = 50_000
)

// hit is a passage that has a word: how often, how many words it has, and its score by the word.
type hit struct{ count, length, score float64 }

// Rarities estimates how much words tell; see store.Passages.
func (f *Finder) Rarities(ctx context.Context, stems []string) ([]float64, error) {
	rarities, asked, places := make([]float64, len(stems)), []string{}, []int{}
	now := time.Now()
	for i, stem := range stems {
		if known, ok := f.Words.remembered(stem, now); ok {
			rarities[i] = known
			continue
		}
		asked, places = append(asked, "words:"+quote(stem)), append(places, i)
	}
	if len(asked) == 0 {
		return rarities, nil
	}
	hits, passages := make([][]hit, len(asked)), 0
	err := f.Each(ctx, f.Query(cypher.Named("rarest"), cypher.Parameters{"queries": asked}), func(row *bolt.Fields) {
		i := row.Integer("i")
		passages, hits[i] = row.Integer("passages"), hitsOf(row, stems[places[i]])
	})
	if err != nil {
		return nil, err
	}
	average := f.Words.learn(hits)
	for i, found := range hits {
		if len(found) == 0 {
			continue
		}
		rarities[places[i]] = found[0].score / found[0].share(average)
		if passages >= manyPassages {
			f.Words.remember(stems[places[i]], rarity{rarities[places[i]], now.Add(rememberedFor)})
		}
	}
	return rarities, nil
}

// hitsOf reads the best passages of a word.
func hitsOf(f *bolt.Fields, stem string) (hits []hit) {
	texts := bolt.List[string](f, "words")
	scores := bolt.Parallel[float64](f, "scores", len(texts))
	for i, text := range texts {
		h := hit{score: scores[i]}
		length := 0
		for word := range strings.FieldsSeq(text) {
			if length++; word == stem {
				h.count++
			}
		}
		if h.length = keptLength(length); h.count > 0 {
			hits = append(hits, h)
		}
	}
	return hits
}

// keptLength is the length as Lucene keeps it, in a byte.
func keptLength(length int) float64 {
	const exact = 24
	over := length - exact
	if shift := bits.Len(uint(max(over, 0))) - 4; shift > 0 {
		return float64(exact + over>>shift<<shift)
	}
	return float64(length)
}

// share is the part of a word's rarity that a passage scores, by the average length.
func (h hit) share(average float64) float64 { return h.count / (h.count + k1*(1-b+b*h.length/average)) }

// learn tells how long passages are on average: by the hits of these words, else as they were when hits told it last.
func (w *Words) learn(words [][]hit) float64 {
	above, below := 0.0, 0.0 // of 1/average, by least squares
	for _, hits := range words {
		for i, one := range hits {
			for _, other := range hits[:i] {
				// one.score/other.score = one.share/other.share, solved for 1/average, in lengths
				ratio := other.score / one.score
				told := (one.count+k1*(1-b))/one.count - ratio*(other.count+k1*(1-b))/other.count
				length := k1 * b * (ratio*other.length/other.count - one.length/one.count)
				above, below = above+told*length, below+length*length
			}
		}
	}
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if below > leastTold && above > 0 {
		w.average = below / above
	}
	return cmp.Or(w.average, usualAverage)
}

func (w *Words) remembered(stem string, now time.Time) (float64, bool) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	known, ok := w.known[stem]
	return known.value, ok && now.Before(known.until)
}

func (w *Words) remember(stem string, r rarity) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if w.known == nil || len(w.known) >= maxRemembered {
		w.known = map[string]rarity{}
	}
	w.known[stem] = r
}
