package vectors

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	g := &Guesses{episodes: []int64{2, 3, 5, 7, 11}, cosines: []float32{0.5, 0.9, 0.5, -1, 0.5}}
	odd := func(episode int64) bool { return episode%2 == 1 }
	for _, c := range []struct {
		most     int
		may      func(int64) bool
		episodes []int64
		all      bool
	}{
		{1, nil, []int64{3}, false},
		{3, nil, []int64{3, 5, 11}, false}, // 2 is as near, and older
		{3, odd, []int64{3, 5, 11}, false},
		{4, odd, []int64{3, 5, 7, 11}, true},
		{9, nil, []int64{2, 3, 5, 7, 11}, true},
	} {
		found, all := g.Nearest(c.most, func(episode int64) bool { return c.may == nil || c.may(episode) })
		var episodes []int64
		for _, guess := range found {
			episodes = append(episodes, guess.Episode)
		}
		assert.Equal(t, c.episodes, episodes)
		assert.Equal(t, c.all, all)
	}
	assert.Equal(t, []Guess{{3, float64(float32(0.9))}, {11, 0.5}}, g.Of([]int64{3, 4, 11, 12}), "as far as they have vectors")
}
