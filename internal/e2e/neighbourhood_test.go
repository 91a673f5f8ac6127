package e2e

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"mneme/memory"
)

type edge struct{ Source, Target, Type string }

type neighbour struct {
	Depth int
	Node  struct {
		Typename string `json:"__typename"`
		ID       string
		Name     string
	}
}

type neighbourhood struct {
	Nodes     []neighbour
	Edges     []edge
	Truncated bool
	PageInfo  struct {
		HasNextPage, HasPreviousPage bool
		StartCursor, EndCursor       *string
	}
}

const around = `query ($id: ID!, $depth: Int, $relations: [String!], $direction: Direction, $first: Int, $after: String) {
	neighbourhood(id: $id, depth: $depth, relations: $relations, direction: $direction, first: $first, after: $after) {
		nodes { depth node { __typename id ... on Concept { name } } } edges { source target type } truncated
		pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`

func (w *world) neighbourhood(t *testing.T, variables vars) neighbourhood {
	t.Helper()
	var data struct{ Neighbourhood neighbourhood }
	w.ask(t, around, variables, &data)
	return data.Neighbourhood
}

// walked is all pages of a neighbourhood.
type walked struct {
	depth map[string]int
	order []string
	edges map[edge]bool
}

func (w walked) has(id string) bool {
	_, known := w.depth[id]
	return known
}

// walkAround reads page after page, and checks what holds for each.
func (w *world) walkAround(t *testing.T, variables vars, between func()) walked {
	t.Helper()
	all := walked{depth: map[string]int{}, edges: map[edge]bool{}}
	variables["after"] = nil
	for last := (neighbour{}); ; {
		page := w.neighbourhood(t, variables)
		require.LessOrEqual(t, len(page.Nodes), variables["first"])
		for _, n := range page.Nodes {
			require.False(t, all.has(n.Node.ID), "%s comes once", n.Node.ID)
			require.LessOrEqual(t, cmp.Or(cmp.Compare(last.Depth, n.Depth), cmp.Compare(last.Node.ID, n.Node.ID)), 0)
			all.depth[n.Node.ID], last = n.Depth, n
			all.order = append(all.order, n.Node.ID)
		}
		for _, e := range page.Edges {
			require.True(t, all.has(e.Source) && all.has(e.Target), "%v joins only what was answered", e)
			require.False(t, all.edges[e], "%v comes once", e)
			all.edges[e] = true
		}
		if !page.PageInfo.HasNextPage {
			return all
		}
		variables["after"] = page.PageInfo.EndCursor
		if between != nil {
			between()
		}
	}
}

