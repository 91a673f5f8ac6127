package traversal_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"mneme/memory/traversal"
)

func TestOnCycles(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		links [][2]string
		want  []string
	}{
		"nothing":        {nil, nil},
		"a chain":        {[][2]string{{"a", "b"}, {"b", "c"}, {"a", "c"}}, nil},
		"two":            {[][2]string{{"a", "b"}, {"b", "a"}}, []string{"a", "b"}},
		"itself":         {[][2]string{{"a", "a"}, {"a", "b"}}, []string{"a"}},
		"between two":    {[][2]string{{"a", "b"}, {"b", "a"}, {"b", "c"}, {"c", "d"}, {"d", "e"}, {"e", "d"}}, []string{"a", "b", "d", "e"}},
		"the same twice": {[][2]string{{"a", "b"}, {"a", "b"}}, nil},
	} {
		assert.Equal(t, test.want, traversal.OnCycles(test.links), name)
	}
}

func TestOnCyclesFindsWhatLeadsBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		links := make([][2]string, rapid.IntRange(0, 30).Draw(t, "links"))
		next := map[string][]string{}
		for i := range links {
			for end := range links[i] {
				links[i][end] = fmt.Sprint("n", rapid.IntRange(0, 12).Draw(t, "end"))
			}
			next[links[i][0]] = append(next[links[i][0]], links[i][1])
		}
		var want []string
		for _, id := range []string{"n0", "n1", "n10", "n11", "n12", "n2", "n3", "n4", "n5", "n6", "n7", "n8", "n9"} {
			reached, left := map[string]bool{}, next[id]
			for len(left) > 0 {
				to := left[0]
				if left = left[1:]; !reached[to] {
					reached[to] = true
					left = append(left, next[to]...)
				}
			}
			if reached[id] {
				want = append(want, id)
			}
		}
		assert.Equal(t, want, traversal.OnCycles(links))
	})
}

func TestOnCyclesBearsALongOne(t *testing.T) {
	t.Parallel()
	links := make([][2]string, 100_000)
	for i := range links {
		links[i] = [2]string{fmt.Sprint(i), fmt.Sprint((i + 1) % len(links))}
	}
	assert.Len(t, traversal.OnCycles(links), len(links))
}
