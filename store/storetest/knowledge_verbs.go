package storetest

import (
	"mneme/memory"
	"mneme/store"
)

// applied gives what became of a batch that must not fail as a whole, one answer for each record.
func (m *tenant) applied(count int) func([]store.Recorded, error) []store.Recorded {
	return func(recorded []store.Recorded, err error) []store.Recorded {
		m.t.Helper()
		m.NoError(err)
		m.Len(recorded, count)
		return recorded
	}
}

// remember creates new memoirs in one batch.
func (m *tenant) remember(drafts ...memoirDraft) {
	m.t.Helper()
	m.allCreated(m.remembered(drafts...))
}

func (m *tenant) remembered(drafts ...memoirDraft) []store.Recorded {
	m.t.Helper()
	return m.applied(len(drafts))(store.Record(m.ctx(), m, memoirRecords(drafts)))
}

// learn adds new concepts in one batch.
func (m *tenant) learn(drafts ...conceptDraft) {
	m.t.Helper()
	m.allCreated(m.learned(drafts...))
}

func (m *tenant) learned(drafts ...conceptDraft) []store.Recorded {
	m.t.Helper()
	return m.applied(len(drafts))(store.Record(m.ctx(), m, conceptRecords(drafts)))
}

// link links concepts.
func (m *tenant) link(relations ...memory.Relation) {
	m.t.Helper()
	for _, relation := range relations {
		linked, err := m.LinkConcepts(m.ctx(), relation)
		m.NoError(err)
		m.Equal(relation, linked)
	}
}

// observe records new observations in one batch.
func (m *tenant) observe(drafts ...observationDraft) {
	m.t.Helper()
	m.allCreated(m.observed(drafts...))
}

func (m *tenant) observed(drafts ...observationDraft) []store.Recorded {
	m.t.Helper()
	return m.applied(len(drafts))(store.Record(m.ctx(), m, observationRecords(drafts)))
}

// correct records new corrections in one batch.
func (m *tenant) correct(drafts ...correctionDraft) {
	m.t.Helper()
	m.allCreated(m.corrected(drafts...))
}

func (m *tenant) corrected(drafts ...correctionDraft) []store.Recorded {
	m.t.Helper()
	return m.applied(len(drafts))(store.Record(m.ctx(), m, correctionRecords(drafts)))
}

// memoir reads a memoir that must be there.
func (m *tenant) memoir(key string) *memory.Memoir {
	m.t.Helper()
	found, err := store.Get[memory.Memoir](m.ctx(), m, []string{key})
	return onlyOne(m, key, found, err)
}

// concept reads a concept that must be there.
func (m *tenant) concept(key string) *memory.Concept {
	m.t.Helper()
	found, err := store.Get[memory.Concept](m.ctx(), m, []string{key})
	return onlyOne(m, key, found, err)
}

// observation reads an observation that must be there.
func (m *tenant) observation(key string) *memory.Observation {
	m.t.Helper()
	found, err := store.Get[memory.Observation](m.ctx(), m, []string{key})
	return onlyOne(m, key, found, err)
}

// correction reads a correction that must be there.
func (m *tenant) correction(key string) *memory.Correction {
	m.t.Helper()
	found, err := store.Get[memory.Correction](m.ctx(), m, []string{key})
	return onlyOne(m, key, found, err)
}

// onlyOne gives the one record that a read by key must find.
func onlyOne[T any](m *tenant, key string, found []*T, err error) *T {
	m.t.Helper()
	m.NoError(err)
	m.Len(found, 1)
	m.NotNil(found[0], "%T %q", found[0], key)
	return found[0]
}

// related gives the relations of a concept.
func (m *tenant) related(concept string, direction memory.Direction, types ...memory.RelationType) []memory.Relation {
	m.t.Helper()
	found, err := m.Relations(m.ctx(), store.RelationsOf{Concepts: []string{concept}, Direction: direction, Types: types})
	m.NoError(err)
	return found[concept]
}

// mentioned gives the keys of the concepts that an episode mentions.
func (m *tenant) mentioned(episode string) []string {
	m.t.Helper()
	found, err := m.Mentioned(m.ctx(), []string{episode})
	m.NoError(err)
	return conceptKeys(found[episode])
}

func conceptKeys(concepts []*memory.Concept) []string {
	return keysOf(concepts, func(c *memory.Concept) string { return c.Key })
}

// neighbours gives all neighbours of some records.
func (m *tenant) neighbours(query store.AdjacencyQuery) []string {
	m.t.Helper()
	if query.Limit == 0 {
		query.Limit = everything.Limit
	}
	found, err := m.Neighbours(m.ctx(), query)
	m.NoError(err)
	m.NotNil(found)
	return found
}

// exist says which ids are records.
func (m *tenant) exist(ids ...string) []bool {
	m.t.Helper()
	found, err := m.Exist(m.ctx(), ids)
	m.NoError(err)
	return found
}
