package traversal_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"mneme/memory/traversal"
)

// plainGraph is a directed graph as a store would answer for it; reads counts the ids it answered.
type plainGraph struct {
	out   map[string]map[string]bool
	reads int
}

func (g *plainGraph) link(source, target string) {
	for _, id := range []string{source, target} {
		if g.out[id] == nil {
			g.out[id] = map[string]bool{}
		}
	}
	g.out[source][target] = true
}

func (g *plainGraph) neighbours(of []string, after string, limit int) ([]string, error) {
	found := map[string]bool{}
	for _, id := range of {
		maps.Copy(found, g.out[id])
	}
	ids := slices.Sorted(maps.Keys(found))
	ids = slices.DeleteFunc(ids, func(id string) bool { return id <= after })
	ids = ids[:min(len(ids), limit)]
	g.reads += len(ids)
	return ids, nil
}

// distances is a plain breadth-first search.
func (g *plainGraph) distances(start string, depth int) map[string]int {
	distance := map[string]int{start: 0}
	for queue := []string{start}; len(queue) > 0; queue = queue[1:] {
		for id := range g.out[queue[0]] {
			if _, seen := distance[id]; !seen && distance[queue[0]] < depth {
				distance[id] = distance[queue[0]] + 1
				queue = append(queue, id)
			}
		}
	}
	return distance
}

func (g *plainGraph) visits(start string, depth int) []traversal.Visit {
	visits := []traversal.Visit{}
	for id, distance := range g.distances(start, depth) {
		visits = append(visits, traversal.Visit{Depth: distance, ID: id})
	}
	slices.SortFunc(visits, func(a, b traversal.Visit) int { return cmp.Or(a.Depth-b.Depth, cmp.Compare(a.ID, b.ID)) })
	return visits
}

func drawGraph(t *rapid.T) *plainGraph {
	g := &plainGraph{out: map[string]map[string]bool{}}
	nodes := rapid.IntRange(1, 25).Draw(t, "nodes")
	for _, link := range rapid.SliceOfN(rapid.SliceOfN(rapid.IntRange(0, nodes-1), 2, 2), 0, 60).Draw(t, "links") {
		g.link(fmt.Sprint("n", link[0]), fmt.Sprint("n", link[1]))
	}
	return g
}

// walkAll reads a walk to its end, and lets others write between its pages.
func walkAll(t require.TestingT, w traversal.Walk, g *plainGraph, between func()) (visits []traversal.Visit, last traversal.Page) {
	for range 1000 {
		page, err := w.Page(g.neighbours)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page.Nodes), w.First)
		visits = append(visits, page.Nodes...)
		if !page.More {
			return visits, page
		}
		require.Len(t, page.Nodes, w.First, "a page is full where another follows")
		w.After = &page.Nodes[len(page.Nodes)-1]
		between()
	}
	require.Fail(t, "a walk without an end")
	return nil, traversal.Page{}
}

func TestAWalkIsABreadthFirstSearch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		w := traversal.Walk{Start: "n0", Depth: rapid.IntRange(0, 6).Draw(t, "depth"), First: rapid.IntRange(1, 7).Draw(t, "first")}
		visits, last := walkAll(t, w, g, func() {})
		assert.Equal(t, g.visits("n0", w.Depth), visits)
		assert.False(t, last.Truncated)
		answered := map[string]bool{}
		for _, visit := range visits {
			answered[visit.ID] = true
		}
		for _, id := range last.Nearer {
			assert.True(t, answered[id], "%s was on no page", id)
		}
	})
}

func TestNodesWhoseDistanceDoesNotChangeComeOnceWhileOthersWrite(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		w := traversal.Walk{Start: "n0", Depth: rapid.IntRange(1, 5).Draw(t, "depth"), First: rapid.IntRange(1, 7).Draw(t, "first")}
		before := g.distances("n0", w.Depth)
		node := rapid.IntRange(0, 40) // beyond 25: new ones
		visits, _ := walkAll(t, w, g, func() {
			for range rapid.IntRange(0, 2).Draw(t, "writes") {
				g.link(fmt.Sprint("n", node.Draw(t, "source")), fmt.Sprint("n", node.Draw(t, "target")))
			}
		})
		after := g.distances("n0", w.Depth)
		times := map[string]int{}
		for _, visit := range visits {
			times[visit.ID]++
		}
		for id, distance := range before {
			if after[id] == distance { // links are only added, so it never was another
				assert.Equal(t, 1, times[id], "%s at distance %d", id, distance)
			}
		}
	})
}

func TestAHubAnswersItsFirstPageWithoutReadingItsLinks(t *testing.T) {
	t.Parallel()
	g := &plainGraph{out: map[string]map[string]bool{}}
	for i := range 20_000 {
		g.link("hub", fmt.Sprintf("leaf-%05d", i))
	}
	page, err := traversal.Walk{Start: "hub", Depth: 3, First: 50}.Page(g.neighbours)
	require.NoError(t, err)
	assert.Len(t, page.Nodes, 50)
	assert.True(t, page.More)
	assert.Equal(t, traversal.Visit{Depth: 1, ID: "leaf-00048"}, page.Nodes[49])
	assert.LessOrEqual(t, g.reads, 50)

	g.reads = 0
	page, err = traversal.Walk{Start: "hub", Depth: 3, First: 50, After: &page.Nodes[49]}.Page(g.neighbours)
	require.NoError(t, err)
	assert.Equal(t, traversal.Visit{Depth: 1, ID: "leaf-00049"}, page.Nodes[0])
	assert.LessOrEqual(t, g.reads, 51)
}

func TestAWalkSaysWhereACapCutIt(t *testing.T) {
	t.Parallel()
	g := &plainGraph{out: map[string]map[string]bool{}}
	for i := range 20 {
		g.link("start", fmt.Sprintf("a%02d", i))
		g.link(fmt.Sprintf("a%02d", i), "z")
	}
	for most, want := range map[int]struct {
		nodes     int
		truncated bool
	}{
		20: {21, true},  // start and a00…a19 are one too many to go on from
		21: {22, false}, // and then z
	} {
		visits, last := walkAll(t, traversal.Walk{Start: "start", Depth: 2, First: 6, MaxNodes: most}, g, func() {})
		assert.Len(t, visits, want.nodes)
		assert.Equal(t, want.truncated, last.Truncated)
	}
	visits, last := walkAll(t, traversal.Walk{Start: "start", Depth: 1, First: 6, MaxNodes: 5}, g, func() {})
	assert.Len(t, visits, 21, "the last distance needs no memory")
	assert.False(t, last.Truncated)
}

func TestAWalkAroundNobody(t *testing.T) {
	t.Parallel()
	g := &plainGraph{}
	page, err := traversal.Walk{Start: "alone", Depth: 6, First: 5}.Page(g.neighbours)
	require.NoError(t, err)
	assert.Equal(t, traversal.Page{Nodes: []traversal.Visit{{ID: "alone"}}, Nearer: []string{"alone"}}, page)
}

func TestAWalkHandsOnErrors(t *testing.T) {
	t.Parallel()
	fault := errors.New("gone")
	failing := func([]string, string, int) ([]string, error) { return nil, fault }
	for _, after := range []*traversal.Visit{nil, {Depth: 1, ID: "a"}, {Depth: 2, ID: "a"}} {
		_, err := traversal.Walk{Start: "a", Depth: 3, First: 5, After: after}.Page(failing)
		assert.ErrorIs(t, err, fault)
	}
}
