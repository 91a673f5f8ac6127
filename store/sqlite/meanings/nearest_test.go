package meanings

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFirstPassing(t *testing.T) {
	t.Parallel()
	var found []Near
	for i := range int64(10) {
		found = append(found, Near{Node: 100 - i, Meaning: 1 - float64(i)/10})
	}
	asked := 0
	even := func(nodes []int64) (kept []int64, _ error) {
		asked += len(nodes)
		for _, n := range nodes {
			if n%2 == 0 {
				kept = append(kept, n)
			}
		}
		return kept, nil
	}
	for _, c := range []struct {
		most, asked int
		want        []int64
	}{{1, 1, []int64{100}}, {2, 4, []int64{100, 98}}, {3, 6, []int64{100, 98, 96}}, {5, 10, []int64{100, 98, 96, 94, 92}}, {20, 10, []int64{100, 98, 96, 94, 92}}} {
		asked = 0
		kept, err := firstPassing(found, c.most, even)
		require.NoError(t, err)
		nodes := []int64{}
		for _, n := range kept {
			nodes = append(nodes, n.Node)
		}
		assert.Equal(t, c.want, nodes)
		assert.Equal(t, c.asked, asked, "no more are asked for than it takes, of %d", c.most)
	}
	kept, err := firstPassing(found, 3, nil)
	require.NoError(t, err)
	assert.Equal(t, found[:3], kept)
	kept, err = firstPassing(nil, 3, even)
	require.NoError(t, err)
	assert.Empty(t, kept)
	_, err = firstPassing(found, 3, func([]int64) ([]int64, error) { return nil, errors.New("no") })
	assert.Error(t, err)
}
