package matching

import (
	"cmp"
	"math"
	"slices"

	"mneme/memory/stats"
)

// The parameters of bm25 (Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009). Most
// records are short, and a word said twice there tells hardly more than one said once: so k1 is small. Both measured best on
// dialogues.
const (
	k1 = 0.3
	b  = 0.75
)

// saturation is the factor that a word of a document can have at most, and that a long text full of it comes near.
const saturation = k1 + 1

const (
	// mostWords is how many words of a query are looked for: a long text must not scan the store.
	mostWords = 12
	// mostUnknown is how many words that no record has count against every record, at most. Some have to, or a match by
	// one common word out of three would look whole; all would be too many, for a long situation has words of its own.
	mostUnknown = 3
)

// Word is a word of a query by its stem, and in how many of the records that are asked it occurs.
type Word struct {
	Stem    string
	Records int
}

// Query is what is looked for; Choose makes it.
type Query struct {
	// Stems are the words that records have, the rarest first.
	Stems []string
	// IDF is how much each of them tells; always above 0.
	IDF []float64
	// Possible is the most that the words of a document can add up to, those that no record has included. It is 0
	// only where the query has no words.
	Possible float64
}

// Choose picks the words that tell most: the dozen that the fewest records have, of equals those that come first, and
// beside them the first three that none has. Hand them over in the order in which they look specific, each stem
// once, with the number of all records that have words.
func Choose(words []Word, all int) Query {
	known := slices.SortedStableFunc(slices.Values(words), func(a, b Word) int { return cmp.Compare(a.Records, b.Records) })
	unknown := 0
	for len(known) > 0 && known[0].Records <= 0 {
		known, unknown = known[1:], unknown+1
	}
	known, unknown = known[:min(len(known), mostWords)], min(unknown, mostUnknown)
	q := Query{Stems: make([]string, len(known)), IDF: make([]float64, len(known))}
	for i, word := range known {
		q.Stems[i], q.IDF[i] = word.Stem, Rarity(word.Records, all)
		q.Possible += float64(saturation * q.IDF[i])
	}
	for range unknown {
		q.Possible += float64(saturation * Rarity(0, all))
	}
	return q
}

// Rarity is Lucene's form of the inverse document frequency of a word that n of all records have; above 0 even where all do.
func Rarity(n, all int) float64 {
	return math.Log1p((float64(max(all, n)-n) + 0.5) / (float64(n) + 0.5))
}

// Collection is what is counted of the records of a kind that have words.
type Collection struct {
	Records int
	// Length is that of all their bags together.
	Length int
}

// Average is the length of a usual bag; 0 where there is none.
func (c Collection) Average() float64 {
	if c.Records <= 0 || c.Length <= 0 {
		return 0
	}
	return float64(c.Length) / float64(c.Records)
}

// Relative is a length as a multiple of the average, 1 where there is none to compare with.
func Relative(length int, average float64) float64 {
	if average <= 0 || length < 0 {
		return 1
	}
	return float64(length) / average
}

// Document is what a query needs to know of the words of a record.
type Document struct {
	// Counts are how often each of the query's stems counts, in their order; nil where it has none.
	Counts []float64
	// Length is that of its texts as a multiple of what is usual for its kind (see Relative).
	Length float64
}

// bm25 is what a document has of one word, from 0 to less than saturation·idf.
func (q *Query) bm25(word int, d *Document) float64 {
	if word >= len(d.Counts) || !(d.Counts[word] > 0) {
		return 0
	}
	count := d.Counts[word]
	usual := (1 - b) + float64(b*d.Length)
	return float64(q.IDF[word] * (float64(count*saturation) / (count + float64(k1*usual))))
}

// share makes a sum of what a document has of the words a share of what is possible.
func (q *Query) share(sum float64) float64 {
	if !(q.Possible > 0) {
		return 0
	}
	return stats.Unit(sum / q.Possible)
}

// Alone is C of a document that has no neighbours, in 0…1.
func (q *Query) Alone(d Document) float64 {
	sum := 0.0
	for word := range q.Stems {
		sum += q.bm25(word, &d)
	}
	return q.share(sum)
}
