package storetest

import (
	"strings"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/meaning"
)

// texts are what all records of a tenant say that have texts, by which the model scores them all.
type texts map[string]spoken // by global id

type spoken struct {
	bag   matching.Bag
	codes []meaning.Code
}

// say takes in a record by the texts of its kind.
func (t texts) say(kind memory.Kind, key string, texts ...string) {
	var record spoken
	for i, text := range matching.Texts(kind) {
		record.bag.Add(lexical.Stems(texts[i]), text.Weight)
	}
	parts := 1
	if kind == memory.KindEpisode {
		parts = matching.MostParts
	}
	record.codes = meaning.Codes(parts, texts...)
	t[memory.NodeID(kind, key)] = record
}

func (t texts) episode(e *memory.Episode) {
	t.say(memory.KindEpisode, e.Key, e.Title, e.Observation, valueOr(e.Result, ""), e.Insight)
}

// texts reads those of all records of a tenant that are of the searchable kinds but for feedback.
func (m *tenant) texts() texts {
	m.t.Helper()
	all := texts{}
	for _, key := range m.listed(store.EpisodeFilter{}, store.NewestFirst) {
		all.episode(m.episode(key))
	}
	memoirs, _, err := m.ListMemoirs(m.ctx(), everything)
	m.NoError(err)
	for _, record := range memoirs {
		all.say(memory.KindMemoir, record.Key, record.Name, valueOr(record.Description, ""))
	}
	for _, memoir := range memoirs {
		concepts, _, err := m.ListConcepts(m.ctx(), memoir.Key, everything)
		m.NoError(err)
		for _, p := range concepts {
			all.say(memory.KindConcept, p.Key, p.Name, p.Content, strings.Join(p.Labels, "\n"))
		}
	}
	observations, _, err := m.ListObservations(m.ctx(), store.ObservationQuery{Page: everything})
	m.NoError(err)
	for _, o := range observations {
		all.say(memory.KindObservation, o.Key, o.Content)
	}
	corrections, _, err := m.ListCorrections(m.ctx(), nil, everything)
	m.NoError(err)
	for _, x := range corrections {
		all.say(memory.KindCorrection, x.Key, x.Topic, x.Prediction, x.Correction, valueOr(x.Context, ""))
	}
	return all
}

// scores are the parts of all records of some kinds by their words and by what they mean, as far as they match by either.
func (t texts) scores(text string, kinds ...memory.Kind) map[string]matching.Parts {
	of := map[memory.Kind]bool{}
	for _, kind := range kinds {
		of[kind] = true
	}
	collections, records, all := map[memory.Kind]matching.Collection{}, map[string]int{}, 0
	for id, record := range t {
		kind, _, _ := memory.SplitID(id)
		if !of[kind] || record.bag.Length == 0 {
			continue
		}
		all++
		sum := collections[kind]
		collections[kind] = matching.Collection{Records: sum.Records + 1, Length: sum.Length + record.bag.Length}
		for stem := range record.bag.Counts {
			records[stem]++
		}
	}
	terms := lexical.DistinctiveFirst(lexical.Considered(lexical.Terms(text)), nil)
	words := make([]matching.Word, len(terms))
	for i, term := range terms {
		words[i] = matching.Word{Stem: term.Stem, Records: records[term.Stem]}
	}
	q := matching.Choose(words, all)
	asked, means := meaning.Encode(text)
	scores := map[string]matching.Parts{}
	for id, record := range t {
		kind, _, _ := memory.SplitID(id)
		if !of[kind] {
			continue
		}
		own := q.Alone(q.Document(record.bag.String(), kind, collections[kind].Average()))
		parts := matching.Parts{Match: matching.Match{Words: own, Own: own}}
		if means && len(record.codes) > 0 && len(terms) > 0 {
			parts.Compared, parts.Meaning = true, matching.Best(asked[:], record.vectors())
		}
		if parts.Words > 0 || parts.Meaning >= matching.LeastMeaning {
			scores[id] = parts
		}
	}
	return scores
}

func (s *spoken) vectors() [][]float32 {
	vectors := make([][]float32, len(s.codes))
	for i := range s.codes {
		v := s.codes[i].Vector()
		vectors[i] = v[:]
	}
	return vectors
}
