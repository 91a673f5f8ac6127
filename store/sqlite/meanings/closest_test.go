package meanings

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"mneme/store/meaning"
)

// nearby are random signatures, of which one in a hundred is near to the one asked for; some occur several times.
func nearby(size int) (asked meaning.Signature, signatures []meaning.Signature) {
	random := rand.New(rand.NewPCG(5, 6))
	asked = meaning.Signature{random.Uint64(), random.Uint64()}
	for i := range size {
		s := meaning.Signature{random.Uint64(), random.Uint64()}
		switch i % 100 {
		case 0:
			s = asked
			for range random.IntN(40) {
				bit := random.IntN(meaning.Dimensions)
				s[bit/64] ^= 1 << (bit % 64)
			}
		case 1:
			s = signatures[i/2]
		}
		signatures = append(signatures, s)
	}
	return asked, signatures
}

// All signatures sorted by their distance, and where that is the same, the last first.
func TestClosestAreThoseThatSortingGives(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, 2, 500, sampled - 1, 3 * sampled, 2*signaturesEach + 7} {
		asked, signatures := nearby(size)
		places := make([]int, size)
		for i := range places {
			places[i] = i
		}
		slices.SortFunc(places, func(a, b int) int {
			return cmp.Or(cmp.Compare(signatures[a].Distance(asked), signatures[b].Distance(asked)), b-a)
		})
		for _, most := range []int{1, 20, mostFound, size, size + 1} {
			t.Run(fmt.Sprint(size, " ", most), func(t *testing.T) {
				want := slices.Sorted(slices.Values(places[:min(most, size)]))
				assert.Equal(t, want, append([]int(nil), (&signed{signatures: signatures}).closest(asked, most)...))
			})
		}
	}
}

// Where the sample promised too much, or too little, the answer is the same.
func TestClosestWhereTheSampleIsNotLikeTheRest(t *testing.T) {
	t.Parallel()
	asked, signatures := nearby(5000)
	of := &signed{signatures: signatures}
	want := of.closest(asked, 300)
	assert.Len(t, want, 300)
	for _, bound := range []int{0, 1, 64, meaning.Dimensions} {
		assert.Equal(t, want, of.closestFrom(bound, asked, 300), "from %d", bound)
	}
}

func BenchmarkClosest(b *testing.B) {
	for _, size := range []int{100_000, 1_000_000, 3_600_000} {
		asked, signatures := nearby(size)
		of := &signed{signatures: signatures}
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			for b.Loop() {
				of.closest(asked, mostFound)
			}
		})
	}
}
