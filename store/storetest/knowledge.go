package storetest

import (
	"testing"
	"time"

	"mneme/memory"
	"mneme/store"
)

// RunKnowledge runs the part of the suite that is about knowledge. The function open is as for Run.
//
// Where the contract is silent the suite settles: About is read as the ids of the records that an
// observation or a correction is linked with, in the order of their bytes; a filter of a search leaves
// out the records of all kinds but its own.
func RunKnowledge(t *testing.T, open func(t *testing.T) store.Backend) {
	s := suite{open}
	runGroups(t, []group{
		{"Memoirs", s.memoirs},
		{"Concepts", s.concepts},
		{"Refinements", s.refinements},
		{"Relations", s.relations},
		{"Mentions", s.mentions},
		{"Observations", s.observations},
		{"Weights", s.weights},
		{"Prunes", s.prunes},
		{"About", s.about},
		{"Corrections", s.corrections},
		{"Traverses", s.traverses},
		{"Walks", s.walks},
		{"KnowingTenants", s.knowingTenants},
		{"KnowingTogether", s.knowingTogether},
	})
}

// noReceipt is that of a text that was left as it is.
var noReceipt = memory.Receipt{Redactions: []memory.Redaction{}}

// memoirDraft is a memoir on its way to the store.
type memoirDraft struct{ store.MemoirRecord }

// memoir is a memoir that is named "Name of {key}".
func memoir(key string) memoirDraft {
	return memoirDraft{store.MemoirRecord{Memoir: memory.Memoir{Key: key, Name: "Name of " + key, CreatedAt: at(0)}}}
}

func (d memoirDraft) named(name string) memoirDraft      { d.Memoir.Name = name; return d }
func (d memoirDraft) describing(text string) memoirDraft { d.Memoir.Description = &text; return d }

// conceptDraft is a concept on its way to the store.
type conceptDraft struct{ store.ConceptRecord }

// concept is a concept of the memoir "m", named by its key.
func concept(key string) conceptDraft {
	return conceptDraft{store.ConceptRecord{Concept: memory.Concept{
		Key: key, MemoirKey: "m", Name: key, Content: "Content of " + key, Labels: []string{},
		Revisions: []memory.ConceptRevision{}, Receipt: noReceipt, CreatedAt: at(1), UpdatedAt: at(1),
	}}}
}

func (d conceptDraft) of(memoir string) conceptDraft          { d.Concept.MemoirKey = memoir; return d }
func (d conceptDraft) named(name string) conceptDraft         { d.Concept.Name = name; return d }
func (d conceptDraft) saying(content string) conceptDraft     { d.Concept.Content = content; return d }
func (d conceptDraft) labelled(labels ...string) conceptDraft { d.Concept.Labels = labels; return d }

// relates is a relation that came into being at at(2).
func relates(source string, kind memory.RelationType, target string) memory.Relation {
	return memory.Relation{Type: kind, SourceKey: source, TargetKey: target, CreatedAt: at(2)}
}

// observationDraft is an observation on its way to the store.
type observationDraft struct{ store.ObservationRecord }

// observation is an observation of medium importance, about nothing.
func observation(key string, createdAt time.Time) observationDraft {
	return observationDraft{store.ObservationRecord{Observation: memory.Observation{
		Key: key, Content: "Content of " + key, Importance: memory.ImportanceMedium, About: []string{},
		Receipt: noReceipt, CreatedAt: createdAt,
	}}}
}

func (d observationDraft) forUser(user string) observationDraft { d.UserID = &user; return d }
func (d observationDraft) in(session string) observationDraft {
	d.Observation.SessionKey = &session
	return d
}
func (d observationDraft) saying(text string) observationDraft {
	d.Observation.Content = text
	return d
}
func (d observationDraft) about(ids ...string) observationDraft { d.Observation.About = ids; return d }
func (d observationDraft) weighing(i memory.Importance) observationDraft {
	d.Observation.Importance = i
	return d
}

// correctionDraft is a correction on its way to the store.
type correctionDraft struct{ store.CorrectionRecord }

// correction is a correction of medium importance on a topic, about nothing.
func correction(key, topic string, createdAt time.Time) correctionDraft {
	return correctionDraft{store.CorrectionRecord{Correction: memory.Correction{
		Key: key, Topic: topic, Prediction: "Prediction of " + key, Correction: "Correction of " + key,
		Importance: memory.ImportanceMedium, About: []string{}, Receipt: noReceipt, CreatedAt: createdAt,
	}}}
}

func (d correctionDraft) predicting(text string) correctionDraft {
	d.Correction.Prediction = text
	return d
}
func (d correctionDraft) saying(text string) correctionDraft {
	d.Correction.Correction = text
	return d
}
func (d correctionDraft) within(text string) correctionDraft { d.Correction.Context = &text; return d }
func (d correctionDraft) by(person string) correctionDraft {
	d.Correction.CreatedBy = &person
	return d
}
func (d correctionDraft) about(ids ...string) correctionDraft { d.Correction.About = ids; return d }
func (d correctionDraft) weighing(i memory.Importance) correctionDraft {
	d.Correction.Importance = i
	return d
}

// What a read of each gives.
func (d memoirDraft) read() *memory.Memoir           { return &d.Memoir }
func (d conceptDraft) read() *memory.Concept         { return &d.Concept }
func (d observationDraft) read() *memory.Observation { return &d.Observation }
func (d correctionDraft) read() *memory.Correction   { return &d.Correction }

