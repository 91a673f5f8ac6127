package storetest

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) traverses(t *testing.T) {
	s.run(t, "every kind of link is there, in its direction", everyLink)
	s.run(t, "neighbours are distinct and in the order of the bytes of their ids", func(m *tenant) {
		for i, key := range awkwardKeys {
			m.record(episode(key, at(i)).in("s").by(fmt.Sprint("agent", i%3)))
		}
		want := make([]string, len(byBytes))
		for i, key := range byBytes {
			want[i] = "episode:" + key
		}
		of := []string{"session:s", "agent:agent0", "session:s", "agent:agent1"}
		m.Equal(want, m.neighbours(store.AdjacencyQuery{Of: of}))
		for _, limit := range []int{1, 4, len(want)} {
			m.Equal(want, m.pages(store.AdjacencyQuery{Of: of, Limit: limit}))
		}
		m.Equal(want[:3], m.neighbours(store.AdjacencyQuery{Of: of, Limit: 3}))
		m.Equal(want[5:], m.neighbours(store.AdjacencyQuery{Of: of, After: want[4]}))
		m.Empty(m.neighbours(store.AdjacencyQuery{Of: of, After: "episodf"}))
		m.Equal(want, m.neighbours(store.AdjacencyQuery{Of: of, After: "episode"}))
	})
	s.run(t, "kinds are ordered by the bytes of the whole id", func(m *tenant) {
		ids := m.oneOfEachKind()
		m.observe(observation("o", at(9)).about(ids...))
		m.Equal(ids, m.neighbours(store.AdjacencyQuery{Of: []string{"observation:o"}, Direction: memory.DirectionOut}))
		m.Equal(ids, m.pages(store.AdjacencyQuery{Of: []string{"observation:o"}, Limit: 2}))
	})
	s.run(t, "links are followed the way and by the relations that are asked for", relationsFollowed)
	s.run(t, "what is not there has no neighbours", func(m *tenant) {
		m.record(episode("e1", at(0)))
		for _, id := range []string{"episode:E1", "e1", "", ":", "episode:", "nothing:e1", "canvas:e1", "x", "'\"`\\"} {
			m.Empty(m.neighbours(store.AdjacencyQuery{Of: []string{id}}), id)
			m.Equal([]bool{false}, m.exist(id), id)
		}
		m.Empty(m.neighbours(store.AdjacencyQuery{}))
		m.Equal([]string{"agent:agent"}, m.neighbours(store.AdjacencyQuery{Of: []string{"episode:e1", "episode:none"}}))
		m.Equal([]bool{true, false, true, true}, m.exist("episode:e1", "episode:none", "agent:agent", "episode:e1"))
		m.Equal([]bool{}, m.exist())
	})
	s.run(t, "a removed link is not followed", func(m *tenant) {
		m.remember(memoir("m"))
		m.learn(concept("a"), concept("b"))
		m.link(relates("a", memory.RelationPartOf, "b"))
		_, err := m.UnlinkConcepts(m.ctx(), relates("a", memory.RelationPartOf, "b"))
		m.NoError(err)
		m.Equal([]string{"memoir:m"}, m.neighbours(store.AdjacencyQuery{Of: []string{"concept:a"}}))
		m.Empty(m.between([]string{"concept:a"}, []string{"concept:b"}, nil))
	})
	s.run(t, "a canvas that moves takes its links along", func(m *tenant) {
		m.record(episode("e1", at(0)).in("s"), episode("e2", at(0)))
		m.act(present("c", at(1)).in("s"))
		m.Equal([]string{"episode:e1", "session:s"}, m.neighbours(store.AdjacencyQuery{Of: []string{"canvas:c"}}))
		m.act(action("c", memory.CanvasClose, at(2)).of("e2"))
		m.Equal([]string{"episode:e2", "session:s"}, m.neighbours(store.AdjacencyQuery{Of: []string{"canvas:c"}}))
	})
	s.run(t, "links between two sets have an end in each", linksBetween)
	s.run(t, "links between hubs are found", hubLinks)
	s.run(t, "records without many links each may have very many neighbours together", manyNeighboursTogether)
}

// pages gives all neighbours, page by page.
func (m *tenant) pages(query store.AdjacencyQuery) []string {
	m.t.Helper()
	walked := []string{}
	for {
		found := m.neighbours(query)
		walked = append(walked, found...)
		if len(found) < query.Limit {
			return walked
		}
		query.After = found[len(found)-1]
	}
}

// between gives all links between two sets.
func (m *tenant) between(a, b []string, relations []string) []store.Link {
	m.t.Helper()
	found, err := m.LinksBetween(m.ctx(), a, b, relations, everything.Limit)
	m.NoError(err)
	m.NotNil(found)
	return found
}

