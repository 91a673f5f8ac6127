package storetest

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"mneme/memory"
	"mneme/memory/matching"
	"mneme/store"
	"mneme/store/lexical"
	"mneme/store/meaning"
)

// texts are what all records of a tenant say that have texts, by which the model scores them all.
type texts map[string]spoken // by global id

type spoken struct {
	key     string
	bag     matching.Bag
	codes   []meaning.Code
	at      time.Time
	opens   string // the text that a speaker may open
	agent   string
	session string // of an observation that is in one
}

// say takes in a record by the texts of its kind.
func (t texts) say(kind memory.Kind, key string, at time.Time, texts ...string) {
	record := spoken{key: key, at: at}
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
	t.say(memory.KindEpisode, e.Key, e.StartedAt, e.Title, e.Observation, valueOr(e.Result, ""), e.Insight)
	t.told(memory.KindEpisode, e.Key, e.Observation, e.AgentKey, "")
}

// told says by whom a record may be, and in which session it stands.
func (t texts) told(kind memory.Kind, key, opens, agent, session string) {
	record := t[memory.NodeID(kind, key)]
	record.opens, record.agent, record.session = opens, agent, session
	t[memory.NodeID(kind, key)] = record
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
		all.say(memory.KindMemoir, record.Key, record.CreatedAt, record.Name, valueOr(record.Description, ""))
	}
	for _, memoir := range memoirs {
		concepts, _, err := m.ListConcepts(m.ctx(), memoir.Key, everything)
		m.NoError(err)
		for _, p := range concepts {
			all.say(memory.KindConcept, p.Key, p.CreatedAt, p.Name, p.Content, strings.Join(p.Labels, "\n"))
		}
	}
	observations, _, err := m.ListObservations(m.ctx(), store.ObservationQuery{Page: everything})
	m.NoError(err)
	for _, o := range observations {
		all.say(memory.KindObservation, o.Key, o.CreatedAt, o.Content)
		all.told(memory.KindObservation, o.Key, o.Content, "", valueOr(o.SessionKey, ""))
	}
	corrections, _, err := m.ListCorrections(m.ctx(), nil, everything)
	m.NoError(err)
	for _, x := range corrections {
		all.say(memory.KindCorrection, x.Key, x.CreatedAt, x.Topic, x.Prediction, x.Correction, valueOr(x.Context, ""))
	}
	return all
}

// scores are the parts of all records of some kinds by their words and by what they mean, as far as they match by either.
func (t texts) scores(text string, kinds ...memory.Kind) map[string]matching.Parts {
	return t.scoresOf(store.SearchQuery{Text: text, Kinds: kinds})
}

// scoresOf are the parts of all records that a search without filters finds: turns of a session with what stands around them,
// where it asks for neighbours.
func (t texts) scoresOf(query store.SearchQuery) map[string]matching.Parts {
	text, kinds := query.Text, query.Kinds
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
	asked, means := meaning.Question(text)
	means = means && len(terms) > 0
	dates, names := matching.Dates(text), matching.NamesIn(text)
	scores := map[string]matching.Parts{}
	for id, record := range t {
		kind, _, _ := memory.SplitID(id)
		if !of[kind] {
			continue
		}
		run, place := []spoken{record}, 0
		if query.Neighbours && record.session != "" {
			run, place = t.session(record)
		}
		documents := make([]matching.Document, len(run))
		for i, turn := range run {
			documents[i] = q.Document(turn.bag.String(), kind, collections[kind].Average())
		}
		parts := matching.Parts{Match: q.Run(documents)[place], Date: matching.Near(dates, record.at)}
		parts.Speaker, _ = names.Speaker(record.opens, record.agent)
		isNear := false
		if means && len(record.codes) > 0 {
			own := record.vectors()
			parts.Compared, parts.Meaning = true, matching.Best(asked[:], own)
			isNear = parts.Meaning >= matching.LeastMeaning
			if len(run) > 1 {
				parts.Meaning = matching.Around(asked[:], own[0], wholes(run[:place], true), wholes(run[place+1:], false))
			}
		}
		if parts.Words > 0 || isNear {
			scores[id] = parts
		}
	}
	return scores
}

// session are the turns of a record's session in their order, and its place among them.
func (t texts) session(record spoken) (run []spoken, place int) {
	for id, other := range t {
		if kind, _, _ := memory.SplitID(id); kind == memory.KindObservation && other.session == record.session {
			run = append(run, other)
		}
	}
	slices.SortFunc(run, func(a, b spoken) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.key, b.key)) })
	return run, slices.IndexFunc(run, func(other spoken) bool { return other.key == record.key })
}

// wholes are the vectors of turns, the last first where they stand before another; nil for one that has none.
func wholes(run []spoken, before bool) (vectors [][]float32) {
	for _, turn := range run {
		var whole []float32
		if own := turn.vectors(); len(own) > 0 {
			whole = own[0]
		}
		vectors = append(vectors, whole)
	}
	if before {
		slices.Reverse(vectors)
	}
	return vectors
}

func (s *spoken) vectors() [][]float32 {
	vectors := make([][]float32, len(s.codes))
	for i := range s.codes {
		v := s.codes[i].Vector()
		vectors[i] = v[:]
	}
	return vectors
}
