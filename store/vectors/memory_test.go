package vectors_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"mneme/store/lexical"
	"mneme/store/vectors"
)

const dimensions = 128

// clustered makes a vector near one of a few directions, as texts about a few subjects have.
func clustered(chance *rand.Rand, subjects [][]float32) []float32 {
	subject := subjects[chance.IntN(len(subjects))]
	v := make([]float32, len(subject))
	for i, x := range subject {
		v[i] = x + float32(chance.NormFloat64())
	}
	return v
}

func random(chance *rand.Rand, size int) []float32 {
	v := make([]float32, size)
	for i := range v {
		v[i] = float32(chance.NormFloat64())
	}
	return v
}

func entry(id int64, record uint64, v []float32) vectors.Entry {
	return vectors.Entry{ID: id, Record: record, At: time.UnixMilli(id), Code: vectors.Code(v)}
}

func ids(found []vectors.Near) (ids []int64) {
	for _, n := range found {
		ids = append(ids, n.ID)
	}
	return ids
}

func TestTheNearestAreFoundAmongMany(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(1, 2))
	subjects := make([][]float32, 50)
	for i := range subjects {
		subjects[i] = random(chance, dimensions)
	}
	const size, asked, first = 40_000, 20, 20
	m, all := vectors.New(dimensions, 1<<30), make([][]float32, size)
	for i := range all {
		all[i] = clustered(chance, subjects)
		m.Add(entry(int64(i+1), uint64(i/10), all[i]))
	}
	found := 0
	for range asked {
		question := clustered(chance, subjects)
		exact := make([]vectors.Near, size)
		for i, v := range all {
			exact[i] = vectors.Near{ID: int64(i + 1), Cosine: vectors.Cosine(vectors.Code(question), vectors.Code(v))}
		}
		slices.SortFunc(exact, func(a, b vectors.Near) int { return int(math.Copysign(1, b.Cosine-a.Cosine)) })
		wanted := ids(exact[:first])
		for _, id := range ids(m.Nearest(question, first, nil)) {
			if slices.Contains(wanted, id) {
				found++
			}
		}
	}
	assert.Greater(t, found, asked*first*97/100)
}

func TestOnlyWhatMayBeFoundIs(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(3, 4))
	m := vectors.New(dimensions, 1<<30)
	for id := range int64(1000) {
		e := entry(id+1, uint64(id), random(chance, dimensions))
		e.Marks[1] = uint32(id % 100)
		m.Add(e)
	}
	found := ids(m.Nearest(random(chance, dimensions), 50, []vectors.Limits{
		{Marks: vectors.Marks{1: 7}, From: time.UnixMilli(508), Until: time.UnixMilli(908)},
		{Marks: vectors.Marks{1: 3}, Or: vectors.Marks{1: 4}, Until: time.UnixMilli(100)},
	}))
	slices.Sort(found)
	assert.Equal(t, []int64{4, 5, 508, 608, 708, 808}, found)
}

func TestWhatTookItsPlaceIsFoundInstead(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(5, 6))
	m, v := vectors.New(dimensions, 1<<30), random(chance, dimensions)
	m.Add(entry(1, 10, v), entry(2, 10, v), entry(3, 20, v))
	m.Add(entry(4, 10, v))
	assert.Equal(t, []int64{4, 3, 2, 1}, ids(m.Nearest(v, 10, nil)), "of equals the last written first")
	m.Replace([]uint64{10}, []vectors.Entry{entry(5, 10, v)})
	assert.Equal(t, []int64{5, 3}, ids(m.Nearest(v, 10, nil)))
	m.Remove(3, 77)
	assert.Equal(t, []int64{5}, ids(m.Nearest(v, 10, nil)))
	m.Replace([]uint64{10, 30}, nil)
	assert.Empty(t, m.Nearest(v, 10, nil))
	assert.Zero(t, m.Len())
}

func TestTheNewestStayWhereThereIsNoRoomForAll(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(7, 8))
	m := vectors.New(dimensions, 100*(dimensions+16+64))
	for id := range int64(300) {
		m.Add(entry(id+1, uint64(id), random(chance, dimensions)))
	}
	assert.LessOrEqual(t, m.Len(), 113)
	assert.True(t, m.LeftOut())
	for _, id := range ids(m.Nearest(random(chance, dimensions), 300, nil)) {
		assert.Greater(t, id, int64(180))
	}
}

func TestVectorsOfAnotherLengthAreNone(t *testing.T) {
	t.Parallel()
	m := vectors.New(3, 1<<20)
	m.Add(entry(1, 1, []float32{1, 0, 0}), entry(2, 2, []float32{1, 0}))
	assert.Equal(t, 1, m.Len())
	assert.Empty(t, m.Nearest([]float32{1, 0}, 5, nil))
	assert.InDelta(t, 1, m.Nearest([]float32{2, 0, 0}, 5, nil)[0].Cosine, 1e-9)
	assert.Zero(t, vectors.Cosine(vectors.Code([]float32{0, 0}), vectors.Code([]float32{1, 1})))
}

func TestWordsAreCountedWithWhatIsThere(t *testing.T) {
	t.Parallel()
	m, v := vectors.New(1, 1<<20), []float32{1}
	word := lexical.Hash("walrus")
	for id := range int64(8) {
		e := entry(id+1, uint64(id/2), v)
		e.Number, e.Words = int32(id%2), []uint32{word, lexical.Hash("seal"), word}[:1+id%3]
		m.Add(e)
	}
	count := func(stem string) [2]int {
		return [2]int{m.With(lexical.Hash(stem)), m.Len()}
	}
	assert.Equal(t, [2]int{8, 8}, count("walrus"))
	assert.Equal(t, [2]int{5, 8}, count("seal"))
	assert.Equal(t, [2]int{0, 8}, count("otter"))
	each := func(*vectors.Entry) bool { return true }
	of := m.Of(1, each)
	assert.Len(t, of, 2)
	assert.Equal(t, int32(1), of[0].Number, "the last written first")
	assert.Len(t, of[1].Words, 3)
	m.Replace([]uint64{1, 2}, []vectors.Entry{entry(9, 1, v)})
	m.Remove(1)
	assert.Equal(t, [2]int{3, 4}, count("walrus"))
	assert.Equal(t, [2]int{2, 4}, count("seal"))
	assert.Len(t, m.Of(1, each), 1)
	assert.Len(t, m.Of(0, each), 1)
	assert.Empty(t, m.Of(2, each))
	assert.Empty(t, m.Of(0, func(e *vectors.Entry) bool { return e.Number == 0 }))
}

func BenchmarkNearest(b *testing.B) {
	chance := rand.New(rand.NewPCG(9, 10))
	m := vectors.New(dimensions, 1<<30)
	for id := range int64(200_000) {
		m.Add(entry(id+1, uint64(id/10), random(chance, dimensions)))
	}
	question := random(chance, dimensions)
	for b.Loop() {
		m.Nearest(question, 100, nil)
	}
}