// recordEveryLink makes one link of each type and gives them.
func recordEveryLink(m *tenant) []store.Link {
	m.t.Helper()
	m.remember(memoir("m"))
	m.learn(concept("p"), concept("q"))
	m.record(episode("cause", at(0)).by("ada"), episode("e", at(1)).in("s").causedBy("cause").informedBy("cause").mentioning("p"))
	m.act(present("v", at(2)).of("e").in("s2"))
	m.react(thumbsUp("f", at(3)).onCanvas("v").in("s3"))
	m.observe(observation("o", at(4)).in("s4").about("feedback:f"))
	m.correct(correction("x", "topic", at(5)).about("observation:o"))
	links := []store.Link{
		{Source: "agent:ada", Target: "episode:cause", Type: "RAN"}, {Source: "agent:agent", Target: "episode:e", Type: "RAN"},
		{Source: "episode:e", Target: "session:s", Type: "IN_SESSION"}, {Source: "canvas:v", Target: "session:s2", Type: "IN_SESSION"},
		{Source: "feedback:f", Target: "session:s3", Type: "IN_SESSION"}, {Source: "observation:o", Target: "session:s4", Type: "IN_SESSION"},
		{Source: "episode:e", Target: "canvas:v", Type: "PRESENTED"}, {Source: "episode:e", Target: "feedback:f", Type: "RECEIVED"},
		{Source: "episode:e", Target: "episode:cause", Type: "CAUSED_BY"}, {Source: "episode:e", Target: "episode:cause", Type: "INFORMED_BY"}, {Source: "feedback:f", Target: "canvas:v", Type: "ON"},
		{Source: "episode:e", Target: "concept:p", Type: "MENTIONS"},
		{Source: "memoir:m", Target: "concept:p", Type: "CONTAINS"}, {Source: "memoir:m", Target: "concept:q", Type: "CONTAINS"},
		{Source: "observation:o", Target: "feedback:f", Type: "ABOUT"}, {Source: "correction:x", Target: "observation:o", Type: "ABOUT"},
	}
	m.record(episode("done", at(6)).by("bea").doing("refund"))
	judged := judgedTenantOf(m).judgeOnce()
	links = append(links,
		store.Link{Source: "agent:bea", Target: "episode:done", Type: "RAN"},
		store.Link{Source: "execution:episode:done", Target: "episode:done", Type: "FROM"},
		store.Link{Source: "execution:episode:done", Target: "learningProfile:bea/refund", Type: "OF"},
		store.Link{Source: "learningProfile:bea/refund", Target: "agent:bea", Type: "OF"},
		store.Link{Source: judged[1], Target: judged[0], Type: "IN_RUN"},
		store.Link{Source: judged[2], Target: judged[1], Type: "ON"},
		store.Link{Source: judged[3], Target: judged[1], Type: "LEARNED_FROM"},
	)
	for _, kind := range memory.RelationTypes {
		m.link(relates("p", kind, "q"))
		links = append(links, store.Link{Source: "concept:p", Target: "concept:q", Type: string(kind)})
	}
	return links
}

func everyLink(m *tenant) {
	links := recordEveryLink(m)
	slices.SortFunc(links, compareLinks)
	types, nodes := map[string]bool{}, map[string]bool{}
	for _, link := range links {
		types[link.Type], nodes[link.Source], nodes[link.Target] = true, true, true
		of := func(id string, direction memory.Direction) []string {
			return m.neighbours(store.AdjacencyQuery{Of: []string{id}, Relations: []string{link.Type}, Direction: direction})
		}
		m.Contains(of(link.Source, memory.DirectionOut), link.Target, link)
		m.Contains(of(link.Source, memory.DirectionBoth), link.Target, link)
		m.NotContains(of(link.Source, memory.DirectionIn), link.Target, link)
		m.Contains(of(link.Target, memory.DirectionIn), link.Source, link)
		m.NotContains(of(link.Target, memory.DirectionOut), link.Source, link)
	}
	m.Len(types, len(store.EdgeTypes), "every type was tried")
	all := slices.Sorted(maps.Keys(nodes))
	m.Equal(links, m.between(all, all, nil))
	for _, id := range all {
		m.Equal([]bool{true}, m.exist(id), id)
	}
}

func compareLinks(a, b store.Link) int {
	return slices.Compare([]string{a.Source, a.Target, a.Type}, []string{b.Source, b.Target, b.Type})
}

func relationsFollowed(m *tenant) {
	m.remember(memoir("m"))
	m.learn(concept("a"), concept("b"), concept("c"), concept("d"))
	m.link(
		relates("a", memory.RelationPartOf, "b"), relates("c", memory.RelationPartOf, "a"),
		relates("a", memory.RelationRefines, "b"), relates("a", memory.RelationRefines, "d"),
	)
	for _, test := range []struct {
		direction memory.Direction
		relations []string
		want      []string
	}{
		{memory.DirectionBoth, nil, []string{"concept:b", "concept:c", "concept:d", "memoir:m"}},
		{memory.DirectionOut, nil, []string{"concept:b", "concept:d"}},
		{memory.DirectionIn, nil, []string{"concept:c", "memoir:m"}},
		{memory.DirectionBoth, []string{"PART_OF"}, []string{"concept:b", "concept:c"}},
		{memory.DirectionOut, []string{"PART_OF", "REFINES"}, []string{"concept:b", "concept:d"}},
		{memory.DirectionIn, []string{"REFINES"}, none},
		{memory.DirectionBoth, []string{"CONTAINS"}, []string{"memoir:m"}},
		{memory.DirectionBoth, []string{}, none},
		{memory.DirectionBoth, []string{"part_of", "NOTHING", "'"}, none},
	} {
		m.Equal(test.want, m.neighbours(store.AdjacencyQuery{
			Of: []string{"concept:a"}, Direction: test.direction, Relations: test.relations,
		}), test)
	}
}

