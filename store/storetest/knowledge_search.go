package storetest

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
)

// textKinds are the kinds that have texts to be searched.
var textKinds = []memory.Kind{
	memory.KindMemoir, memory.KindConcept, memory.KindEpisode, memory.KindFeedback, memory.KindObservation, memory.KindCorrection,
}

func (s suite) searches(t *testing.T) {
	s.run(t, "every text of every kind is found", everyText)
	s.run(t, "words are found in any form, whatever their case", func(m *tenant) {
		m.observe(observation("o1", at(0)).saying("The REFUNDS were delayed"), observation("o2", at(0)).saying("refuse"))
		m.Equal([]string{"observation:o1"}, m.matches(anywhere("refund delays")))
	})
	s.run(t, "kinds are ranked together", rankedTogether)
	s.run(t, "only the kinds that are asked for are searched and measured", kindsAsked)
	s.run(t, "a match scores the share of what is possible among the kinds that are asked", scoresByRule)
	s.run(t, "equals come by kind and key, and only the first are given", searchTies)
	s.run(t, "a filter leaves out what it does not fit, and changes no score", searchFilters)
	s.run(t, "a refinement takes the old words out and the new in", func(m *tenant) {
		m.remember(memoir("m"))
		m.learn(concept("p").named("dodo").saying("walrus").labelled("stork"))
		m.refine(refinement("p", at(2)).saying("giraffe").labelled("heron"))
		m.Empty(m.matches(anywhere("walrus stork")))
		for _, word := range []string{"dodo", "giraffe", "heron"} {
			m.Equal([]string{"concept:p"}, m.matches(anywhere(word)), word)
		}
	})
	s.run(t, "a conclusion brings its words", func(m *tenant) {
		m.record(episode("e1", at(0)).learning("stork").unconcluded())
		c := conclusion("e1", memory.OutcomeSuccess)
		c.Result, c.Insight = new("walrus"), new("giraffe")
		m.NoError(m.ConcludeEpisode(m.ctx(), c))
		m.Equal([]string{"episode:e1"}, m.matches(anywhere("walrus")))
		m.Equal([]string{"episode:e1"}, m.matches(anywhere("giraffe")))
		m.Empty(m.matches(anywhere("stork")))
	})
	s.run(t, "a deleted episode is not found, nor its feedback", func(m *tenant) {
		m.record(episode("e1", at(0)).seeing("walrus"))
		m.react(thumbsUp("f1", at(1)).on("e1").saying("walrus"), thumbsUp("f2", at(1)).on("e1").commenting("walrus"))
		m.Len(m.matches(anywhere("walrus")), 3)
		m.remove("e1")
		m.Empty(m.matches(anywhere("walrus")))
	})
	s.run(t, "nothing is found where there are no words, kinds or records", func(m *tenant) {
		m.Empty(m.searched(anywhere("walrus")))
		m.observe(observation("o1", at(0)).saying("walrus"))
		for _, query := range []store.SearchQuery{anywhere(""), anywhere("what is the"), anywhere("giraffe"), {Text: "walrus"}} {
			m.Empty(m.searched(query))
		}
	})
	s.run(t, "what has no words that count is found by what it means, also where nothing of its kind has any", wordless)
	s.check(t, "scores are in 0…1, ordered, and the same whatever is asked with them", 10, searchLaws)
}

// anywhere searches all kinds.
func anywhere(text string) store.SearchQuery {
	return store.SearchQuery{Text: text, Kinds: textKinds}
}

func everyText(m *tenant) {
	m.remember(memoir("m").named("aardvark").describing("buffalo"))
	m.learn(concept("p").named("camel").saying("dingo").labelled("egret", "ferret fox"))
	m.record(episode("e", at(0)).titled("gopher").seeing("hamster").resulting("iguana").learning("jackal"))
	m.react(thumbsUp("f", at(0)).on("e").saying("koala").commenting("quetzal"))
	m.react(thumbsDown("said", at(0)).on("e").commenting("raccoon"))
	m.observe(observation("o", at(0)).saying("lemur"))
	m.correct(correction("x", "marmot", at(0)).predicting("newt").saying("ocelot").within("parrot"))
	for word, want := range map[string]string{
		"aardvark": "memoir:m", "buffalo": "memoir:m", "camel": "concept:p", "dingo": "concept:p", "egret": "concept:p",
		"fox": "concept:p", "gopher": "episode:e", "hamster": "episode:e", "iguana": "episode:e", "jackal": "episode:e",
		"koala": "feedback:f", "quetzal": "feedback:f", "raccoon": "feedback:said", "lemur": "observation:o", "marmot": "correction:x", "newt": "correction:x",
		"ocelot": "correction:x", "parrot": "correction:x",
	} {
		m.Equal([]string{want}, m.matches(anywhere(word)), word)
		kind, _, _ := memory.SplitID(want)
		m.Equal([]string{want}, m.matches(store.SearchQuery{Text: word, Kinds: []memory.Kind{kind}}), word)
	}
}

