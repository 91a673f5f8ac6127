package storetest

import (
	"fmt"
	"testing"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/store"
)

func (s suite) users(t *testing.T) {
	s.run(t, "episodes of a user, and of nobody, are listed", episodesOfUsers)
	s.run(t, "what is of a user is found, however much of others matches better", passagesOfUsers)
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
		for order, want := range map[store.EpisodeOrder][]string{store.NewestFirst: test.want, store.BestFeedbackFirst: test.want} {
			m.Equal(want, m.listed(test.filter, order), "%+v", test.filter)
		}
		m.Equal(len(test.want), m.count(m.CountEpisodes(m.ctx(), test.filter)))
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
		found, _, err := m.NewestAndLiked(m.ctx(), a)
		m.NoError(err)
		m.ElementsMatch(test.want, keys(found))
		found, err = m.EpisodesToRank(m.ctx(), []string{"a", "b", "n"}, a)
		m.NoError(err)
		m.ElementsMatch(test.want, keys(found))
	}
}
