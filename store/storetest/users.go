package storetest

import (
	"fmt"
	"slices"
	"testing"

	"mneme/memory"
	"mneme/memory/decay"
	"mneme/memory/ranking"
	"mneme/store"
)

func (s suite) users(t *testing.T) {
	s.run(t, "episodes of a user, and of nobody, are listed", episodesOfUsers)
	s.run(t, "what is of a user is found, however much of others matches better", passagesOfUsers)
	s.run(t, "canvases and feedback are of their user, or else of their episode's", reactionsOfUsers)
	s.run(t, "observations of a user, and of nobody, are listed and found", observationsOfUsers)
	s.runTwo(t, "what was for a user goes with them, and an import does not bring it back", forgottenUser)
	t.Run("what names another's is not linked with it", namesOfOthers(s))
	t.Run("a canvas of nobody leaves another's episode when it is told whose it is", canvasesOfWhom(s))
	t.Run("what comes by a key of one user takes nothing that waits and is nobody's", boundTakesNothing(s))
	s.run(t, "what a session gave to one user stays with them", givenToUsers)
	s.run(t, "what was shown to another says nothing of a feedback", shownToAnother)
	s.run(t, "another's episode does not end what a canvas is shown before", shownAcrossUsers)
	t.Run("what is said of another's canvas goes nowhere with it", saidOfAnothers(s))
	s.check(t, "users who share a session have what each alone would have", 12, sessionOfUsers)
	s.run(t, "what an episode is linked to is read of a user", linkedOfUsers)
	s.run(t, "spans of a key of one user join no trace of another", boundSpans)
	s.run(t, "the newest of a user lead, however many others are newer", newestOfUsers)
}

var (
	ofAnn  = store.UserFilter{User: new("ann")}
	annAnd = store.UserFilter{User: new("ann"), Shared: true}
)

func among(users store.UserFilter, kinds ...memory.Kind) store.Among {
	a := anyOf(kinds...)
	a.Filter.UserFilter = users
	return a
}

func episodesOfUsers(m *tenant) {
	m.record(episode("a", at(1)).forUser("ann"), episode("b", at(2)).forUser("bob"), episode("n", at(3)), episode("A", at(4)).forUser("Ann").by("ada"))
	for _, test := range []struct {
		filter store.EpisodeFilter
		want   []string
	}{
		{store.EpisodeFilter{UserFilter: ofAnn}, []string{"a"}},
		{store.EpisodeFilter{UserFilter: annAnd}, []string{"n", "a"}},
		{store.EpisodeFilter{UserFilter: store.UserFilter{User: new("eve")}}, none},
		{store.EpisodeFilter{UserFilter: store.UserFilter{User: new("eve"), Shared: true}}, []string{"n"}},
		{store.EpisodeFilter{UserFilter: store.UserFilter{User: new("Ann")}, Agent: new("ada")}, []string{"A"}},
		{store.EpisodeFilter{UserFilter: ofAnn, Agent: new("ada")}, none},
	} {
		for order, want := range map[memory.EpisodeOrder][]string{memory.NewestFirst: test.want, memory.BestFeedbackFirst: test.want} {
			m.Equal(want, m.listed(test.filter, order), "%+v", test.filter)
		}
		m.Equal(len(test.want), m.count(store.Count(m.ctx(), m, store.EpisodeQuery{Filter: test.filter})))
	}
	m.Equal(new("ann"), m.episode("a").UserID)
	m.Nil(m.episode("n").UserID)
}

func passagesOfUsers(m *tenant) {
	var crowd []episodeDraft
	for i := range 150 {
		crowd = append(crowd, episode(fmt.Sprint("b", i), at(i)).seeing("walrus walrus walrus").forUser("bob").unconcluded())
	}
	m.record(crowd...)
	m.record(episode("a", at(1)).seeing("a long story in which a walrus is told of, and much else").forUser("ann").unconcluded(), episode("n", at(2)).seeing("of the walrus, and of nobody"))
	m.remember(memoir("m").describing("The walrus"))
	for _, concluded := range []bool{false, true} {
		if concluded { // it is told anew
			m.NoError(m.ConcludeEpisode(m.ctx(), store.EpisodeConclusion{Key: "a", Outcome: memory.OutcomeSuccess, Was: m.episode("a").Receipt}))
		}
		for _, find := range []func(string, store.Among) []store.FoundPassage{m.said, m.meant} {
			m.Equal([]string{"a"}, keysIn(find("walrus", among(ofAnn))))
			m.Equal([]string{"a", "m", "n"}, keysIn(find("walrus", among(annAnd))))
			m.Equal([]string{"a", "n"}, keysIn(find("walrus", among(annAnd, memory.KindEpisode))))
			m.Empty(find("walrus", among(store.UserFilter{User: new("eve")})))
			all := among(store.UserFilter{User: new("bob")})
			all.Limit = 1000
			m.Len(keysIn(find("walrus", all)), 150)
		}
	}
}

func newestOfUsers(m *tenant) {
	m.record(episode("a", at(1)).forUser("ann"), episode("n", at(2)), episode("b", at(3)).forUser("bob"))
	m.react(thumbsUp("f", at(4)).on("b"))
	keys := func(found []ranking.Candidate) []string {
		return memory.Mapped(found, func(c ranking.Candidate) string { return c.Key })
	}
	for _, test := range []struct {
		users store.UserFilter
		want  []string
	}{{ofAnn, []string{"a"}}, {annAnd, []string{"n", "a"}}} {
		a := among(test.users, memory.KindEpisode)
		found, _, err := m.NewestAndBoosted(m.ctx(), a)
		m.NoError(err)
		m.ElementsMatch(test.want, keys(found))
	}
}