func testNeighbourhoods(t *testing.T, w *world) {
	w.memoir(t, "m")
	w.concept(t, "m", "refund", "Within 24 hours.")
	w.concept(t, "m", "policy", "What may be done.")
	w.link(t, "refund", "PART_OF", "policy")
	w.link(t, "policy", "DEPENDS_ON", "refund") // a cycle
	w.episode(t, "cause", "Something before.", nil)
	w.episode(t, "e", "A refund.", vars{"sessionId": "s", "causedBy": []string{"cause"}, "conceptIds": []string{"refund"}})
	w.canvas(t, vars{"canvasId": "c", "episodeId": "e", "canvasType": "docs"}, vars{"action": "PRESENT"})
	w.feedback(t, vars{"id": "f", "episodeId": "e", "canvasId": "c", "type": "THUMBS_UP"})
	w.do(t, "recordObservation", "observation { id }", vars{"id": "o", "content": "Seen.", "sessionId": "s", "aboutIds": []string{"episode:e", "feedback:f"}}, nil)
	w.do(t, "recordCorrection", "correction { id }", vars{"id": "k", "topic": "refund", "prediction": "Never.", "correction": "Within 24 hours.", "aboutIds": []string{"concept:refund"}}, nil)

	var data struct {
		Episode struct {
			Concepts              []named
			Neighbourhood, Out    neighbourhood
			Mentioned, Everything neighbourhood
		}
		Concept struct{ Neighbourhood neighbourhood }
	}
	w.ask(t, `{
		episode(id: "e") {
			concepts { id name }
			neighbourhood { nodes { depth node { __typename id } } edges { source target type } truncated pageInfo { hasNextPage endCursor } }
			out: neighbourhood(direction: OUT) { nodes { depth node { __typename id } } }
			mentioned: neighbourhood(depth: 3, relations: ["MENTIONS", "PART_OF"]) { nodes { depth node { id } } edges { type } }
			everything: neighbourhood(depth: 6, first: 100) { nodes { depth node { __typename id } } edges { type } }
		}
		concept(id: "policy") { neighbourhood(depth: 1) { nodes { depth node { id ... on Concept { name relations { type } } } } } }
	}`, nil, &data)
	ids := func(n neighbourhood) (ids []string) {
		for _, node := range n.Nodes {
			ids = append(ids, fmt.Sprint(node.Depth, " ", node.Node.ID))
		}
		return ids
	}
	assert.Equal(t, []named{{"concept:refund", "refund"}}, data.Episode.Concepts)
	assert.Equal(t, []string{
		"0 episode:e", "1 agent:ada", "1 canvas:c", "1 concept:refund", "1 episode:cause", "1 feedback:f", "1 observation:o", "1 session:s",
	}, ids(data.Episode.Neighbourhood))
	for _, want := range []edge{
		{"agent:ada", "episode:e", "RAN"}, {"agent:ada", "episode:cause", "RAN"}, {"episode:e", "session:s", "IN_SESSION"},
		{"episode:e", "canvas:c", "PRESENTED"}, {"episode:e", "feedback:f", "RECEIVED"}, {"feedback:f", "canvas:c", "ON"},
		{"episode:e", "concept:refund", "MENTIONS"}, {"episode:e", "episode:cause", "CAUSED_BY"},
		{"observation:o", "episode:e", "ABOUT"}, {"observation:o", "feedback:f", "ABOUT"}, {"observation:o", "session:s", "IN_SESSION"},
	} {
		assert.Contains(t, data.Episode.Neighbourhood.Edges, want)
	}
	assert.False(t, data.Episode.Neighbourhood.Truncated)
	assert.Equal(t, []string{"0 episode:e", "1 canvas:c", "1 concept:refund", "1 episode:cause", "1 feedback:f", "1 session:s"}, ids(data.Episode.Out))
	assert.Equal(t, []string{"0 episode:e", "1 concept:refund", "2 concept:policy"}, ids(data.Episode.Mentioned))
	assert.Len(t, data.Episode.Mentioned.Edges, 2)
	assert.Contains(t, ids(data.Episode.Everything), "2 correction:k")
	assert.Contains(t, ids(data.Episode.Everything), "2 memoir:m")
	assert.Len(t, data.Episode.Everything.Nodes, 11)
	assert.Equal(t, []string{"0 concept:policy", "1 concept:refund", "1 memoir:m"}, ids(data.Concept.Neighbourhood))
}

// largeMemoir is a generated memoir as a plain map.
type largeMemoir struct {
	links map[string][]step
	edges map[edge]bool
}

type step struct {
	to, kind string
	out      bool
}

func (g *largeMemoir) add(source, kind, target string) {
	e := edge{source, target, kind}
	if g.edges[e] {
		return
	}
	g.edges[e] = true
	g.links[source] = append(g.links[source], step{target, kind, true})
	g.links[target] = append(g.links[target], step{source, kind, false})
}

// distances is a breadth-first search.
func (g *largeMemoir) distances(start string, depth int, relations []string, direction string) map[string]int {
	found := map[string]int{start: 0}
	level := []string{start}
	for at := 1; at <= depth; at++ {
		var next []string
		for _, id := range level {
			for _, s := range g.links[id] {
				_, seen := found[s.to]
				if seen || relations != nil && !slices.Contains(relations, s.kind) || direction == "OUT" && !s.out || direction == "IN" && s.out {
					continue
				}
				found[s.to] = at
				next = append(next, s.to)
			}
		}
		level = next
	}
	return found
}

const largeEpisodes = 40

