package storetest

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/memory/ranking"
	"mneme/store"
)

func (s suite) recalls(t *testing.T) {
	s.run(t, "title, observation, result and insight are searched, and nothing else", recallFields)
	s.run(t, "words match by their stem, in any case", recallStems)
	s.run(t, "a match in the observation weighs more than elsewhere", recallObservation)
	s.run(t, "a match scores the share of what is possible", recallShare)
	s.run(t, "a filter leaves out, but moves no score", recallFiltered)
	s.run(t, "a candidate carries what the ranking needs", recallValues)
	s.run(t, "where nothing matches the newest come", recallNewest)
	s.run(t, "where nothing matches what people liked before the newest comes, too", recallLiked)
	s.run(t, "a long situation finds itself", recallItself)
	s.run(t, "the pool holds what ranks first in any way", recallHeads)
	s.run(t, "what is only a little like the situation takes no place of what is", recallFaint)
	s.run(t, "one common word is not drowned by a limit", recallCommonWord)
	s.run(t, "of very many that match alike the newest rank first", recallAlike)
}

// recallAlike recalls among ever more of one text, from nothing on: what a store knows of a tenant may be of before.
func recallAlike(m *tenant) {
	query := store.RecallQuery{Text: "refund kettle", Weights: ranking.DefaultWeights, Limit: 256, Top: 3}
	m.Empty(m.recall(query).Items)
	recorded := 0
	for _, until := range []int{900, 1900} {
		for recorded < until {
			batch := make([]episodeDraft, 100)
			for i := range batch {
				batch[i] = episode(fmt.Sprintf("e%04d", recorded), at(60*recorded)).seeing("The refund of a kettle")
				recorded++
			}
			m.record(batch...)
		}
		query.Now = at(60 * recorded)
		first := candidateKeys(unranked(ranking.Rank(m.recall(query).Items, query.Weights, query.Now, 3)))
		m.Equal([]string{fmt.Sprintf("e%04d", until-1), fmt.Sprintf("e%04d", until-2), fmt.Sprintf("e%04d", until-3)}, first)
	}
}

// found gives the keys of all candidates with a lexical match, in order.
func (m *tenant) found(text string) []string {
	m.t.Helper()
	return slices.Sorted(maps.Keys(m.shares(text)))
}

// shares are what the candidates have of the words of a text, of those that have any.
func (m *tenant) shares(text string) map[string]float64 {
	m.t.Helper()
	shares := map[string]float64{}
	for key, hit := range m.hits(store.RecallQuery{Text: text}) {
		if hit.Match.Words > 0 {
			shares[key] = hit.Match.Words
		}
	}
	return shares
}

func recallFields(m *tenant) {
	hidden := episode("hidden", at(0)).thinking("walrus").step("walrus", memory.JSON(`"walrus"`)).in("walrus").doing("walrus").
		by("walrus").running("walrus").logging(entry(0, "walrus", `"walrus"`))
	hidden.Episode.Metadata = memory.JSON(`"walrus"`)
	hidden.Episode.Segments = []memory.Segment{{Kind: memory.SegmentRest, Text: "walrus", StartedAt: at(0)}}
	m.record(
		hidden, episode("title", at(1)).titled("A walrus"), episode("observation", at(2)).seeing("a walrus came"),
		episode("result", at(3)).resulting("walrus."), episode("insight", at(4)).learning("(walrus)"),
		episode("walrus", at(5)).titled("").seeing("").learning(""),
	)
	m.act(present("walrus", at(6)).of("hidden").with(`"walrus"`))
	m.react(thumbsUp("walrus", at(7)).on("hidden").saying("walrus"))
	want := []string{"insight", "observation", "result", "title"}
	m.Equal(want, m.found("walrus"))
	for _, c := range m.hits(store.RecallQuery{Text: "walrus"}) {
		m.Positive(c.Match.Words, "where anything matches, nothing else is a candidate")
		m.LessOrEqual(c.Match.Words, 1.0)
	}
}

