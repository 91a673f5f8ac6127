package matching_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/matching"
)

// idf is the formula once more.
func idf(n, all float64) float64 { return math.Log(1 + (all-n+0.5)/(n+0.5)) }

func words(records ...int) []matching.Word {
	list := make([]matching.Word, len(records))
	for i, n := range records {
		list[i] = matching.Word{Stem: "w" + strconv.Itoa(i), Records: n}
	}
	return list
}

func TestChoose(t *testing.T) {
	t.Parallel()
	q := matching.Choose(words(40, 3, 0, 3), 100)
	assert.Equal(t, []string{"w1", "w3", "w0"}, q.Stems, "the rarest first, of equals the first, and none that no record has")
	assert.InDeltaSlice(t, []float64{idf(3, 100), idf(3, 100), idf(40, 100)}, q.IDF, 1e-12)
	assert.InDelta(t, 1.3*(2*idf(3, 100)+idf(40, 100)+idf(0, 100)), q.Possible, 1e-12, "what no record has counts in what is possible")

	q = matching.Choose(words(5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 0, 0, 0, 0, 0), 100)
	assert.Len(t, q.Stems, 12)
	assert.NotContains(t, q.Stems, "w12")
	known := 0.0
	for n := 5.0; n <= 16; n++ {
		known += idf(n, 100)
	}
	assert.InDelta(t, 1.3*(known+3*idf(0, 100)), q.Possible, 1e-9, "three that no record has")

	q = matching.Choose(words(100), 100)
	assert.Positive(t, q.IDF[0], "a word that all have tells little, and more than nothing")
	q = matching.Choose(words(3), 2)
	assert.Positive(t, q.IDF[0], "counts of two instants may not fit together")
	q = matching.Choose(nil, 100)
	assert.Zero(t, q.Alone(matching.Document{}))
}

func TestAloneWorked(t *testing.T) {
	t.Parallel()
	q := matching.Choose(words(3, 40), 100)
	rare, common := idf(3, 100), idf(40, 100)
	possible := 1.3 * (rare + common)
	for name, test := range map[string]struct {
		document matching.Document
		want     float64
	}{
		"nothing":                            {matching.Document{Length: 1}, 0},
		"every word once, of average length": {matching.Document{Counts: []float64{1, 1}, Length: 1}, 1 / 1.3},
		"the rare word":                      {matching.Document{Counts: []float64{1, 0}, Length: 1}, rare / possible},
		"twice":                              {matching.Document{Counts: []float64{2, 0}, Length: 1}, rare * (2 * 1.3 / 2.3) / possible},
		"in a short one":                     {matching.Document{Counts: []float64{0, 1}, Length: 0.2}, common * (1.3 / (1 + 0.3*(0.25+0.75*0.2))) / possible},
		"in a long one":                      {matching.Document{Counts: []float64{0, 1}, Length: 4}, common * (1.3 / (1 + 0.3*(0.25+3))) / possible},
		"nothing but the words":              {matching.Document{Counts: []float64{1e9, 1e9}, Length: 0}, 1},
	} {
		t.Run(name, func(t *testing.T) { assert.InDelta(t, test.want, q.Alone(test.document), 1e-9) })
	}
}

func TestCollections(t *testing.T) {
	t.Parallel()
	assert.InDelta(t, 2.5, matching.Collection{Records: 4, Length: 10}.Average(), 0)
	assert.Zero(t, matching.Collection{}.Average())
	assert.Zero(t, matching.Collection{Records: -1, Length: 5}.Average())
	assert.InDelta(t, 2, matching.Relative(5, 2.5), 0)
	assert.InDelta(t, 1, matching.Relative(5, 0), 0, "nothing to compare with")
}

// The weights are whole, and every kind that can be searched has some.
func TestTextsOfEveryKind(t *testing.T) {
	t.Parallel()
	for _, kind := range memory.Kinds {
		for _, text := range matching.Texts(kind) {
			assert.Positive(t, text.Weight, "%s.%s", kind, text.Name)
		}
	}
	assert.Len(t, matching.Texts(memory.KindEpisode), 4)
	assert.Empty(t, matching.Texts(memory.KindAgent))
}

func drawQuery(t *rapid.T) matching.Query {
	n := rapid.IntRange(1, 5).Draw(t, "words")
	return matching.Choose(words(rapid.SliceOfN(rapid.IntRange(0, 50), n, n).Draw(t, "records")...), 50)
}

func drawDocument(t *rapid.T, q *matching.Query) matching.Document {
	d := matching.Document{Length: rapid.Float64Range(0, 20).Draw(t, "length")}
	if rapid.Bool().Draw(t, "has words") {
		for range q.Stems {
			d.Counts = append(d.Counts, float64(rapid.SampledFrom([]int{0, 0, 1, 1, 2, 7}).Draw(t, "count")))
		}
	}
	return d
}

func TestAloneIsAShareThatGrowsWithCounts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		d := drawDocument(t, &q)
		score := q.Alone(d)
		assert.GreaterOrEqual(t, score, 0.0)
		assert.LessOrEqual(t, score, 1.0)
		longer := d
		longer.Length++
		assert.LessOrEqual(t, q.Alone(longer), score, "what is said among more counts less")
		if len(d.Counts) > 0 {
			more := matching.Document{Counts: append([]float64{}, d.Counts...), Length: d.Length}
			more.Counts[rapid.IntRange(0, len(d.Counts)-1).Draw(t, "which")]++
			assert.Greater(t, q.Alone(more), score)
		}
	})
}

// In whatever order a query says its words, each record has the same score.
func TestTheOrderOfTheWordsIsIndifferent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		asked := words(rapid.SliceOfN(rapid.IntRange(0, 50), 1, 8).Draw(t, "records")...)
		other := rapid.Permutation(asked).Draw(t, "in another order")
		text := rapid.SliceOf(rapid.SampledFrom([]string{"w0", "w1", "w2", "w3", "w4", "w5", "other"})).Draw(t, "text")
		var bag matching.Bag
		for _, stem := range text {
			bag.Add(stem, 1)
		}
		one, two := matching.Choose(asked, 50), matching.Choose(other, 50)
		assert.InDelta(t, one.Alone(one.Document(bag.String(), memory.KindObservation, 3)), two.Alone(two.Document(bag.String(), memory.KindObservation, 3)), 1e-12)
	})
}
