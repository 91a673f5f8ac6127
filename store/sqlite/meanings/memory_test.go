package meanings

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
	"mneme/store/meaning"
)

// directions are random, and all different.
func directions(size int) []meaning.Code {
	random, codes := rand.New(rand.NewPCG(1, 2)), make([]meaning.Code, size)
	for i := range codes {
		for j := 0; j < len(codes[i]); j += 8 {
			for k, bits := 0, random.Uint64(); k < 8; k, bits = k+1, bits>>8 {
				codes[i][j+k] = max(-127, int8(bits))
			}
		}
	}
	return codes
}

// write adds a vector as one by itself is.
func (s *signed) write(id int64, code meaning.Code) {
	s.add(&prepare([]vector{{revision: id, node: id, Kept: Kept{Code: code}}})[0])
	s.trim()
}

// signedOf has two vectors of each revision.
func signedOf(codes []meaning.Code) *signed {
	of := &signed{} // without memory for more than leastCodes
	for i, code := range codes {
		of.write(int64(i/2), code)
	}
	return of
}

// Of more than so many, the latest are in memory, each at its place.
func TestCodesInMemoryAreTheLatest(t *testing.T) {
	t.Parallel()
	const size = leastCodes + leastCodes/spareOf + 100
	codes := directions(size)
	of := signedOf(codes)
	assert.Len(t, of.codes, leastCodes+99)
	assert.Nil(t, of.codeAt(size-len(of.codes)-1))
	for _, i := range []int{size - len(of.codes), size - 1000, size - 1} {
		require.NotNil(t, of.codeAt(i))
		assert.Equal(t, codes[i], of.codeAt(i).Code)
	}
	for _, from := range []int{0, size - leastCodes/2, size - 8} { // before those in memory, and among them
		t.Run(fmt.Sprint(from), func(t *testing.T) {
			of := signedOf(codes)
			of.keep(from, func(revision int64) bool { return revision%4 != 3 })
			require.Len(t, of.signatures, len(of.revisions))
			for i := range of.revisions {
				in := of.codeAt(i)
				if in == nil {
					continue
				}
				revision := int(of.revisions[i])
				if require.Equal(t, in.Code.Signature(), of.signatures[i]); i >= from {
					require.NotEqual(t, 3, revision%4)
				}
				require.True(t, in.Code == codes[2*revision] || in.Code == codes[2*revision+1], "of revision %d", revision)
			}
			require.Less(t, len(of.revisions), size)
		})
	}
}

// Sketches come first, what they leave of the memory is for codes.
func TestMemoryOfAKind(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ vectors, codes int }{{0, 447_552}, {400_000, 310_488}, {1_000_000, 104_894}, {2_000_000, leastCodes}} {
		of := signed{memory: memoryOfKind, signatures: make([]meaning.Signature, c.vectors)}
		assert.Equal(t, c.codes, of.mostCodes(), "of %d", c.vectors)
	}
}

// A filter is listed further where so many vectors would have to be looked up one by one.
func TestWorthListing(t *testing.T) {
	t.Parallel()
	s := &signatures{kinds: map[memory.Kind]*signed{}}
	for _, c := range []struct{ vectors, want int }{{0, 4001}, {400_000, 4001}, {1_000_000, 5000}, {4_000_000, 20_000}, {8_000_000, 20_000}} {
		s.kinds[memory.KindEpisode] = &signed{signatures: make([]meaning.Signature, c.vectors)}
		assert.Equal(t, c.want, s.worthListing(memory.KindEpisode), "of %d", c.vectors)
	}
	assert.Equal(t, 4001, s.worthListing(memory.KindConcept))
}

// What promises most is the same whether codes are in memory or not, but that without them all that may be near stays.
func TestPromises(t *testing.T) {
	t.Parallel()
	codes := directions(2000)
	of := signedOf(codes)
	random := rand.New(rand.NewPCG(3, 4))
	query := codes[700]
	for i := range query { // near to one of them
		query[i] = int8(max(-127, min(127, int(query[i])+random.IntN(81)-40)))
	}
	s := &signatures{kinds: map[memory.Kind]*signed{memory.KindEpisode: of}}
	exact := s.nearest(memory.KindEpisode, &query, anyone).list
	require.NotEmpty(t, exact)
	slices.SortFunc(exact, byPromise)
	assert.Equal(t, int64(350), exact[0].revision)
	assert.InDelta(t, query.Cosine(&codes[700]), exact[0].promise, 1e-6)
	for _, left := range []int64{350, 351} {
		some := s.nearest(memory.KindEpisode, &query, func(node int64) bool { return node != left }).list
		assert.Equal(t, left != 350, slices.ContainsFunc(some, func(p promising) bool { return p.node == 350 }), "without %d", left)
		assert.Subset(t, exact, some)
	}
	of.codes = of.codes[1500:] // as if the others had been too many
	about := s.nearest(memory.KindEpisode, &query, anyone).list
	assert.Greater(t, len(about), len(exact))
	promises := map[int64]float64{}
	for _, p := range about {
		promises[p.revision] = p.promise
	}
	assert.Len(t, promises, len(about), "each once")
	for _, p := range exact { // two standard deviations and the rounding are hardly missed
		assert.GreaterOrEqual(t, promises[p.revision], p.promise-0.02)
	}
	assert.Empty(t, s.nearest(memory.KindConcept, &query, anyone).list)
}