func recallStems(m *tenant) {
	m.record(
		episode("refund", at(0)).seeing("The customer was asking about REFUNDED flights"),
		episode("über", at(0)).seeing("Überweisung nach Zürich"),
		episode("cyrillic", at(0)).seeing("Возврат билета"),
		episode("japanese", at(0)).seeing("払い戻し"),
		episode("hebrew", at(0)).seeing("החזר כספי"),
		episode("code", at(0)).seeing("error ECONNREFUSED in run-42 of v1.26.8, order W5061109"),
	)
	for text, want := range map[string]string{
		"refund": "refund", "Refunds!": "refund", "refunding": "refund", "flight": "refund", "ASKED": "refund",
		"überweisung": "über", "ÜBERWEISUNG": "über", "zürich": "über",
		"билета": "cyrillic", "ВОЗВРАТ": "cyrillic", "払い戻し": "japanese", "כספי": "hebrew",
		"econnrefused": "code", "w5061109": "code",
	} {
		m.Equal([]string{want}, m.found(text), "%q", text)
	}
	for _, text := range []string{"the of and was", "giraffe", "fund", ""} {
		m.Empty(m.found(text), "%q", text)
	}
}

func recallObservation(m *tenant) {
	m.record(
		episode("title", at(0)).titled("walrus").seeing("giraffe").learning("stork"),
		episode("observation", at(0)).titled("giraffe").seeing("walrus").learning("stork"),
		episode("insight", at(0)).titled("stork").seeing("giraffe").learning("walrus"),
		episode("result", at(0)).titled("stork").seeing("giraffe").learning("stork").resulting("walrus"),
	)
	hits := m.hits(store.RecallQuery{Text: "walrus"})
	m.Len(hits, 4)
	for _, other := range []string{"title", "insight", "result"} {
		m.Greater(hits["observation"].Match.Words, hits[other].Match.Words, other)
	}
}

func recallShare(m *tenant) {
	m.record(
		episode("both", at(0)).titled("").seeing("the walrus and the giraffe").learning(""),
		episode("one", at(0)).titled("").seeing("the walrus and the stork").learning(""),
	)
	lexical := func(text, key string) float64 { return 1.3 * m.hits(store.RecallQuery{Text: text})[key].Match.Words }
	// both are of average length, of two records each, so that a word that is there is worth 1.3·idf/1.3
	m.InDelta(1, lexical("walrus giraffe", "both"), 1e-9)
	m.InDelta(1, lexical("What did the walrus do?", "one"), 1e-9)
	known, unknown := math.Ln2, math.Log(1+2.5/0.5)
	m.InDelta(known/(known+unknown), lexical("giraffe, zebra", "both"), 1e-9)
	m.InDelta(known/(known+3*unknown), lexical("giraffe zebra okapi gnu", "both"), 1e-9)
	m.InDelta(known/(known+3*unknown), lexical("giraffe zebra okapi gnu lemur ocelot", "both"), 1e-9, "three that none has count")
	m.InDelta(math.Log(1+0.5/2.5)/(math.Log(1+0.5/2.5)+known), lexical("walrus giraffe", "one"), 1e-9)
}

func recallFiltered(m *tenant) {
	m.record(
		episode("best", at(0)).seeing("walrus").by("ada"),
		episode("good", at(1)).seeing("a walrus among many other words").by("eve"),
		episode("fair", at(2)).seeing("a walrus among even more words that say nothing of note").by("eve"),
		episode("none", at(3)).seeing("giraffe").by("eve"),
	)
	m.steadily(store.RecallQuery{Text: "walrus"}, func(m *tenant) {
		all := m.hits(store.RecallQuery{Text: "walrus"})
		filtered := m.hits(store.RecallQuery{Text: "walrus", Filter: store.EpisodeFilter{Agent: new("eve")}})
		delete(all, "best")
		m.Equal(all, filtered)
	})
	m.Equal([]string{"none"}, keysOfHits(m.hits(store.RecallQuery{
		Text: "walrus", Filter: store.EpisodeFilter{Since: new(at(3))},
	})), "where none that passes the filter matches, the newest that passes")
}