func reactionsOfUsers(m *tenant) {
	m.record(episode("a", at(1)).forUser("ann"), episode("b", at(2)).forUser("bob"), episode("n", at(3)))
	m.act(present("ca", at(4)).of("a"), present("cb", at(5)).of("b"), present("cn", at(6)).of("n"), present("waits", at(7)).forUser("ann"), present("alone", at(8)))
	m.react(thumbsUp("fa", at(4)).on("a").saying("walrus"), thumbsUp("fb", at(5)).on("b").saying("walrus"), thumbsUp("fn", at(6)).on("n").saying("walrus"))
	m.react(thumbsUp("said", at(7)).on("n").saying("walrus").forUser("ann"))
	for _, test := range []struct {
		users            store.UserFilter
		canvases, remark []string
	}{
		{ofAnn, []string{"waits", "ca"}, []string{"said", "fa"}},
		{annAnd, []string{"waits", "cn", "ca"}, []string{"said", "fn", "fa"}},
		{store.UserFilter{}, []string{"alone", "waits", "cn", "cb", "ca"}, []string{"said", "fn", "fb", "fa"}},
	} {
		canvases, _, err := store.List(m.ctx(), m, store.CanvasesOf{UserFilter: test.users}, everything)
		m.NoError(err)
		m.Equal(test.canvases, memory.Mapped(canvases, func(c *memory.Canvas) string { return c.Key }))
		m.Equal(len(canvases), m.count(store.Count(m.ctx(), m, store.CanvasesOf{UserFilter: test.users})))
		remarks, _, err := store.List(m.ctx(), m, store.FeedbackOf{UserFilter: test.users}, everything)
		m.NoError(err)
		m.Equal(test.remark, memory.Mapped(remarks, func(f *memory.Feedback) string { return f.Key }))
		m.Equal(len(remarks), m.count(store.Count(m.ctx(), m, store.FeedbackOf{UserFilter: test.users})))
		slices.Sort(test.remark)
		for _, find := range []func(string, store.Among) []store.FoundPassage{m.said, m.meant} {
			m.Equal(test.remark, keysIn(find("walrus", among(test.users, memory.KindFeedback))))
		}
	}
	m.Equal(new("ann"), m.canvas("waits").UserID)
	m.Equal(new("ann"), m.feedback("said").UserID)
	recorded, err := store.Record(m.ctx(), m, actionRecords([]actionDraft{present("waits", at(9)).forUser("bob")}))
	m.NoError(err)
	m.ErrorIs(recorded[0].Err, store.ErrConflict)
}

func observationsOfUsers(m *tenant) {
	m.observe(observation("a", at(1)).saying("a walrus").in("s").forUser("ann"), observation("b", at(2)).saying("a walrus").in("s").forUser("bob"),
		observation("n", at(3)).saying("a walrus").in("s"), observation("a2", at(4)).saying("a penguin").in("s").forUser("ann"))
	for _, test := range []struct {
		users        store.UserFilter
		list, beside []string
	}{{ofAnn, []string{"a2", "a"}, []string{"a2"}}, {annAnd, []string{"a2", "n", "a"}, []string{"n"}}} {
		for _, order := range []memory.ObservationOrder{memory.LatestFirst, memory.HeaviestFirst} {
			query := store.ObservationQuery{Policy: decay.UseFades, Now: at(9), Order: order, UserFilter: test.users}
			listed, _, err := store.List(m.ctx(), m, query, everything)
			m.NoError(err)
			m.Equal(test.list, memory.Mapped(listed, func(o *memory.Observation) string { return o.Key }))
			m.Equal(len(listed), m.count(store.Count(m.ctx(), m, query)))
		}
		found := m.said("walrus", among(test.users, memory.KindObservation))
		m.Subset(keysIn(m.meant("walrus", among(test.users, memory.KindObservation))), keysIn(found))
		m.NotContains(keysIn(m.meant("walrus", among(test.users, memory.KindObservation))), "b")
		i := slices.IndexFunc(found, func(p store.FoundPassage) bool { return p.Key == "a" })
		beside, err := m.PassagesBeside(m.ctx(), found[i:i+1], 1, test.users)
		m.NoError(err)
		m.Equal(test.beside, keysIn(beside))
	}
}

func forgottenUser(from, to *tenant) {
	from.record(episode("a", at(1)).forUser("ann"), episode("b", at(1)).forUser("bob"))
	from.act(present("ca", at(2)).forUser("ann"), present("cb", at(2)).forUser("bob"))
	from.react(thumbsUp("fa", at(2)).in("s").forUser("ann"), thumbsUp("fb", at(2)).in("s").forUser("bob"))
	from.observe(observation("oa", at(2)).forUser("ann"), observation("ob", at(2)).forUser("bob"))
	items := from.exported()
	to.restore(items[0]) // the key that inputs are hashed with
	_, err := to.Delete(to.ctx(), memory.KindPerson, []string{"ann"})
	to.NoError(err)
	to.restored(false, items...)
	to.Equal([]string{"agent:agent", "episode:b", "canvas:cb", "feedback:fb", "observation:ob"}, names(to.exported()))
	for _, r := range to.restored(true, items...) {
		to.NoError(r.Err, r.Key)
	}
	to.ElementsMatch(names(items), names(to.exported()))

	for kind, key := range map[memory.Kind]string{memory.KindEpisode: "a", memory.KindCanvas: "ca", memory.KindFeedback: "fa", memory.KindObservation: "oa"} {
		from.NoError(Delete(from.ctx(), from, kind, key))
	}
	from.requireNoTrace("ann")
}
