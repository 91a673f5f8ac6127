package storetest

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"mneme/memory"
	"mneme/memory/ranking"
	"mneme/store"
	"mneme/store/lexical"
)

// textKinds are the kinds that have texts to be searched.
var textKinds = []memory.Kind{
	memory.KindMemoir, memory.KindConcept, memory.KindEpisode, memory.KindFeedback, memory.KindObservation, memory.KindCorrection,
}

// situation is what episodes are looked for by: words, a vector of a client, or nothing.
type situation struct {
	text      string
	embedding []float32
	filter    store.EpisodeFilter
	asOf      *time.Time
}

// hit is an episode with what was found of it: passages with the words, and the cosine of its vector.
type hit struct {
	ranking.Candidate
	words  int
	cosine float64
}

// hits are the episodes that are found, by key.
func (m *tenant) hits(by situation) map[string]hit {
	m.t.Helper()
	among := store.Among{Kinds: []memory.Kind{memory.KindEpisode}, Filter: by.filter, AsOf: by.asOf, Limit: everything.Limit, ToRank: true}
	if by.text == "" && by.embedding == nil {
		found, _, err := m.NewestAndBoosted(m.ctx(), among)
		m.NoError(err)
		return candidatesByKey(found)
	}
	worded, _, err := m.PassagesByWords(m.ctx(), strings.Fields(lexical.Stems(by.text)), among)
	m.NoError(err)
	var near []store.FoundPassage
	if by.embedding != nil {
		near, _, err = m.PassagesByMeaning(m.ctx(), store.Question{Embedding: by.embedding}, among)
		m.NoError(err)
	}
	hits := map[string]hit{}
	for _, p := range worded {
		hits[p.Key] = hit{Candidate: *p.Episode, words: hits[p.Key].words + 1}
	}
	for _, p := range near {
		hits[p.Key] = hit{Candidate: *p.Episode, words: hits[p.Key].words, cosine: cosine(by.embedding, p.Embeddings[0])}
	}
	return hits
}

func candidatesByKey(found []ranking.Candidate) map[string]hit {
	hits := map[string]hit{}
	for _, c := range found {
		hits[c.Key] = hit{Candidate: c}
	}
	return hits
}

func keysOfHits(hits map[string]hit) []string {
	keys := []string{}
	for key := range hits {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func cosine(a, b []float32) float64 {
	var product, squareA, squareB float64
	for i := range a {
		product, squareA, squareB = product+float64(a[i])*float64(b[i]), squareA+float64(a[i])*float64(a[i]), squareB+float64(b[i])*float64(b[i])
	}
	return product / math.Sqrt(squareA*squareB)
}

// matches are the global ids of the records of some kinds that have words of a text, sorted.
func (m *tenant) matches(text string, kinds ...memory.Kind) []string {
	m.t.Helper()
	if len(kinds) == 0 {
		kinds = textKinds
	}
	found, _, err := m.PassagesByWords(m.ctx(), strings.Fields(lexical.Stems(text)), store.Among{Kinds: kinds, Limit: everything.Limit})
	m.NoError(err)
	all := ids(found)
	slices.Sort(all)
	return all
}

func (s suite) texted(t *testing.T) {
	s.run(t, "every text of every kind is found", everyText)
	s.run(t, "words are found in any form, whatever their case", func(m *tenant) {
		m.observe(observation("o1", at(0)).saying("The REFUNDS were delayed"), observation("o2", at(0)).saying("refuse"))
		m.Equal([]string{"observation:o1"}, m.matches("refund delays"))
	})
	s.run(t, "user text is words, never query syntax", func(m *tenant) {
		rememberZoo(m)
		for _, test := range querySyntax {
			m.Equal(m.matches(test.plain), m.matches(test.text), "%q", test.text)
		}
	})
	s.run(t, "any text is answered", func(m *tenant) {
		rememberZoo(m)
		for _, text := range append(strangeTexts, awkwardTexts...) {
			m.matches(text)
			m.Contains(m.matches(text+" walrus"), "observation:walrus", "%q", text)
		}
	})
	s.run(t, "any text is found again", func(m *tenant) {
		for i, text := range []string{"日本語の文章", "مرحبا بالعالم", "שלום", "İstanbul", "x_y-z", "3.5", "o'hare", "naïve", "кириллица"} {
			key := string(rune('a' + i))
			m.observe(observation(key, at(0)).saying(text))
			m.Contains(m.matches(text), "observation:"+key, "%q", text)
		}
	})
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
		m.Equal([]string{want}, m.matches(word), word)
		kind, _, _ := memory.SplitID(want)
		m.Equal([]string{want}, m.matches(word, kind), word)
	}
}

// recordZoo records episodes about one animal, about another, and about both.
func recordZoo(m *tenant) {
	m.t.Helper()
	m.record(
		episode("walrus", at(1)).seeing("a walrus came"), episode("giraffe", at(2)).seeing("a giraffe went"),
		episode("both", at(3)).seeing("the walrus met the giraffe"), episode("stork", at(4)).seeing("storks fly"),
	)
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