func keysOfHits(hits map[string]ranking.Candidate) []string {
	return slices.Sorted(maps.Keys(hits))
}

func recallValues(m *tenant) {
	m.record(episode("e1", at(3)).seeing("walrus").embedded(3, 4), episode("e2", at(4)).seeing("walrus"))
	m.act(present("c1", at(5)).of("e1"), action("c1", memory.CanvasClose, at(6)))
	m.react(thumbsUp("f1", at(7)).on("e1"), rating("f2", 2, at(8)).on("e1"))
	hits := m.hits(store.RecallQuery{Text: "walrus", Embedding: []float32{1, 0}})
	one := hits["e1"]
	m.InDelta(0.6, one.Match.Meaning, 1e-6)
	m.True(one.Match.Compared)
	one.Match = matching.Parts{}
	m.Equal(ranking.Candidate{Key: "e1", StartedAt: at(3), CanvasActionCount: 2, FeedbackSum: 0.5, FeedbackCount: 2}, one)
	m.Zero(hits["e2"].Match.Meaning)
	m.Equal(at(4), hits["e2"].StartedAt)
}

func recallNewest(m *tenant) {
	m.record(
		episode("a", at(1)).seeing("walrus"), episode("b", at(2)).by("eve"), episode("c", at(3)), episode("d", at(3)), episode("e", at(0)),
	)
	for _, text := range []string{"", "   ", "okapi", "what was that?", "?!"} {
		m.Len(m.hits(store.RecallQuery{Text: text}), 5, "%q", text)
		c := m.recall(store.RecallQuery{Text: text, Limit: 2})
		m.ElementsMatch([]string{"c", "d"}, candidateKeys(c.Items), "%q", text)
		m.Equal([]string{"b"}, candidateKeys(m.recall(store.RecallQuery{
			Text: text, Limit: 2, Filter: store.EpisodeFilter{Agent: new("eve")},
		}).Items))
	}
	m.Equal([]string{"a"}, candidateKeys(m.recall(store.RecallQuery{Text: "walrus", Limit: 2}).Items))
}

func recallLiked(m *tenant) {
	batch := make([]episodeDraft, 300)
	for i := range batch {
		batch[i] = episode(fmt.Sprintf("e%03d", i), at(i))
	}
	m.record(batch...)
	m.act(present("c", at(1)).of("e007"))
	m.react(thumbsUp("f", at(2)).on("e003"))
	query := store.RecallQuery{Weights: ranking.DefaultWeights, Now: at(300), Limit: 100, Top: 3}
	first := candidateKeys(unranked(ranking.Rank(m.recall(query).Items, query.Weights, query.Now, 3)))
	m.Equal([]string{"e003", "e007", "e299"}, first)
}

func candidateKeys(candidates []ranking.Candidate) []string {
	return keysOf(candidates, func(c ranking.Candidate) string { return c.Key })
}

func recallItself(m *tenant) {
	long := "A customer wants to change flights because a family member fell ill. " +
		"She holds two tickets, silver membership and travel insurance, and asks whether luggage fees are waived. " +
		strings.Repeat("She repeats the question about refunds, vouchers, certificates and compensation again. ", 40)
	m.record(
		episode("itself", at(0)).seeing(long), episode("short", at(1)).seeing("A customer wants flights"),
		episode("other", at(2)).seeing(strings.Repeat("A walrus sleeps on the beach and dreams of vouchers. ", 40)),
	)
	hits := m.hits(store.RecallQuery{Text: long})
	m.Less(hits["other"].Match.Words, hits["itself"].Match.Words)
	m.Less(hits["short"].Match.Words, hits["itself"].Match.Words)
}

