package storetest

import (
	"strings"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
	"mneme/store/lexical"
)

// A Trait is what of the contract a store does not do.
type Trait string

// OwnMeasure is of a store that scores matches by the measure of its own index rather than by package matching.
const OwnMeasure Trait = "its own measure"

// texts are those of all records of a tenant that have some, by which the model scores them all.
type texts map[string]matching.Bag // by global id

// say takes in a record by the texts of its kind.
func (t texts) say(kind memory.Kind, key string, said ...string) {
	var bag matching.Bag
	for i, text := range matching.Texts(kind) {
		bag.Add(lexical.Stems(said[i]), text.Weight)
	}
	t[memory.NodeID(kind, key)] = bag
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

// scores are those of all records of some kinds by their words, of those that have any.
func (t texts) scores(text string, kinds ...memory.Kind) map[string]float64 {
	of := map[memory.Kind]bool{}
	for _, kind := range kinds {
		of[kind] = true
	}
	collections, records, all := map[memory.Kind]matching.Collection{}, map[string]int{}, 0
	for id, bag := range t {
		kind, _, _ := memory.SplitID(id)
		if !of[kind] || bag.Length == 0 {
			continue
		}
		all++
		sum := collections[kind]
		collections[kind] = matching.Collection{Records: sum.Records + 1, Length: sum.Length + bag.Length}
		for stem := range bag.Counts {
			records[stem]++
		}
	}
	terms := lexical.DistinctiveFirst(lexical.Considered(lexical.Terms(text)), nil)
	words := make([]matching.Word, len(terms))
	for i, term := range terms {
		words[i] = matching.Word{Stem: term.Stem, Records: records[term.Stem]}
	}
	q := matching.Choose(words, all)
	scores := map[string]float64{}
	for id, bag := range t {
		kind, _, _ := memory.SplitID(id)
		if !of[kind] {
			continue
		}
		if score := q.Alone(q.Document(bag.String(), kind, collections[kind].Average())); score > 0 {
			scores[id] = score
		}
	}
	return scores
}