// recordRefunds records what is about refunds, policies or both in several kinds, among others.
func recordRefunds(m *tenant) {
	m.t.Helper()
	m.remember(memoir("m").named("Travel"), memoir("n").named("Food"))
	m.learn(
		concept("both").named("Refund policy").saying("The refund policy says a week"),
		concept("seat").named("Seat").saying("Seats are chosen").labelled("a", "b"), concept("soup").of("n").named("Soup").saying("Hot"),
	)
	m.record(episode("one", at(0)).seeing("The customer asked for a refund"), episode("none", at(0)).seeing("A flight was changed"))
	m.observe(
		observation("one", at(0)).saying("A policy was mentioned").in("s"), observation("none", at(0)).saying("It rained").in("s"),
		observation("other", at(0)).saying("A policy exists").in("t"),
	)
	m.correct(correction("one", "refund", at(0)), correction("none", "seats", at(0)))
}

func rankedTogether(m *tenant) {
	recordRefunds(m)
	found := m.matches(anywhere("refund policy"))
	m.Equal("concept:both", found[0])
	m.ElementsMatch([]string{"concept:both", "episode:one", "observation:one", "observation:other", "correction:one"}, found)
}

func kindsAsked(m *tenant) {
	recordRefunds(m)
	of := func(kinds ...memory.Kind) []string {
		return m.matches(store.SearchQuery{Text: "refund policy", Kinds: kinds})
	}
	m.Equal([]string{"concept:both"}, of(memory.KindConcept))
	m.Equal([]string{"episode:one"}, of(memory.KindEpisode))
	m.Equal([]string{"concept:both", "episode:one"}, of(memory.KindConcept, memory.KindEpisode, memory.KindConcept))
	m.Empty(of(memory.KindAgent, memory.KindSession, memory.KindCanvas), "they have no texts")
}

func scoresByRule(m *tenant) {
	recordRefunds(m)
	for _, text := range []string{"refund policy", "refund policy unheard", "the soup", "soup of unheard unseen untold"} {
		m.requireScores(text, textKinds...)
		m.requireScores(text, memory.KindConcept, memory.KindCorrection)
	}
}

func wordless(m *tenant) {
	m.observe(observation("not", at(0)).saying("Not"))
	found := m.requireScoresOf(anywhere("upgrade Not walrus walrus"))
	m.Contains(found, "observation:not")
}

// requireScores compares a search with the scores of all records.
func (m *tenant) requireScores(text string, kinds ...memory.Kind) {
	m.t.Helper()
	m.requireScoresOf(store.SearchQuery{Text: text, Kinds: kinds})
}

// requireScoresOf compares a search without filters with the scores of all records, with all their parts.
func (m *tenant) requireScoresOf(query store.SearchQuery) map[string]matching.Parts {
	m.t.Helper()
	text := query.Text
	want, got := m.texts().scoresOf(query), map[string]matching.Parts{}
	for _, match := range m.searched(query) {
		m.Equal(match.Parts.Score(), match.Score)
		got[memory.NodeID(match.Kind, match.Key)] = match.Parts
	}
	m.Len(got, len(want))
	for id, parts := range want {
		m.InDelta(parts.Words, got[id].Words, 1e-9, "%s matches %q", id, text)
		m.InDelta(parts.Meaning, got[id].Meaning, 1e-6, "%s means %q", id, text)
		m.Equal(parts.Compared, got[id].Compared, "%s and %q", id, text)
		m.InDelta(parts.Own, got[id].Own, 1e-9, "%s has the words of %q", id, text)
		m.InDelta(parts.Date, got[id].Date, 1e-9, "%s and the time in %q", id, text)
		m.Equal(parts.Speaker, got[id].Speaker, "%s and who is named in %q", id, text)
	}
	return got
}

func searchTies(m *tenant) {
	for _, key := range []string{"b", "a", "é", "B"} {
		m.observe(observation(key, at(0)).saying("walrus"))
	}
	query := store.SearchQuery{Text: "walrus", Kinds: []memory.Kind{memory.KindObservation}}
	want := []string{"observation:B", "observation:a", "observation:b", "observation:é"}
	for limit := 1; limit <= 5; limit++ {
		query.Limit = limit
		m.Equal(want[:min(limit, 4)], m.matches(query))
	}
}

