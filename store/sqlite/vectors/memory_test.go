package vectors

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// Whatever changes in whatever order, what is in memory is what was last written of each episode.
func TestTake(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := &signs{space: newSpace([][]float64{{1}})}
		model := map[int64]uint64{}
		for range rapid.IntRange(1, 8).Draw(t, "rounds") {
			var changed []vector
			for _, episode := range rapid.SliceOfDistinct(rapid.Int64Range(1, 30), func(e int64) int64 { return e }).Draw(t, "episodes") {
				v := vector{episode: episode, gone: rapid.Bool().Draw(t, "gone")}
				if delete(model, episode); !v.gone {
					v.bits = []uint64{rapid.Uint64().Draw(t, "bits")}
					model[episode] = v.bits[0]
				}
				changed = append(changed, v)
			}
			slices.SortFunc(changed, func(a, b vector) int { return int(a.episode - b.episode) })
			before := slices.Clone(s.episodes)
			held := s.episodes
			s.take(changed)
			if !slices.Equal(before, held) {
				t.Fatalf("what a reader holds changed from %v to %v", before, held)
			}
			got := map[int64]uint64{}
			for i, episode := range s.episodes {
				got[episode] = s.at(i)[0]
			}
			if !assert.Equal(t, model, got) || !slices.IsSorted(s.episodes) || len(got) != len(s.episodes) || len(s.told) != len(got) {
				t.Fatalf("%v", s.episodes)
			}
		}
	})
}

// What is beyond the memory that may be taken is left out, the first recorded first.
func TestTakeIsBounded(t *testing.T) {
	t.Parallel()
	wide := make([]float64, 64*200_000) // of which few have room
	s := &signs{space: &space{centre: wide}}
	most := s.most()
	for episode := range int64(3 * most) {
		s.take([]vector{{episode: episode, bits: make([]uint64, s.space.words())}})
		assert.LessOrEqual(t, len(s.episodes), most+most/spareOf)
	}
	assert.True(t, s.left)
	assert.Equal(t, int64(3*most-1), s.episodes[len(s.episodes)-1])
}