// generate records the memoir through the API, by many clients at once.
func (w *world) generate(t *testing.T) *largeMemoir {
	t.Helper()
	random := rand.New(rand.NewPCG(4, 2000))
	largeConcepts, largeRelations := sized(2000), sized(6000)
	g := &largeMemoir{links: map[string][]step{}, edges: map[edge]bool{}}
	w.memoir(t, "large")
	for i := range largeConcepts {
		g.add("memoir:large", "CONTAINS", fmt.Sprintf("concept:c%04d", i))
	}
	var relations []edge
	for len(relations) < largeRelations {
		kind := string(memory.RelationTypes[random.IntN(len(memory.RelationTypes))])
		// Half of them end near the beginning, so that some concepts are hubs.
		source, target := random.IntN(largeConcepts), random.IntN(largeConcepts)
		if random.IntN(2) == 0 {
			target = random.IntN(20)
		}
		e := edge{fmt.Sprintf("concept:c%04d", source), fmt.Sprintf("concept:c%04d", target), kind}
		if source != target && !g.edges[e] {
			g.add(e.Source, e.Type, e.Target)
			relations = append(relations, e)
		}
	}
	inParallel(16, largeConcepts, func(i int) {
		w.concept(t, "large", fmt.Sprintf("c%04d", i), fmt.Sprintf("Rule number %d of the airline.", i))
	})
	inParallel(16, largeRelations, func(i int) { w.link(t, relations[i].Source, relations[i].Type, relations[i].Target) })
	for i := range largeEpisodes {
		id, agent := fmt.Sprintf("e%02d", i), fmt.Sprintf("a%d", i%3)
		mentioned := []string{fmt.Sprintf("concept:c%04d", random.IntN(largeConcepts)), fmt.Sprintf("concept:c%04d", random.IntN(20))}
		w.episode(t, id, "A passenger asks about a rule.", vars{"agentId": agent, "conceptIds": mentioned})
		g.add("agent:"+agent, "RAN", "episode:"+id)
		for _, concept := range mentioned {
			g.add("episode:"+id, "MENTIONS", concept)
		}
	}
	w.linkAirline(t, g)
	return g
}

// linkAirline imports the airline runs, where they are at hand, each of which is an execution, and notes for each task
// which concept its trials are about.
func (w *world) linkAirline(t *testing.T, g *largeMemoir) {
	t.Helper()
	path, err := findAirline(t)
	if err != nil {
		t.Logf("without the airline runs: %v (set MNEME_TEST_DATA)", err)
		return
	}
	importAirline(t.Context(), t, w.bound(t), path)
	g.add("learningProfile:gpt-4o/airline", "OF", "agent:gpt-4o")
	for task := range airlineTasks {
		noted := fmt.Sprintf("task-%d", task)
		about := []string{fmt.Sprintf("concept:c%04d", task*sized(2000)/airlineTasks)}
		for trial := range airlineTrials {
			run := fmt.Sprintf("tau-airline-%d-%d", task, trial)
			about = append(about, "episode:"+run)
			g.add("agent:gpt-4o", "RAN", "episode:"+run)
			g.add("episode:"+run, "IN_SESSION", "session:"+run)
			g.add("execution:episode:"+run, "FROM", "episode:"+run)
			g.add("execution:episode:"+run, "OF", "learningProfile:gpt-4o/airline")
		}
		w.observe(t, noted, "These runs are about that rule.", vars{"aboutIds": about})
		for _, id := range about {
			g.add("observation:"+noted, "ABOUT", id)
		}
	}
}

// testLargeMemoir: whatever is asked for, the pages are what a breadth-first search over a map finds.
func testLargeMemoir(t *testing.T, w *world) {
	g := w.generate(t)
	relationsOnly := make([]string, len(memory.RelationTypes))
	for i, kind := range memory.RelationTypes {
		relationsOnly[i] = string(kind)
	}
	for name, test := range map[string]struct {
		start     string
		depth     int
		relations []string
		direction string
		first     int
	}{
		"three steps out in pages of 7":   {"concept:c0434", 3, relationsOnly, "OUT", 7},
		"three steps either way":          {"concept:c0401", 3, relationsOnly, "BOTH", 100},
		"three steps in":                  {"concept:c0003", 3, relationsOnly, "IN", 100},
		"two types in pages of 7":         {"concept:c0007", 3, []string{"PART_OF", "CAUSED_BY"}, "BOTH", 7},
		"a hub in pages of 7":             {"concept:c0011", 1, nil, "BOTH", 7},
		"six steps of one type":           {"concept:c0100", 6, []string{"REFINES"}, "BOTH", 50},
		"an episode, over all that links": {"episode:e05", 3, nil, "BOTH", 100},
		"an agent, along the links":       {"agent:a1", 3, nil, "OUT", 7},
		"three steps from a real run":     {"episode:tau-airline-7-1", 3, nil, "BOTH", 7},
		"the memoir":                      {"memoir:large", 1, nil, "OUT", 100},
	} {
		t.Run(name, func(t *testing.T) {
			if len(g.links[test.start]) == 0 {
				t.Skip("the airline runs are not at hand")
			}
			want := g.distances(test.start, test.depth, test.relations, test.direction)
			got := w.walkAround(t, vars{
				"id": test.start, "depth": test.depth, "relations": test.relations, "direction": test.direction, "first": test.first,
			}, nil)
			require.Equal(t, want, got.depth)
			edges := map[edge]bool{}
			for e := range g.edges {
				_, source := want[e.Source]
				_, target := want[e.Target]
				if source && target && (test.relations == nil || slices.Contains(test.relations, e.Type)) {
					edges[e] = true
				}
			}
			assert.Equal(t, edges, got.edges, "all links among them, each once")
		})
	}
}