func searchFilters(m *tenant) {
	recordRefunds(m)
	all := map[string]float64{}
	text := "refund policy seats soup rain"
	for _, match := range m.searched(anywhere(text)) {
		all[memory.NodeID(match.Kind, match.Key)] = match.Score
	}
	for _, test := range []struct {
		filter store.SearchQuery
		want   []string
	}{
		{store.SearchQuery{Memoir: new("m")}, []string{"concept:both", "concept:seat"}},
		{store.SearchQuery{Memoir: new("n")}, []string{"concept:soup"}},
		{store.SearchQuery{Memoir: new("M")}, none},
		{store.SearchQuery{Labels: []string{"b", "a"}}, []string{"concept:seat"}},
		{store.SearchQuery{Labels: []string{"a", "A"}}, none},
		{store.SearchQuery{Labels: []string{}, Memoir: new("n")}, []string{"concept:soup"}},
		{store.SearchQuery{Memoir: new("m"), Labels: []string{"a"}}, []string{"concept:seat"}},
		{store.SearchQuery{Session: new("s")}, []string{"observation:none", "observation:one"}},
		{store.SearchQuery{Session: new("nowhere")}, none},
		{store.SearchQuery{Topic: new("refund")}, []string{"correction:one"}},
		{store.SearchQuery{Topic: new("Refund")}, none},
	} {
		test.filter.Text, test.filter.Kinds = text, textKinds
		found := m.searched(test.filter)
		ids := []string{}
		for _, match := range found {
			id := memory.NodeID(match.Kind, match.Key)
			ids = append(ids, id)
			m.InDelta(all[id], match.Score, 1e-9, id)
		}
		m.ElementsMatch(test.want, ids)
	}
}

func searchLaws(m *tenant, random *rapid.T) {
	w := newWorld(m, random)
	m.remember(memoir("m").named("m"))
	for i := range rapid.IntRange(1, 4).Draw(random, "records of each kind") {
		key := string(rune('a' + i))
		m.learn(concept(key).saying(w.text("content")))
		m.observe(observation(key, at(0)).saying(w.text("noticed")))
		m.correct(correction(key, w.text("topic"), at(0)).saying(w.text("put right")))
		m.record(episode(key, at(0)).seeing(w.text("seen")))
	}
	query := anywhere(w.text("query") + "walrus")
	found := m.searched(query)
	for i, match := range found {
		m.LessOrEqual(match.Score, 1.5)
		if i == 0 {
			continue
		}
		before := found[i-1]
		m.GreaterOrEqual(before.Score, match.Score)
		if before.Score == match.Score {
			m.Less(memory.NodeID(before.Kind, before.Key), memory.NodeID(match.Kind, match.Key))
		}
	}
	for limit := 1; limit <= len(found); limit += 2 {
		query.Limit = limit
		m.Equal(found[:limit], m.searched(query))
	}
	m.requireScores(query.Text, textKinds...)
}

func (s suite) searchTexts(t *testing.T) {
	s.run(t, "user text is words, never query syntax", func(m *tenant) {
		rememberZoo(m)
		for _, test := range querySyntax {
			m.Equal(m.matches(anywhere(test.plain)), m.matches(anywhere(test.text)), "%q", test.text)
		}
	})
	s.run(t, "any text is answered", func(m *tenant) {
		rememberZoo(m)
		for _, text := range append(strangeTexts, awkwardTexts...) {
			m.searched(anywhere(text))
			m.Contains(m.matches(anywhere(text+" walrus")), "observation:walrus", "%q", text)
		}
	})
	s.run(t, "any text is found again", func(m *tenant) {
		for i, text := range []string{"日本語の文章", "مرحبا بالعالم", "שלום", "İstanbul", "x_y-z", "3.5", "o'hare", "naïve", "кириллица"} {
			key := string(rune('a' + i))
			m.observe(observation(key, at(0)).saying(text))
			m.Equal("observation:"+key, m.matches(anywhere(text))[0], "%q", text)
		}
	})
	s.run(t, "fifty kilobytes are answered", func(m *tenant) {
		rememberZoo(m)
		for _, text := range []string{
			strings.Repeat("w", 50_000), strings.Repeat(`"(*) `, 10_000), strings.Repeat("what is the ", 50_000/12),
			strings.Repeat("日本語", 50_000/9),
		} {
			m.Empty(m.searched(anywhere(text)))
		}
		m.NotEmpty(m.searched(anywhere(strings.Repeat("walrus ", 50_000/7))))
	})
}

// rememberZoo keeps in several kinds what recordZoo keeps in episodes.
func rememberZoo(m *tenant) {
	m.t.Helper()
	recordZoo(m)
	m.remember(memoir("m").named("zoo").describing("storks fly"))
	m.learn(concept("giraffe").saying("a giraffe went"))
	m.observe(observation("walrus", at(1)).saying("a walrus came"))
	m.correct(correction("both", "zoo", at(1)).saying("the walrus met the giraffe"))
}
