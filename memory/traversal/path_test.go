package traversal_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory/traversal"
)

func (g *plainGraph) reversed() *plainGraph {
	back := &plainGraph{out: map[string]map[string]bool{}}
	for source, targets := range g.out {
		for target := range targets {
			back.link(target, source)
		}
	}
	return back
}

func (g *plainGraph) pathLinks() traversal.PathLinks {
	return traversal.PathLinks{
		Along: g.neighbours, Against: g.reversed().neighbours,
		Between: func(sources, targets []string) (pairs [][2]string, err error) {
			for _, source := range sources {
				for _, target := range targets {
					if g.out[source][target] {
						pairs = append(pairs, [2]string{source, target})
					}
				}
			}
			return pairs, nil
		},
	}
}

// firstShortest is the plain rule: from the start, always the first node that is one step nearer to the end.
func (g *plainGraph) firstShortest(from, to string, depth int) []string {
	left := g.reversed().distances(to, depth)
	if _, ok := left[from]; !ok {
		return nil
	}
	path := []string{from}
	for at := from; at != to; {
		next := ""
		for id := range g.out[at] {
			if distance, ok := left[id]; ok && distance == left[at]-1 && (next == "" || id < next) {
				next = id
			}
		}
		at = next
		path = append(path, at)
	}
	return path
}

func TestShortestPathIsTheFirstOfTheShortest(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		from := fmt.Sprint("n", rapid.IntRange(0, 25).Draw(t, "from"))
		to := fmt.Sprint("n", rapid.IntRange(0, 25).Draw(t, "to"))
		depth := rapid.IntRange(0, 6).Draw(t, "depth")
		path, truncated, err := traversal.ShortestPath(from, to, depth, g.pathLinks())
		require.NoError(t, err)
		assert.False(t, truncated)
		assert.Equal(t, g.firstShortest(from, to, depth), path)
	})
}

func TestAPathThroughAHub(t *testing.T) {
	t.Parallel()
	g := &plainGraph{out: map[string]map[string]bool{}}
	for i := range 30_000 {
		g.link("hub", fmt.Sprintf("leaf-%05d", i))
		g.link(fmt.Sprintf("leaf-%05d", i), "hub")
	}
	links := g.pathLinks()
	links.Against = g.neighbours // the links go both ways
	for _, test := range []struct{ from, to string }{{"leaf-00007", "leaf-29999"}, {"hub", "leaf-29999"}, {"leaf-00007", "hub"}} {
		g.reads = 0
		path, truncated, err := traversal.ShortestPath(test.from, test.to, 6, links)
		require.NoError(t, err)
		assert.False(t, truncated)
		assert.Equal(t, test.from, path[0])
		assert.Equal(t, test.to, path[len(path)-1])
		assert.Less(t, g.reads, 2100, "from %s to %s", test.from, test.to)
	}
}

func TestAPathThatWouldTakeTooMuch(t *testing.T) {
	t.Parallel()
	g := &plainGraph{out: map[string]map[string]bool{}}
	for i := range 6_000 {
		for _, hub := range []string{"a", "b"} { // two hubs, each with leaves of its own
			g.link(hub, fmt.Sprintf("%s-%05d", hub, i))
			g.link(fmt.Sprintf("%s-%05d", hub, i), hub)
		}
	}
	links := g.pathLinks()
	links.Against = g.neighbours
	path, truncated, err := traversal.ShortestPath("a-00001", "b-00001", 6, links)
	require.NoError(t, err)
	assert.Nil(t, path)
	assert.True(t, truncated)
}

func TestAPathHandsOnErrors(t *testing.T) {
	t.Parallel()
	fault := errors.New("gone")
	g := &plainGraph{out: map[string]map[string]bool{}}
	g.link("a", "b")
	g.link("b", "c")
	failing := func([]string, string, int) ([]string, error) { return nil, fault }
	for _, breaks := range []func(*traversal.PathLinks){
		func(l *traversal.PathLinks) { l.Along = failing },
		func(l *traversal.PathLinks) { l.Along, l.Against = failing, failing },
		func(l *traversal.PathLinks) {
			l.Between = func([]string, []string) ([][2]string, error) { return nil, fault }
		},
	} {
		links := g.pathLinks()
		breaks(&links)
		_, _, err := traversal.ShortestPath("a", "c", 6, links)
		assert.ErrorIs(t, err, fault)
	}
}

func TestAPathThatIsRemovedWhileItIsLookedFor(t *testing.T) {
	t.Parallel()
	g := &plainGraph{out: map[string]map[string]bool{}}
	g.link("a", "b")
	g.link("b", "c")
	links := g.pathLinks()
	links.Between = func([]string, []string) ([][2]string, error) { return nil, nil }
	path, _, err := traversal.ShortestPath("a", "c", 6, links)
	require.NoError(t, err)
	assert.Nil(t, path)
}
