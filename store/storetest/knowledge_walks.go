package storetest

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/traversal"
	"mneme/store"
)

func (s suite) walks(t *testing.T) {
	s.check(t, "a walk page by page is a breadth-first search", 8, walkLaws)
	s.run(t, "a walk while others write meets each node whose distance stays once", walkWhileWriting)
}

// graph is links in plain Go.
type graph []store.Link

// drawGraph records random concepts, episodes and links between them, and gives the links.
func drawGraph(w *world) (g graph, nodes []string) {
	w.remember(memoir("m"))
	add := func(source, kind, target string) {
		link := store.Link{Source: source, Target: target, Type: kind}
		if !slices.Contains(g, link) {
			g = append(g, link)
		}
	}
	concepts := make([]conceptDraft, rapid.IntRange(1, 14).Draw(w.random, "concepts"))
	for i := range concepts {
		concepts[i] = concept(fmt.Sprint("c", i))
		add("memoir:m", "CONTAINS", "concept:"+concepts[i].Concept.Key)
	}
	some := func(label string) string {
		return concepts[rapid.IntRange(0, len(concepts)-1).Draw(w.random, label)].Concept.Key
	}
	w.learn(concepts...)
	for range rapid.IntRange(0, 2*len(concepts)).Draw(w.random, "relations") {
		relation := relates(some("source"), oneOf(w, "type", memory.RelationTypes[:3]...), some("target"))
		if relation.SourceKey == relation.TargetKey {
			continue
		}
		w.link(relation)
		add("concept:"+relation.SourceKey, string(relation.Type), "concept:"+relation.TargetKey)
	}
	episodes := make([]episodeDraft, rapid.IntRange(0, 6).Draw(w.random, "episodes"))
	for i := range episodes {
		mentioned := some("mentioned")
		d := episode(fmt.Sprint("e", i), at(i)).mentioning(mentioned).by(oneOf(w, "agent", "ada", "eve"))
		episodes[i] = d
		add("agent:"+d.Episode.AgentKey, "RAN", "episode:"+d.Episode.Key)
		add("episode:"+d.Episode.Key, "MENTIONS", "concept:"+mentioned)
	}
	w.record(episodes...)
	for _, link := range g {
		nodes = append(nodes, link.Source, link.Target)
	}
	slices.Sort(nodes)
	return g, slices.Compact(nodes)
}

// distances is a breadth-first search.
func (g graph) distances(start string, query store.AdjacencyQuery, depth int) []traversal.Visit {
	distance := map[string]int{start: 0}
	visits := []traversal.Visit{{ID: start}}
	for at := 0; at < len(visits); at++ {
		here := visits[at]
		for _, link := range g {
			follows := query.Relations == nil || slices.Contains(query.Relations, link.Type)
			for _, step := range []struct {
				from, to string
				along    memory.Direction
			}{{link.Source, link.Target, memory.DirectionOut}, {link.Target, link.Source, memory.DirectionIn}} {
				_, seen := distance[step.to]
				if follows && step.from == here.ID && !seen && here.Depth < depth && (query.Direction == memory.DirectionBoth || query.Direction == step.along) {
					distance[step.to] = here.Depth + 1
					visits = append(visits, traversal.Visit{ID: step.to, Depth: here.Depth + 1})
				}
			}
		}
	}
	slices.SortFunc(visits, func(a, b traversal.Visit) int { return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.ID, b.ID)) })
	return visits
}

func walkLaws(m *tenant, random *rapid.T) {
	w := newWorld(m, random)
	g, nodes := drawGraph(w)
	query := store.AdjacencyQuery{Direction: oneOf(w, "direction", memory.DirectionBoth, memory.DirectionOut, memory.DirectionIn)}
	if w.chance("filters") {
		query.Relations = rapid.SliceOfNDistinct(rapid.SampledFrom(store.EdgeTypes), 1, 8, rapid.ID[string]).Draw(random, "relations")
	}
	start := oneOf(w, "start", nodes...)
	depth := rapid.IntRange(0, traversal.MaxWalkDepth).Draw(random, "depth")
	want := g.distances(start, query, depth)
	for first := 1; first <= 7; first += rapid.IntRange(1, 3).Draw(random, "longer by") {
		m.Equal(want, m.walked(traversal.Walk{Start: start, Depth: depth, First: first}, query), "pages of %d", first)
	}
	ids := make([]string, len(want))
	for i, visit := range want {
		ids[i] = visit.ID
	}
	m.Equal(g.among(ids, query.Relations), m.between(ids, ids, query.Relations))
}

// among are the links between nodes of a set.
func (g graph) among(ids []string, relations []string) []store.Link {
	links := []store.Link{}
	for _, link := range g {
		if slices.Contains(ids, link.Source) && slices.Contains(ids, link.Target) &&
			(relations == nil || slices.Contains(relations, link.Type)) {
			links = append(links, link)
		}
	}
	slices.SortFunc(links, compareLinks)
	return links
}

// walked walks page by page over a store.
func (m *tenant) walked(walk traversal.Walk, query store.AdjacencyQuery, between ...func()) []traversal.Visit {
	m.t.Helper()
	visits := []traversal.Visit{}
	for {
		page, err := walk.Page(func(of []string, after string, limit int) ([]string, error) {
			query.Of, query.After, query.Limit = of, after, limit
			return m.Neighbours(m.ctx(), query)
		})
		m.NoError(err)
		m.False(page.Truncated)
		visits = append(visits, page.Nodes...)
		if !page.More {
			return visits
		}
		walk.After = &visits[len(visits)-1]
		for _, meanwhile := range between {
			meanwhile()
		}
	}
}

func walkWhileWriting(m *tenant) {
	m.remember(memoir("m"))
	for i := range 30 {
		m.learn(concept(fmt.Sprintf("c%02d", i)))
		m.record(episode(fmt.Sprintf("e%02d", i), at(i)).mentioning(fmt.Sprintf("c%02d", i)))
	}
	before := m.walked(traversal.Walk{Start: "memoir:m", Depth: 2, First: 1000}, store.AdjacencyQuery{})
	writes := 0
	during := m.walked(traversal.Walk{Start: "memoir:m", Depth: 2, First: 7}, store.AdjacencyQuery{}, func() {
		writes++
		key := fmt.Sprintf("c%02d'", 29-writes)
		m.learn(concept(key))
		m.record(episode("e"+key, at(writes)).mentioning(key))
	})
	m.Positive(writes)
	times := map[traversal.Visit]int{}
	for _, visit := range during {
		times[visit]++
		m.Equal(1, times[visit], visit)
	}
	for _, visit := range before {
		m.Equal(1, times[visit], visit)
	}
}
