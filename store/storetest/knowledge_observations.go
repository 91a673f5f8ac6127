package storetest

import (
	"testing"

	"mneme/memory"
	"mneme/store"
)

func (s suite) observations(t *testing.T) {
	s.run(t, "every field comes back", observationFields)
	s.run(t, "texts come back byte for byte", func(m *tenant) {
		for i, text := range awkwardTexts {
			d := observation(string(rune('a'+i)), at(0)).saying(text)
			m.observe(d)
			m.Equal(d.read(), m.observation(string(rune('a'+i))), "%q", text)
		}
	})
	s.run(t, "counts of accesses are not taken over", func(m *tenant) {
		d := observation("o1", at(0))
		d.Observation.AccessCount, d.Observation.LastAccessedAt = 7, new(at(1))
		m.observe(d)
		m.Equal(observation("o1", at(0)).read(), m.observation("o1"))
	})
	s.run(t, "the same content again is the same observation, other content a conflict", func(m *tenant) {
		m.observe(observation("o1", at(0)))
		m.access("o1", 2, 1)
		recorded := m.observed(observation("o1", at(0)), observation("o1", at(0)).saying("other"), observation("o2", at(0)))
		m.NoError(recorded[0].Err)
		m.False(recorded[0].Created)
		m.ErrorIs(recorded[1].Err, store.ErrConflict)
		m.True(recorded[2].Created)
		m.Equal(2, m.observation("o1").AccessCount)
		m.Equal("Content of o1", m.observation("o1").Content)
	})
	s.run(t, "observations come in the order of the keys, nil where there is none", func(m *tenant) {
		m.observe(observation("a", at(0)), observation("b", at(0)))
		found, err := m.Observations(m.ctx(), []string{"b", "none", "a", "b"})
		m.NoError(err)
		a, b := observation("a", at(0)).read(), observation("b", at(0)).read()
		m.Equal([]*memory.Observation{b, nil, a, b}, found)
		found, err = m.Observations(m.ctx(), nil)
		m.NoError(err)
		m.Equal([]*memory.Observation{}, found)
	})
	s.run(t, "reading counts no access", func(m *tenant) {
		m.observe(observation("o1", at(0)))
		m.observation("o1")
		m.listedObservations(store.ObservationQuery{Order: store.LatestFirst})
		m.Zero(m.observation("o1").AccessCount)
		m.Nil(m.observation("o1").LastAccessedAt)
	})
	s.run(t, "a session comes into being with its observation", func(m *tenant) {
		m.observe(observation("o1", at(0)).in("s"))
		m.True(m.hasSession("s"))
	})
	s.run(t, "a session stays while an observation is in it", func(m *tenant) {
		m.observe(observation("o1", at(0)).in("s"))
		m.record(episode("e1", at(0)).in("s"))
		m.remove("e1")
		m.True(m.hasSession("s"))
		m.Equal(new("s"), m.observation("o1").SessionKey)
	})
	s.run(t, "accesses are added to those that are there", addAccesses)
	s.run(t, "neighbours in a session are those before and after", sessionNeighbours)
}

func observationFields(m *tenant) {
	m.record(episode("e1", at(0)))
	full := observation("o1", at(3)).in("s").saying("Refunds take a week.").weighing(memory.ImportanceCritical).about("episode:e1")
	full.Observation.Receipt = memory.Receipt{TokensBefore: 9, TokensAfter: 7, Redactions: []memory.Redaction{{Kind: "private", Count: 2}}}
	m.observe(full, observation("o2", at(4)))
	m.Equal(full.read(), m.observation("o1"))
	m.Equal(observation("o2", at(4)).read(), m.observation("o2"))
}

// access tells of reads of an observation.
func (m *tenant) access(key string, count, minute int) {
	m.t.Helper()
	m.NoError(m.AddAccesses(m.ctx(), []store.Access{{Key: key, Count: count, At: at(minute)}}))
}

func addAccesses(m *tenant) {
	m.observe(observation("o1", at(0)), observation("o2", at(0)), observation("o3", at(0)))
	m.NoError(m.AddAccesses(m.ctx(), []store.Access{
		{Key: "o1", Count: 3, At: at(5)}, {Key: "gone", Count: 1, At: at(5)}, {Key: "o2", Count: 1, At: at(6)},
		{Key: "o1", Count: 2, At: at(4)},
	}))
	m.NoError(m.AddAccesses(m.ctx(), []store.Access{{Key: "o1", Count: 1, At: at(7)}}))
	m.NoError(m.AddAccesses(m.ctx(), nil))
	m.Equal(6, m.observation("o1").AccessCount)
	m.Equal(new(at(7)), m.observation("o1").LastAccessedAt)
	m.Equal(1, m.observation("o2").AccessCount)
	m.Equal(new(at(6)), m.observation("o2").LastAccessedAt)
	m.Equal(observation("o3", at(0)).read(), m.observation("o3"))
	m.access("o1", 1, 2)
	m.Equal(new(at(7)), m.observation("o1").LastAccessedAt, "the last access is the latest")
	m.observe(observation("gone", at(0)))
	m.Zero(m.observation("gone").AccessCount, "dropped, not kept for later")
}

func sessionNeighbours(m *tenant) {
	m.observe(
		observation("c", at(1)).in("s"), observation("a", at(2)).in("s"), observation("b", at(2)).in("s"),
		observation("d", at(3)).in("s"), observation("x", at(2)).in("t"), observation("y", at(2)),
	)
	m.record(episode("e1", at(2)).in("s"))
	found, err := m.SessionNeighbours(m.ctx(), []string{"d", "c", "a", "b", "x", "y", "none", "a"})
	m.NoError(err)
	for key, want := range map[string][2]string{
		"c": {"", "a"}, "a": {"c", "b"}, "b": {"a", "d"}, "d": {"b", ""}, "x": {}, "y": {}, "none": {},
	} {
		m.Equal(want, found[key], key)
	}
}