// testGrowingMeanwhile walks the pages while a writer adds neighbours: what was there comes once.
func testGrowingMeanwhile(t *testing.T, w *world) {
	w.memoir(t, "m")
	w.concept(t, "m", "hub", "The middle.")
	for i := range 30 {
		id := fmt.Sprintf("old%02d", i)
		w.concept(t, "m", id, "There from the start.")
		w.link(t, id, "PART_OF", "hub")
	}
	added := 0
	got := w.walkAround(t, vars{"id": "concept:hub", "depth": 2, "relations": []string{"PART_OF"}, "first": 4}, func() {
		for _, before := range []string{"aaa", "zzz"} { // one that sorts before the page, one after it
			id := fmt.Sprintf("%s%02d", before, added)
			w.concept(t, "m", id, "It came meanwhile.")
			w.link(t, id, "PART_OF", "hub")
		}
		added++
	})
	for i := range 30 {
		assert.Equal(t, 1, got.depth[fmt.Sprintf("concept:old%02d", i)])
	}
	assert.Greater(t, added, 5)
}

func testPaths(t *testing.T, w *world) {
	w.memoir(t, "m")
	w.memoir(t, "n")
	for _, id := range []string{"a", "b", "c"} {
		w.concept(t, "m", id, "One of a chain.")
	}
	w.concept(t, "n", "z", "Elsewhere.")
	w.link(t, "a", "PART_OF", "b")
	w.link(t, "z", "DEPENDS_ON", "b")
	w.link(t, "z", "REFINES", "b")
	w.episode(t, "e", "It mentions one.", vars{"conceptIds": []string{"z"}})
	const query = `query ($from: ID!, $to: ID!, $max: Int, $relations: [String!]) { path(from: $from, to: $to, maxDepth: $max, relations: $relations) {
		nodes { depth node { __typename id } } edges { source target type } truncated pageInfo { hasNextPage } } }`
	path := func(from, to string, most any, relations ...string) *neighbourhood {
		var data struct{ Path *neighbourhood }
		w.ask(t, query, vars{"from": from, "to": to, "max": most, "relations": relations}, &data)
		return data.Path
	}
	found := path("episode:e", "concept:a", nil)
	require.NotNil(t, found)
	var ids []string
	for i, node := range found.Nodes {
		assert.Equal(t, i, node.Depth)
		ids = append(ids, node.Node.ID)
	}
	assert.Equal(t, []string{"episode:e", "concept:z", "concept:b", "concept:a"}, ids)
	assert.ElementsMatch(t, []edge{
		{"episode:e", "concept:z", "MENTIONS"}, {"concept:z", "concept:b", "DEPENDS_ON"}, {"concept:z", "concept:b", "REFINES"},
		{"concept:a", "concept:b", "PART_OF"},
	}, found.Edges)
	assert.Nil(t, path("episode:e", "concept:a", 2), "it takes three steps")
	only := path("episode:e", "concept:a", nil, "mentions", "REFINES", "PART_OF")
	require.NotNil(t, only)
	assert.Len(t, only.Nodes, 4)
	assert.ElementsMatch(t, []edge{
		{"episode:e", "concept:z", "MENTIONS"}, {"concept:z", "concept:b", "REFINES"}, {"concept:a", "concept:b", "PART_OF"},
	}, only.Edges)
	assert.Nil(t, path("episode:e", "concept:a", nil, "MENTIONS", "PART_OF"))
	assert.Len(t, path("concept:a", "concept:c", nil, "CONTAINS").Nodes, 3)
	fault := w.refuse(t, query, vars{"from": "episode:e", "to": "concept:a", "relations": []string{"MENTIONS", "KNOWS"}})
	assert.Equal(t, []any{"INVALID_INPUT", "relations.1"}, []any{fault.Extensions.Code, fault.Extensions.Field})
	assert.Nil(t, path("episode:e", "memoir:m", 2))
	self := path("concept:a", "concept:a", 1)
	require.NotNil(t, self)
	assert.Len(t, self.Nodes, 1)
	require.True(t, w.unlink(t, "a", "PART_OF", "b"))
	around := path("episode:e", "concept:a", 4)
	require.NotNil(t, around, "another way leads through the memoir")
	assert.Equal(t, "memoir:m", around.Nodes[3].Node.ID)
}