func linksBetween(m *tenant) {
	m.remember(memoir("m"))
	m.learn(concept("a"), concept("b"), concept("c"))
	ab, bc := relates("a", memory.RelationPartOf, "b"), relates("b", memory.RelationPartOf, "c")
	m.link(ab, bc, relates("a", memory.RelationRefines, "b"), relates("c", memory.RelationRefines, "a"))
	link := func(source, kind, target string) store.Link {
		return store.Link{Source: "concept:" + source, Target: "concept:" + target, Type: kind}
	}
	a, b, c := "concept:a", "concept:b", "concept:c"
	m.Equal([]store.Link{link("a", "PART_OF", "b"), link("a", "REFINES", "b")}, m.between([]string{a}, []string{b}, nil))
	m.Equal(m.between([]string{a}, []string{b}, nil), m.between([]string{b}, []string{a}, nil), "either way")
	m.Equal([]store.Link{link("a", "PART_OF", "b")}, m.between([]string{a}, []string{b}, []string{"PART_OF"}))
	m.Empty(m.between([]string{a}, []string{b}, []string{}))
	m.Empty(m.between([]string{a}, []string{a}, nil))
	m.Empty(m.between(nil, []string{a}, nil))
	m.Empty(m.between([]string{a, "", "nothing:x"}, []string{"concept:none", "x"}, nil))
	all := []store.Link{link("a", "PART_OF", "b"), link("a", "REFINES", "b"), link("b", "PART_OF", "c"), link("c", "REFINES", "a")}
	m.Equal(all, m.between([]string{a, b, c}, []string{c, b, a, a}, nil))
	for limit := range len(all) + 1 {
		found, err := m.LinksBetween(m.ctx(), []string{a, b, c}, []string{a, b, c}, nil, limit)
		m.NoError(err)
		m.Equal(all[:limit], found)
	}
	m.Equal([]store.Link{{Source: "memoir:m", Target: a, Type: "CONTAINS"}}, m.between([]string{"memoir:m"}, []string{a, "memoir:m"}, nil))
}

// hubLinks looks for the links of two nodes that have many others.
func hubLinks(m *tenant) {
	const many = 600
	var drafts []episodeDraft
	for i := range many {
		drafts = append(drafts, episode(fmt.Sprintf("e%03d", i), at(i)).in("s").mentioning("hub"))
	}
	m.remember(memoir("m"))
	m.learn(concept("hub"), concept("small"))
	m.record(drafts...)
	m.observe(observation("o", at(0)).in("s").about("agent:agent", "concept:hub", "session:s"))
	m.correct(correction("x", "topic", at(0)).about("concept:hub"))
	hubs := []string{"agent:agent", "concept:hub", "session:s"}
	m.Empty(m.between(hubs, hubs, nil))
	m.Equal([]store.Link{
		{Source: "observation:o", Target: "agent:agent", Type: "ABOUT"}, {Source: "observation:o", Target: "concept:hub", Type: "ABOUT"},
		{Source: "observation:o", Target: "session:s", Type: "ABOUT"}, {Source: "observation:o", Target: "session:s", Type: "IN_SESSION"},
	}, m.between(hubs, []string{"observation:o"}, nil))
	m.Len(m.between([]string{"episode:e007", "episode:e599"}, hubs, nil), 6)
	m.Equal([]string{"correction:x", "memoir:m", "observation:o"}, m.neighbours(store.AdjacencyQuery{
		Of: []string{"concept:hub"}, Relations: []string{"ABOUT", "CONTAINS"}, Limit: 5,
	}))
	m.link(relates("hub", memory.RelationPartOf, "small"))
	for i := range 10 {
		m.remove(fmt.Sprintf("e%03d", 2*i))
	}
	m.Len(m.pages(store.AdjacencyQuery{Of: []string{"session:s"}, Limit: 100}), many-10+1)
}

// manyNeighboursTogether reads the neighbours of records of which each is read with all of its links.
func manyNeighboursTogether(m *tenant) {
	const sessions, each = 3, 500
	want := make([]string, 0, sessions*each)
	for session := range sessions {
		drafts := make([]episodeDraft, each)
		for i := range drafts {
			key := fmt.Sprintf("e%d%03d", session, i)
			drafts[i] = episode(key, at(i)).in(fmt.Sprint("s", session))
			want = append(want, "episode:"+key)
		}
		m.record(drafts...)
	}
	of := []string{"session:s0", "session:s1", "session:s2"}
	for _, limit := range []int{1000, sessions * each, 2 * sessions * each} {
		m.Equal(want, m.pages(store.AdjacencyQuery{Of: of, Limit: limit}), limit)
	}
}
