package matching_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory/matching"
)

func scores(matches []matching.Match) (words []float64) {
	for _, m := range matches {
		words = append(words, m.Words)
	}
	return words
}

func TestRunWorked(t *testing.T) {
	t.Parallel()
	q := matching.Choose(words(3, 40), 100)
	rare, common := idf(3, 100), idf(40, 100)
	possible := 1.3 * (rare + common)
	none, hasRare, hasCommon := matching.Document{Length: 1}, matching.Document{Counts: []float64{1, 0}, Length: 1}, matching.Document{Counts: []float64{0, 1}, Length: 1}

	run := q.Run([]matching.Document{none, hasRare, none, none, none, none, none})
	want := []float64{0.7, 1, 0.7, 0.49, 0.343, 0.2401, 0}
	for i := range want {
		assert.InDelta(t, want[i]*rare/possible, run[i].Words, 1e-12, "record %d", i)
	}
	assert.InDelta(t, rare/possible, run[1].Own, 1e-12)
	assert.Zero(t, run[0].Own)

	run = q.Run([]matching.Document{hasRare, none, hasCommon})
	assert.InDelta(t, (0.7*rare+0.7*common)/possible, run[1].Words, 1e-12, "each word where it is best")
	assert.InDelta(t, (rare+0.49*common)/possible, run[0].Words, 1e-12)

	run = q.Run([]matching.Document{hasRare, none, hasRare})
	assert.InDelta(t, 0.7*rare/possible, run[1].Words, 1e-12, "the best place counts, and not the sum of all")
	assert.Empty(t, q.Run(nil))
}

// law is the rule as it is written, of every record of a session.
func law(q *matching.Query, session []matching.Document) []float64 {
	all := make([]float64, len(session))
	for d := range session {
		for word := range q.Stems {
			best := 0.0
			for e := -4; e <= 4; e++ {
				if at := d + e; at >= 0 && at < len(session) && word < len(session[at].Counts) {
					count, length := session[at].Counts[word], session[at].Length
					if count > 0 {
						best = max(best, math.Pow(0.7, math.Abs(float64(e)))*q.IDF[word]*count*1.3/(count+0.3*(0.25+0.75*length)))
					}
				}
			}
			all[d] += best
		}
		all[d] /= max(q.Possible, 1e-300)
	}
	return all
}

func TestTheLawOfNeighbours(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		session := make([]matching.Document, rapid.IntRange(0, 20).Draw(t, "records"))
		for i := range session {
			session[i] = drawDocument(t, &q)
		}
		run := q.Run(session)
		assert.InDeltaSlice(t, law(&q, session), scores(run), 1e-12)
		for i, m := range run {
			assert.InDelta(t, q.Alone(session[i]), m.Own, 1e-12)
			assert.LessOrEqual(t, m.Own, m.Words+1e-12)
			assert.LessOrEqual(t, m.Words, 1.0)
		}

		backwards := slices.Clone(session)
		slices.Reverse(backwards)
		other := scores(q.Run(backwards))
		slices.Reverse(other)
		assert.Equal(t, scores(run), other, "before and after count alike")

		// What a store reads of a session is enough: a record with four on either side.
		for i := range session {
			from := max(0, i-matching.Reach)
			part := q.Run(session[from:min(len(session), i+matching.Reach+1)])
			assert.Equal(t, run[i].Words, part[i-from].Words) //nolint:testifylint // to the last bit
		}
	})
}

func TestPromisesWorked(t *testing.T) {
	t.Parallel()
	q := matching.Choose(words(3, 40), 100)
	rare, common := idf(3, 100), idf(40, 100)
	possible := 1.3 * (rare + common)
	assert.InDeltaSlice(t, []float64{
		(rare + 0.7*common) / possible, (0.7*rare + common) / possible, (0.7*rare + common) / possible, (rare + 0.7*common) / possible,
	}, q.Promises([]matching.Has{0b01, 0b10, 0b10, 0b01}), 1e-12)
	assert.InDelta(t, 1/1.3, q.Promises([]matching.Has{0b11})[0], 1e-12)
	assert.Empty(t, q.Promises(nil))
}

// No record scores more than 1.3 times its promise; and where all have some word, are of average length and have it once, just
// what it promises.
func TestPromisesHold(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		session := make([]matching.Document, rapid.IntRange(1, 16).Draw(t, "records"))
		for i := range session {
			session[i] = drawDocument(t, &q)
		}
		run := q.Run(session)
		var has []matching.Has
		var scored []float64
		var usual []matching.Document
		for i, d := range session {
			words, once := matching.Has(0), matching.Document{Length: 1, Counts: make([]float64, len(d.Counts))}
			for word, count := range d.Counts {
				if count > 0 {
					words |= 1 << word
					once.Counts[word] = 1
				}
			}
			if words != 0 {
				has, scored, usual = append(has, words), append(scored, run[i].Words), append(usual, once)
			}
		}
		promises := q.Promises(has)
		for i, promise := range promises {
			assert.LessOrEqual(t, scored[i], 1.3*promise+1e-12)
		}
		if len(has) > 0 {
			assert.InDeltaSlice(t, scores(q.Run(usual)), promises, 1e-12)
		}
	})
}