// mentioning names the concepts that an episode mentions.
func (d episodeDraft) mentioning(concepts ...string) episodeDraft { d.Mentions = concepts; return d }

func memoirRecords(drafts []memoirDraft) []store.MemoirRecord {
	return hashed(drafts, func(d *memoirDraft) (*store.MemoirRecord, *[]byte) { return &d.MemoirRecord, &d.InputHash })
}

func conceptRecords(drafts []conceptDraft) []store.ConceptRecord {
	return hashed(drafts, func(d *conceptDraft) (*store.ConceptRecord, *[]byte) { return &d.ConceptRecord, &d.InputHash })
}

func observationRecords(drafts []observationDraft) []store.ObservationRecord {
	return hashed(drafts, func(d *observationDraft) (*store.ObservationRecord, *[]byte) {
		return &d.ObservationRecord, &d.InputHash
	})
}

func correctionRecords(drafts []correctionDraft) []store.CorrectionRecord {
	return hashed(drafts, func(d *correctionDraft) (*store.CorrectionRecord, *[]byte) { return &d.CorrectionRecord, &d.InputHash })
}

func (s suite) knowingTenants(t *testing.T) {
	t.Run("tenants know nothing of each other", func(t *testing.T) {
		backend := s.open(t)
		mine, theirs := bind(t, backend, randomTenant()), bind(t, backend, randomTenant())
		recordEveryLink(mine)
		theirs.observe(observation("stranger", at(0)).about("concept:p", "episode:e"))
		theirs.record(episode("stranger", at(0)).mentioning("p"))
		hasNoKnowledge(theirs)
		theirs.remember(memoir("m"))
		theirs.learn(concept("p").saying("theirs"))
		mine.Equal("Content of p", mine.concept("p").Content)
		mine.NotContains(mine.neighbours(store.AdjacencyQuery{Of: []string{"concept:p"}}), "observation:stranger")
		theirs.Equal([]string{"concept:p"}, theirs.observation("stranger").About)
		theirs.Zero(theirs.count(theirs.PruneObservations(theirs.ctx(), store.Pruning{Now: at(0), MinWeight: 0.1})))
		theirs.Equal(1, theirs.count(theirs.PruneObservations(theirs.ctx(), store.Pruning{Now: at(0), MinWeight: 2})))
		mine.observation("o")
	})
	s.run(t, "a tenant that was never written to knows nothing", func(m *tenant) {
		m.Empty(m.neighbours(store.AdjacencyQuery{Of: []string{"agent:agent"}}))
		m.Empty(m.matches("content"))
		m.Zero(m.count(store.Count(m.ctx(), m, store.ObservationQuery{})))
		m.Zero(m.count(store.Count(m.ctx(), m, store.CorrectionsOf{})))
		m.Zero(m.count(store.Count(m.ctx(), m, store.MemoirsOf{})))
		m.NoError(m.counted([]store.Access{{Key: "o", Count: 1, At: at(0)}}))
		m.Zero(m.count(m.PruneObservations(m.ctx(), store.Pruning{Now: at(0), MinWeight: 1})))
	})
}

// hasNoKnowledge checks a tenant that has not what recordEveryLink makes.
func hasNoKnowledge(m *tenant) {
	m.t.Helper()
	memoirs, err := store.Get[memory.Memoir](m.ctx(), m, []string{"m"})
	m.NoError(err)
	m.Nil(memoirs[0])
	byName, _, err := store.List(m.ctx(), m, store.MemoirsOf{Name: new("Name of m")}, everything)
	m.NoError(err)
	m.Empty(byName)
	concepts, err := store.Get[memory.Concept](m.ctx(), m, []string{"p"})
	m.NoError(err)
	m.Nil(concepts[0])
	observations, err := store.Get[memory.Observation](m.ctx(), m, []string{"o"})
	m.NoError(err)
	m.Nil(observations[0])
	corrections, err := store.Get[memory.Correction](m.ctx(), m, []string{"x"})
	m.NoError(err)
	m.Nil(corrections[0])
	m.Zero(m.count(store.Count(m.ctx(), m, store.MemoirsOf{})))
	m.Zero(m.count(store.Count(m.ctx(), m, store.ConceptsOf{Memoir: "m"})))
	m.Zero(m.count(store.Count(m.ctx(), m, store.CorrectionsOf{})))
	m.Empty(m.related("p", memory.DirectionBoth))
	m.Empty(m.mentioned("e"))
	_, err = m.LinkConcepts(m.ctx(), relates("p", memory.RelationPartOf, "q"))
	m.ErrorIs(err, store.ErrNotFound)
	removed, err := m.UnlinkConcepts(m.ctx(), relates("p", memory.RelationPartOf, "q"))
	m.NoError(err)
	m.False(removed)
	m.Equal([]bool{false, false, false}, m.exist("concept:p", "memoir:m", "session:s"))
	m.Empty(m.neighbours(store.AdjacencyQuery{Of: []string{"concept:p", "memoir:m", "agent:ada"}}))
	m.Empty(m.between([]string{"concept:p"}, []string{"concept:q"}, nil))
	m.ElementsMatch([]string{"episode:stranger", "observation:stranger"}, m.matches("content observation"))
}
