package storetest

import (
	"testing"

	"mneme/memory"
	"mneme/store"
)

// namesOfOthers lets records of bob, and of nobody, name what is ann's, before it comes and after.
func namesOfOthers(s suite) func(*testing.T) {
	return func(t *testing.T) {
		backend := s.open(t)
		for name, before := range map[string]bool{"before it comes": true, "after it comes": false} {
			id := randomTenant()
			m := bind(t, backend, id)
			come := func() {
				m.record(episode("a", at(1)).forUser("ann").running("run"), episode("n", at(2)))
			}
			if !before {
				come()
			}
			m.record(episode("bx", at(9)).forUser("bob").causedBy("a", "n").informedBy("a", "n"), episode("nx", at(9)).causedBy("a"))
			m.act(present("bc", at(9)).of("a").forUser("bob"), present("nc", at(9)).of("a"), present("bn", at(9)).of("n").forUser("bob"))
			m.react(thumbsDown("bf", at(9)).on("a").forUser("bob"), thumbsDown("br", at(9)).running("run").forUser("bob"),
				thumbsDown("bo", at(9)).onCanvas("nc").forUser("bob"), thumbsUp("no", at(9)).onCanvas("nc"))
			if before {
				come()
			}
			for _, rebuilt := range []bool{false, true} {
				m.requireHolds("a", []string{"nc"}, []string{"no"})
				m.requireHolds("n", []string{"bn"}, none)
				m.Equal([]string{"n"}, m.linked("bx", memory.LinkCausedBy), name)
				m.Equal([]string{"n"}, m.linked("bx", memory.LinkInformedBy), name)
				m.Equal([]string{"a"}, m.linked("nx", memory.LinkCausedBy), name)
				requireNoFault(m, backend, id)
				if !rebuilt {
					m.NoError(m.Rebuild(m.ctx(), nil))
				}
			}
			m.remove("a")
			m.record(episode("a", at(3)).forUser("bob"))
			m.Equal([]string{"a", "n"}, m.linked("bx", memory.LinkCausedBy), name)
			m.requireHolds("a", []string{"bc"}, []string{"bf"})
		}
	}
}

// boundTakesNothing lets records come by a key that is bound to ann: what waits and is nobody's they leave.
func boundTakesNothing(s suite) func(*testing.T) {
	return func(t *testing.T) {
		backend, id := s.open(t), randomTenant()
		m := bind(t, backend, id)
		m.act(present("named", at(1)).of("a"), present("told", at(1)).in("s"), present("hers", at(1)).in("s").forUser("ann"))
		m.react(thumbsUp("fn", at(2)).on("a"), thumbsUp("fs", at(2)).in("s"), thumbsUp("fc", at(2)).onCanvas("c"), thumbsUp("fa", at(2)).on("a").forUser("ann"))
		m.record(episode("x", at(0)).causedBy("a"))
		a := episode("a", at(3)).in("s").forUser("ann").unconcluded()
		a.ByUserKey = true
		m.record(a)
		c := present("c", at(4)).in("s").forUser("ann")
		c.ByUserKey = true
		m.act(c)
		end := conclusion("a", memory.OutcomeSuccess)
		end.EndedAt = new(at(9))
		m.NoError(m.ConcludeEpisode(m.ctx(), end))
		for range 2 {
			m.requireHolds("a", []string{"c", "hers"}, []string{"fa"})
			m.Empty(m.linked("x", memory.LinkCausedBy))
			requireNoFault(m, backend, id)
			m.NoError(m.Rebuild(m.ctx(), nil))
		}
		m.Nil(m.feedback("fc").EpisodeKey)
		m.react(thumbsUp("later", at(5)).on("a"))
		m.requireHolds("a", []string{"c", "hers"}, []string{"later", "fa"})
		m.record(episode("b", at(3)).in("s").forUser("bob"))
		m.requireHolds("b", []string{"told"}, []string{"fs"})
	}
}

// canvasesOfWhom tells of canvases of nobody, which have an episode of bob, that they are ann's.
func canvasesOfWhom(s suite) func(*testing.T) {
	return func(t *testing.T) {
		backend, id := s.open(t), randomTenant()
		m := bind(t, backend, id)
		m.record(episode("b", at(1)).in("s").forUser("bob"))
		m.act(present("told", at(2)).in("s"), present("named", at(2)).of("b").in("s"), present("his", at(2)).in("s"))
		m.react(thumbsUp("f", at(3)).onCanvas("named"))
		m.requireHolds("b", []string{"his", "named", "told"}, []string{"f"})
		m.act(present("told", at(4)).forUser("ann"), present("named", at(4)).forUser("ann"), present("his", at(4)).forUser("bob"))
		m.requireHolds("b", []string{"his"}, none)
		requireNoFault(m, backend, id)
		m.record(episode("a", at(1)).in("s").forUser("ann"))
		m.requireHolds("a", []string{"told"}, none)
		m.requireHolds("b", []string{"his"}, none)
		requireNoFault(m, backend, id)
	}
}

// givenToUsers lets an episode of bob come nearer to what is ann's by her episode.
func givenToUsers(m *tenant) {
	m.record(episode("a", at(1)).in("s").forUser("ann"))
	m.act(present("c", at(5)).in("s"))
	m.react(thumbsUp("f", at(5)).in("s"))
	m.record(episode("b", at(3)).in("s").forUser("bob"), episode("n", at(9)).in("s"))
	m.requireHolds("a", []string{"c"}, []string{"f"})
	m.requireHolds("b", none, none)
}