func TestCodesOfARevisionAreAllInMemoryOrNone(t *testing.T) {
	t.Parallel()
	const size = leastCodes + leastCodes/spareOf + 101 // so that of one revision the second code is the first in memory
	codes := directions(size)
	of := signedOf(codes)
	first := size - len(of.codes)
	require.Equal(t, 1, first%2)
	assert.Empty(t, of.codesOf(int64(first/2)))
	assert.Empty(t, of.codesOf(0))
	assert.Empty(t, of.codesOf(size))
	for _, revision := range []int{first/2 + 1, size/2 - 1} {
		own := of.codesOf(int64(revision))
		require.Len(t, own, 2)
		assert.Equal(t, codes[2*revision], own[0].Code)
		assert.Equal(t, codes[2*revision+1], own[1].Code)
	}
	assert.Len(t, of.codesOf(size/2), 1, "the last, of one")
	s := &signatures{kinds: map[memory.Kind]*signed{memory.KindEpisode: of}}
	var handed []int
	others := s.inMemory(memory.KindEpisode, []int64{0, size / 2, 1, size/2 - 1}, func(i int, _ []Kept) { handed = append(handed, i) })
	assert.Equal(t, []int{1, 3}, handed)
	assert.Equal(t, []int{0, 2}, others)
	assert.Equal(t, []int{0}, s.inMemory(memory.KindConcept, []int64{size / 2}, func(int, []Kept) { t.Error("of another kind") }))
}

// Where no code is in memory, what is nearest is among those that promise most.
func TestSketchesChooseWhatIsRead(t *testing.T) {
	t.Parallel()
	const size, queries, most = 60_000, 20, 20
	words := strings.Fields(`refund flight luggage airport ticket delay weather storm snow river forest dog cat horse bird whale ship harbour engine
		car road bridge street house bread cheese dinner friend mother child school teacher book letter music concert film museum king war law judge
		police prison money loan tax price customer order invoice server database password hospital nurse medicine heart sport goal medal garden`)
	random := rand.New(rand.NewPCG(7, 7))
	text := func() meaning.Code {
		said := make([]string, 7)
		for i := range said {
			said[i] = words[random.IntN(len(words))]
		}
		v, _ := meaning.Encode(strings.Join(said, " "))
		return v.Code()
	}
	of, codes := &signed{}, make([]meaning.Code, size)
	for i := range codes {
		codes[i] = text()
		of.write(int64(i), codes[i])
	}
	of.codes = nil
	s := &signatures{kinds: map[memory.Kind]*signed{memory.KindEpisode: of}}
	found := 0
	for range queries {
		query := text()
		places := make([]int, size)
		cosines := make([]float64, size)
		for i := range places {
			places[i], cosines[i] = i, query.Cosine(&codes[i])
		}
		slices.SortFunc(places, func(a, b int) int { return cmp.Compare(cosines[b], cosines[a]) })
		promised := s.nearest(memory.KindEpisode, &query, anyone).list
		slices.SortFunc(promised, byPromise)
		for _, p := range promised[:min(mostRead, len(promised))] {
			if slices.Contains(places[:most], int(p.revision)) {
				found++
			}
		}
	}
	t.Logf("recall@%d of sketches among %d: %.3f", most, size, float64(found)/(queries*most))
	assert.GreaterOrEqual(t, float64(found), 0.95*queries*most)
}

// BenchmarkNearest is what is done in memory to find the nearest of a million vectors, of which one in seven is there whole; of the others the 256
// that promise most are read afterwards.
func BenchmarkNearest(b *testing.B) {
	of := &signed{memory: memoryOfKind}
	for i, code := range directions(1_000_000) {
		of.write(int64(i), code)
	}
	s := &signatures{kinds: map[memory.Kind]*signed{memory.KindObservation: of}}
	asked := directions(1)[0]
	for b.Loop() {
		s.nearest(memory.KindObservation, &asked, anyone)
	}
	b.ReportMetric(float64(len(of.signatures)*sketchBytes+len(of.codes)*codeBytes)/1e6, "MB")
}