// What only means something like the situation takes no place of what means the same, in a pool that does not hold all.
func recallFaint(m *tenant) {
	old, lately := at(0), at(60*24*200)
	m.record(
		episode("m1", old).seeing("The vehicle failed its ignition"), episode("m2", old).seeing("The automobile engine refused ignition"),
		episode("l1", lately).seeing("A truck ran out of fuel"), episode("l2", lately).seeing("Driving lessons for beginners"),
		episode("l3", lately).seeing("A motorcycle race was cancelled"), episode("l4", lately).seeing("A train engine overheated"),
	)
	query := store.RecallQuery{Text: "the car would not start", Limit: 100, Now: lately, Weights: ranking.DefaultWeights}
	m.steadily(query, func(m *tenant) {
		all := m.hits(query)
		m.Less(all["l3"].Match.Meaning, 0.5)
		m.GreaterOrEqual(all["l3"].Match.Meaning, matching.LeastMeaning)
		m.Less(ranking.DefaultWeights.Score(all["m2"], lately).Total, ranking.DefaultWeights.Score(all["l3"], lately).Total)
		for limit, top := range map[int]int{100: 100, 3: 2, 2: 2} {
			query.Limit, query.Top = limit, top
			m.ElementsMatch([]string{"m1", "m2"}, candidateKeys(unranked(ranked(query, m.recall(query).Items, top))), "%d of %d", top, limit)
		}
	})
}

func recallHeads(m *tenant) {
	m.record(
		episode("lexical", at(1)).seeing("walrus"),
		episode("both", at(2)).seeing("a walrus in the midst of words").embedded(1, 1),
		episode("vector", at(3)).seeing("giraffe").embedded(1, 0),
		episode("newest", at(4)).seeing("the walrus, in the very midst of even more telling words").embedded(-1, 1),
		episode("neither", at(5)).seeing("stork"),
	)
	query := store.RecallQuery{Text: "walrus", Embedding: []float32{2, 0}, Limit: 1, Top: 1, Now: at(5)}
	m.steadily(query, func(m *tenant) {
		all := m.hits(query)
		for first, weights := range map[string]ranking.Weights{
			"lexical": {Semantic: 1, HalfLifeDays: 1}, "newest": {Temporal: 1, HalfLifeDays: 0.001},
		} {
			query.Weights = weights
			c := m.recall(query)
			m.requireAmong(c, all)
			m.Equal(first, ranking.Rank(c.Items, weights, query.Now, 1)[0].Key)
		}
		m.Equal([]string{"both", "lexical", "newest", "vector"}, keysOfHits(all))
		byVector := store.RecallQuery{Embedding: query.Embedding, Limit: 1, Top: 1, Now: at(5)}
		m.Equal("vector", ranking.Rank(m.recall(byVector).Items, ranking.DefaultWeights, at(5), 1)[0].Key)
		m.InDelta(-1/math.Sqrt2, all["newest"].Match.Meaning, 1e-6)
	})
}

func recallCommonWord(m *tenant) {
	var drafts []episodeDraft
	for i := range 60 {
		d := episode(string(rune('A'+i)), at(i)).seeing("walrus")
		if i == 0 {
			d = d.by("ada")
		}
		drafts = append(drafts, d)
	}
	m.record(drafts...)
	c := m.recall(store.RecallQuery{Text: "walrus", Limit: 3, Filter: store.EpisodeFilter{Agent: new("ada")}})
	m.Equal([]string{"A"}, candidateKeys(c.Items), "the filter comes before the limit")
}

// requireAmong checks that what was returned is the same as among all.
func (m *tenant) requireAmong(c store.Candidates, all map[string]ranking.Candidate) {
	m.t.Helper()
	seen := map[string]bool{}
	for _, item := range c.Items {
		m.False(seen[item.Key], "each episode once")
		seen[item.Key] = true
		m.Contains(all, item.Key)
		m.Equal(all[item.Key], item, "the values are the same whatever the limit")
	}
}