// shownToAnother has bob see a canvas between two episodes of ann, each recorded when its work was done.
func shownToAnother(m *tenant) {
	m.record(episode("a", at(3)).in("s").forUser("ann").told(), episode("next", at(7)).in("s").forUser("ann").told())
	m.act(present("his", at(4)).in("s").forUser("bob"))
	m.react(thumbsUp("f", at(5)).in("s").forUser("ann"))
	m.requireHolds("a", none, []string{"f"})
	m.act(present("hers", at(4)).in("s").forUser("ann"))
	m.react(thumbsUp("g", at(6)).in("s").forUser("ann"))
	m.requireHolds("next", []string{"hers"}, []string{"g", "f"})
}

// shownAcrossUsers: a canvas of ann turns out to be shown earlier, so feedback after bob's episode goes to hers.
func shownAcrossUsers(m *tenant) {
	m.record(episode("a", at(5)).in("s").forUser("ann").told(), episode("next", at(20)).in("s").forUser("ann").told(), episode("b", at(11)).in("s").forUser("bob"))
	m.act(present("c", at(10)).in("s").forUser("ann"))
	m.react(thumbsUp("f", at(15)).in("s").forUser("ann"))
	m.requireHolds("next", []string{"c"}, []string{"f"})
	m.act(present("c", at(2)).in("s").forUser("ann"))
	m.requireHolds("a", []string{"c"}, []string{"f"})
	m.requireHolds("next", none, none)
}

// saidOfAnothers has bob speak of a canvas of ann that was shown in an episode of nobody.
func saidOfAnothers(s suite) func(*testing.T) {
	return func(t *testing.T) {
		backend, id := s.open(t), randomTenant()
		m := bind(t, backend, id)
		m.record(episode("n", at(1)))
		m.act(present("c", at(2)).of("n").forUser("ann"))
		m.react(thumbsDown("f", at(3)).onCanvas("c").forUser("bob"), thumbsUp("g", at(3)).onCanvas("c").forUser("ann"))
		for range 2 {
			m.requireHolds("n", []string{"c"}, []string{"g"})
			m.Equal([]string{"episode:n", "feedback:g"}, m.neighbours(store.AdjacencyQuery{Of: []string{"canvas:c"}}))
			requireNoFault(m, backend, id)
			m.NoError(m.Rebuild(m.ctx(), nil))
		}
	}
}

// linkedOfUsers reads what an episode is linked to, of a user, page by page.
func linkedOfUsers(m *tenant) {
	m.record(episode("n", at(0)).in("s"), episode("b1", at(1)).in("s").forUser("bob").causedBy("n"), episode("a1", at(2)).in("s").forUser("ann").causedBy("n"),
		episode("b2", at(3)).in("s").forUser("bob").causedBy("n"), episode("a2", at(4)).in("s").forUser("ann").causedBy("n"), episode("n2", at(5)).in("s").causedBy("n"))
	page := func(of string, link memory.EpisodeLink, users store.UserFilter, after *store.Position) ([]string, bool) {
		linked, err := m.Linked(m.ctx(), store.LinkedQuery{Episodes: []string{of}, Link: link, UserFilter: users, Page: store.Page{Limit: 2, After: after}})
		m.NoError(err)
		return episodeKeys(linked[of].Episodes), linked[of].More
	}
	keys, more := page("n", memory.LinkCauses, annAnd, nil)
	m.Equal([]string{"a1", "a2"}, keys)
	m.True(more)
	keys, more = page("n", memory.LinkCauses, annAnd, &store.Position{Key: "a2"})
	m.Equal([]string{"n2"}, keys)
	m.False(more)
	for _, asOf := range []*store.Position{nil} {
		keys, more = page("n", memory.LinkCauses, ofAnn, asOf)
		m.Equal([]string{"a1", "a2"}, keys)
		m.False(more)
	}
	for of, want := range map[string][2]string{"a1": {"n", "a2"}, "a2": {"a1", "n2"}} {
		keys, _ = page(of, memory.LinkPrevious, annAnd, nil)
		m.Equal([]string{want[0]}, keys)
		keys, _ = page(of, memory.LinkNext, annAnd, nil)
		m.Equal([]string{want[1]}, keys)
	}
	for users, want := range map[*store.UserFilter]int{&ofAnn: 2, &annAnd: 3, {}: 5} {
		counts, err := m.CountLinked(m.ctx(), store.LinkedQuery{Episodes: []string{"n"}, Link: memory.LinkCauses, UserFilter: *users})
		m.NoError(err)
		m.Equal(want, counts["n"])
	}
}

// boundSpans join no trace that another began.
func boundSpans(m *tenant) {
	of := func(user, trace, id string, bound bool) store.HeldSpan {
		span := held(trace, id, "root")
		span.Span.User, span.ByUserKey = user, bound
		return span
	}
	m.hold(at(0), of("bob", "t", "1", false), of("", "u", "1", false), of("ann", "v", "1", true))
	left, err := m.HoldSpans(m.ctx(), []store.HeldSpan{
		of("ann", "t", "2", true), of("ann", "u", "2", true), of("ann", "v", "2", true), of("ann", "w", "1", true), of("ann", "t", "1", true),
	}, at(1), much)
	m.NoError(err)
	m.Equal([]int{0, 1, 4}, left)
	m.hold(at(2), of("bob", "t", "3", false))
	m.Len(m.heldOf("t"), 2)
	m.hold(at(2), of("ann", "x", "1", true), of("bob", "x", "2", false))
	m.hold(at(3), of("ann", "x", "1", true)) // again, which it is whoever came since
	m.Equal([]store.HeldSpan{of("ann", "v", "1", true), of("ann", "v", "2", true)}, m.heldOf("v"))
}
